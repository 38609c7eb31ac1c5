/**
 * Share links that do not say where photos were taken. Apart from what makes
 * links, so that a page can ask before it loads that.
 *
 * @module
 */
import type { Derivative } from "../metadata.ts";
import type { Row } from "./rows.ts";

/**
 * Whether viewers may learn the place that a file contains in its EXIF. The
 * index itself never contains places.
 *
 * - `kept`: viewers get the original files.
 * - `left_out`: of a photo with a place, viewers get a smaller copy instead of
 *   the original: its preview, or its thumbnail if it has no preview. One
 *   without either is left out.
 */
export type Places = "kept" | "left_out";

/** A small picture that has the sides and the size that an item needs. */
export interface StandIn extends Derivative {
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
  return metadata?.edit === undefined &&
    (metadata?.place === undefined || places === "kept");
}

/**
 * Whether an asset can be in a link that leaves places out: its original may be
 * shown, or it has a small picture to show instead.
 */
export function canBePlaceless(row: Row): boolean {
  return goesWhole(row, "left_out") || standInOf(row) !== undefined;
}

/** What a link that leaves places out makes of assets, in numbers of them. */
export interface Placeless {
  /** Edited photos, of which it shows a smaller copy in any case. */
  readonly edited: number;
  /** Other files that contain their place. */
  readonly places: number;
  /** Of these, pictures that are shown as a smaller copy. */
  readonly copies: number;
  /** Of these, videos that are shown as a still picture. */
  readonly stills: number;
  /** Of these, those that are left out. */
  readonly leftOut: number;
}

/** Counts what a link that leaves places out makes of assets. */
export function countPlaceless(rows: readonly Row[]): Placeless {
  const isEdited = ({ metadata }: Row) => metadata?.edit !== undefined;
  const placed = rows.filter((row) =>
    !isEdited(row) && row.metadata?.place !== undefined
  );
  const shown = placed.filter(canBePlaceless);
  const stills =
    shown.filter(({ metadata }) => metadata?.mime.startsWith("video/")).length;
  return {
    edited: rows.filter(isEdited).length,
    places: placed.length,
    copies: shown.length - stills,
    stills,
    leftOut: placed.length - shown.length,
  };
}
