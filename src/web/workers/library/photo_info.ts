/**
 * The facts about one photo that pages get.
 *
 * @module
 */
import type { Row } from "../../../library/rows/rows.ts";
import { FLAGS, type PhotoInfo } from "./photo_lists.ts";
import { kindOf, localTime } from "./photo_table.ts";

/** Makes the facts from a row. */
export function photoInfo(row: Row, flags: number): PhotoInfo {
  const { metadata: said } = row;
  const { name = "", mime = "application/octet-stream" } = said ?? {};
  return defined({
    id: row.id,
    state: row.state,
    kind: kindOf(row),
    name,
    mime,
    size: said?.size ?? 0,
    sha256: said?.sha256 ?? "",
    taken: localTime(row),
    takenSource: said?.taken_at === undefined ? undefined : said.taken_source,
    takenOffset: said?.taken_offset,
    addedAt: row.at,
    width: said?.width,
    height: said?.height,
    durationMs: said?.duration_ms,
    place: said?.place,
    camera: said?.camera,
    caption: said?.caption,
    edit: said?.edit,
    rating: said?.rating,
    keywords: said?.keywords,
    path: said?.path,
    favourite: (flags & FLAGS.favourite) !== 0,
    hidden: (flags & FLAGS.hidden) !== 0,
    mine: (flags & FLAGS.mine) !== 0,
    owner: row.owner,
    album: row.album,
    derivatives: (said?.derivatives ?? []).map((
      { kind, mime, width, height, size },
    ) => defined({ kind, mime, width, height, size })),
    custody: row.custody,
    custodyAt: row.custody_at,
  });
}

type Defined<T> =
  & {
    [K in keyof T as undefined extends T[K] ? never : K]: T[K];
  }
  & {
    [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<
      T[K],
      undefined
    >;
  };

/** Removes fields that are undefined. */
function defined<T extends object>(fields: T): Defined<T> {
  const kept = Object.entries(fields).filter(([, value]) =>
    value !== undefined
  );
  return Object.fromEntries(kept) as Defined<T>;
}
