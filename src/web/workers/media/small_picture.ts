/**
 * The blob of a photo's small picture.
 *
 * @module
 */
import { blobOf, type Row } from "../../../library/rows/rows.ts";
import { pictureOf } from "../library/photo_table.ts";

/** About the size of a small picture of which that is not known (bytes). */
const USUAL_BYTES = 40_000;

/** The small picture of a photo or a video; undefined if it has none. */
export function smallPictureOf(row: Row):
  | {
    readonly wanted: "thumbnail" | "original";
    readonly hash: string;
    readonly size: number;
  }
  | undefined {
  const wanted = pictureOf(row);
  if (wanted === undefined) return undefined;
  const thumbnail = row.metadata?.derivatives.find((one) =>
    one.kind === "thumbnail"
  );
  const hash = wanted === "thumbnail"
    ? thumbnail?.hash
    : blobOf(row, "original")?.hash;
  const size = wanted === "thumbnail" ? thumbnail?.size : row.metadata?.size;
  return hash === undefined
    ? undefined
    : { wanted, hash, size: size ?? USUAL_BYTES };
}
