/**
 * Downloads of the browser, which the service worker answers.
 *
 * @module
 */
import { ThreadError } from "../../../client/stream/threads/thread_messages.ts";
import { toHex } from "../../../core/bytes.ts";
import { randomBytes, sleep } from "../../browser.ts";
import { faultText } from "../faults.ts";
import { toast } from "../parts/toasts.tsx";
import { onVault, vault } from "../vault.ts";
import { messages } from "../messages.ts";
import { type Open, type Saving, saving, type Share } from "./state.ts";

/**
 * Interval of messages that keep the service worker alive, which ends after
 * half a minute without one (ms).
 */
const AWAKE_MS = 10_000;
// Insecure contexts lack it, although its type says otherwise.
const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;

/** Whether there is one. */
export function hasWorker(): boolean {
  return workers !== undefined && workers.controller !== null;
}

/**
 * Shows the progress of a download of the browser, as the vault tells it.
 * Resolves at its end.
 */
export async function followByWorker(
  name: string,
  bytes: number,
  job: string,
  { files = 0, ...of }: Share,
): Promise<void> {
  const unread: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = () => {
    vault().saving.cancel(job);
    saving.value = undefined;
    resolve();
  };
  const show = (done: number, written: number, more: Partial<Saving> = {}) => {
    saving.value = {
      ...{
        name,
        done,
        bytes,
        unread,
        cancel,
        files: { done: written, of: files },
      },
      ...of,
      ...more,
    };
  };
  show(0, 0);
  const stops = [
    onVault("unsaved", (told) => unread.push(told.name)),
    onVault("zipping", (told) => {
      if (told.job !== job) return;
      const { end } = told;
      if (end === "cancelled") {
        toast(messages.value.saving.cancelled);
        saving.value = undefined;
      } else if (end === "whole") {
        show(told.bytes, told.files, { isOver: true });
      } else if (end !== undefined) {
        show(told.bytes, told.files, {
          fault: faultText(new ThreadError(end)),
        });
      } else if (saving.value !== undefined) show(told.bytes, told.files);
      if (end !== undefined) resolve();
    }),
  ];
  await promise;
  for (const stop of stops) stop();
}

/** Starts a download of the browser, which the service worker answers. */
export function saveByWorker(name: string, open: Open): void {
  const { port1, port2 } = new MessageChannel();
  const id = toHex(randomBytes(16));
  workers?.controller?.postMessage({ saving: id, name }, [port1]);
  open(port2);
  // Chromium does not ask the service worker for the target of a download link,
  // so the page navigates to the address, and the answer becomes a download.
  location.assign(`/app/saving/${id}`);
  keepAwake();
}

let awake = false;

async function keepAwake(): Promise<void> {
  if (awake) return;
  awake = true;
  // This goes on as long as the page, because the end of a download is not
  // reported.
  while (workers !== undefined && workers.controller !== null) {
    await sleep(AWAKE_MS);
    workers.controller.postMessage("awake");
  }
  awake = false;
}
