/**
 * Taking an export of another program in: what its files are to each other is
 * the kind's to say, everything else is the same for all.
 *
 * @module
 */
import { pairByName } from "../../../client/exports/live_photos.ts";
import { type Matched, type Sidecar } from "../../../client/exports/takeout.ts";
import { counted } from "../../../core/sizes.ts";
import { printable } from "../../words.ts";
import { STATUS } from "../faults.ts";
import type { CliContext } from "../cli_context.ts";
import { followFeed } from "../following.ts";
import { keepAlbums } from "./albums.ts";
import { type ExportFile, openParts } from "./parts.ts";
import { type Item, type Manner, openTaking } from "./taking.ts";

/** The options of `import`. */
export interface ImportOptions {
  readonly dryRun?: true;
}

/** What the files of an export are. */
export interface SortedOut {
  readonly media: readonly ExportFile[];
  /** Those that are no photograph's, and why. */
  readonly others: readonly {
    readonly file: ExportFile;
    readonly why: string;
  }[];
  readonly sidecars: readonly Sidecar[];
  /** Finds the sidecar of a file. */
  readonly match: (path: string) => Matched | undefined;
  /** Titles of albums by their folders. */
  readonly albums: ReadonlyMap<string, string>;
}

/** A program whose exports are known. */
export interface ExportKind extends Manner {
  readonly sortOut: (files: readonly ExportFile[]) => Promise<SortedOut>;
  /** Folders with a dot before their names that belong to it. */
  readonly hidden?: readonly string[];
  /** A file without a sidecar is worth a word. */
  readonly tellsOfAll: boolean;
}

/**
 * What programs write about files: sidecars and pages of an export. Everything
 * else may be an original, of a camera that nobody here has heard of.
 */
const ABOUT_OTHERS = /\.(aae|csv|html?|json|xmp)$/i;

/** Takes an export in. */
export async function importExport(
  cli: CliContext,
  paths: readonly string[],
  kind: ExportKind,
  options: ImportOptions,
): Promise<void> {
  const { tell, warn, endWith, signal, places } = cli;
  await followFeed(cli);
  using parts = await openParts(
    paths,
    places.stateDirectory,
    signal,
    kind.hidden,
  );
  let passed = 0;
  const passOver = (path: string, why: string) => {
    passed += 1;
    tell(
      { event: "file", path, outcome: "passed_over", why },
      `passed over ${printable(path)}: ${printable(why)}`,
    );
  };
  let unread = 0;
  for (const { path, why, isUnread } of parts.passedOver) {
    if (!isUnread) passOver(path, why);
    else {
      unread += 1;
      warn(`cannot be read: ${printable(path)}: ${printable(why)}`);
      tell({ event: "file", path, outcome: "failed", why }, "");
    }
  }
  const { sidecars, albums, others, media, match } = await kind.sortOut(
    parts.files,
  );
  for (const { file, why } of others) passOver(file.shown, why);
  const used = new Set<Sidecar>();
  const matches = new Map<ExportFile, Matched>();
  for (const file of media) {
    const matched = match(file.path);
    if (matched === undefined) continue;
    used.add(matched.sidecar);
    matches.set(file, matched);
  }
  const wanted = media.filter((file) => {
    const matched = matches.get(file);
    if (matched?.sidecar.facts.trashed === true) {
      passOver(file.shown, "it was in the trash");
    } else if (matched === undefined && ABOUT_OTHERS.test(file.path)) {
      passOver(file.shown, "it describes other files");
    } else return true;
    return false;
  });
  const pairs = pairByName(wanted);
  const videos = new Set(pairs.values());
  const items = wanted.filter((file) => !videos.has(file))
    .map((file): Item => {
      const video = pairs.get(file);
      return {
        file,
        matched: matches.get(file),
        video: video === undefined
          ? undefined
          : { file: video, matched: matches.get(video), video: undefined },
      };
    });
  // Where the bytes lie twice, with and without a sidecar, the first one tells.
  const isLast = ({ matched }: Item) =>
    matched === undefined ? 1 : matched.isEdited ? 2 : 0;
  items.sort((a, b) => isLast(a) - isLast(b));
  const taking = openTaking(cli, { ...kind, ...options });
  await taking.takeAll(items.filter((item) => isLast(item) < 2));
  await taking.takeAll(items.filter((item) => isLast(item) === 2));
  const { tally, assets } = taking;
  const unmatched = kind.tellsOfAll ? taking.unmatched : [];
  for (const path of unmatched) {
    tell(
      { event: "unmatched", path },
      `no sidecar for ${printable(path)}: its date comes from the file`,
    );
  }
  for (const sidecar of sidecars) {
    if (used.has(sidecar)) continue;
    tell(
      { event: "unmatched", path: sidecar.path },
      `no file for ${printable(sidecar.path)}`,
    );
  }
  const collections = options.dryRun
    ? 0
    : await keepAlbums(cli, albums, assets);
  tally.failed += unread;
  const { kept, known, amended, trashed, failed } = tally;
  const status = failed > 0 ? STATUS.someFailed : 0;
  tell(
    {
      event: "end",
      status,
      ...tally,
      passed_over: passed,
      unmatched: unmatched.length,
      albums: collections,
    },
    [
      `${counted(kept, "file")} ${options.dryRun ? "to keep" : "kept"}`,
      `${counted(known, "file")} known` +
      (amended > 0 ? ` (${amended} of them better than before)` : ""),
      `${counted(collections, "album")}`,
      ...passed > 0 ? [`${counted(passed, "file")} passed over`] : [],
      ...unmatched.length > 0 ? [`${unmatched.length} without a sidecar`] : [],
      ...trashed > 0 ? [`${counted(trashed, "file")} in the trash`] : [],
      ...failed > 0 ? [`${counted(failed, "file")} FAILED`] : [],
    ].join(", "),
  );
  if (status !== 0) endWith(status);
}

/** A longer file is no sidecar (bytes). */
const MAX_TEXT_BYTES = 1024 * 1024;

/** A small file's text; damaged text is no sidecar, and named as such. */
export async function textOf(file: ExportFile): Promise<string> {
  if (file.size > MAX_TEXT_BYTES) return "";
  try {
    using opened = await file.open();
    return new TextDecoder().decode(await opened.source.read(0, file.size));
  } catch {
    return "";
  }
}
