/**
 * Both public logs of a running server (protocol/logs.md). They follow what
 * others commit, and no request waits for them.
 *
 * @module
 */
import type { Platform } from "../../core/platform.ts";
import type { Tile } from "../../crypto/logs/merkle.ts";
import { removeTree } from "../../store/files/copies.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Files } from "../../store/files/files.ts";
import { logPath } from "../../store/data_paths.ts";
import type { LogName } from "../../store/sqlite/schema.ts";
import { forkLife, type Life, originOf } from "./life.ts";
import { type LogSigningKeys, PublicLog, type Served } from "./public_log.ts";
import { sourceOf } from "./source.ts";
import { LOG_NAMES, runOf } from "./store.ts";
import { Witnesses } from "./witnesses.ts";

/** Where the logs of a life are, and of what. */
interface LogPlace {
  readonly db: Db;
  readonly files: Files;
  readonly platform: Pick<
    Platform,
    "now" | "monotonic" | "sleep" | "fetch" | "log"
  >;
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
    source: sourceOf(db, name),
  });
}

type BothLogs = Readonly<Record<LogName, PublicLog>>;

function openLogs(place: LogPlace): BothLogs {
  return {
    custody: openLog(place, "custody"),
    keys: openLog(place, "keys"),
  };
}

export class Logs {
  #life: Life;
  #logs: BothLogs;
  readonly #witnesses: Witnesses;
  readonly #closing = new AbortController();
  #round: Promise<void> | undefined;
  #asking: Promise<void> | undefined;
  #isConfirmed = false;
  #isTidy = false;

  constructor(
    private readonly place: LogPlace,
    private readonly keys: LogSigningKeys,
  ) {
    this.#life = place.life;
    this.#logs = openLogs(place);
    this.#witnesses = new Witnesses(place);
  }

  /** The last part of both origins. */
  get gen(): string {
    return this.#life.gen;
  }

  origin(name: LogName): string {
    return originOf(this.#life, name);
  }

  /** What a log serves; undefined before its first checkpoint. */
  served(name: LogName): Promise<Served | undefined> {
    return this.#logs[name].served(this.keys);
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

  /** Resolves once no witness is being asked. */
  async witnessed(): Promise<void> {
    await this.#asking;
  }

  async #advanceAll(): Promise<void> {
    await this.#confirm();
    await this.#tidy();
    const failures: unknown[] = [];
    for (const name of LOG_NAMES) {
      await this.#logs[name].advance(this.keys, this.#closing.signal)
        .catch((cause) => failures.push(cause));
    }
    // Not awaited: a checkpoint is valid without witnesses.
    this.#asking ??= this.#ask().finally(() => this.#asking = undefined);
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Before anything is signed, the witnesses tell whether they saw more than
   * this data directory has: then it is older than what was signed, and another
   * tree under the same name would contradict it. Those that are silent are not
   * waited for.
   */
  async #confirm(): Promise<void> {
    if (this.#isConfirmed) return;
    // What this database knows of its witnesses may be as old as the rest.
    const [found] = await this.#askAll({ anew: true });
    if (this.#closing.signal.aborted) return;
    this.#isConfirmed = true;
    if (found === undefined) return;
    const { db, platform } = this.place;
    const { witness, origin, size } = found;
    const reason = `${witness} has seen ` +
      (size === undefined ? "another tree" : `${size} entries`) +
      ` of ${origin}`;
    const now = platform.now();
    this.#life = await forkLife(db, this.#life, { reason, now });
    this.#logs = openLogs({ ...this.place, life: this.#life });
    platform.log.error(
      "this data directory is older than what its server has signed: the " +
        "public logs start again under another name",
      { because: reason, origin: this.origin("custody") },
    );
  }

  async #ask(): Promise<void> {
    try {
      await this.#askAll({ anew: false });
    } catch (cause) {
      this.place.platform.log.warn("witnesses were not asked", { cause });
    }
  }

  #askAll({ anew }: { readonly anew: boolean }) {
    const logs = LOG_NAMES.map((name) => this.#logs[name]);
    const { signal } = this.#closing;
    return this.#witnesses.askAll(logs, { anew, signal });
  }

  /** The tiles of lives that are over are served no more. */
  async #tidy(): Promise<void> {
    if (this.#isTidy) return;
    const { files, root } = this.place;
    const directory = logPath(root);
    for (const name of LOG_NAMES) {
      for await (const one of files.list(`${directory}/${name}`)) {
        if (one === String(this.#life.life)) continue;
        await removeTree(files, `${directory}/${name}/${one}`);
      }
    }
    this.#isTidy = true;
  }

  /** Resolves once no round is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#round?.catch(() => {});
    await this.#asking;
  }
}
