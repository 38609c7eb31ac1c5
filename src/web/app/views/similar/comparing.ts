/**
 * Looking at the small pictures that this device has not looked at: the vault
 * gives them, a thread without keys looks, and the vault stores what it found.
 *
 * @module
 */
import { withMedia } from "../../upload/media_threads.ts";
import { vault } from "../../vault.ts";

/** One batch is fetched while another one is looked at. */
const LANES = 2;

/**
 * Looks at all that are left, or until the signal. Resolves to whether some
 * could not be fetched; `onDone` is told of each batch.
 */
export async function compareAll(
  signal: AbortSignal,
  onDone: (count: number) => void,
): Promise<{ readonly isAway: boolean }> {
  let isAway = false;
  const lane = async () => {
    while (!signal.aborted && !isAway) {
      const batch = await vault().similar.next();
      if (batch.isAway) isAway = true;
      if (batch.isOver) return;
      const looks = await withMedia((calls) =>
        calls.looks.of(
          batch.pictures.map(({ bytes, mime: type }) =>
            new Blob([bytes], { type })
          ),
        )
      );
      await vault().similar.note(batch.pictures.map(({ blob }, i) => {
        const found = looks[i];
        return found === undefined ? { blob } : { blob, looks: found };
      }));
      if (!signal.aborted) onDone(batch.pictures.length + batch.without);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { isAway };
}
