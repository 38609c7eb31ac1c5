/**
 * What the files of another program's export are to each other: which of them
 * are photos, what describes them, and which belong together. A kind knows one
 * program; where the files lie, on a disk or in zips, is its caller's business.
 *
 * @module
 */
import { isLitter } from "./file_names.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import {
  besidePairs,
  identifierIn,
  MAX_MOTION_BYTES,
  pairFiles,
  type Pairing,
} from "./live_photos.ts";
import { folderOf, type Matched, type Sidecar } from "./takeout.ts";

/** A file of an export, wherever it lies. */
export interface ExportFile {
  /** Its folders and its name in the export, with `/` between. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** The zip or the folder that the export, or this part of it, is in. */
  readonly within: string;
}

/** A file of an export of which parts can be read. */
export interface PartlyRead extends ExportFile {
  /** Has parts of it read, which may be of a file that is damaged. */
  look<T>(use: (source: PlainSource) => Promise<T>): Promise<T>;
}

/** Reads a file's text; see {@link TEXT_MAX_BYTES}. */
export type ReadText<F> = (file: F) => Promise<string>;

/** Reads what a plan depends on. */
interface ReadFiles<F> {
  readonly textOf: ReadText<F>;
  /** See {@link identifierOf}. */
  readonly identifierOf: (file: F) => Promise<string | undefined>;
}

/**
 * A longer file is no sidecar (bytes). Masks of Lightroom and the history of
 * darktable make some of several MiB.
 */
export const TEXT_MAX_BYTES: number = 16 * 1024 * 1024;

/**
 * The content identifier of a file that may be half of a live photo. Undefined
 * for one that is too large for that, and for one that cannot be read.
 */
export async function identifierOf(
  file: PartlyRead,
): Promise<string | undefined> {
  const { path, size } = file;
  if (size > MAX_MOTION_BYTES) return undefined;
  return await file.look((source) => identifierIn(path, source))
    .catch(() => undefined);
}

/** The text of a sidecar in UTF-8, or in UTF-16 that says so. */
export function sidecarText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
    ? "utf-16be"
    : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** Why a file of an export is no photo or video to take in. */
export type PassedWhy =
  /** A JSON that describes no photo. */
  | "unrelated"
  /** A sidecar that cannot be read. */
  | "unreadable"
  /** It describes other files, such as an album. */
  | "describes"
  | "trashed"
  /** The program made it from another file. */
  | "derived"
  /** An archive that has to be unpacked first. */
  | "archive"
  /** Another product of the export's program has it, such as Google Drive. */
  | "elsewhere"
  /** A system or a camera left it behind. */
  | "litter";

/** A file that is passed over. */
export interface Passed<F> {
  readonly file: F;
  readonly why: PassedWhy;
}

/** What the files of an export are. */
export interface SortedOut<F> {
  readonly media: readonly F[];
  readonly others: readonly Passed<F>[];
  readonly sidecars: readonly Sidecar[];
  /** Finds the sidecar of a file. */
  readonly match: (file: F) => Matched | undefined;
  /** Titles of albums by their folders, or by a key of {@link albumsOf}. */
  readonly albums: ReadonlyMap<string, string>;
  /** Albums of a file in addition to that of its folder. */
  readonly albumsOf?: (file: F) => readonly string[];
}

/** What is particular of the files of one program's export. */
export interface Manner {
  /** The folder that an asset remembers. */
  readonly folderOf: (folder: string) => string;
  /** What a file was called. */
  readonly nameOf: (name: string, matched: Matched) => string;
  /** How a video and a still show that they are one photo. */
  readonly pairingOf: (
    video: { readonly matched: Matched | undefined },
  ) => Pairing;
}

/** A program whose exports are known. */
export interface ExportKind extends Manner {
  readonly sortOut: <F extends ExportFile>(
    files: readonly F[],
    textOf: ReadText<F>,
  ) => Promise<SortedOut<F>>;
  /** Folders with a dot before their names that belong to it. */
  readonly hidden?: readonly string[];
  /** A file without a sidecar is worth a word. */
  readonly tellsOfAll: boolean;
}

/** A file with what is known of it, and the video that may belong to it. */
export interface Item<F> {
  readonly file: F;
  readonly matched: Matched | undefined;
  readonly video: Item<F> | undefined;
  /** A still of the name of a live photo, whose video is another still's. */
  readonly isBesidePair: boolean;
  /** The albums that it is in: keys of {@link Plan.albums}. */
  readonly albums: readonly string[];
}

/** What is to be taken in, in this order. */
export interface Plan<F> {
  /** Originals, those with a sidecar first. */
  readonly items: readonly Item<F>[];
  /** Edited versions, which come after what they are versions of. */
  readonly edited: readonly Item<F>[];
  readonly passed: readonly Passed<F>[];
  /** Sidecars whose file is missing. */
  readonly unused: readonly Sidecar[];
  /** Titles of albums by their keys. */
  readonly albums: ReadonlyMap<string, string>;
}

/**
 * What programs write about files: sidecars and pages of an export. Everything
 * else may be an original, of a camera that is unknown here.
 */
const ABOUT_OTHERS = /\.(aae|csv|html?|json|xmp)$/i;

/**
 * Archives and parts of them: `.zip`, `.tar.gz`, `.part1.rar`, `.7z.001`. Their
 * files are not seen, so none of them is kept as if it were a photo.
 */
const ARCHIVE = new RegExp(
  "\\.(?:(?:zip|tar|7z|rar|zst)(?:\\.\\d{3})?|zipx|[rz]\\d\\d|" +
    "tar\\.(?:gz|bz2|xz|zst|lz|lz4|lzma|lzo|br|z)|tgz|tbz2?|txz|tlz|tzst|gz|bz2|xz|lzma|ace|cab|dmg)$",
  "i",
);

/** Whether a file is an archive by its name. */
export function isArchive(name: string): boolean {
  return ARCHIVE.test(name);
}

/** Plans what to take in of an export. */
export async function planExport<F extends ExportFile>(
  kind: ExportKind,
  all: readonly F[],
  { textOf, identifierOf }: ReadFiles<F>,
): Promise<Plan<F>> {
  const isLeft = ({ path }: F) =>
    path.split("/").some((name) =>
      isLitter(name) && kind.hidden?.includes(name) !== true
    );
  const files = all.filter((file) => !isLeft(file));
  const sorted = await kind.sortOut(files, textOf);
  const { sidecars, albums, others, media, match } = sorted;
  const passed: Passed<F>[] = [
    ...others,
    ...all.filter(isLeft).map((file) => ({ file, why: "litter" } as const)),
  ];
  const used = new Set<Sidecar>();
  const matches = new Map<F, Matched>();
  for (const file of media) {
    const matched = match(file);
    if (matched === undefined) continue;
    used.add(matched.sidecar);
    matches.set(file, matched);
  }
  const wanted = media.filter((file) => {
    const matched = matches.get(file);
    if (matched?.sidecar.facts.trashed === true) {
      passed.push({ file, why: "trashed" });
    } else if (isArchive(file.path)) {
      passed.push({ file, why: "archive" });
    } else if (matched === undefined && ABOUT_OTHERS.test(file.path)) {
      passed.push({ file, why: "describes" });
    } else return true;
    return false;
  });
  const pairs = await pairFiles(wanted, identifierOf);
  const videos = new Set(pairs.values());
  const besides = new Set(besidePairs(wanted, pairs));
  const itemOf = (file: F): Item<F> => {
    const video = pairs.get(file);
    return {
      file,
      matched: matches.get(file),
      video: video === undefined ? undefined : itemOf(video),
      isBesidePair: besides.has(file),
      albums: [
        folderOf(file.path).folder,
        ...sorted.albumsOf?.(file) ?? [],
      ],
    };
  };
  // Where the bytes lie twice, with and without a sidecar, the first one tells.
  const isLast = ({ matched }: Item<F>) =>
    matched === undefined ? 1 : matched.isEdited ? 2 : 0;
  const items = wanted.filter((file) => !videos.has(file)).map(itemOf)
    .sort((a, b) => isLast(a) - isLast(b));
  return {
    items: items.filter((item) => isLast(item) < 2),
    edited: items.filter((item) => isLast(item) === 2),
    passed,
    unused: sidecars.filter((sidecar) => !used.has(sidecar)),
    albums,
  };
}
