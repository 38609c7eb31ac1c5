/**
 * Exports whose files have XMP sidecars next to them, `walk.jpg.xmp` or
 * `walk.xmp`. immich's are in its upload folder; Apple's are exported by Photos
 * or by osxphotos.
 *
 * @module
 */
import { ratingOf } from "../exif/facts.ts";
import { mediaTypeOf } from "../media_types.ts";
import { isRawType } from "../raw_types.ts";
import type {
  ExportFile,
  ExportKind,
  Passed,
  ReadText,
  SortedOut,
} from "./export_kind.ts";
import { UNTOLD } from "./live_photos.ts";
import { folderOf, type Matched, type Sidecar } from "./takeout.ts";
import { readXmp } from "./xmp.ts";

/** immich's upload folder, whole or a part of it. */
export const IMMICH: ExportKind = {
  async sortOut(files, textOf) {
    const isWhole = files.some(({ path }) => /^(library|upload)\//.test(path));
    const made = (file: ExportFile) => isWhole && MADE.test(file.path);
    const sorted = await sortOutXmp(
      files.filter((file) => !made(file)),
      textOf,
      {},
    );
    const others = files.filter(made)
      .map((file) => ({ file, why: "derived" } as const));
    return { ...sorted, others: [...sorted.others, ...others] };
  },
  tellsOfAll: false,
  // The user's folder tells nothing, nor do those that are made of random
  // names.
  folderOf: (folder) =>
    /^upload(\/|$)/.test(folder)
      ? ""
      : folder.replace(/^library(\/[^/]+)?(\/|$)/, ""),
  nameOf: (name) => name,
  pairingOf: () => UNTOLD,
};

/** Photos of any program, with or without sidecars. */
export const PLAIN: ExportKind = {
  sortOut: (files, textOf) => sortOutXmp(files, textOf, {}),
  tellsOfAll: false,
  folderOf: (folder) => folder,
  nameOf: (name) => name,
  pairingOf: () => UNTOLD,
};

/** Below the upload folder: thumbnails, videos in other codecs, backups. */
const MADE = /^(thumbs|encoded-video|profile|backups)\//;
/** How osxphotos calls an edited version. */
const EDITED = /_edited$/i;

/** The end of a sidecar's name of a further development, `walk_01.cr2`. */
const DUPLICATE = /_\d\d(\.[^./]+)$/;

interface Reading {
  /** osxphotos writes five stars for a favourite. */
  readonly starsAreFavourites?: true;
}

/** Sorts out files that have sidecars. */
export async function sortOutXmp<F extends ExportFile>(
  given: readonly F[],
  textOf: ReadText<F>,
  { starsAreFavourites }: Reading,
): Promise<SortedOut<F>> {
  const byName = new Map<string, Sidecar>();
  const files = new Map<string, F>();
  const others: Passed<F>[] = [];
  const media: F[] = [];
  for (const file of given) {
    if (!/\.xmp$/i.test(file.path)) {
      media.push(file);
      continue;
    }
    const said = readXmp(await textOf(file));
    if (said === undefined) {
      others.push({ file, why: "unreadable" });
      continue;
    }
    const { rating, archived = false, ...facts } = said;
    const isFavourite = starsAreFavourites === true && rating === 5;
    const stars = isFavourite ? undefined : ratingOf(rating);
    files.set(file.path, file);
    byName.set(keyOf(file.path.slice(0, -".xmp".length)), {
      path: file.path,
      facts: {
        ...facts,
        title: "",
        ...(stars === undefined ? {} : { rating: stars }),
        favourite: isFavourite,
        archived,
        trashed: false,
        isEdited: true,
      },
    });
  }
  const isThere = new Set(media.map(({ path }) => keyOf(path)));
  // The first development of darktable's speaks for the file.
  for (const key of [...byName.keys()].sort()) {
    const of = isThere.has(key) ? key : key.replace(DUPLICATE, "$1");
    const sidecar = byName.get(key);
    if (of === key || !isThere.has(of) || sidecar === undefined) continue;
    byName.delete(key);
    const file = files.get(sidecar.path);
    if (!byName.has(of)) byName.set(of, sidecar);
    else if (file !== undefined) others.push({ file, why: "describes" });
  }
  const match = (path: string): Matched | undefined => {
    const { folder, name } = folderOf(path);
    const stem = stemOf(name);
    // Lightroom's sidecar of a raw file says nothing of a JPEG of that name.
    const isRaws = raws.has(keyOf(joined(folder, stem))) && !isRaw(path);
    const own = (isRaws ? [name] : [name, stem])
      .map((one) => byName.get(keyOf(joined(folder, one))))
      .find((sidecar) => sidecar !== undefined);
    if (!EDITED.test(stem)) return own && { sidecar: own, isEdited: false };
    const bare = stem.replace(EDITED, "");
    const original = originals.get(keyOf(joined(folder, bare)));
    const its = original === undefined ? undefined : match(original);
    return its === undefined
      ? own && { sidecar: own, isEdited: false }
      : { sidecar: its.sidecar, isEdited: true };
  };
  const raws = new Set(
    media.filter(({ path }) => isRaw(path)).map(({ path }) => {
      const { folder, name } = folderOf(path);
      return keyOf(joined(folder, stemOf(name)));
    }),
  );
  // Paths by what they are without their ends: an edited one has another.
  const originals = new Map(
    media.toReversed().filter(({ path }) =>
      /^(image|video)\//.test(mediaTypeOf(path))
    ).map(({ path }) => {
      const { folder, name } = folderOf(path);
      return [keyOf(joined(folder, stemOf(name))), path] as const;
    }),
  );
  const sidecars = [...byName.values()];
  return {
    sidecars,
    albums: new Map(),
    others,
    media,
    match: ({ path }) => match(path),
  };
}

function isRaw(path: string): boolean {
  return isRawType(mediaTypeOf(path));
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

function joined(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function keyOf(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
