/**
 * What other apps share with this one: the service worker takes it, opens the
 * app at `#/upload`, and holds it in memory until a page asks. Nothing of it
 * lies anywhere unencrypted.
 *
 * @module
 */
import { effect } from "@preact/signals";
import { goInstead, href, route } from "./routes.ts";
import { standing } from "./vault.ts";

/** Where the service worker sends whoever shared something. */
const PLACE = "upload";
/** A worker that is not there any more does not answer (ms). */
const PATIENCE_MS = 5_000;

/** The files that were shared; they are handed over once. */
export function takeSharedFiles(): Promise<readonly File[]> {
  // Absent in insecure contexts, whatever the types say.
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  const worker = workers?.controller;
  if (worker === null || worker === undefined) return Promise.resolve([]);
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve([]), PATIENCE_MS);
    port1.onmessage = ({ data }: MessageEvent<readonly File[]>) => {
      clearTimeout(timer);
      resolve(data);
    };
    worker.postMessage("shared", [port2]);
  });
}

/**
 * Takes what was shared as soon as the page is there, because the service
 * worker may be gone by the time the library is open, and then asks: a website
 * can hand files over as an app does.
 */
export function offerSharedFiles(): void {
  let taken: Promise<readonly File[]> | undefined;
  effect(() => {
    if (route.value.path[0] === PLACE) taken ??= takeSharedFiles();
    if (taken === undefined || standing.value?.phase !== "open") return;
    const files = taken;
    taken = undefined;
    goInstead(href("photos"));
    offer(files);
  });
}

async function offer(taken: Promise<readonly File[]>): Promise<void> {
  const [files, { askToAdd }] = await Promise.all([
    taken,
    import("./shared_files_dialog.tsx"),
  ]);
  if (files.length > 0) askToAdd(files);
}
