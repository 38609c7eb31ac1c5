/**
 * The film of a live photo, which is one asset with its still: found beside it,
 * taken in with it, or added to a still that came alone.
 *
 * @module
 */
import { readMediaFacts } from "../../client/exif/mod.ts";
import { isLivePhoto } from "../../client/exports/live_photos.ts";
import {
  DamagedBlob,
  type NewDerivative,
  type PlainSource,
  type Row,
} from "../../client/library/mod.ts";
import type { OpenFile } from "./describing.ts";
import { mediaTypeOf } from "./media_types.ts";
import type { Person } from "./person.ts";

/** A larger film is an asset of its own (bytes). */
const MAX_MOTION_BYTES = 32 * 1024 * 1024;

/** Whether two files of a name have to prove that they are one photo. */
export interface Pairing {
  /** The export tells of the film by itself. */
  readonly isKnownAlone: boolean;
  /** A film that does not say how long it is may be any. */
  readonly needsLength: boolean;
}

/** Files that nothing tells of but themselves. */
export const UNTOLD: Pairing = { isKnownAlone: false, needsLength: true };

/** The film as part of its still; undefined where the two are no pair. */
export async function motionOf(
  still: PlainSource,
  film: PlainSource,
  name: string,
  { isKnownAlone, needsLength }: Pairing,
): Promise<NewDerivative | undefined> {
  if (film.size > MAX_MOTION_BYTES) return undefined;
  const [picture, moving] = [
    await readMediaFacts(still),
    await readMediaFacts(film),
  ];
  const isTold = moving.durationMs !== undefined ||
    moving.contentIdentifier !== undefined;
  if (needsLength && !isTold) return undefined;
  if (!isLivePhoto(picture, moving, isKnownAlone)) return undefined;
  const mime = mediaTypeOf(name);
  return {
    kind: "motion",
    mime: mime.startsWith("video/") ? mime : "video/mp4",
    width: moving.width,
    height: moving.height,
    bytes: await film.read(0, film.size),
  };
}

/** The film that an asset has beside its still. */
export function filmOf({ metadata }: Row) {
  return metadata?.derivatives.find(({ kind }) => kind === "motion");
}

/** What a film is called beside its still, which may be a path. */
export function filmName(still: string, mime: string): string {
  const stem = still.replace(/(?<=[^/\\])\.[^./\\]*$/, "");
  return `${stem}${mime === "video/mp4" ? ".mp4" : ".mov"}`;
}

/** Whether an asset's film has these very bytes, which are read to know it. */
export async function isFilmOf(
  { library, signal }: Person,
  row: Row,
  film: { readonly size: number; readonly sha256: string },
): Promise<boolean> {
  if (filmOf(row)?.size !== film.size) return false;
  const wanted = { derivative: "motion" } as const;
  const held = new Uint8Array(film.size);
  let at = 0;
  try {
    for await (const piece of library.read(row.id, wanted, { signal })) {
      if (at + piece.length > held.length) return false;
      held.set(piece, at);
      at += piece.length;
    }
  } catch (error) {
    if (error instanceof DamagedBlob) return false;
    throw error;
  }
  const source = {
    size: at,
    read: (offset: number, length: number) =>
      Promise.resolve(held.subarray(offset, offset + length)),
  };
  return await library.hash(source, { signal }) === film.sha256;
}

/** A file that may be half of a live photo. */
export interface Half {
  /** As this machine knows it. */
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly inode: number | null;
  open(): Promise<OpenFile>;
}

/** What became of the film of a still that is in the library. */
export type FilmOutcome = "kept" | "known" | "separate";

/**
 * Sees to the film of a still that is in the library: it is there with it, or
 * is added to it; `separate` where it is a file of its own.
 */
export async function keepFilm(
  person: Person,
  still: Pick<Half, "open">,
  film: Half,
  row: Row,
  { dryRun, ...pairing }: Pairing & { readonly dryRun?: true },
): Promise<FilmOutcome> {
  const { library, local, session, signal } = person;
  const { path, size, modifiedAt, inode } = film;
  const held = local.knownFile(path);
  const isSame = held?.size === size && held.modifiedAt === modifiedAt &&
    held.inode === inode;
  const has = filmOf(row);
  if (isSame && held.assetId === row.id && has?.size === size) return "known";
  if (has !== undefined && has.size !== size) return "separate";
  using opened = await film.open();
  const sha256 = await opened.hash(signal);
  const note = () =>
    local.noteFile({
      path,
      size,
      modifiedAt,
      inode,
      sha256,
      assetId: row.id,
    });
  if (has !== undefined) {
    if (!await isFilmOf(person, row, { size, sha256 })) return "separate";
    note();
    return "known";
  }
  const isOwn = row.owner === session.userId && row.metadata !== undefined;
  const isThere = library.index.byPlaintext(sha256, row.album) !== undefined;
  if (!isOwn || isThere) return "separate";
  using picture = await still.open();
  const motion = await motionOf(
    picture.source,
    opened.source,
    film.name,
    pairing,
  );
  if (motion === undefined) return "separate";
  if (dryRun) return "kept";
  await library.amend(row.id, { derivatives: [motion] });
  note();
  return "kept";
}
