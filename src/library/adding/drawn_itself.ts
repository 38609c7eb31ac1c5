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

/** A thumbnail that was made of a picture itself is no smaller (pixels). */
const LEAST_MADE = 320;

/**
 * Whether a photo's small pictures are still to be made: it has none, or only
 * what its EXIF had, because the program that added it could not decode it.
 */
export function lacksPictures(
  { width = 0, height = 0, edit, derivatives }: {
    readonly width?: number | undefined;
    readonly height?: number | undefined;
    /** What was cropped may be as small. */
    readonly edit?: unknown;
    readonly derivatives: readonly {
      readonly kind: string;
      readonly width?: number | undefined;
      readonly height?: number | undefined;
    }[];
  },
): boolean {
  const of = (wanted: string) =>
    derivatives.find(({ kind }) => kind === wanted);
  const thumbnail = of("thumbnail");
  if (thumbnail === undefined) return true;
  const longest = Math.max(thumbnail.width ?? 0, thumbnail.height ?? 0);
  return edit === undefined && of("preview") === undefined && longest > 0 &&
    longest < Math.min(LEAST_MADE, Math.max(width, height));
}
