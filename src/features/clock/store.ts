import type { Db } from "../../store/sqlite/database.ts";

/** What is known of the clock; instants in milliseconds since the epoch. */
export interface ClockState {
  /** When the server ran last and believed its clock, and time since then. */
  readonly knownAt: number | undefined;
  /** While it does not: what the clock said last, and for how long it runs. */
  readonly doubt: { readonly at: number; readonly ranMs: number } | undefined;
}

export async function readClock(db: Db): Promise<ClockState> {
  const row = await db.selectFrom("server")
    .select(["clock_known_at", "clock_doubted_at", "clock_doubted_ms"])
    .executeTakeFirstOrThrow();
  const { clock_doubted_at: at, clock_doubted_ms: ranMs } = row;
  return {
    knownAt: row.clock_known_at ?? undefined,
    doubt: at === null ? undefined : { at, ranMs: ranMs ?? 0 },
  };
}

export async function writeClock(
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
