/**
 * The layout of an export of everything, which the web app and the command
 * `export-all` write alike: the files in folders, a video next to its still,
 * what is known of each file, and one listing.
 *
 * @module
 */
import type { Derivative } from "../../client/documents/metadata.ts";
import type { Marks } from "./flags.ts";
import type { Row } from "../rows/rows.ts";
import { localDay } from "../rows/rows.ts";
import { safeName } from "../../media/exports/file_names.ts";

/** The names of the export's own files. */
export const EXPORT_FILES = {
  list: "strongroom-export.json",
  sums: "strongroom-export.sha256",
} as const;

/**
 * The path of a file: by year and month, or under the title of its album for
 * one that is in an album. `titles` are those of the albums that are shown;
 * `nameOf` makes each name of the path acceptable, by default to every system.
 */
export function exportPath(
  row: Row,
  titles: ReadonlyMap<string, string>,
  nameOf: (name: string) => string = (name) => safeName(name),
): string {
  const name = nameOf(row.metadata?.name ?? row.id);
  const title = titles.get(row.album ?? "");
  if (title !== undefined) return `albums/${nameOf(title)}/${name}`;
  const [year, month] = localDay(row).toISOString().split("-");
  return `photos/${year}/${month}/${name}`;
}

/** The video that an asset has next to its still. */
export function videoOf({ metadata }: Pick<Row, "metadata">) {
  return metadata?.derivatives.find(({ kind }) => kind === "motion");
}

/** Ends of videos that are written as they were. */
const VIDEO_END = /^[- _()\w]{0,16}\.(?:mov|mp4|mp)$/i;

/**
 * What a video is called next to its still, which may be a path: as it was, if
 * its name began with that of its still. `original` is what the still was
 * called.
 */
export function videoName(
  still: string,
  { mime, name = "" }: Pick<Derivative, "mime" | "name">,
  original = still,
): string {
  const stemOf = (path: string) => path.replace(/(?<=[^/\\])\.[^./\\]*$/, "");
  const stem = stemOf(original.replace(/.*[/\\]/, "")).toLowerCase();
  const end = name.toLowerCase().startsWith(stem)
    ? name.slice(stem.length)
    : name.replace(/.*(?=\.)/, "");
  const usual = mime === "video/mp4" ? ".mp4" : ".mov";
  return `${stemOf(still)}${VIDEO_END.test(end) ? end : usual}`;
}

/** The row with the account's own marks, as sidecars tell them. */
export function withMarks(
  row: Row,
  { favourite, hidden, archived }: Marks,
): Row {
  const { metadata } = row;
  if (metadata === undefined) return row;
  const {
    favourite: _favourite,
    hidden: _hidden,
    archived: _archived,
    ...rest
  } = metadata;
  return {
    ...row,
    metadata: {
      ...rest,
      ...(favourite ? { favourite } : {}),
      ...(hidden ? { hidden } : {}),
      ...(archived ? { archived } : {}),
    },
  };
}

/** What a listing tells of. */
interface Listed {
  readonly exportedAt: number;
  readonly server: string;
  readonly userId: string;
  readonly address: string | undefined;
  /** The files, with {@link withMarks}. */
  readonly rows: readonly Row[];
  /** Paths in the export by asset ids. */
  readonly paths: ReadonlyMap<string, string>;
  readonly videos: ReadonlyMap<string, string>;
  readonly collections: readonly {
    readonly id: string;
    readonly title: string;
    readonly assets: readonly string[];
  }[];
  readonly albums: readonly {
    readonly id: string;
    readonly title?: string | undefined;
    readonly role: string;
    readonly owner: string;
    readonly members: readonly unknown[];
    /** Plaintext hashes of its photos, which may be listed elsewhere. */
    readonly hashes: readonly string[];
  }[];
  /** Names of files that could not be read. */
  readonly unread?: readonly string[];
}

/** The content of the listing. */
export function exportListing(listed: Listed): string {
  const { rows, paths, videos, unread = [] } = listed;
  const pathOf = new Map(rows.flatMap(({ id, metadata }) => {
    const path = paths.get(id);
    return metadata === undefined || path === undefined
      ? []
      : [[metadata.sha256, path] as const];
  }));
  const written = {
    exported_at: new Date(listed.exportedAt).toISOString(),
    server: listed.server,
    user_id: listed.userId,
    address: listed.address,
    files: rows.map(({ id, album, owner, metadata }) => ({
      asset_id: id,
      path: paths.get(id),
      video: videos.get(id),
      album_id: album,
      owner,
      name: metadata?.name,
      size: metadata?.size,
      sha256: metadata?.sha256,
      favourite: metadata?.favourite,
      hidden: metadata?.hidden,
      archived: metadata?.archived,
    })),
    collections: listed.collections.map(({ id, title, assets }) => ({
      collection_id: id,
      title,
      assets,
    })),
    albums: listed.albums.map(
      ({ id, title, role, owner, members, hashes }) => ({
        album_id: id,
        title,
        role,
        owner,
        members,
        files: hashes.flatMap((hash) => pathOf.get(hash) ?? []).sort(),
      }),
    ),
    ...(unread.length === 0 ? {} : { unread }),
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

/** The plaintext hashes of the photos of each album. */
export function hashesByAlbum(
  rows: readonly Pick<Row, "album" | "metadata">[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { album = "", metadata } of rows) {
    if (metadata === undefined) continue;
    const hashes = found.get(album) ?? [];
    found.set(album, hashes);
    hashes.push(metadata.sha256);
  }
  return found;
}
