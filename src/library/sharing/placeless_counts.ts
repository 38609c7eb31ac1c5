/**
 * What a link that leaves places out makes of photos, in numbers: whoever makes
 * it is told before.
 *
 * @module
 */
import { isFilm } from "../showing/films.ts";
import { mayTellPlace } from "../rows/embedded_media.ts";
import { canBePlaceless, hasFilmCopy } from "./placeless.ts";
import type { Row } from "../rows/rows.ts";

/** What a link that leaves places out makes of assets, in numbers of them. */
export interface Placeless {
  /** Edited photos, of which it shows a smaller copy in any case. */
  readonly edited: number;
  /** Other files that contain their place. */
  readonly places: number;
  /** Of these, pictures and videos that are shown as a smaller copy. */
  readonly copies: number;
  /** Of these, videos without a copy, which are shown as a still picture. */
  readonly stills: number;
  /** Of these, those that are left out. */
  readonly leftOut: number;
  /** Of those, videos, which a copy that plays everywhere would show. */
  readonly leftOutFilms: number;
}

/** Counts what a link that leaves places out makes of assets. */
export function countPlaceless(rows: readonly Row[]): Placeless {
  const isEdited = ({ metadata }: Row) => metadata?.edit !== undefined;
  const placed = rows.filter((row) =>
    !isEdited(row) && row.metadata !== undefined &&
    mayTellPlace(row.metadata)
  );
  const shown = placed.filter(canBePlaceless);
  const stills =
    shown.filter((row) =>
      row.metadata?.mime.startsWith("video/") &&
      !hasFilmCopy(row)
    ).length;
  return {
    edited: rows.filter(isEdited).length,
    places: placed.length,
    copies: shown.length - stills,
    stills,
    leftOut: placed.length - shown.length,
    leftOutFilms:
      placed.filter((row) =>
        row.metadata !== undefined && isFilm(row.metadata) &&
        !canBePlaceless(row)
      ).length,
  };
}
