/**
 * The small pictures of a photo, and what needs none. Command and app make the
 * same.
 *
 * @module
 */

/**
 * Longest sides (pixels) and qualities, the larger first: the smaller is made
 * of it.
 */
export const SMALL_PICTURES = [
  { kind: "preview", side: 1_920, quality: 0.82 },
  { kind: "thumbnail", side: 512, quality: 0.8 },
] as const;

/** Largest picture without a thumbnail that lists show itself (bytes). */
export const MOST_ITSELF_BYTES: number = 512 * 1024;
/** A smaller original is its own preview (bytes). */
const SPARED_BYTES = 400_000;

/**
 * Whether one is not needed of a picture with that longest side, because a
 * larger one is as good. `itselfBytes` is how large the original is where every
 * browser draws it and it may be shown, so that it can stand for itself.
 */
export function isSpared(
  kind: (typeof SMALL_PICTURES)[number]["kind"],
  longest: number,
  itselfBytes: number | undefined,
): boolean {
  const [preview, thumbnail] = SMALL_PICTURES;
  if (itselfBytes === undefined) {
    return kind === "preview" && longest <= thumbnail.side;
  }
  // Few pixels can be in a large file: those that move, or a video next to
  // them.
  return kind === "preview"
    ? longest <= preview.side || itselfBytes < SPARED_BYTES
    : longest <= thumbnail.side && itselfBytes <= MOST_ITSELF_BYTES;
}
