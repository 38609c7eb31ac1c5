/**
 * Alarms about a person's own photos.
 *
 * @module
 */
import type { Library, Row } from "../../../library/mod.ts";
import { isShown } from "../../../library/rows/rows.ts";
import type { VaultContext } from "../vault/context.ts";
import { localTime } from "./photo_table.ts";

/** A photo with an alarm. */
export interface Alarm {
  readonly id: string;
  /** Undefined if nothing but its receipts is left. */
  readonly name?: string;
  /** When it was taken, or else stored (ms). */
  readonly taken: number;
  /** Whether lists still show it. */
  readonly isShown: boolean;
  readonly what:
    /** A blob of it is missing, or the server does not know the photo. */
    | "missing"
    /** The bytes of a blob have changed. */
    | "damaged"
    /** The operator has taken it down. */
    | "withheld"
    /** Its metadata does not open: it was changed or belongs to another. */
    | "forged";
}

const ENDED = new Set<Row["state"]>(["deleted", "removed"]);

/** The person's own files that were not deleted. */
export function* ownRows({ index, vault }: Library): Generator<Row> {
  const { userId } = vault.session;
  for (const row of index.rows()) {
    const isFile = (row.metadata?.kind ?? "file") === "file";
    if (row.owner === userId && !ENDED.has(row.state) && isFile) yield row;
  }
}

/**
 * The same by photo: what lies in albums of the person's own as well is one
 * photo to people, and several assets to the server.
 */
export function ownPhotos(library: Library): Row[][] {
  const photos = new Map<string, Row[]>();
  for (const row of ownRows(library)) {
    const photo = row.metadata?.sha256 ?? row.id;
    const rows = photos.get(photo);
    if (rows === undefined) photos.set(photo, [row]);
    else rows.push(row);
  }
  return [...photos.values()];
}

/** Why the first of a photo's rows that does so alarms. */
export function alarmOfPhoto(rows: readonly Row[]): Alarm | undefined {
  for (const row of rows) {
    const alarm = alarmOf(row);
    if (alarm !== undefined) return alarm;
  }
  return undefined;
}

/** Why a row alarms; undefined where it does not. */
function alarmOf(row: Row): Alarm | undefined {
  const what = row.state === "missing" || row.custody === "missing"
    ? "missing"
    : row.custody === "damaged"
    ? "damaged"
    : row.state === "withheld"
    ? "withheld"
    : row.fault !== undefined
    ? "forged"
    : undefined;
  if (what === undefined) return undefined;
  const name = row.metadata?.name;
  return {
    id: row.id,
    ...(name === undefined ? {} : { name }),
    taken: localTime(row),
    isShown: isShown(row),
    what,
  };
}

/** What the server lost or damaged: adding the file again helps. */
const LOST: ReadonlySet<Alarm["what"]> = new Set(["missing", "damaged"]);

/** Tells all pages the number of photos with an alarm. */
export function tellAlarms(context: VaultContext): void {
  const alarms = ownPhotos(context.opened())
    .flatMap((rows) => alarmOfPhoto(rows) ?? []);
  const lost = alarms.filter(({ what }) => LOST.has(what)).length;
  const logs = context.opened().logs.findings().length;
  context.tell("alarms", { count: alarms.length, lost, logs });
}

/** A photo of the person's own that is not where it was. */
export interface GonePhoto {
  readonly id: string;
  /** Undefined if nothing but its receipts is left. */
  readonly name?: string;
  /** When it was taken, or else stored (ms). */
  readonly taken: number;
  /** `removed`: the owner of its album deleted it. */
  readonly what: "missing" | "removed";
  /** The title of the album of others that it was in. */
  readonly album?: string;
  /** Whether the library has the same photo still. */
  readonly isInLibrary: boolean;
}

/**
 * The photos that are missing, or that owners of albums deleted: of an album, a
 * collection, or all of them.
 */
export function gonePhotos(
  library: Library,
  of: (row: Row) => boolean = () => true,
): GonePhoto[] {
  const { albums, index, vault: { libraryAlbumId } } = library;
  const rows = [
    ...library.missing().filter(({ state }) => state === "missing"),
    ...library.removed(),
  ];
  return rows.filter(of).map((row) => {
    const { name, sha256 } = row.metadata ?? {};
    const title = row.album === undefined || row.album === libraryAlbumId
      ? undefined
      : albums.get(row.album)?.title;
    return {
      id: row.id,
      ...(name === undefined ? {} : { name }),
      taken: localTime(row),
      what: row.state === "removed" ? "removed" : "missing",
      ...(title === undefined ? {} : { album: title }),
      isInLibrary: sha256 !== undefined &&
        index.byPlaintext(sha256, libraryAlbumId) !== undefined,
    };
  });
}
