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
import type {
  Kept,
  NewDerivative,
  NewFile,
  Row,
} from "../../../../library/mod.ts";
import type { Amount } from "../../../../core/sizes.ts";
import { printable } from "../../../phrasing.ts";
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

/** How files are taken in. */
type TakingOptions = Manner & { readonly dryRun?: true };

/** A file that was known, and its photo, of which more may be told. */
type Late = readonly [Item, Row];

/** Takes the files of an export in, in one tally. */
export class ExportTaking {
  readonly tally = {
    kept: 0,
    known: 0,
    /** Known ones of which a sidecar told more. */
    amended: 0,
    trashed: 0,
    failed: 0,
    sent_bytes: 0,
  };
  /** Of those that were kept: how many state no date, and ... */
  undated = 0;
  /** ... whose date a person corrected in the export's program. */
  readonly corrected: string[] = [];
  /** Asset ids by albums of the export. */
  readonly assets = new Map<string, string[]>();
  /** Files without a sidecar. */
  readonly unmatched: string[] = [];
  /** What the edited versions are versions of, by sidecars. */
  readonly #originals = new Map<Matched["sidecar"], string>();
  readonly #open = new Set<OpenFile>();
  readonly #meter: ReturnType<CliContext["meter"]>;

  constructor(
    private readonly cli: CliContext,
    private readonly options: TakingOptions,
  ) {
    this.#meter = cli.meter();
  }

  /**
   * Takes items in, several at a time. Throws what ends the command; a file
   * that fails by itself is named and counted.
   */
  async takeAll(items: readonly Item[]): Promise<void> {
    const bytes = items.reduce((sum, item) => sum + sizeOf(item), 0);
    this.#meter.expect({ count: items.length, bytes });
    this.#meter.expectNoMore();
    const late = await this.#takeReady(this.#ready(items));
    if (late.length > 0) await this.#takeReady(this.#allLeft(late));
  }

  async *#ready(items: readonly Item[]): AsyncGenerator<Ready> {
    for (const item of items) yield* this.#attempt(item);
  }

  /** One that fails by itself is named, and the others go on. */
  async *#attempt(item: Item): AsyncGenerator<Ready> {
    try {
      yield* this.#readied(item);
    } catch (error) {
      this.#meter.expect(lessOf(item));
      this.#fail(item.file, error);
    }
  }

  /**
   * Yields an item that is to be sent. One that is known by what was noted of
   * it, or by its bytes, or was thrown away, is counted instead.
   */
  async *#readied(item: Item): AsyncGenerator<Ready> {
    this.cli.signal.throwIfAborted();
    const noted = this.#notedOf(item);
    if (noted !== undefined) {
      this.#meter.expect(lessOf(item));
      this.tally[noted.what] += 1;
      if (noted.what === "known") this.#done(item, noted.row);
      yield* this.#leftOf(item, noted.row);
      return;
    }
    const opened = await this.#opening(item.file);
    const sha256 = await opened.hash(this.cli.signal);
    const { library } = this.cli;
    const own = library.vault.libraryAlbumId;
    const known = library.index.byPlaintext(sha256, own);
    if (known !== undefined) {
      this.#meter.expect(lessOf(item));
      this.#close(opened);
      this.tally.known += 1;
      this.#done(item, known, sha256);
      yield* this.#leftOf(item, known);
      return;
    }
    if (isThrownAway(library, sha256, own)) {
      this.#meter.expect(lessOf(item));
      this.#close(opened);
      this.tally.trashed += 1;
      return;
    }
    yield* this.#toSend(item, opened, sha256);
  }

  /** What became of a file that is unchanged since it was noted here. */
  #notedOf({ file }: Item) {
    const { local, library } = this.cli;
    const { shown: path, size, part } = file;
    const held = local.knownFile(path);
    if (held === undefined || !isSameStamp(held, { size, ...part })) {
      return undefined;
    }
    const own = library.vault.libraryAlbumId;
    const { what, row } = notedAs(this.cli, held, own) ?? {};
    return row === undefined || what === undefined ? undefined : { what, row };
  }

  /**
   * Yields a file that the library does not have, with its video if they are
   * one, and that video's own item first if they are not. A dry run counts it.
   */
  async *#toSend(
    item: Item,
    opened: OpenFile,
    sha256: string,
  ): AsyncGenerator<Ready> {
    const { signal, tell } = this.cli;
    const { shown: path } = item.file;
    // A damaged video is named when it is taken in alone.
    const motion = await this.#videoWith(item, opened).catch((error) => {
      if (signal.aborted) throw error;
      return undefined;
    });
    if (motion === undefined && item.video !== undefined) {
      yield* this.#attempt(item.video);
    }
    if (item.matched === undefined) this.unmatched.push(path);
    if (this.options.dryRun) {
      this.#close(opened);
      this.tally.kept += motion === undefined ? 1 : 2;
      tell(
        { event: "file", path, outcome: "kept" },
        `would keep ${printable(path)}${asideOf(item)}`,
      );
      return;
    }
    yield await this.#described(item, { opened, sha256, motion });
  }

  /** The video of a live photo; undefined for one that is no part of it. */
  async #videoWith(
    { video }: Item,
    still: OpenFile,
  ): Promise<NewDerivative | undefined> {
    if (video === undefined) return undefined;
    using opened = await video.file.open();
    return await motionOf(
      still.source,
      opened.source,
      video.file.path,
      this.options.pairingOf(video),
    );
  }

  /** Reads what a file states of itself, and adds what its sidecar does. */
  async #described(
    item: Item,
    { opened, sha256, motion }: Pick<Ready, "opened" | "sha256" | "motion">,
  ): Promise<Ready> {
    const { file, matched } = item;
    const { shown: path, size } = file;
    const { folder, name } = folderOf(file.path);
    const running = this.#meter.begin(name, sizeOf(item));
    const { about, derivatives = [], odd } = await describe({
      path,
      name: matched === undefined ? name : this.options.nameOf(name, matched),
      folder: this.options.folderOf(folder),
      size,
      modifiedAt: file.modifiedAt,
      changedAt: null,
      inode: null,
      device: null,
    }, opened.source);
    if (matched !== undefined && isCorrected(about, matched.sidecar.facts)) {
      this.corrected.push(path);
    }
    if (odd !== undefined) {
      this.cli.warn(`kept, but ${ODDITIES[odd]}: ${printable(path)}`);
    }
    const original = matched?.isEdited === true
      ? this.#originals.get(matched.sidecar)
      : undefined;
    return {
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

  async *#allLeft(late: readonly Late[]): AsyncGenerator<Ready> {
    for (const [item, row] of late) {
      try {
        yield* this.#leftOf(item, row);
      } catch (error) {
        this.#fail(item.file, error);
      }
    }
  }

  /** The video of a still that is there may be missing still. */
  async *#leftOf(item: Item, row: Row): AsyncGenerator<Ready> {
    await this.#tellMore(item, row);
    const { video } = item;
    if (video === undefined) return;
    const { file } = video;
    const { dryRun } = this.options;
    const became = await keepVideo(
      this.cli,
      item.file,
      {
        path: file.shown,
        name: folderOf(file.path).name,
        size: file.size,
        ...file.part,
        open: () => file.open(),
      },
      this.cli.library.index.get(row.id) ?? row,
      {
        ...this.options.pairingOf(video),
        ...(dryRun && { dryRun }),
      },
    );
    if (became === "separate") yield* this.#attempt(video);
    else this.tally[became] += 1;
  }

  /** What a sidecar tells of an asset that came without it. */
  async #tellMore({ file, matched }: Item, row: Row): Promise<void> {
    const { library, session, tell } = this.cli;
    const { dryRun } = this.options;
    const { metadata } = row;
    const added = metadata && matched && !matched.isEdited
      ? addedBy(metadata, matched.sidecar.facts)
      : undefined;
    if (added === undefined || row.owner !== session.userId) return;
    if (!dryRun) await library.amend(row.id, { about: added });
    this.tally.amended += 1;
    tell(
      { event: "file", path: file.shown, outcome: "amended", asset_id: row.id },
      `${dryRun ? "would tell" : "told"} more of ${printable(file.shown)}`,
    );
  }

  /** Returns those that were known, where more may be told of them. */
  async #takeReady(files: AsyncGenerator<Ready>): Promise<readonly Late[]> {
    const { library, signal } = this.cli;
    let stopped: unknown;
    const late: Late[] = [];
    try {
      ({ stopped } = await library.takeAll(files, {
        atOnce: AT_ONCE,
        signal,
        onProgress({ running }, step, bytes) {
          if (step === "sending") running.at(bytes);
        },
        onKept: (ready, kept) => {
          this.#kept(ready, kept);
          // The same still came meanwhile, perhaps without its video.
          if (kept.outcome === "known") late.push([ready.item, kept.row]);
        },
        onFailed: ({ item, opened, running }, error) => {
          this.#close(opened);
          running.end();
          this.#fail(item.file, error);
        },
      }));
    } finally {
      for (const opened of this.#open) this.#close(opened);
      await library.index.commit();
      this.#meter.end();
    }
    if (stopped !== undefined) throw stopped;
    return late;
  }

  /** Counts and notes a file that was taken in, and its video. */
  #kept({ item, opened, sha256, motion, running }: Ready, kept: Kept): void {
    const { outcome, row } = kept;
    this.#close(opened);
    warnOfUnreached(this.cli, item.file.shown, kept);
    if (outcome === "kept") running.end();
    else running.skip();
    this.tally[outcome] += 1;
    this.#done(item, row, sha256);
    if (outcome === "known") return;
    this.tally.sent_bytes += item.file.size;
    if (isUndated(row.metadata)) this.undated += 1;
    if (motion !== undefined) {
      this.tally.kept += 1;
      this.tally.sent_bytes += motion.bytes.length;
      this.#noteVideo(item, motion, row);
    }
    const { shown: path } = item.file;
    this.cli.tell(
      { event: "file", path, outcome, asset_id: row.id },
      `kept ${printable(path)}${asideOf(item)}`,
    );
  }

  /** Puts a photo into the export's albums, and notes its file. */
  #done({ file, matched, albums }: Item, { id }: Row, sha256?: string): void {
    for (const album of albums) {
      const ids = this.assets.get(album) ?? [];
      this.assets.set(album, ids);
      ids.push(id);
    }
    if (matched?.isEdited === false) this.#originals.set(matched.sidecar, id);
    if (sha256 === undefined) return;
    const { shown: path, size, part } = file;
    this.cli.local.noteFile({ path, size, ...part, sha256, assetId: id });
  }

  #noteVideo({ video }: Item, { bytes }: NewDerivative, { id }: Row): void {
    if (video === undefined) return;
    const { shown: path, size, part } = video.file;
    const sha256 = sha256Hex(bytes);
    this.cli.local.noteFile({ path, size, ...part, sha256, assetId: id });
  }

  /** Names and counts a file that failed; throws what ends the command. */
  #fail({ shown }: ExportFile, error: unknown): void {
    const complaint = complaintOf(error);
    if (complaint !== undefined && complaint.status !== STATUS.failed) {
      throw error;
    }
    this.tally.failed += 1;
    const why = complaint?.text ??
      (error instanceof Error ? error.message : String(error));
    this.cli.warn(`${printable(shown)}: ${printable(why)}`);
    this.cli.tell({ event: "file", path: shown, outcome: "failed", why }, "");
  }

  async #opening(file: ExportFile): Promise<OpenFile> {
    const opened = await file.open();
    this.#open.add(opened);
    return opened;
  }

  #close(opened: OpenFile): void {
    if (this.#open.delete(opened)) opened[Symbol.dispose]();
  }
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
  return isBesidePair ? ", as a separate photo next to a live photo" : "";
}
