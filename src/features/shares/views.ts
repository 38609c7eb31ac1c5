/**
 * When links were last viewed, and how often they were opened. A viewer's
 * answer never waits for the note of it: a write of its own would tell, by the
 * time it takes, whether anybody else had been there in the last minute.
 *
 * @module
 */
import type { OpaqueId } from "../../core/ids.ts";
import { Limiter } from "../../core/limiter.ts";
import type { Platform } from "../../core/platform.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { noteViews, type Viewed } from "./store.ts";

/** A view is written at most once in this time for each link. */
const NOTED_EVERY_MS = MINUTE_MS;
/** Views wait this long, so that many are one write (ms). */
const WRITE_AFTER_MS = SECOND_MS;

export class ShareViews {
  #views = new Map<OpaqueId, Viewed>();
  /** Who opened what within the hour; nothing of it is ever written. */
  readonly #openings = new Limiter({ limit: 1, windowMs: HOUR_MS });
  /** Resolves when the write before has ended. */
  #turn: Promise<void> = Promise.resolve();
  #later: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(
    private readonly db: Db,
    private readonly platform: Pick<Platform, "sleep" | "log">,
  ) {}

  /** Takes note of a view of a live link, last noted at `before` (ms). */
  note(opaqueId: OpaqueId, before: number | null, now: number): void {
    if (before !== null && now - before < NOTED_EVERY_MS) return;
    this.#add(opaqueId, now, 0);
  }

  /** Takes note that a client opened a link: once an hour that is a view more. */
  open(opaqueId: OpaqueId, clientAddress: string, now: number): void {
    const key = `${opaqueId} ${clientAddress}`;
    if (this.#openings.charge(key, now) !== undefined) return;
    this.#add(opaqueId, now, 1);
  }

  #add(opaqueId: OpaqueId, at: number, opened: number): void {
    const before = this.#views.get(opaqueId)?.opened ?? 0;
    this.#views.set(opaqueId, { at, opened: before + opened });
    this.#later ??= this.#writeLater();
  }

  /** Writes what was noted; resolves once all of it is written. */
  write(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#writeNow());
    return this.#turn;
  }

  /** Writes what was noted without waiting any longer. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#later;
    await this.write();
  }

  async #writeLater(): Promise<void> {
    await this.platform.sleep(WRITE_AFTER_MS, this.#closing.signal);
    this.#later = undefined;
    await this.write();
  }

  async #writeNow(): Promise<void> {
    if (this.#views.size === 0) return;
    const views = this.#views;
    this.#views = new Map();
    try {
      await noteViews(this.db, views, NOTED_EVERY_MS);
    } catch (cause) {
      // It is a courtesy to the issuer: its failure fails nothing.
      this.platform.log.warn("share views not noted", { cause });
    }
  }
}
