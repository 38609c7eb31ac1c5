/**
 * Photos of Apple: its own export and that of osxphotos, with XMP sidecars, and
 * the copy of iCloud Photos that Apple sends on request, with tables.
 *
 * In that copy several zips have photos of one name, each with its own tables,
 * so a table describes the photos of its zip and folder first. Where only a
 * name is known, as in the list of an album, a name that several photos have is
 * ignored.
 *
 * @module
 */
import {
  type AppleDetails,
  readAppleAlbum,
  readAppleDetails,
} from "./apple_csv.ts";
import { sortOutXmp } from "./sidecar_export.ts";
import type {
  ExportFile,
  ExportKind,
  Passed,
  ReadText,
  SortedOut,
} from "./export_kind.ts";
import { UNTOLD } from "./live_photos.ts";
import { folderOf, type Matched, type Sidecar } from "./takeout.ts";

/** Photos of Apple. */
export const APPLE: ExportKind = {
  sortOut,
  tellsOfAll: false,
  folderOf: (folder) =>
    // A copy's folders say only which part a photo came in.
    /(?:^|\/)Photos$/.test(folder) ? "" : folder,
  nameOf: (name) => name,
  pairingOf: () => UNTOLD,
};

/** The tables of a copy, and what it keeps of deleted photos. */
const DETAILS = /(?:^|\/)Photo Details(?:-\d+)?\.csv$/i;
const ALBUM = /(?:^|\/)Albums\/([^/]+)\.csv$/i;
const DELETED = /(?:^|\/)Recently Deleted\/[^/]+$/i;

async function sortOut<F extends ExportFile>(
  files: readonly F[],
  textOf: ReadText<F>,
): Promise<SortedOut<F>> {
  const isCopy = files.some(({ path }) => DETAILS.test(path));
  const others: Passed<F>[] = [];
  const left: F[] = [];
  const sidecars: Sidecar[] = [];
  const details = new Map<string, Sidecar>();
  const detailsByName = new Map<string, Sidecar[]>();
  const albums = new Map<string, string>();
  const listed: { readonly key: string; readonly names: readonly string[] }[] =
    [];
  for (const file of files) {
    const { path } = file;
    const album = isCopy ? ALBUM.exec(path)?.[1] : undefined;
    if (isCopy && DETAILS.test(path)) {
      const told = readAppleDetails(await textOf(file));
      if (told === undefined) others.push({ file, why: "unreadable" });
      for (const one of told ?? []) {
        const sidecar = sidecarOf(path, one);
        sidecars.push(sidecar);
        put(detailsByName, folded(one.name), sidecar);
        details.set(
          keyOf(file.within, folderOf(path).folder, one.name),
          sidecar,
        );
      }
    } else if (album !== undefined) {
      const names = readAppleAlbum(await textOf(file));
      if (names === undefined) {
        others.push({ file, why: "unreadable" });
        continue;
      }
      const key = `${file.within}\0${path}`;
      albums.set(key, album);
      listed.push({ key, names });
    } else if (isCopy && DELETED.test(path)) {
      others.push({ file, why: "trashed" });
    } else left.push(file);
  }
  const beside = await sortOutXmp(left, textOf, { starsAreFavourites: true });
  const counts = new Map<string, number>();
  for (const { path } of beside.media) {
    const name = folded(folderOf(path).name);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const only = (name: string): Sidecar | undefined => {
    const [first, ...others] = detailsByName.get(name) ?? [];
    return others.length === 0 && counts.get(name) === 1 ? first : undefined;
  };
  const match = (file: F): Matched | undefined => {
    const { folder, name } = folderOf(file.path);
    const sidecar = details.get(keyOf(file.within, folder, name)) ??
      only(folded(name));
    return sidecar === undefined
      ? beside.match(file)
      : { sidecar, isEdited: false };
  };
  const albumsByName = new Map<string, string[]>();
  for (const { key, names } of listed) {
    for (const name of new Set(names.map(folded))) {
      if (counts.get(name) === 1) put(albumsByName, name, key);
    }
  }
  return {
    sidecars: [...beside.sidecars, ...sidecars],
    albums,
    others: [...others, ...beside.others],
    media: beside.media,
    match,
    albumsOf: ({ path }) => albumsByName.get(folded(folderOf(path).name)) ?? [],
  };
}

function sidecarOf(
  path: string,
  { name, takenAt, favourite, hidden, deleted }: AppleDetails,
): Sidecar {
  return {
    path: `${path}: ${name}`,
    facts: {
      title: "",
      ...(takenAt === undefined ? {} : { takenAt }),
      favourite,
      archived: false,
      trashed: deleted,
      ...(hidden ? { hidden } : {}),
    },
  };
}

function keyOf(within: string, folder: string, name: string): string {
  return [within, folder, folded(name)].join("\0");
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function put<T>(map: Map<string, T[]>, key: string, value: T): void {
  const held = map.get(key) ?? [];
  map.set(key, held);
  held.push(value);
}
