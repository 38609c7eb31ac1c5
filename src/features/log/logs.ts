/**
 * Both public logs of a running server (protocol/logs.md). They follow what
 * others commit, and no request waits for them.
 *
 * @module
 */
import type { Platform } from "../../core/platform.ts";
import type { Tile } from "../../crypto/merkle.ts";
import { removeTree } from "../../store/copies.ts";
import type { Db } from "../../store/database.ts";
import type { Files } from "../../store/files.ts";
import { logPath } from "../../store/places.ts";
import type { LogName } from "../../store/schema.ts";
import { type Life, originOf } from "./life.ts";
import { type LogSigningKeys, PublicLog, type Served } from "./public_log.ts";
import { sourceOf } from "./source.ts";
import { LOG_NAMES, runOf } from "./store.ts";

/** Where the logs of a life are, and of what. */
export interface LogPlace {
  readonly db: Db;
  readonly files: Files;
  readonly platform: Pick<Platform, "now" | "sleep" | "log">;
  /** Absolute path of the data directory. */
  readonly root: string;
  readonly life: Life;
}

/** One log of a life. */
export function openLog(place: LogPlace, name: LogName): PublicLog {
  const { db, life } = place;
  return new PublicLog({
    ...place,
    name,
    life: life.life,
    origin: originOf(life, name),
    source: sourceOf(db, name, life),
  });
}

export class Logs {
  readonly #logs: Readonly<Record<LogName, PublicLog>>;
  readonly #closing = new AbortController();
  #round: Promise<void> | undefined;
  #isTidy = false;

  constructor(
    private readonly place: LogPlace,
    private readonly keys: LogSigningKeys,
  ) {
    this.#logs = {
      custody: openLog(place, "custody"),
      keys: openLog(place, "keys"),
    };
  }

  /** The last part of both origins. */
  get gen(): string {
    return this.place.life.gen;
  }

  origin(name: LogName): string {
    return originOf(this.place.life, name);
  }

  /** What a log serves; undefined before its first checkpoint. */
  served(name: LogName): Promise<Served | undefined> {
    return this.#logs[name].served();
  }

  /** The bytes of a tile; undefined for one that is not served. */
  tile(
    name: LogName,
    tile: Tile,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.#logs[name].tile(tile);
  }

  /**
   * The place of a receipt in the custody log; undefined until a checkpoint
   * covers it.
   */
  async indexOf(receiptSeq: number): Promise<number | undefined> {
    const { upTo = 0 } = await this.served("custody") ?? {};
    if (receiptSeq > upTo) return undefined;
    const run = await runOf(this.place.db, receiptSeq);
    return run && run.first_index + receiptSeq - run.first_seq;
  }

  /** Signs what was committed since; a round that is under way is joined. */
  advance(): Promise<void> {
    return this.#round ??= this.#advanceAll()
      .finally(() => this.#round = undefined);
  }

  async #advanceAll(): Promise<void> {
    await this.#tidy();
    const failures: unknown[] = [];
    for (const name of LOG_NAMES) {
      await this.#logs[name].advance(this.keys, this.#closing.signal)
        .catch((cause) => failures.push(cause));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** The tiles of lives that are over are served no more. */
  async #tidy(): Promise<void> {
    if (this.#isTidy) return;
    const { files, root, life } = this.place;
    const directory = logPath(root);
    for (const name of LOG_NAMES) {
      for await (const one of files.list(`${directory}/${name}`)) {
        if (one === String(life.life)) continue;
        await removeTree(files, `${directory}/${name}/${one}`);
      }
    }
    this.#isTidy = true;
  }

  /** Resolves once no round is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#round?.catch(() => {});
  }
}
