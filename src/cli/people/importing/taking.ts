/**
 * Taking the files of an export in: what is there is known by its bytes, a live
 * photo is one asset, and every file that failed is named.
 *
 * @module
 */
import { readMediaFacts } from "../../../client/exif/mod.ts";
import { isLivePhoto } from "../../../client/exports/live_photos.ts";
import { withSidecar } from "../../../client/exports/sidecar_facts.ts";
import {
  folderOf,
  type Matched,
  nameBefore,
} from "../../../client/exports/takeout.ts";
import type {
  NewDerivative,
  NewFile,
  Row,
} from "../../../client/library/mod.ts";
import { printable } from "../../words.ts";
import { describe, type OpenFile } from "../describing.ts";
import { complaintOf, STATUS } from "../faults.ts";
import { mediaTypeOf } from "../media_types.ts";
import type { Person } from "../person.ts";
import type { ExportFile } from "./parts.ts";

/** A file with what is known of it, and the film that may belong to it. */
export interface Item {
  readonly file: ExportFile;
  readonly matched: Matched | undefined;
  readonly film: Item | undefined;
}

/** Files at a time. */
const AT_ONCE = 4;
/** A larger film is an asset of its own (bytes). */
const MAX_MOTION_BYTES = 32 * 1024 * 1024;

interface Ready extends NewFile {
  readonly item: Item;
  readonly opened: OpenFile;
  readonly sha256: string;
}

/** Takes files in, in one tally. */
export function openTaking(
  { library, local, progress: newProgress, tell, warn, signal }: Person,
  { dryRun }: { readonly dryRun?: true },
) {
  const tally = { kept: 0, known: 0, trashed: 0, failed: 0, sent_bytes: 0 };
  /** Asset ids by folders of the export. */
  const assets = new Map<string, string[]>();
  const unmatched: string[] = [];
  /** What the edited versions are versions of, by sidecars. */
  const originals = new Map<Matched["sidecar"], string>();
  const progress = newProgress();
  const open = new Set<OpenFile>();
  const opening = async (file: ExportFile) => {
    const opened = await file.open();
    open.add(opened);
    return opened;
  };
  const close = (opened: OpenFile) => {
    if (open.delete(opened)) opened[Symbol.dispose]();
  };

  const fail = ({ shown }: ExportFile, error: unknown) => {
    const complaint = complaintOf(error);
    if (complaint !== undefined && complaint.status !== STATUS.failed) {
      throw error;
    }
    tally.failed += 1;
    const why = complaint?.text ??
      (error instanceof Error ? error.message : String(error));
    progress.end();
    warn(`${printable(shown)}: ${printable(why)}`);
    tell({ event: "file", path: shown, outcome: "failed", why }, "");
  };
  const done = ({ file, matched }: Item, { id }: Row, sha256?: string) => {
    const { folder } = folderOf(file.path);
    assets.set(folder, [...assets.get(folder) ?? [], id]);
    if (matched?.isEdited === false) originals.set(matched.sidecar, id);
    if (sha256 === undefined) return;
    const { shown: path, size, part } = file;
    local.noteFile({ path, size, ...part, sha256, assetId: id });
  };

  /** The film of a still that is there may be missing still. */
  async function* leftOf(item: Item, row: Row): AsyncGenerator<Ready> {
    const { film } = item;
    if (film === undefined) return;
    if (hasFilm(row, film)) tally.known += 1;
    else yield* attempt(film);
  }

  async function* readied(item: Item): AsyncGenerator<Ready> {
    signal.throwIfAborted();
    const { file, matched } = item;
    const { shown: path, size, part } = file;
    const held = local.knownFile(path);
    const isSame = held?.size === size && held.inode === part.inode &&
      held.modifiedAt === part.modifiedAt;
    const row = isSame ? library.index.get(held.assetId) : undefined;
    if (row?.state === "live" || row?.state === "deleted") {
      tally[row.state === "live" ? "known" : "trashed"] += 1;
      if (row.state === "live") done(item, row);
      yield* leftOf(item, row);
      return;
    }
    const opened = await opening(file);
    const sha256 = await library.hash(opened.source, { signal });
    const known = library.index.byPlaintext(
      sha256,
      library.vault.libraryAlbumId,
    );
    if (known !== undefined) {
      close(opened);
      tally.known += 1;
      done(item, known, sha256);
      yield* leftOf(item, known);
      return;
    }
    // A damaged film is named when it is taken in alone.
    const motion = await motionOf(item, opened).catch((error) => {
      if (signal.aborted) throw error;
      return undefined;
    });
    if (motion === undefined && item.film !== undefined) {
      yield* attempt(item.film);
    }
    if (matched === undefined) unmatched.push(path);
    if (dryRun) {
      close(opened);
      tally.kept += motion === undefined ? 1 : 2;
      tell(
        { event: "file", path, outcome: "kept" },
        `would keep ${printable(path)}`,
      );
      return;
    }
    const { folder, name } = folderOf(file.path);
    const { about, derivatives = [] } = await describe({
      path,
      name: matched === undefined ? name : nameBefore(name, matched),
      // Below the folder that is called `Google Photos`, in whatever language.
      folder: folder.replace(/^takeout\//i, "").replace(/^[^/]+\//, ""),
      size,
      modifiedAt: file.modifiedAt,
      inode: null,
    }, opened.source);
    const original = matched?.isEdited === true
      ? originals.get(matched.sidecar)
      : undefined;
    yield {
      item: motion === undefined ? { ...item, film: undefined } : item,
      opened,
      source: opened.source,
      sha256,
      about: {
        ...(matched === undefined
          ? about
          : withSidecar(about, matched.sidecar.facts)),
        ...(original === undefined ? {} : { edited_of: original }),
      },
      derivatives: motion === undefined
        ? derivatives
        : [...derivatives, motion],
    };
  }

  async function motionOf(
    { film }: Item,
    still: OpenFile,
  ): Promise<NewDerivative | undefined> {
    if (film === undefined || film.file.size > MAX_MOTION_BYTES) return;
    using opened = await film.file.open();
    const facts = await readMediaFacts(opened.source);
    const isPair = isLivePhoto(
      await readMediaFacts(still.source),
      facts,
      film.matched !== undefined,
    );
    if (!isPair) return;
    const mime = mediaTypeOf(film.file.path);
    return {
      kind: "motion",
      mime: mime.startsWith("video/") ? mime : "video/mp4",
      width: facts.width,
      height: facts.height,
      bytes: await opened.source.read(0, film.file.size),
    };
  }

  /** One that fails by itself is named, and the others go on. */
  async function* attempt(item: Item): AsyncGenerator<Ready> {
    try {
      yield* readied(item);
    } catch (error) {
      fail(item.file, error);
    }
  }

  async function* ready(items: readonly Item[]): AsyncGenerator<Ready> {
    for (const item of items) yield* attempt(item);
  }

  const takeAll = async (items: readonly Item[]): Promise<void> => {
    let stopped: unknown;
    const late: Item[] = [];
    try {
      ({ stopped } = await library.takeAll(ready(items), {
        atOnce: AT_ONCE,
        signal,
        onProgress(_file, step, bytes) {
          if (step === "sending") {
            progress.show("sent", tally.sent_bytes + bytes);
          }
        },
        onKept({ item, opened, sha256 }, { outcome, row }) {
          close(opened);
          tally[outcome] += 1;
          if (item.film !== undefined) {
            // The same still may have come meanwhile, without its film.
            if (hasFilm(row, item.film)) tally[outcome] += 1;
            else late.push(item.film);
          }
          if (outcome === "kept") tally.sent_bytes += item.file.size;
          done(item, row, sha256);
          if (outcome === "known") return;
          const { shown: path } = item.file;
          tell(
            { event: "file", path, outcome, asset_id: row.id },
            `kept ${printable(path)}`,
          );
        },
        onFailed({ item, opened }, error) {
          close(opened);
          fail(item.file, error);
        },
      }));
    } finally {
      for (const opened of open) close(opened);
      await library.index.commit();
      progress.end();
    }
    if (stopped !== undefined) throw stopped;
    if (late.length > 0) await takeAll(late);
  };
  return { takeAll, tally, assets, unmatched };
}

function hasFilm({ metadata }: Row, { file }: Item): boolean {
  return metadata?.derivatives.some(({ kind, size }) =>
    kind === "motion" && size === file.size
  ) === true;
}
