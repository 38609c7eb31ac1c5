/**
 * Handing what is to be added over to the browser, which goes on sending it
 * while no page is open (Background Fetch: Chromium). The browser gets sealed
 * bytes and an access token, and no key.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { HandedOver } from "../../workers/library/upload_calls.ts";
import { toHex } from "../../../core/bytes.ts";
import { randomBytes } from "../../browser.ts";
import { faultText } from "../faults.ts";
import { toast } from "../parts/toasts.tsx";
import { vault } from "../vault.ts";
import { messages } from "../messages.ts";
import { ADDING, locks } from "./adding_lock.ts";

/** What the types of pages lack. */
interface BackgroundFetches {
  readonly fetch: (
    id: string,
    requests: readonly Request[],
    options: { readonly title: string },
  ) => Promise<unknown>;
  getIds(): Promise<readonly string[]>;
}
interface LastingRegistration extends ServiceWorkerRegistration {
  readonly backgroundFetch?: BackgroundFetches;
  readonly sync?: { register(tag: string): Promise<void> };
}

/** The tag by which the browser says that there is a network again. */
const WAITING = "waiting";
/**
 * The browser shows each fetch to the person, so small files are handed over
 * together; but not so many that the access token ends before the last begins
 * (bytes).
 */
const TOGETHER_BYTES = 32 * 1024 * 1024;

// Insecure contexts lack it, although its type says otherwise.
const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;

/** Whether this browser can be handed anything. */
export const canHandOver: boolean = "BackgroundFetchManager" in globalThis &&
  workers !== undefined;

/** Whether what is to be added is handed over. */
export const handsOver = signal(false);

async function registration(): Promise<LastingRegistration | undefined> {
  return await workers?.getRegistration();
}

/** Files that are sealed, until they are handed over together. */
let gathered: HandedOver[] = [];
let gatheredBytes = 0;
/** The queue's ids of files by their assets. */
const ids = new Map<string, string>();

/** Whether files are sealed that the browser does not have yet. */
export const isGathering = signal(false);

/** Takes a file that was sealed. */
export async function gather(id: string, file: HandedOver): Promise<void> {
  gathered.push(file);
  isGathering.value = true;
  ids.set(file.assetId, id);
  for (const { body } of file.requests) gatheredBytes += body.size;
  if (gatheredBytes >= TOGETHER_BYTES) await flush();
}

/** Hands over what was gathered. */
export async function flush(): Promise<void> {
  const files = gathered;
  gathered = [];
  gatheredBytes = 0;
  if (files.length === 0) return;
  try {
    const token = await vault().uploads.bearer();
    const requests = files.flatMap((one) => one.requests).map((
      { method, path, headers, body },
    ) =>
      new Request(path, {
        method,
        headers: [
          ...headers.map(([name, value]): [string, string] => [name, value]),
          ["Authorization", `Bearer ${token}`],
        ],
        body,
      })
    );
    const title = messages.value.upload.browserTitle({ n: files.length });
    const { backgroundFetch } = await registration() ?? {};
    if (backgroundFetch === undefined) throw new Error("no service worker");
    await backgroundFetch.fetch(toHex(randomBytes(16)), requests, { title });
  } catch {
    // The browser refused, or there is no network: the page sends them.
    handsOver.value = false;
    for (const { assetId } of files) settleOne(assetId, "failed");
  } finally {
    isGathering.value = gathered.length > 0;
  }
}

type Settle = (id: string, outcome: "kept" | "failed") => void;
let settle: Settle = () => {};

/** Has the queue told of what becomes of its files. */
export function settleBy(given: Settle): void {
  settle = given;
}

/** Whether a file is of this page's queue, which is then told. */
function settleOne(assetId: string, outcome: "kept" | "failed"): boolean {
  const id = ids.get(assetId);
  if (id === undefined) return false;
  ids.delete(assetId);
  settle(id, outcome);
  return true;
}

/**
 * Takes up what the browser has sent, or failed to send. Only where no tab is
 * adding files it is known that nothing will be sent any more.
 */
function takeUp(): Promise<void> {
  return locks === undefined
    ? takeUpWhile(false)
    : locks.request(ADDING, { ifAvailable: true }, (lock) =>
      takeUpWhile(lock !== null));
}

/** The same while no tab is adding files, or one may be. */
export async function takeUpWhile(isAlone: boolean): Promise<void> {
  try {
    const { backgroundFetch } = await registration() ?? {};
    const active = await backgroundFetch?.getIds() ?? [];
    const isOver = isAlone && active.length === 0;
    const { kept, failed } = await vault().uploads.takeUp(isOver);
    if (failed.length > 0) handsOver.value = false;
    for (const assetId of failed) settleOne(assetId, "failed");
    const others = kept.filter((assetId) => !settleOne(assetId, "kept"));
    if (others.length > 0) {
      toast(messages.value.upload.browserAdded({ n: others.length }));
    }
  } catch (error) {
    toast(faultText(error));
  }
}

/** Asks the browser to say when there is a network again. */
export async function askForNetwork(): Promise<void> {
  const { sync } = await registration() ?? {};
  // It is a help and no more: the queue tries again by itself.
  await sync?.register(WAITING).catch(() => {});
}

/** Called when there is a network again. */
export const onNetwork = new Set<() => void>();

workers?.addEventListener("message", ({ data }) => {
  if (data?.background === "ended") takeUp();
  else if (data?.background === WAITING) {
    for (const one of onNetwork) one();
  }
});
