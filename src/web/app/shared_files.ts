/**
 * Files that other apps share with this one. The service worker takes them,
 * opens the app at `#/upload`, and holds them in memory until a page asks. They
 * are never stored unencrypted.
 *
 * @module
 */
import { effect } from "@preact/signals";
import { withPart } from "./parts/lazy.tsx";
import { goInstead, href, route } from "./routes.ts";
import { sessionState } from "./vault.ts";

/** The route that the service worker opens. */
const PLACE = "upload";
/** Longest wait for an answer; a worker that has ended gives none (ms). */
const PATIENCE_MS = 5_000;

/** Takes the shared files, which are handed over only once. */
export function takeSharedFiles(): Promise<readonly File[]> {
  // Insecure contexts lack it, although its type says otherwise.
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
 * Takes the shared files as soon as the page is there, because the service
 * worker may have ended by the time the library is open. Then it asks the
 * person, because a website can share files like an app.
 */
export function offerSharedFiles(): void {
  let taken: Promise<readonly File[]> | undefined;
  effect(() => {
    if (route.value.path[0] === PLACE) taken ??= takeSharedFiles();
    if (taken === undefined || sessionState.value?.phase !== "open") return;
    const files = taken;
    taken = undefined;
    goInstead(href("photos"));
    offer(files);
  });
}

async function offer(taken: Promise<readonly File[]>): Promise<void> {
  const files = await taken;
  if (files.length === 0) return;
  await withPart(
    () => import("./shared_files_dialog.tsx"),
    ({ askToAdd }) => askToAdd(files),
  );
}
