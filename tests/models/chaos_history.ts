/**
 * Histories of a household under chaos: what is drawn, and how one is played.
 *
 * @module
 */
import fc from "fast-check";
import { DEEDS, type Household, type Step } from "./chaos_household.ts";
import { type Fault, FAULT_KINDS } from "./chaos_network.ts";
import { expectNothingLost } from "./chaos_oracle.ts";

const OFTEN = [
  "shoot",
  "push",
  "push",
  "push_move",
  "push_album",
  "sync",
  "rm",
  "backup",
  "restore",
] as const;

const act = {
  deed: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...OFTEN) },
    { weight: 4, arbitrary: fc.constantFrom(...DEEDS) },
  ),
  at: fc.nat(3),
  pick: fc.nat(100),
};

const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom(...FAULT_KINDS),
  at: fc.oneof(fc.nat(12), fc.nat(60)),
  times: fc.constantFrom(1, 1, 1, 2, 4, 1_000),
});

const step: fc.Arbitrary<Step> = fc.record({
  ...act,
  beside: fc.option(fc.record(act), { nil: undefined, freq: 4 }),
  faults: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fault, { minLength: 1, maxLength: 4 }) },
  ),
});

/** What happens to a household, step by step. */
const history: fc.Arbitrary<Step[]> = fc.array(step, {
  minLength: 6,
  maxLength: 20,
  size: "max",
});

/** Starts a new household, and ends it as it should. */
type Begin = (work: (household: Household) => Promise<void>) => Promise<void>;

/** What came of the history of a seed. */
interface Walked {
  /** Why it broke; undefined if nothing did. */
  readonly error: unknown;
  readonly steps: readonly Step[];
  /** What the people's programs said. */
  readonly diary: readonly string[];
}

/**
 * Plays the history of a seed and compares what is there at its end. Where it
 * breaks and `shrinks`, what is told is the shortest one that breaks.
 */
export async function walk(
  begin: Begin,
  seed: number,
  { shrinks = false }: { readonly shrinks?: boolean } = {},
): Promise<Walked> {
  let last: { readonly steps: Step[]; readonly diary: string[] } | undefined;
  const result = await fc.check(
    fc.asyncProperty(history, (steps) =>
      begin(async (household) => {
        const told = { steps, diary: household.network.diary };
        last ??= told;
        try {
          for (const one of steps) await household.perform(one);
          await expectNothingLost(household);
        } catch (error) {
          last = told;
          throw error;
        }
      })),
    { seed, numRuns: 1, endOnFailure: !shrinks },
  );
  const { failed, errorInstance } = result;
  const { steps = [], diary = [] } = last ?? {};
  return { error: failed ? errorInstance : undefined, steps, diary };
}
