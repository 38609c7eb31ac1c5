/**
 * One file of `push`: known by what was noted of it, or by its bytes, or sent.
 *
 * @module
 */
import {
  heldSource,
  type Kept,
  plainOf,
  type PlainSource,
  releaseHeld,
  type Row,
} from "../../../library/mod.ts";
import { isBroken } from "../../../library/rows/rows.ts";
import {
  describe,
  type Oddity,
  type OpenFile,
  openFile,
} from "./describing.ts";
import type { FoundFile } from "./files.ts";
import { isSameStamp, type KnownFile } from "../local_store.ts";
import { motionOf, UNTOLD } from "../../../media/exports/live_photos.ts";
import { isThrownAway } from "../../../library/adding/thrown_away.ts";
import { printable, quoted } from "../../phrasing.ts";
import type { CliContext } from "../cli_context.ts";

/** Files that are sent at a time; ... */
const AT_ONCE = 16;
/** ... and what they may have in memory (bytes), unless one alone has more. */
const MOST_AT_ONCE = 8 * 1024 * 1024;

/** What became of a file. */
export interface Outcome {
  readonly what: "kept" | "known" | "trashed";
  readonly row?: Row;
  /** The video next to it was taken in with it. */
  readonly video?: "kept";
  /** Kept, and worth a look. */
  readonly odd?: Oddity;
}

/** How a file is kept. */
interface Keeping {
  readonly dryRun?: true;
  /** What was deleted on purpose, too. */
  readonly again?: true;
  readonly albumId: string;
}

/** What was noted of a file, if it is unchanged since then. */
function notedOf(
  { local }: CliContext,
  file: FoundFile,
): KnownFile | undefined {
  const noted = local.knownFile(file.path);
  return noted !== undefined && isSameStamp(noted, file) ? noted : undefined;
}

/** The outcome of a file that needs no reading: it was kept here before. */
export function heldAs(
  cli: CliContext,
  file: FoundFile,
  albumId: string,
): Outcome | undefined {
  const noted = notedOf(cli, file);
  return noted && notedAs(cli, noted, albumId);
}

/**
 * The same of what was noted of a file that is unchanged. A note is no more
 * than that: what the server has by now decides.
 */
export function notedAs(
  cli: CliContext,
  noted: KnownFile,
  albumId: string,
): Outcome | undefined {
  const row = cli.library.index.get(noted.assetId);
  if (row?.album !== albumId) return undefined;
  // One that the server lost or damaged is read and sent again.
  if (row.state === "live" && isBroken(row)) return undefined;
  if (row.state === "live") return { what: "known", row };
  // Another device stored the same bytes at the same moment, and first.
  const duplicate = cli.library.index.byPlaintext(noted.sha256, albumId);
  if (duplicate !== undefined) return { what: "known", row: duplicate };
  return row.state === "deleted" ? { what: "trashed", row } : undefined;
}

/** Keeps a file, and its video with it where they are one. */
export async function keep(
  cli: CliContext,
  file: FoundFile,
  keeping: Keeping,
  onSent: (bytes: number) => void,
  place?: Place,
): Promise<Outcome> {
  const held = heldAs(cli, file, keeping.albumId);
  if (held !== undefined) return held;
  const { path } = file;
  using opened = await openFile(path);
  const source = await heldSource(opened.source);
  try {
    const sha256 = notedOf(cli, file)?.sha256;
    return await keepOpened(
      cli,
      { file, opened, source, sha256 },
      keeping,
      onSent,
      place,
    );
  } finally {
    releaseHeld(source);
  }
}

/** A file that was opened, and what is read instead of it where it is held. */
interface Opened {
  readonly file: FoundFile;
  readonly opened: OpenFile;
  readonly source: PlainSource;
  /** Of its bytes in hex, where they were hashed before. */
  readonly sha256: string | undefined;
}

async function keepOpened(
  cli: CliContext,
  { file, opened, source, sha256: noted }: Opened,
  { dryRun, again, albumId }: Keeping,
  onSent: (bytes: number) => void,
  place: Place | undefined,
): Promise<Outcome> {
  const { library, local, signal } = cli;
  const { path, size, modifiedAt, changedAt, inode, device } = file;
  const stamp = { size, modifiedAt, changedAt, inode, device };
  const sha256 = noted !== undefined
    ? noted
    // What is in memory is hashed once, here and for sealing.
    : source === opened.source
    ? await opened.hash(signal)
    : await library.hash(source, { signal });
  const note = (assetId: string) =>
    local.noteFile({ path, ...stamp, sha256, assetId });
  const known = library.index.byPlaintext(sha256, albumId);
  if (known !== undefined) {
    note(known.id);
    return { what: "known", row: known };
  }
  if (!again && isThrownAway(library, sha256, albumId)) {
    return { what: "trashed" };
  }
  const video = await besideOf(cli, file, opened, albumId);
  if (dryRun) return { what: "kept", ...(video && { video: "kept" }) };
  let sent = 0;
  const { about, derivatives = [], odd } = await describe(file, source);
  const kept = await library.take(
    {
      source,
      sha256,
      about,
      derivatives: video === undefined
        ? derivatives
        : [...derivatives, video.motion],
    },
    {
      albumId,
      signal,
      ...(place && { onFreed: place.freed, onSent: place.sent }),
      onProgress(step, bytes) {
        if (step !== "sending") return;
        // It is sealed: the plaintext is not needed any more.
        releaseHeld(source);
        onSent(Math.max(0, bytes - sent));
        sent = Math.max(sent, bytes);
      },
    },
  );
  note(kept.row.id);
  warnOfUnreached(cli, file.name, kept);
  const { outcome: what, row: its } = kept;
  const done = { what, row: its, ...(odd && { odd }) };
  if (video === undefined || what === "known") return done;
  local.noteFile({ ...video.file, assetId: its.id });
  return { ...done, video: "kept" };
}

/** Says what still has the lost copy of a photo that was stored again. */
export function warnOfUnreached(
  { library, warn }: CliContext,
  name: string,
  { row: { metadata }, replaced = [], unreached = [] }: Kept,
): void {
  for (const link of unreached) {
    warn(
      `the link ${quoted(link)} still shows a lost copy of ${
        printable(name)
      }: make a new link`,
    );
  }
  const { libraryAlbumId } = library.vault;
  const isInAlbum = library.index.allByPlaintext(metadata?.sha256 ?? "")
    .some(({ album }) => album !== undefined && album !== libraryAlbumId);
  if (replaced.length === 0 || !isInAlbum) return;
  warn(
    `${printable(name)} could not be stored again under its old address: ` +
      "copies that other people took from an album stay lost",
  );
}

/** The video of a still that is new, unless the library has it by itself. */
async function besideOf(
  { library, signal }: CliContext,
  { video }: FoundFile,
  still: OpenFile,
  albumId: string,
) {
  if (video === undefined) return undefined;
  const { path, name, size, modifiedAt, changedAt, inode, device } = video;
  using opened = await openFile(path);
  const motion = await motionOf(still.source, opened.source, name, UNTOLD);
  if (motion === undefined) return undefined;
  const sha256 = await library.hash(plainOf(motion.bytes), { signal });
  const known = library.index.byPlaintext(sha256, albumId);
  const file = { path, size, modifiedAt, changedAt, inode, device, sha256 };
  return known === undefined ? { motion, file } : undefined;
}

/** Files that wait for their receipts alone at most. */
const MOST_WAITING = 64;

/** The place of a file that was let in. */
export interface Place {
  /** Its bytes are out of memory: others may be read. */
  readonly freed: () => void;
  /** Everything of it was sent: another may take its place. */
  readonly sent: () => void;
  readonly leave: () => void;
}

/** Lets in as many as there may be at a time, and as many bytes. */
export class UploadSlots {
  #count = 0;
  #bytes = 0;
  #sent = 0;
  #waiting: (() => void)[] = [];

  async enter(bytes: number): Promise<Place> {
    while (
      this.#count >= AT_ONCE || this.#sent >= MOST_WAITING ||
      (this.#count > 0 && this.#bytes + bytes > MOST_AT_ONCE)
    ) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#count += 1;
    this.#bytes += bytes;
    let [held, isSent] = [bytes, false];
    const freed = () => {
      this.#bytes -= held;
      held = 0;
      this.#wake();
    };
    const sent = () => {
      if (isSent) return;
      isSent = true;
      this.#count -= 1;
      this.#sent += 1;
      freed();
    };
    return {
      freed,
      sent,
      leave: () => {
        sent();
        this.#sent -= 1;
        this.#wake();
      },
    };
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
