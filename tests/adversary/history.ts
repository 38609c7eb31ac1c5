/**
 * Histories of a household whose server lies: what is drawn, and how one is
 * played.
 *
 * @module
 */
import fc from "fast-check";
import { withTestApp } from "../support/app.ts";
import { COMMON_LIES, type Lie, PLOTS } from "./adversary.ts";
import { DEEDS, Family, type Step } from "./family.ts";
import { expectHealed, expectPromisesKept } from "./promises.ts";

/** Operations that people's programs call all the time. */
const OFTEN = [
  "readFeed",
  "queryAssets",
  "listAlbums",
  "fetchRoster",
  "fetchState",
  "fetchDirectory",
  "applyOp",
  "verifyStorage",
  "createUpload",
  "putUpload",
  "listReceipts",
  "listOwnReceipts",
  "readAssetBlob",
  "serverInfo",
  "attestationKeys",
  "putState",
  "refresh",
  "deleteAsset",
  "listContributions",
  "fetchEscrow",
] as const;

const times = fc.constantFrom(1, 1, 2, 5, 1_000);
const lie: fc.Arbitrary<Lie> = fc.oneof(
  fc.record({
    kind: fc.constantFrom(...COMMON_LIES),
    operation: fc.constantFrom(undefined, ...OFTEN),
    pick: fc.nat(10_000),
    times,
  }),
  fc.record({
    kind: fc.constantFrom(...PLOTS),
    operation: fc.constant(undefined),
    pick: fc.nat(10_000),
    times: fc.constantFrom(3, 20, 1_000),
  }),
);
const step: fc.Arbitrary<Step> = fc.record({
  deed: fc.oneof(
    { weight: 2, arbitrary: fc.constant("sync" as const) },
    { weight: 5, arbitrary: fc.constantFrom(...DEEDS) },
  ),
  at: fc.nat(2),
  pick: fc.nat(100),
  lie: fc.option(lie, { nil: undefined, freq: 3 }),
});

/** What happens to a household, lie by lie. */
export const history: fc.Arbitrary<Step[]> = fc.array(step, {
  minLength: 2,
  maxLength: 8,
});

/**
 * Plays histories of one household, after each of which the server is honest
 * for a while; throws an AssertionError for a promise that broke.
 */
export async function playHistories(
  histories: readonly (readonly Step[])[],
): Promise<void> {
  await withTestApp(async (app) => {
    const family = await Family.settle(app);
    await expectPromisesKept(family, "settling");
    for (const steps of histories) {
      for (const one of steps) {
        const outcome = await family.perform(one);
        await expectPromisesKept(family, `${one.deed} (${outcome})`);
      }
      await expectHealed(family);
    }
  });
}

/** Plays one history. */
export function playHistory(steps: readonly Step[]): Promise<void> {
  return playHistories([steps]);
}
