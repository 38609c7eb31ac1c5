/**
 * Taking the files of an export in: what is there is known by its bytes, a live
 * photo is one asset, and every file that failed is named.
 *
 * @module
 */
import { sha256Hex } from "../../../../crypto/sha256.ts";
import type {
  Item as PlannedItem,
  Manner,
} from "../../../../media/exports/export_kind.ts";
import { motionOf } from "../../../../media/exports/live_photos.ts";
import {
  addedBy,
  isCorrected,
  withSidecar,
} from "../../../../media/exports/sidecar_facts.ts";
import { folderOf, type Matched } from "../../../../media/exports/takeout.ts";
import type { NewDerivative, NewFile, Row } from "../../../../library/mod.ts";
import type { Amount } from "../../../../core/sizes.ts";
import { printable } from "../../../words.ts";
import { isUndated } from "../../../../media/exif/mod.ts";
import { describe, ODDITIES, type OpenFile } from "../describing.ts";
import { complaintOf, STATUS } from "../../faults.ts";
import { notedAs, warnOfUnreached } from "../keeping.ts";
import { isSameStamp } from "../../local_store.ts";
import { isThrownAway } from "../../../../library/adding/thrown_away.ts";
import { keepVideo } from "../live_photos.ts";
import type { Running } from "../../meter.ts";
import type { CliContext } from "../../cli_context.ts";
import type { ExportFile } from "./parts.ts";

type Item = PlannedItem<ExportFile>;

/** Files at a time. */
const AT_ONCE = 4;

interface Ready extends NewFile {
  readonly item: Item;
  readonly opened: OpenFile;
  readonly sha256: string;
  /** The video that goes with it. */
  readonly motion: NewDerivative | undefined;
  readonly running: Running;
}

/** Takes files in, in one tally. */
export function openTaking(
  cli: CliContext,
  { dryRun, ...manner }: Manner & { readonly dryRun?: true },
) {
  const { library, local, session, tell, warn, signal } = cli;
  const tally = {
    kept: 0,
    known: 0,
    /** Known ones of which a sidecar told more. */
    amended: 0,
    trashed: 0,
    failed: 0,
    sent_bytes: 0,
  };
  /** Of those that were kept: how many state no date, and ... */
  let undated = 0;
  /** ... whose date a person corrected in the export's program. */
  const corrected: string[] = [];
  /** Asset ids by albums of the export. */
  const assets = new Map<string, string[]>();
  const unmatched: string[] = [];
  /** What the edited versions are versions of, by sidecars. */
  const originals = new Map<Matched["sidecar"], string>();
  const meter = cli.meter();
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
    warn(`${printable(shown)}: ${printable(why)}`);
    tell({ event: "file", path: shown, outcome: "failed", why }, "");
  };
  const done = (
    { file, matched, albums }: Item,
    { id }: Row,
    sha256?: string,
  ) => {
    for (const album of albums) {
      const ids = assets.get(album) ?? [];
      assets.set(album, ids);
      ids.push(id);
    }
    if (matched?.isEdited === false) originals.set(matched.sidecar, id);
    if (sha256 === undefined) return;
    const { shown: path, size, part } = file;
    local.noteFile({ path, size, ...part, sha256, assetId: id });
  };

  const noteVideo = (
    { video }: Item,
    { bytes }: NewDerivative,
    { id }: Row,
  ) => {
    if (video === undefined) return;
    const { shown: path, size, part } = video.file;
    const sha256 = sha256Hex(bytes);
    local.noteFile({ path, size, ...part, sha256, assetId: id });
  };

  /** What a sidecar tells of an asset that came without it. */
  const tellMore = async ({ file, matched }: Item, row: Row): Promise<void> => {
    const { metadata } = row;
    const added = metadata && matched && !matched.isEdited
      ? addedBy(metadata, matched.sidecar.facts)
      : undefined;
    if (added === undefined || row.owner !== session.userId) return;
    if (!dryRun) await library.amend(row.id, { about: added });
    tally.amended += 1;
    tell(
      { event: "file", path: file.shown, outcome: "amended", asset_id: row.id },
      `${dryRun ? "would tell" : "told"} more of ${printable(file.shown)}`,
    );
  };

  /** The video of a still that is there may be missing still. */
  async function* leftOf(item: Item, row: Row): AsyncGenerator<Ready> {
    await tellMore(item, row);
    const { video } = item;
    if (video === undefined) return;
    const { file } = video;
    const became = await keepVideo(
      cli,
      item.file,
      {
        path: file.shown,
        name: folderOf(file.path).name,
        size: file.size,
        ...file.part,
        open: () => file.open(),
      },
      library.index.get(row.id) ?? row,
      {
        ...manner.pairingOf(video),
        ...(dryRun && { dryRun }),
      },
    );
    if (became === "separate") yield* attempt(video);
    else tally[became] += 1;
  }

  async function* readied(item: Item): AsyncGenerator<Ready> {
    signal.throwIfAborted();
    const { file, matched } = item;
    const { shown: path, size, part } = file;
    const held = local.knownFile(path);
    const own = library.vault.libraryAlbumId;
    const isSame = held !== undefined && isSameStamp(held, { size, ...part });
    const { what, row } = (isSame && notedAs(cli, held, own)) || {};
    if (row !== undefined && what !== undefined) {
      meter.expect(lessOf(item));
      tally[what] += 1;
      if (what === "known") done(item, row);
      yield* leftOf(item, row);
      return;
    }
    const opened = await opening(file);
    const sha256 = await opened.hash(signal);
    const known = library.index.byPlaintext(sha256, own);
    if (known !== undefined) {
      meter.expect(lessOf(item));
      close(opened);
      tally.known += 1;
      done(item, known, sha256);
      yield* leftOf(item, known);
      return;
    }
    if (isThrownAway(library, sha256, own)) {
      meter.expect(lessOf(item));
      close(opened);
      tally.trashed += 1;
      return;
    }
    // A damaged video is named when it is taken in alone.
    const motion = await videoWith(item, opened).catch((error) => {
      if (signal.aborted) throw error;
      return undefined;
    });
    if (motion === undefined && item.video !== undefined) {
      yield* attempt(item.video);
    }
    if (matched === undefined) unmatched.push(path);
    if (dryRun) {
      close(opened);
      tally.kept += motion === undefined ? 1 : 2;
      tell(
        { event: "file", path, outcome: "kept" },
        `would keep ${printable(path)}${asideOf(item)}`,
      );
      return;
    }
    const { folder, name } = folderOf(file.path);
    const running = meter.begin(name, sizeOf(item));
    const { about, derivatives = [], odd } = await describe({
      path,
      name: matched === undefined ? name : manner.nameOf(name, matched),
      folder: manner.folderOf(folder),
      size,
      modifiedAt: file.modifiedAt,
      changedAt: null,
      inode: null,
      device: null,
    }, opened.source);
    if (matched !== undefined && isCorrected(about, matched.sidecar.facts)) {
      corrected.push(path);
    }
    if (odd !== undefined) {
      warn(`kept, but ${ODDITIES[odd]}: ${printable(path)}`);
    }
    const original = matched?.isEdited === true
      ? originals.get(matched.sidecar)
      : undefined;
    yield {
      item: motion === undefined ? { ...item, video: undefined } : item,
      motion,
      running,
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

  async function videoWith(
    { video }: Item,
    still: OpenFile,
  ): Promise<NewDerivative | undefined> {
    if (video === undefined) return undefined;
    using opened = await video.file.open();
    return await motionOf(
      still.source,
      opened.source,
      video.file.path,
      manner.pairingOf(video),
    );
  }

  /** One that fails by itself is named, and the others go on. */
  async function* attempt(item: Item): AsyncGenerator<Ready> {
    try {
      yield* readied(item);
    } catch (error) {
      meter.expect(lessOf(item));
      fail(item.file, error);
    }
  }

  async function* ready(items: readonly Item[]): AsyncGenerator<Ready> {
    for (const item of items) yield* attempt(item);
  }

  const takeAll = async (items: readonly Item[]): Promise<void> => {
    const bytes = items.reduce((sum, item) => sum + sizeOf(item), 0);
    meter.expect({ count: items.length, bytes });
    meter.expectNoMore();
    const late = await takeReady(ready(items));
    if (late.length > 0) await takeReady(allLeft(late));
  };

  async function* allLeft(late: readonly (readonly [Item, Row])[]) {
    for (const [item, row] of late) {
      try {
        yield* leftOf(item, row);
      } catch (error) {
        fail(item.file, error);
      }
    }
  }

  /** Returns those that were known, where more may be told of them. */
  const takeReady = async (
    files: AsyncGenerator<Ready>,
  ): Promise<readonly (readonly [Item, Row])[]> => {
    let stopped: unknown;
    const late: [Item, Row][] = [];
    try {
      ({ stopped } = await library.takeAll(files, {
        atOnce: AT_ONCE,
        signal,
        onProgress({ running }, step, bytes) {
          if (step === "sending") running.at(bytes);
        },
        onKept({ item, opened, sha256, motion, running }, kept) {
          const { outcome, row } = kept;
          close(opened);
          warnOfUnreached(cli, item.file.shown, kept);
          if (outcome === "kept") running.end();
          else running.skip();
          tally[outcome] += 1;
          done(item, row, sha256);
          if (outcome === "known") {
            // The same still came meanwhile, perhaps without its video.
            late.push([item, row]);
            return;
          }
          tally.sent_bytes += item.file.size;
          if (isUndated(row.metadata)) undated += 1;
          if (motion !== undefined) {
            tally.kept += 1;
            tally.sent_bytes += motion.bytes.length;
            noteVideo(item, motion, row);
          }
          const { shown: path } = item.file;
          tell(
            { event: "file", path, outcome, asset_id: row.id },
            `kept ${printable(path)}${asideOf(item)}`,
          );
        },
        onFailed({ item, opened, running }, error) {
          close(opened);
          running.end();
          fail(item.file, error);
        },
      }));
    } finally {
      for (const opened of open) close(opened);
      await library.index.commit();
      meter.end();
    }
    if (stopped !== undefined) throw stopped;
    return late;
  };
  return {
    takeAll,
    tally,
    assets,
    unmatched,
    corrected,
    undated: () => undated,
  };
}

/** Bytes of an item, its video among them. */
function sizeOf({ file, video }: Item): number {
  return file.size + (video?.file.size ?? 0);
}

/** What there is less to do without an item. */
function lessOf(item: Item): Amount {
  return { count: -1, bytes: -sizeOf(item) };
}

/**
 * Says of a still next to a live photo of its name that it is no part of it.
 */
function asideOf({ isBesidePair }: Item): string {
  return isBesidePair ? ", a photo of its own beside a live photo" : "";
}
