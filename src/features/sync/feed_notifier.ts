/**
 * Waking those who wait for the feed. A change wakes whom it concerns: the
 * account whose change it is, the album's owner, and those whom the album's
 * roster names. Who waits asks the database nothing meanwhile; one look for all
 * of them finds, now and then, what another process wrote and whose session has
 * ended.
 *
 * @module
 */
import { chunks } from "../../core/chunks.ts";
import type { AlbumId, SessionId, UserId } from "../../core/ids.ts";
import type { Platform } from "../../core/platform.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { Db } from "../../store/sqlite/database.ts";
import {
  listConcerned,
  listMembersAmong,
  listOpenAmong,
  readLastPosition,
} from "./store.ts";

/** For what another process wrote, all who wait look this often (ms). */
const LOOK_EVERY_MS = 2 * SECOND_MS;
/** Positions whose concern is worth finding out; beyond, everybody is woken. */
const POSITIONS_MAX = 2_000;
/** Entries that are written within this time are told of together (ms). */
const PAUSE_MS = 20;
/** Telling takes at most one part in so many of the time. */
const TELLING_SHARE = 10;
/** So many are woken, and read the feed, before others have their turn. */
const WOKEN_AT_ONCE = 16;
/** Waiting requests that one account, or one grant, may have. */
const WAITING_MAX = 8;

/** Who waits, and for what. */
export interface Subject {
  /** What the waiting requests are counted by: an account, or a grant. */
  readonly counted: string;
  /** Whose feed it is; undefined where it is an album's alone. */
  readonly userId: UserId | undefined;
  readonly albumId: AlbumId | undefined;
  /** Undefined for a capability, which is looked at each time. */
  readonly sessionId: SessionId | undefined;
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal;
}

/** One waiting request. */
class Waiter {
  #waking = new AbortController();

  constructor(
    readonly subject: Subject,
    /** When it ends by itself, on the monotonic clock (ms). */
    readonly deadline: number,
    private readonly platform: Pick<Platform, "sleep" | "monotonic">,
  ) {}

  /** Resolves once it is woken, its time is over or its client is gone. */
  async woken(): Promise<void> {
    const { gone } = this.subject;
    const wake = () => this.wake();
    gone.addEventListener("abort", wake);
    try {
      const left = this.deadline - this.platform.monotonic();
      if (!gone.aborted) await this.platform.sleep(left, this.#waking.signal);
    } finally {
      gone.removeEventListener("abort", wake);
    }
    // Before a waiting poll looks again: a change while it looks is not missed.
    this.#waking = new AbortController();
  }

  wake(): void {
    this.#waking.abort();
  }
}

/** Wakes waiting requests when the feed has grown. */
export class FeedNotifier {
  readonly #waiting = new Set<Waiter>();
  readonly #counts = new Map<string, number>();
  /** Later changes were not reported yet; undefined while no poll waits. */
  #told: number | undefined;
  #watching: AbortController | undefined;
  #telling = false;
  #asked = false;
  #stopped = false;

  constructor(
    private readonly db: Db,
    private readonly platform: Pick<Platform, "sleep" | "monotonic" | "now">,
  ) {}

  /** Whether polls may no longer wait: the server is being stopped. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /**
   * Begins a wait; what is written from then on ends it. Undefined where the
   * account waits as often as it may. {@link leave} has to follow.
   */
  async enter(subject: Subject, waitMs: number): Promise<Waiter | undefined> {
    const { counted } = subject;
    const count = this.#counts.get(counted) ?? 0;
    if (count >= WAITING_MAX) return undefined;
    this.#counts.set(counted, count + 1);
    const deadline = this.platform.monotonic() + waitMs;
    const waiter = new Waiter(subject, deadline, this.platform);
    this.#waiting.add(waiter);
    try {
      const last = await readLastPosition(this.db);
      // Another may have begun to wait meanwhile, further back.
      this.#told = Math.min(this.#told ?? last, last);
    } catch (cause) {
      this.leave(waiter);
      throw cause;
    }
    this.#watching ??= this.#watch();
    return waiter;
  }

  /** Seconds until the first wait of an account ends by itself. */
  secondsLeft(counted: string): number {
    const ends = [...this.#waiting]
      .filter(({ subject }) => subject.counted === counted)
      .map(({ deadline }) => deadline);
    const left = Math.min(...ends) - this.platform.monotonic();
    return Math.max(1, left / SECOND_MS);
  }

  /** Ends a wait. */
  leave(waiter: Waiter): void {
    if (!this.#waiting.delete(waiter)) return;
    const { counted } = waiter.subject;
    const count = (this.#counts.get(counted) ?? 0) - 1;
    if (count > 0) this.#counts.set(counted, count);
    else this.#counts.delete(counted);
    if (this.#waiting.size > 0) return;
    this.#told = undefined;
    this.#watching?.abort();
    this.#watching = undefined;
  }

  /** Says that this process has written to the feed. */
  notify(): void {
    if (this.#waiting.size === 0) return;
    this.#asked = true;
    if (!this.#telling) void this.#tellAll();
  }

  /** Ends all waiting, for good. */
  stop(): void {
    this.#stopped = true;
    for (const waiter of this.#waiting) waiter.wake();
  }

  /**
   * Wakes some at a time: each reads the feed at once, and an album of a
   * thousand members is not to hold up those who wait for something else.
   */
  async #wake(waiters: readonly Waiter[]): Promise<void> {
    for (const some of chunks(waiters, WOKEN_AT_ONCE)) {
      for (const waiter of some) waiter.wake();
      await this.platform.sleep(0, new AbortController().signal);
    }
  }

  /** Tells what was written, again for each notify meanwhile. */
  async #tellAll(): Promise<void> {
    this.#telling = true;
    while (this.#asked && this.#watching !== undefined) {
      this.#asked = false;
      const { signal } = this.#watching;
      const began = this.platform.monotonic();
      const concerned = await this.#findConcerned();
      const took = this.platform.monotonic() - began;
      await this.#wake(concerned);
      await this.platform.sleep(
        Math.max(PAUSE_MS, took * (TELLING_SHARE - 1)),
        signal,
      );
    }
    this.#telling = false;
  }

  /** Looks now and then, for as long as anybody waits. */
  #watch(): AbortController {
    const watching = new AbortController();
    const { signal } = watching;
    const look = async () => {
      for (;;) {
        await this.platform.sleep(LOOK_EVERY_MS, signal);
        if (signal.aborted) return;
        this.notify();
        await this.#wakeEnded();
      }
    };
    void look();
    return watching;
  }

  /** Whom the entries concern that were not told of yet. */
  async #findConcerned(): Promise<readonly Waiter[]> {
    try {
      const upTo = await readLastPosition(this.db);
      const after = this.#told ?? upTo;
      if (upTo <= after) return [];
      this.#told = upTo;
      if (upTo - after > POSITIONS_MAX) return [...this.#waiting];
      return await this.#listConcerned(after, upTo);
    } catch {
      // Each finds out for itself, and says so to its client.
      return [...this.#waiting];
    }
  }

  async #listConcerned(after: number, upTo: number): Promise<Waiter[]> {
    const users = new Set<string>();
    const albums = new Set<AlbumId>();
    /** Those of which everybody hears who is on the roster. */
    const open = new Set<AlbumId>();
    for (const entry of await listConcerned(this.db, after, upTo)) {
      users.add(entry.user_id);
      if (entry.album_owner_id !== null) users.add(entry.album_owner_id);
      if (entry.album_id === null) continue;
      albums.add(entry.album_id);
      if (entry.personal === 0) open.add(entry.album_id);
    }
    const woken: Waiter[] = [];
    const asleep: Waiter[] = [];
    for (const waiter of this.#waiting) {
      const { userId, albumId } = waiter.subject;
      const concerned = albumId === undefined
        ? userId !== undefined && users.has(userId)
        : albums.has(albumId);
      if (concerned) woken.push(waiter);
      else if (albumId === undefined) asleep.push(waiter);
    }
    const accounts = new Set(
      asleep.flatMap(({ subject: { userId } }) => userId ?? []),
    );
    if (open.size === 0 || accounts.size === 0) return woken;
    const members = new Set(
      await listMembersAmong(this.db, [...open], [...accounts]),
    );
    return [
      ...woken,
      ...asleep.filter(({ subject: { userId } }) =>
        userId !== undefined && members.has(userId)
      ),
    ];
  }

  /** Wakes those whose session has ended; they find that out. */
  async #wakeEnded(): Promise<void> {
    try {
      const sessions = [...this.#waiting].flatMap(({ subject }) =>
        subject.sessionId ?? []
      );
      const open = new Set(
        await listOpenAmong(this.db, sessions, this.platform.now()),
      );
      await this.#wake(
        [...this.#waiting].filter(({ subject: { sessionId } }) =>
          sessionId === undefined || !open.has(sessionId)
        ),
      );
    } catch {
      await this.#wake([...this.#waiting]);
    }
  }
}
