/**
 * Planning which files go into which zip, for browsers that hold a zip in
 * memory.
 *
 * @module
 */
import type { Row } from "../../../library/rows/rows.ts";

/** The files of one zip, by their ids. */
export interface ZipPart {
  readonly ids: readonly string[];
  readonly bytes: number;
}

/** The plan of a download. */
export interface ZipPlan {
  readonly parts: readonly ZipPart[];
  readonly files: number;
  readonly bytes: number;
  /** Names of files that fit into no part. */
  readonly left: readonly string[];
}

/** The plan of an export, and what is not in it. */
export interface ExportPlan extends ZipPlan {
  /** Whether hidden photos are locked, and left out. */
  readonly withoutHidden: boolean;
  /** Own files in the trash. */
  readonly trash: number;
  /** Files that the keys here do not open. */
  readonly unopened: number;
}

/**
 * Each photo once, in the given order: the library's own rather than its copies
 * in albums, and one's own rather than another member's. Another member's hash
 * is only that member's word, so it leaves out no third person's photo.
 */
export function eachOnce<R extends Pick<Row, "album" | "metadata" | "owner">>(
  rows: readonly R[],
  { libraryAlbumId, session: { userId } }: {
    readonly libraryAlbumId: string;
    readonly session: { readonly userId: string };
  },
): readonly R[] {
  const rank = ({ owner, album = libraryAlbumId }: R) =>
    owner === userId && album === libraryAlbumId ? 1 : 0;
  const once = new Map<string | R, R>();
  const own = new Set<string>();
  for (const row of rows) {
    const { owner, metadata } = row;
    if (owner === userId && metadata !== undefined) own.add(metadata.sha256);
    const key = metadata === undefined ? row : `${owner} ${metadata.sha256}`;
    const held = once.get(key);
    if (held === undefined || rank(row) > rank(held)) once.set(key, row);
  }
  return [...once.values()].filter(({ owner, metadata }) =>
    owner === userId || metadata === undefined || !own.has(metadata.sha256)
  );
}

/** Fills parts in the order of the files. */
export function planOf(
  rows: readonly Pick<Row, "id" | "metadata">[],
  mostBytes: number,
): ZipPlan {
  const parts: { ids: string[]; bytes: number }[] = [];
  const left: string[] = [];
  let files = 0;
  for (const { id, metadata } of rows) {
    if (metadata === undefined) continue;
    const { name } = metadata;
    const video = metadata.derivatives.find(({ kind }) => kind === "motion");
    const size = metadata.size + (video?.size ?? 0);
    if (size > mostBytes) {
      left.push(name);
      continue;
    }
    let part = parts.at(-1);
    if (part === undefined || part.bytes + size > mostBytes) {
      part = { ids: [], bytes: 0 };
      parts.push(part);
    }
    part.ids.push(id);
    part.bytes += size;
    files += 1;
  }
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  return { parts, files, bytes, left };
}
