/**
 * Share links that do not say where photos were taken. Apart from what makes
 * links, so that a page can ask before it loads that.
 *
 * @module
 */
import type { Derivative } from "../../client/documents/metadata.ts";
import { isFilmKind } from "../rows/film_kinds.ts";
import { mayTellPlace } from "../rows/embedded_media.ts";
import type { Row } from "../rows/rows.ts";

/**
 * Whether viewers may learn the place that a file contains, in whatever format.
 * The index itself never contains places.
 *
 * - `kept`: viewers get the original files.
 * - `left_out`: of a photo that may tell its place, viewers get a smaller copy instead of
 *   the original: its preview, or its thumbnail if it has no preview. A video
 *   with a copy that plays everywhere is shown as that. One without any is left
 *   out.
 */
export type Places = "kept" | "left_out";

/** A small picture that has the sides and the size that an item needs. */
interface StandIn extends Derivative {
  readonly kind: "preview" | "thumbnail";
  readonly width: number;
  readonly height: number;
  readonly size: number;
}

/** The small picture that viewers get instead of an original with a place. */
export function standInOf({ metadata }: Row): StandIn | undefined {
  for (const kind of ["preview", "thumbnail"] as const) {
    const found = metadata?.derivatives.find((one) => one.kind === kind);
    const { width, height, size } = found ?? {};
    if (found === undefined || size === undefined) continue;
    if (width === undefined || height === undefined) continue;
    return { ...found, kind, width, height, size };
  }
  return undefined;
}

/**
 * Whether viewers get the original of an asset: not of one that was edited,
 * because it still shows what was cut away.
 */
export function goesWhole({ metadata }: Row, places: Places): boolean {
  if (metadata?.edit !== undefined) return false;
  return places === "kept" || metadata === undefined || !mayTellPlace(metadata);
}

/**
 * Whether an asset can be in a link that leaves places out: its original may be
 * shown, or it has a small picture to show instead.
 */
export function canBePlaceless(row: Row): boolean {
  return goesWhole(row, "left_out") || standInOf(row) !== undefined ||
    hasFilmCopy(row);
}

/** Whether a video has a copy, which tells no place. */
export function hasFilmCopy({ metadata }: Row): boolean {
  return metadata?.derivatives.some(({ kind, size }) =>
    size !== undefined && isFilmKind(kind)
  ) === true;
}
