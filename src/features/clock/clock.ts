/**
 * Whether this machine's clock may be trusted when something is deleted
 * permanently (protocol/manifests.md#collection). A clock that leaps ahead
 * would empty every trash at once, and setting it right brings nothing back.
 *
 * The server writes down regularly that it runs, and what its clock says. An
 * instant is believed when it is near the one before, time that has passed
 * since being counted on a clock that no one sets. One far from it is not,
 * until the server has run for a day with it: whoever runs a server sees by
 * then that its clock is wrong, and one that was switched off for half a year
 * recovers by itself. Or the operator says that it is right.
 *
 * @module
 */
import type { Platform } from "../../core/platform.ts";
import { counted } from "../../core/sizes.ts";
import { DAY_MS, MINUTE_MS, toRfc3339 } from "../../core/time.ts";
import { type Db, transaction } from "../../store/sqlite/database.ts";
import { newestReceiptAt } from "../receipts/newest.ts";
import { lastUse, moveSessions } from "../sessions/store.ts";

/** The farthest that a clock may be from where it was expected (ms). */
export const LEAP_MS = DAY_MS;
/** So long (ms) a server runs with a clock that leapt until it believes it. */
const CONFIRMED_MS = DAY_MS;

/** So far (ms) a clock may be behind what is recorded for a command to delete. */
const BEHIND_MS = 5 * MINUTE_MS;
/**
 * A running server looks at its clock every ten minutes. What is dated longer
 * (ms) after the last look is of a clock that is believed no more.
 */
const UNSEEN_MS = 15 * MINUTE_MS;

/** Ahead and behind are those of a clock that is not believed. */
type Verdict = "believed" | "ahead" | "behind";

/**
 * Judges a look at the clock, `passedMs` after the one before, or 0 if the time
 * between them was not measured.
 */
export function judge(
  { knownAt, doubt }: ClockState,
  now: number,
  passedMs: number,
): { readonly state: ClockState; readonly verdict: Verdict } {
  const believed = {
    state: { knownAt: now, doubt: undefined },
    verdict: "believed",
  } as const;
  const expected = (knownAt ?? now) + passedMs;
  if (knownAt === undefined || isNear(now, expected)) return believed;
  // Another leap starts the doubt again.
  const ranMs = doubt !== undefined && isNear(now, doubt.at + passedMs)
    ? doubt.ranMs + passedMs
    : 0;
  if (ranMs >= CONFIRMED_MS) return believed;
  return {
    state: { knownAt: expected, doubt: { at: now, ranMs } },
    verdict: now > expected ? "ahead" : "behind",
  };
}

function isNear(now: number, expected: number): boolean {
  return Math.abs(now - expected) <= LEAP_MS;
}

/** Looks at the clock for a server that runs, and writes down what it saw. */
export class ClockWatch {
  #lookedAt: number | undefined;
  /** What the clock said then. */
  #saidAt = 0;

  constructor(
    private readonly db: Db,
    private readonly platform: Pick<Platform, "now" | "monotonic">,
  ) {}

  /**
   * How far the clock was set ahead since the last look, while this process
   * counted the time that passed (ms); 0 for less than a day.
   */
  #leapMs(at: number, counted: number): number {
    if (this.#lookedAt === undefined) return 0;
    const leapMs = at - this.#saidAt - (counted - this.#lookedAt);
    return leapMs > LEAP_MS ? Math.round(leapMs) : 0;
  }

  /**
   * Whether the clock was set ahead since the last look; sessions have moved
   * along then. A clock that was behind and is right again must not end those
   * that were used meanwhile.
   */
  async noticeLeap(): Promise<boolean> {
    const { now, monotonic } = this.platform;
    if (this.#leapMs(now(), monotonic()) === 0) return false;
    await this.look();
    return true;
  }

  /** Looks now. Returns the verdict with the state that it is about. */
  async look(): Promise<{
    readonly verdict: Verdict;
    readonly knownAt: number;
    readonly now: number;
  }> {
    const { now, monotonic } = this.platform;
    const before = this.#lookedAt;
    const lookedAt = monotonic();
    return await transaction(this.db, async (tx) => {
      const at = now();
      const passedMs = before === undefined ? 0 : lookedAt - before;
      const { state, verdict } = judge(await stateOf(tx), at, passedMs);
      await writeClock(tx, state);
      const leapMs = this.#leapMs(at, lookedAt);
      if (leapMs > 0) await moveSessions(tx, at - leapMs, leapMs);
      this.#lookedAt = lookedAt;
      this.#saidAt = at;
      return { verdict, knownAt: state.knownAt ?? at, now: at };
    });
  }
}

/** What was written down, or before the first time what was done last. */
async function stateOf(db: Db): Promise<ClockState> {
  const state = await readClock(db);
  if (state.knownAt !== undefined) return state;
  const done = [await lastUse(db), await newestReceiptAt(db)]
    .filter((at) => at !== undefined);
  return done.length === 0 ? state : { ...state, knownAt: Math.max(...done) };
}

/** Something that was done, and when by the clock of then (ms). */
export interface Recorded {
  readonly what: string;
  readonly at: number;
}

/**
 * When the server looked at its clock last and believed it; undefined before
 * the first time.
 */
export async function lastRan(db: Db): Promise<Recorded | undefined> {
  const { knownAt } = await stateOf(db);
  return knownAt === undefined
    ? undefined
    : { what: "the last look at it by the running server", at: knownAt };
}

/**
 * Whether a command may delete by an instant: it is neither too far after the
 * server's last look at its clock, nor before what is recorded. `done` is what
 * is known from outside the database. Writes nothing.
 */
export async function judgeInstant(
  db: Db,
  now: number,
  done: readonly Recorded[] = [],
): Promise<{
  readonly verdict: Verdict;
  /** What the instant is too far from. */
  readonly recorded: Recorded | undefined;
}> {
  const ran = await lastRan(db);
  if (ran !== undefined && now - ran.at > LEAP_MS) {
    return { verdict: "ahead", recorded: ran };
  }
  const newest = await newestReceiptAt(db);
  const used = await lastUse(db);
  const [last] = [
    ...ran === undefined ? [] : [ran],
    ...used === undefined ? [] : [{ what: "the last request", at: used }],
    ...newest === undefined ? [] : [{ what: "the newest receipt", at: newest }],
    ...done,
  ]
    .filter(({ at }) => ran === undefined || at - ran.at <= UNSEEN_MS)
    .toSorted((a, b) => b.at - a.at);
  return last !== undefined && last.at - now > BEHIND_MS
    ? { verdict: "behind", recorded: last }
    : { verdict: "believed", recorded: last };
}

/** Says what the clock of a server that starts is like, where it is not right. */
export function tellStart(
  { verdict, now, knownAt }: Awaited<ReturnType<ClockWatch["look"]>>,
  log: Platform["log"],
): void {
  if (verdict === "believed") return;
  const days = Math.round(Math.abs(now - knownAt) / DAY_MS);
  log.warn(
    `this machine's clock is ${counted(days, "day")} ${verdict} of when this ` +
      "server last ran" +
      (verdict === "ahead"
        ? ": if it is right, do nothing, and deletion goes on in a day; " +
          "otherwise set it right, before anything is deleted too early"
        : ": set it right"),
    { clock: toRfc3339(now), last_ran: toRfc3339(Math.round(knownAt)) },
  );
}

/** Writes down, on the operator's word, that the clock is right. */
export async function believe(db: Db, now: number): Promise<void> {
  await writeClock(db, { knownAt: now, doubt: undefined });
}

/** What is known of the clock; instants in milliseconds since the epoch. */
interface ClockState {
  /** When the server ran last and believed its clock, and time since then. */
  readonly knownAt: number | undefined;
  /** While it does not: what the clock said last, and for how long it runs. */
  readonly doubt: { readonly at: number; readonly ranMs: number } | undefined;
}

async function readClock(db: Db): Promise<ClockState> {
  const row = await db.selectFrom("server")
    .select(["clock_known_at", "clock_doubted_at", "clock_doubted_ms"])
    .executeTakeFirstOrThrow();
  const { clock_doubted_at: at, clock_doubted_ms: ranMs } = row;
  return {
    knownAt: row.clock_known_at ?? undefined,
    doubt: at === null ? undefined : { at, ranMs: ranMs ?? 0 },
  };
}

async function writeClock(
  db: Db,
  { knownAt, doubt }: ClockState,
): Promise<void> {
  await db.updateTable("server").set({
    // The monotonic clock has fractions of a millisecond, a column has not.
    clock_known_at: knownAt === undefined ? null : Math.round(knownAt),
    clock_doubted_at: doubt?.at ?? null,
    clock_doubted_ms: doubt === undefined ? null : Math.round(doubt.ranMs),
  }).execute();
}
