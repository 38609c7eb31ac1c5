/**
 * Saving to the person's disk, in the best way that this browser supports: into
 * a file that the person chooses, as a download through the service worker, or
 * as Blobs that are in memory until they are complete.
 *
 * @module
 */
import { savedAddress } from "../addresses.ts";
import { toHex } from "../../../core/bytes.ts";
import { now, randomBytes, sleep } from "../../browser.ts";
import { receiveOver } from "../../workers/media/ports.ts";
import type { ZipPart } from "../../workers/media/zip_plan.ts";
import type { ZipOptions } from "../../workers/media/zips.ts";
import { safeName } from "../../../media/exports/file_names.ts";
import { faultText } from "../faults.ts";
import { toast } from "../parts/toasts.tsx";
import { onVault, vault } from "../vault.ts";
import { messages } from "../messages.ts";
import { followByWorker, hasWorker, saveByWorker } from "./by_worker.ts";
import { type Open, type Saving, saving, type Share, WHOLE } from "./state.ts";

/** Largest Blob that browsers can hold (bytes). */
const PART_BYTES = 1024 * 1024 * 1024;
/**
 * WebKit says that a download which the service worker answers has begun, and
 * in some versions nothing arrives. It gets what it can hold as a Blob (bytes).
 */
const HELD_BYTES = 256 * 1024 * 1024;
const isWebKit = navigator.vendor.startsWith("Apple");
/** Smaller files are loaded quickly and saved in the simple way (bytes). */
const SMALL_BYTES = 32 * 1024 * 1024;
/** Time within which a browser begins a download (ms). */
const BEGUN_MS = 60_000;
/** A download that takes longer than this shows its progress (ms). */
const SHOWN_MS = 400;

/** Too short to read a dialog and cancel it. */
const LEAST_MS = 600;

interface Picked {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}
declare const showSaveFilePicker:
  | ((options: { suggestedName: string }) => Promise<Picked>)
  | undefined;

/** Saves one file. */
export async function saveOne(
  { id, name, size }: {
    readonly id: string;
    readonly name: string;
    readonly size: number;
  },
): Promise<void> {
  const open = (port: MessagePort) => vault().saving.file(id, port);
  if (size <= SMALL_BYTES) return await saveAsBlob(name, size, open);
  await saveStream(name, size, open);
}

/**
 * Saves many as one zip, or as several where it has to be. It is called as what
 * is in it, where that has a title.
 */
export async function saveMany(
  ids: readonly string[] | "everything",
  options: ZipOptions,
  title = "",
): Promise<void> {
  const { saving: words_ } = messages.value;
  const name = title.trim() !== ""
    ? safeName(`${title.trim()}.zip`)
    : options.isExport
    ? `${words_.exportName}.zip`
    : words_.zipName;
  // An export may take long: it is followed, and its end is said.
  const job = options.isExport ? toHex(randomBytes(16)) : undefined;
  const followed = job === undefined ? {} : { job };
  const planned = (mostBytes: number) =>
    ids === "everything"
      ? vault().saving.planExport(mostBytes, job)
      : vault().saving.plan(ids, mostBytes);
  const opener = ({ ids }: ZipPart, part: number) => (port: MessagePort) =>
    vault().saving.zip(ids, { ...options, ...followed, part }, port);
  const inParts = async () => {
    const { parts, left } = await planned(PART_BYTES);
    if (parts.length === 0 && left.length > 0) {
      toast(words_.left({ n: left.length }));
    }
    const named = parts.map((part, n) => ({
      name: parts.length === 1 ? name : name.replace(/\.zip$/, `-${n + 1}.zip`),
      bytes: part.bytes,
      files: part.ids.length,
      open: opener(part, n + 1),
    }));
    await saveParts(named, left.length, followed.job);
  };
  if (!hasPicker() && !hasWorker()) return await inParts();
  const { parts: [only], left } = await planned(Infinity);
  if (only !== undefined) {
    const of = { ...WHOLE, ...followed, files: only.ids.length };
    await saveStream(name, only.bytes, opener(only, 1), inParts, of);
  } else if (left.length > 0) toast(words_.left({ n: left.length }));
}

function hasPicker(): boolean {
  return typeof showSaveFilePicker !== "undefined";
}

/** Whatever its size: nothing of it is held, where the browser can do that. */
async function saveStream(
  name: string,
  bytes: number,
  open: Open,
  otherwise = () => saveParts([{ name, bytes, open }], 0),
  of = WHOLE,
): Promise<void> {
  const file = await pickedFile(name);
  if (file === "cancelled") return toast(messages.value.saving.cancelled);
  if (file !== undefined) {
    await follow(
      name,
      bytes,
      open,
      (stream, signal) => stream.pipeTo(file, { signal }),
      of,
    );
  } else if (hasWorker() && !(isWebKit && bytes <= HELD_BYTES)) {
    saveByWorker(name, open);
    if (of.job === undefined) toast(messages.value.saving.begun);
    else await followByWorker(name, bytes, of.job, of);
  } else await otherwise();
}

/** The file that the person chose; undefined where the browser has no way. */
async function pickedFile(
  name: string,
): Promise<WritableStream<Uint8Array> | "cancelled" | undefined> {
  if (typeof showSaveFilePicker === "undefined") return undefined;
  const asked = now();
  try {
    const picked = await showSaveFilePicker({ suggestedName: name });
    return await picked.createWritable();
  } catch (error) {
    // A browser that shows no dialog says that it was cancelled, and at once.
    const byPerson = error instanceof DOMException &&
      error.name === "AbortError" && now() - asked > LEAST_MS;
    if (byPerson) return "cancelled";
    toast(messages.value.saving.noPicker);
    return undefined;
  }
}

/** Writes a stream and shows the progress. */
async function follow(
  name: string,
  bytes: number,
  open: Open,
  take: (
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    signal: AbortSignal,
    show: (more: Partial<Saving>) => void,
  ) => Promise<void>,
  { files, job, saved = { files: 0, bytes: 0 }, ...of }: Share = WHOLE,
): Promise<void> {
  const ending = new AbortController();
  const unread: string[] = [];
  const cancel = () => {
    if (job !== undefined && saving.peek()?.isOver !== true) {
      toast(messages.value.saving.cancelled);
    }
    ending.abort();
    if (job !== undefined) vault().saving.cancel(job);
    saving.value = undefined;
  };
  const told = onVault("unsaved", ({ name }) => unread.push(name));
  let [done, written] = [0, 0];
  const show = (more: Partial<Saving> = {}) => {
    if (ending.signal.aborted) return;
    saving.value = {
      ...{ name, done, bytes, unread, cancel },
      ...(files === undefined || job === undefined
        ? {}
        : { files: { done: written, of: files } }),
      ...of,
      ...more,
    };
  };
  const stopped = onVault("zipping", (zipping) => {
    if (zipping.job === job) written = zipping.files;
  });
  // Delayed, so that a quick download shows no panel.
  const shown = setTimeout(show, job === undefined ? SHOWN_MS : 0);
  try {
    const { port1, port2 } = new MessageChannel();
    open(port2);
    const { stream } = await receiveOver(port1);
    const counted = stream.pipeThrough(
      new TransformStream({
        transform(piece, controller) {
          done += piece.length;
          if (saving.value !== undefined) show();
          controller.enqueue(piece);
        },
      }),
    );
    await take(counted, ending.signal, show);
    saved.files += (files ?? 0) - unread.length;
    saved.bytes += done;
    if (job !== undefined && of.part === of.parts) {
      // All parts together, as the page said before.
      [written, done] = [saved.files, saved.bytes];
      show({ isOver: true });
    } else if (unread.length > 0 || of.left > 0) show({ isOver: true });
    else if (saving.value !== undefined) {
      saving.value = undefined;
      toast(messages.value.saving.done({ name }));
    }
  } catch (error) {
    if (!ending.signal.aborted) show({ fault: faultText(error) });
  } finally {
    clearTimeout(shown);
    told();
    stopped();
  }
}

async function saveAsBlob(
  name: string,
  bytes: number,
  open: Open,
): Promise<void> {
  await follow(name, bytes, open, async (stream, signal) => {
    const blob = await new Response(stream).blob();
    if (!signal.aborted) downloadBlob(blob, name);
  });
}

/** Saves the parts one after the other, each in memory until it is saved. */
async function saveParts(
  parts: readonly {
    readonly name: string;
    readonly bytes: number;
    readonly files?: number;
    readonly open: Open;
  }[],
  left: number,
  job?: string,
): Promise<void> {
  const saved = { files: 0, bytes: 0 };
  for (const [n, { name, bytes, open, ...own }] of parts.entries()) {
    const of = { part: n + 1, parts: parts.length, left, job, saved, ...own };
    let cancelled = true;
    await follow(name, bytes, open, async (stream, signal, show) => {
      const blob = await new Response(stream).blob();
      if (signal.aborted) return;
      cancelled = false;
      if (parts.length === 1) {
        downloadBlob(blob, name);
        return;
      }
      await new Promise<void>((resolve) => {
        const save = () => {
          downloadBlob(blob, name);
          resolve();
        };
        signal.addEventListener("abort", () => {
          cancelled = true;
          resolve();
        }, { once: true });
        show({ save });
      });
    }, of);
    if (cancelled) return;
  }
}

function downloadBlob(blob: Blob, name: string): void {
  const address = savedAddress(blob);
  download(address, name);
  sleep(BEGUN_MS).then(() => URL.revokeObjectURL(address));
}

function download(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}
