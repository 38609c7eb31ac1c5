/**
 * Importing what another program exported: the zips and folders that a person
 * chose are looked at in a media thread, and what is in them goes through the
 * page's queue like every other file. It goes on while other views are shown.
 *
 * @module
 */
import { effect, signal } from "@preact/signals";
import { ThreadError } from "../../../client/stream/threads/thread_messages.ts";
import type {
  ChosenFile,
  Looked,
  SeenFile,
  Sighting,
} from "../../workers/library/exports/calls.ts";
import { faultText } from "../faults.ts";
import { messages } from "../messages.ts";
import { toast } from "../parts/toasts.tsx";
import { mediaThread, withMedia } from "../upload/media_threads.ts";
import { panel } from "../upload/shown_panel.ts";
import type { DateFrom } from "../../../media/exif/about.ts";
import type { Imported, Preparation } from "../upload/queue.ts";
import { describeFile, type Prepared, queue } from "../upload/workers.ts";
import { vault } from "../vault.ts";

/** What an import is at. */
type Step =
  | { readonly is: "choosing"; readonly fault?: unknown }
  | { readonly is: "looking"; readonly looked?: Looked }
  | { readonly is: "seen"; readonly sighting: Sighting }
  | { readonly is: "running"; readonly sighting: Sighting }
  | { readonly is: "done"; readonly sighting: Sighting };

/** What became of a file; `waiting` until something did. */
type Outcome =
  | "waiting"
  | "kept"
  | "known"
  /** The browser sends it. */
  | "handed"
  /** The person deleted it from the library before. */
  | "deleted"
  | "stopped"
  | "failed";

/** What became of a file, and why. */
export interface Became {
  readonly seen: SeenFile;
  readonly outcome: Outcome;
  readonly fault?: unknown;
}

/** The files of the library among those that were found, as far as is known. */
interface Checked {
  readonly done: number;
  readonly total: number;
  readonly known: number;
}

/** What an import is at; kept while other views are shown. */
export const step = signal<Step>({ is: "choosing" });
/** Grows when a file became something else. */
export const became = signal(0);
export const checked = signal<Checked | undefined>(undefined);
/** Assets of the library of which the export told more. */
export const told = signal<ReadonlySet<string>>(new Set());

/** Ended where an export holds it up. */
const media = mediaThread();
/** Names of what was chosen. */
let names: readonly string[] = [];
/** Outgrown by whoever begins something else. */
let turn = 0;
const hashes = new Map<number, string>();
const files = new Map<string, Became>();
/** Assets by albums, by their places in the sighting. */
const inAlbums = new Map<number, Set<string>>();
/** Files whose date is from the disk or a person. */
const datedBy = new Map<SeenFile, DateFrom>();
/** Originals by their sidecars, for edited versions. */
const originals = new Map<number, string>();

/** Forgets what was looked at, and frees it. */
export function startOver(fault?: unknown): void {
  turn += 1;
  // A thread with other files would answer them.
  for (const [id, { outcome }] of files) {
    if (outcome === "failed") queue.remove(id);
  }
  media.end();
  hashes.clear();
  files.clear();
  datedBy.clear();
  inAlbums.clear();
  originals.clear();
  checked.value = undefined;
  told.value = new Set();
  became.value += 1;
  step.value = { is: "choosing", ...(fault === undefined ? {} : { fault }) };
}

/** Looks at what a person chose or dropped. */
export async function lookAt(chosen: readonly ChosenFile[]): Promise<void> {
  if (chosen.length === 0) return;
  if (step.value.is === "running") return toast(messages.value.imports.busy);
  startOver();
  const roots = chosen.map(({ file, folder }) =>
    folder === "" ? file.name : folder.split("/")[0] ?? ""
  );
  names = [...new Set(roots)];
  await looking((port) =>
    media.run(({ exports }) => exports.look(chosen, port))
  );
}

/** Looks at the same files as those of another program. */
export async function lookAs(kind: Sighting["kind"]): Promise<void> {
  turn += 1;
  checked.value = undefined;
  await looking((port) => media.run(({ exports }) => exports.sort(kind, port)));
}

async function looking(
  look: (port: MessagePort) => Promise<Sighting>,
): Promise<void> {
  const mine = turn;
  const { port1: here, port2: there } = new MessageChannel();
  step.value = { is: "looking" };
  here.onmessage = ({ data }) => {
    if (mine === turn && step.value.is === "looking") {
      step.value = { is: "looking", looked: data };
    }
  };
  try {
    const sighting = await look(there);
    if (mine !== turn) return;
    step.value = { is: "seen", sighting };
    check(sighting).catch(() => {});
  } catch (error) {
    if (mine === turn) startOver(error);
  } finally {
    here.close();
  }
}

/**
 * Counts what the library has already. Only a file of the size of one in the
 * library can be it, so only those are read.
 */
async function check({ items }: Sighting): Promise<void> {
  const mine = turn;
  const isSize = await vault().imports.sizes(items.map(({ size }) => size));
  const like = items.filter((_, at) => isSize[at]);
  let known = 0;
  for (const [done, seen] of like.entries()) {
    if (mine !== turn) return;
    checked.value = { done, total: like.length, known };
    // One that cannot be read is named when it is imported.
    const sha256 = await hashOf(seen).catch(() => undefined);
    if (sha256 === undefined) continue;
    if ((await vault().imports.held(sha256)).is === "known") known += 1;
  }
  if (mine !== turn) return;
  checked.value = { done: like.length, total: like.length, known };
}

async function open(seen: SeenFile): Promise<File> {
  const blob = await media.run(({ exports }) => exports.open(seen.at));
  const { name, mime: type, modifiedAt: lastModified } = seen;
  return new File([blob], name, { type, lastModified });
}

async function hashOf(seen: SeenFile, opened?: Blob): Promise<string> {
  const held = hashes.get(seen.at);
  if (held !== undefined) return held;
  const file = opened ?? await open(seen);
  const sha256 = await withMedia(({ pictures }) => pictures.hash(file));
  hashes.set(seen.at, sha256);
  return sha256;
}

/** Begins to import what was found. */
export async function start(): Promise<void> {
  if (step.value.is !== "seen") return;
  const { sighting } = step.value;
  turn += 1;
  phase = "originals";
  step.value = { is: "running", sighting };
  try {
    // It is a help and no more: what is imported is imported without it.
    await vault().imports.begin({ names }).catch(() => {});
    panel.value = (await import("../upload/panel.tsx")).QueuePanel;
    enqueue(sighting.items.filter(({ isEdited }) => !isEdited));
  } catch (error) {
    startOver(error);
  }
}

function enqueue(some: readonly SeenFile[]): void {
  const ids = queue.add(some.map((seen) => {
    const { name, size, mime: type, modifiedAt: lastModified } = seen;
    const imported: Imported<Prepared> = {
      prepare: (id) => prepare(id, seen),
      done: (assetId) => noteAsset(seen, assetId),
    };
    const file = { name, size, type, lastModified };
    return { file, folder: seen.folder, imported };
  }));
  for (const [at, seen] of some.entries()) {
    const id = ids[at];
    if (id !== undefined) files.set(id, { seen, outcome: "waiting" });
  }
  isNews = true;
  became.value += 1;
}

async function prepare(
  id: string,
  seen: SeenFile,
): Promise<Preparation<Prepared>> {
  try {
    return await prepared(id, seen);
  } catch (error) {
    const isZip = error instanceof ThreadError &&
      error.fault.kind === "MalformedZip";
    // The panel says that the file is damaged.
    throw isZip
      ? new ThreadError({ ...error.fault, kind: "StreamError" })
      : error;
  }
}

async function prepared(
  id: string,
  seen: SeenFile,
): Promise<Preparation<Prepared>> {
  const { facts, video, folder, isEdited, sidecar } = seen;
  const file = await open(seen);
  const sha256 = await hashOf(seen, file);
  const held = await vault().imports.held(sha256);
  if (held.is === "deleted") {
    files.set(id, { seen, outcome: "deleted" });
    isNews = true;
    queue.remove(id);
    return { known: true };
  }
  if (held.is === "known") {
    noteAsset(seen, held.assetId);
    if (facts !== undefined && !isEdited) {
      if (await vault().imports.tellMore(held.assetId, facts)) {
        told.value = new Set(told.value).add(held.assetId);
      }
    }
    if (video !== undefined) await bringVideo(held.assetId, file, video);
    return { known: true };
  }
  const motion = video === undefined
    ? undefined
    : await motionOf(file, video).catch(() => undefined);
  if (video !== undefined && motion === undefined) enqueue([video]);
  const { prepared: made, note, dateFrom } = await describeFile(
    id,
    file,
    { folder, told: facts },
    sha256,
  );
  if (dateFrom !== undefined) datedBy.set(seen, dateFrom);
  const original = isEdited && sidecar !== undefined
    ? originals.get(sidecar)
    : undefined;
  return {
    known: false,
    prepared: {
      ...made,
      about: {
        ...made.about,
        ...(original === undefined ? {} : { edited_of: original }),
      },
      derivatives: motion === undefined
        ? made.derivatives
        : [...made.derivatives, motion],
      albums: albumsOf(seen),
    },
    ...(note === undefined ? {} : { note }),
    ...(dateFrom === undefined ? {} : { dateFrom }),
  };
}

/** The video as part of its still; undefined if it is a file of its own. */
async function motionOf(
  still: Blob,
  video: NonNullable<SeenFile["video"]>,
) {
  const moving = await open(video);
  return await media.run(({ exports }) =>
    exports.motion(still, moving, video.name, video.pairing)
  );
}

/** Sees to the video of a still that is in the library. */
async function bringVideo(
  assetId: string,
  still: Blob,
  video: NonNullable<SeenFile["video"]>,
): Promise<void> {
  const sha256 = await hashOf(video).catch(() => undefined);
  const place = sha256 === undefined
    ? "separate"
    : await vault().imports.video(assetId, video.size, sha256);
  if (place === "known") return;
  const motion = place === "lacking"
    ? await motionOf(still, video).catch(() => undefined)
    : undefined;
  if (motion === undefined) enqueue([video]);
  else await vault().imports.addVideo(assetId, motion);
}

function albumsOf({ albums }: SeenFile) {
  const at = step.value;
  return "sighting" in at
    ? albums.flatMap((album) => at.sighting.albums[album] ?? [])
    : [];
}

function noteAsset(seen: SeenFile, assetId: string): void {
  for (const album of seen.albums) {
    const ids = inAlbums.get(album) ?? new Set();
    inAlbums.set(album, ids.add(assetId));
  }
  if (!seen.isEdited && seen.sidecar !== undefined) {
    originals.set(seen.sidecar, assetId);
  }
}

/** Where the date of a file is from, if that is worth a word. */
export function dateFromOf(seen: SeenFile): DateFrom | undefined {
  return datedBy.get(seen);
}

/** What became of all files so far. */
export function outcomes(): readonly Became[] {
  return [...files.values()];
}

/** How many of an import's files are done. */
export function counts(): Readonly<Record<Outcome, number>> {
  const sums: Record<Outcome, number> = {
    waiting: 0,
    kept: 0,
    known: 0,
    handed: 0,
    deleted: 0,
    stopped: 0,
    failed: 0,
  };
  for (const { outcome } of files.values()) sums[outcome] += 1;
  return sums;
}

/** What became of a file by now; the queue may have dropped it since. */
function followed(id: string, before: Became): Became {
  const item = queue.item(id);
  const { seen, outcome } = before;
  if (item === undefined) {
    return outcome === "waiting" ? { seen, outcome: "stopped" } : before;
  }
  switch (item.state) {
    case "kept":
    case "back":
      return outcome === "kept" ? before : { seen, outcome: "kept" };
    case "known":
    case "handed":
      return outcome === item.state ? before : { seen, outcome: item.state };
    case "failed":
      return outcome === "failed"
        ? before
        : { seen, outcome: "failed", fault: item.fault };
    default:
      return outcome === "waiting" ? before : { seen, outcome: "waiting" };
  }
}

/** Originals come first, then edited versions, which name them. */
let phase: "originals" | "edited" = "originals";
/** Whether anything became something else since it was looked at. */
let isNews = false;

effect(() => {
  queue.version.value;
  if (files.size === 0) return;
  let isLeft = false;
  for (const [id, before] of files) {
    const next = followed(id, before);
    if (next.outcome === "waiting") isLeft = true;
    if (next === before) continue;
    files.set(id, next);
    isNews = true;
  }
  if (!isNews) return;
  // No signal is written by an effect itself.
  queueMicrotask(() => became.value += 1);
  if (isLeft) return;
  isNews = false;
  queueMicrotask(goOn);
});

/** Called when nothing is left in the queue, also after a file was retried. */
function goOn(): void {
  const at = step.value;
  if (at.is !== "running" && at.is !== "done") return;
  const { sighting } = at;
  const sums = counts();
  if (sums.waiting > 0) return;
  if (phase === "originals" && sums.stopped === 0) {
    phase = "edited";
    const edited = sighting.items.filter(({ isEdited }) => isEdited);
    if (edited.length > 0) return enqueue(edited);
  }
  finish(sighting).catch(() => {});
}

async function finish(sighting: Sighting): Promise<void> {
  const mine = turn;
  const albums = [...inAlbums].flatMap(([at, ids]) => {
    const album = sighting.albums[at];
    return album === undefined ? [] : [{ ...album, ids: [...ids] }];
  });
  try {
    await vault().imports.keepAlbums(albums);
    await vault().imports.end();
  } catch (error) {
    // The files are here; choosing them again makes the albums.
    toast(faultText(error));
  } finally {
    if (mine === turn) step.value = { is: "done", sighting };
  }
}
