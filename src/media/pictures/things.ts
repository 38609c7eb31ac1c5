/**
 * The kinds of things that are found in pictures, by their numbers: those of the
 * pictures "Common Objects in Context" (COCO), which the model was trained with,
 * in its order.
 *
 * @module
 */

/** What may be found; names of one thing, as search's words have them. */
export const THINGS: readonly string[] =
  "person bicycle car motorcycle airplane bus train truck boat traffic-light hydrant stop-sign parking-meter bench bird cat dog horse sheep cow elephant bear zebra giraffe backpack umbrella handbag tie suitcase frisbee skis snowboard ball kite baseball-bat baseball-glove skateboard surfboard racket bottle wine-glass cup fork knife spoon bowl banana apple sandwich orange broccoli carrot hot-dog pizza donut cake chair couch plant bed table toilet television laptop mouse remote keyboard phone microwave oven toaster sink refrigerator book clock vase scissors teddy-bear hair-dryer toothbrush"
    .split(" ");

/** Kinds of things. */
export const THING_COUNT = 80;
/** Things of one picture that are kept. */
export const MOST_THINGS = 8;
/**
 * The model has to be so sure of a thing. Below that it names things that are
 * not there (`things.md`).
 */
const SURE = 0.5;

/**
 * The things of a picture, the surest first, of how sure the model is of each
 * kind at each place of the picture: rows of {@link THING_COUNT} numbers.
 */
export function thingsSeen(
  places: readonly ArrayLike<number>[],
): Uint8Array<ArrayBuffer> {
  const best = new Float32Array(THING_COUNT);
  for (const sure of places) {
    for (let at = 0; at < sure.length; at++) {
      const thing = at % THING_COUNT;
      best[thing] = Math.max(best[thing] ?? 0, sure[at] ?? 0);
    }
  }
  const seen = [...best.keys()].filter((thing) => (best[thing] ?? 0) >= SURE)
    .sort((a, b) => (best[b] ?? 0) - (best[a] ?? 0));
  return Uint8Array.from(seen.slice(0, MOST_THINGS));
}
