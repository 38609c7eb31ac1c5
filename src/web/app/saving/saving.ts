/**
 * Saving to the person's disk, in the way that this browser has: straight into
 * a file that they choose, through the service worker as a download, or as
 * Blobs that are held in memory until they are whole.
 *
 * @module
 */
import { toHex } from "../../../core/bytes.ts";
import { randomBytes, sleep } from "../../browser.ts";
import { receiveOver } from "../../work/ports.ts";
import type { ZipPart } from "../../work/zip_plan.ts";
import type { ZipOptions } from "../../work/zips.ts";
import { faultText } from "../faults.ts";
import { toast } from "../parts/toasts.tsx";
import { onVault, vault } from "../vault.ts";
import { words } from "../words.ts";
import { type Saving, saving } from "./state.ts";

/** A Blob of more is more than browsers hold. */
const PART_BYTES = 1024 * 1024 * 1024;
/** What is smaller is there at once, and saved the simple way. */
const SMALL_BYTES = 32 * 1024 * 1024;
/** A service worker that hears nothing is ended after half a minute. */
const AWAKE_MS = 10_000;
/** Time that a browser takes to begin with a download. */
const BEGUN_MS = 60_000;
/** What takes longer is shown as it goes on. */
const SHOWN_MS = 400;

interface Picked {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}
declare const showSaveFilePicker:
  | ((options: { suggestedName: string }) => Promise<Picked>)
  | undefined;

// Absent in insecure contexts, whatever the types say.
const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;

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

/** Saves many as one zip, or as several where it has to be. */
export async function saveMany(
  ids: readonly string[] | "everything",
  options: ZipOptions,
): Promise<void> {
  const { saving: words_ } = words.value;
  const name = options.isExport ? `${words_.exportName}.zip` : words_.zipName;
  const streams = hasPicker() || hasWorker();
  const plan = await vault().saving.plan(ids, streams ? Infinity : PART_BYTES);
  const [only] = plan.parts;
  if (only === undefined) {
    if (plan.left.length > 0) toast(words_.left(plan.left.length));
    return;
  }
  const opener = ({ ids }: ZipPart, part: number) => (port: MessagePort) =>
    vault().saving.zip(ids, { ...options, part }, port);
  if (streams) return await saveStream(name, only.bytes, opener(only, 1));
  const parts = plan.parts.map((part, n) => ({
    name: plan.parts.length === 1
      ? name
      : name.replace(/\.zip$/, `-${n + 1}.zip`),
    bytes: part.bytes,
    open: opener(part, n + 1),
  }));
  await saveParts(parts, plan.left.length);
}

type Open = (port: MessagePort) => unknown;

function hasPicker(): boolean {
  return typeof showSaveFilePicker !== "undefined";
}

function hasWorker(): boolean {
  return workers !== undefined && workers.controller !== null;
}

/** Whatever its size: nothing of it is held. */
async function saveStream(
  name: string,
  bytes: number,
  open: Open,
): Promise<void> {
  if (typeof showSaveFilePicker !== "undefined") {
    let picked: Picked;
    try {
      picked = await showSaveFilePicker({ suggestedName: name });
    } catch {
      // They chose nothing.
      return;
    }
    const file = await picked.createWritable();
    await follow(
      name,
      bytes,
      open,
      (stream, signal) => stream.pipeTo(file, { signal }),
    );
  } else if (hasWorker()) {
    saveByWorker(name, open);
  } else await saveParts([{ name, bytes, open }], 0);
}

/** Shows how far it is while a stream goes where it has to. */
async function follow(
  name: string,
  bytes: number,
  open: Open,
  take: (
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    signal: AbortSignal,
    show: (more: Partial<Saving>) => void,
  ) => Promise<void>,
  of: { readonly part: number; readonly parts: number; readonly left: number } =
    { part: 1, parts: 1, left: 0 },
): Promise<void> {
  const ending = new AbortController();
  const unread: string[] = [];
  const cancel = () => {
    ending.abort();
    saving.value = undefined;
  };
  const told = onVault("unsaved", ({ name }) => unread.push(name));
  let done = 0;
  const show = (more: Partial<Saving> = {}) => {
    if (ending.signal.aborted) return;
    saving.value = { name, done, bytes, unread, cancel, ...of, ...more };
  };
  // What is there at once needs no panel that comes and goes.
  const shown = setTimeout(show, SHOWN_MS);
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
    if (unread.length > 0 || of.left > 0) show({ isOver: true });
    else saving.value = undefined;
  } catch (error) {
    if (!ending.signal.aborted) show({ fault: faultText(error) });
  } finally {
    clearTimeout(shown);
    told();
  }
}

/** A download of the browser's own, which the service worker answers. */
function saveByWorker(name: string, open: Open): void {
  const { port1, port2 } = new MessageChannel();
  const id = toHex(randomBytes(16));
  workers?.controller?.postMessage({ saving: id, name }, [port1]);
  open(port2);
  // Chromium asks no service worker for what a link is to download: it is gone
  // to, and what comes there is a download.
  location.assign(`/app/saving/${id}`);
  toast(words.value.saving.begun);
  keepAwake();
}

let awake = false;

async function keepAwake(): Promise<void> {
  if (awake) return;
  awake = true;
  // It ends with the page: nobody tells when a download is done.
  while (workers !== undefined && workers.controller !== null) {
    await sleep(AWAKE_MS);
    workers.controller.postMessage("awake");
  }
  awake = false;
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

/** One after the other, each held in memory until it is saved. */
async function saveParts(
  parts: readonly {
    readonly name: string;
    readonly bytes: number;
    readonly open: Open;
  }[],
  left: number,
): Promise<void> {
  for (const [n, { name, bytes, open }] of parts.entries()) {
    const of = { part: n + 1, parts: parts.length, left };
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
  // Whatever it is, it is a file now: no browser opens it in this origin.
  const address = URL.createObjectURL(
    new Blob([blob], { type: "application/octet-stream" }),
  );
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
