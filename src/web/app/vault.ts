/**
 * The page's side of the vault: its functions and its events.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type {
  Pairing,
  Question,
  SyncState,
  VaultEvents,
} from "../workers/vault/context.ts";
import type { SessionState } from "../workers/vault/session_state.ts";
import type { LinkGroups } from "../workers/shared/link.ts";
import type { VaultGroups } from "../workers/vault/vault.ts";
import {
  type Line,
  type Remote,
  remote,
  ThreadError,
} from "../../client/stream/threads/thread_messages.ts";
import { toHex } from "../../core/bytes.ts";
import { randomBytes, sleep } from "../browser.ts";
import { onceLeft } from "./history/overlay_history.ts";
import { threadAddress } from "./trusted.ts";

/**
 * Whether the person is signed in, and how; undefined until the vault has
 * reported it.
 */
export const sessionState = signal<SessionState | undefined>(undefined);
/** The question that the vault has for the person. */
export const question = signal<Question | undefined>(undefined);
/** Grows with every change of the library. */
export const revision = signal(0);
/** The state of the pairing with another device. */
export const pairing = signal<Pairing>({ step: "none" });
/**
 * Whether a newer build has taken over; this page then starts no vault any
 * more.
 */
export const otherBuild = signal(false);
/** When the next request is made after the server asked to wait (ms). */
export const waitingUntil = signal(0);
/** Number of photos with an alarm, and of those that the server lost. */
export const alarms = signal<VaultEvents["alarms"]>({
  count: 0,
  lost: 0,
  logs: 0,
});
/** What became of recovery words that a restored server had lost. */
export const escrow = signal<VaultEvents["escrow"]>(undefined);
/** Links of which the person is yet to be told; undefined if there are none. */
export const stillShown = signal<VaultEvents["stillShown"]>(undefined);
/** Number of changes that were made here and that the server has yet to get. */
export const unsent = signal(0);
/** The state of the sync. */
export const syncState = signal<SyncState>({ state: "idle" });

type Listener<K extends keyof VaultEvents> = (data: VaultEvents[K]) => void;
const listeners = new Map<string, Set<(data: never) => void>>();

/** Listens to an event of the vault; call the returned function to stop. */
export function onVault<K extends keyof VaultEvents>(
  event: K,
  listener: Listener<K>,
): () => void {
  const held = listeners.get(event) ?? new Set();
  held.add(listener);
  listeners.set(event, held);
  return () => held.delete(listener);
}

onVault("sessionState", (data) => sessionState.value = data);
onVault("ask", (data) => question.value = data);
onVault("waiting", ({ until }) => waitingUntil.value = until);
onVault("pairing", (data) => pairing.value = data);
// The page is reloaded, so that it keeps nothing of what it showed.
onVault("closing", ({ why }) => {
  if (why === "other-build") otherBuild.value = true;
  else {
    // The lock must not show the page that was opened from it.
    if (location.hash === "#/connection") location.hash = "#/photos";
    // Leaving the history entry of an open dialog would cut the load off, and
    // the page would stay without a vault.
    onceLeft(() => location.reload());
  }
});
onVault("library", (data) => revision.value = data.revision);
onVault("alarms", (data) => alarms.value = data);
onVault("escrow", (data) => escrow.value = data);
onVault("stillShown", (data) => stillShown.value = data);
onVault("sync", (data) => syncState.value = data);
onVault("unsent", ({ count }) => unsent.value = count);

// What views asked for when the session ended; the page shows the sign-in then.
addEventListener("unhandledrejection", (event) => {
  const { reason } = event;
  const isClosed = reason instanceof ThreadError &&
    reason.fault.kind === "Closed";
  if (isClosed) event.preventDefault();
});

/** Interval at which a visible page tells the vault so (ms). */
const LOOKED_MS = 20_000;

/**
 * Tells the vault that someone is looking; without that it locks after a
 * while.
 */
function sayLooked(): void {
  if (!document.hidden && !otherBuild.value) vault().session.looked();
}

/**
 * Interval of attempts to become known to the vault, which fail while another
 * service worker takes over (ms).
 */
const AGAIN_MS = 500;

let start: () => Line = startThread;
let line: Line | undefined;
let held: (Remote<VaultGroups> & LinkFunctions) | undefined;

/** The functions of a link's thread, if {@link answerWith} has set one. */
type LinkFunctions = Pick<Remote<LinkGroups>, "link" | "said">;

/** The vault's functions; starts it at the first call. */
export function vault(): Remote<VaultGroups> & LinkFunctions {
  return held ??= remote<VaultGroups & LinkGroups>(
    line ??= start(),
    (event, data) => {
      for (const listener of listeners.get(event) ?? []) {
        listener(
          data as never,
        );
      }
    },
  );
}

/**
 * Sets another thread to answer calls: that of a share link, which has no
 * vault. It answers only the calls of the views of photos.
 */
export function answerWith(thread: () => Line): void {
  start = thread;
}

/**
 * Whether a shared thread can be the vault. In WebKit a shared thread cannot
 * store a key that no script can export, but a Worker can.
 */
function sharesThread(): boolean {
  const isWebKit = navigator.vendor.startsWith("Apple");
  return typeof SharedWorker !== "undefined" &&
    !(isWebKit && isSecureContext);
}

/**
 * Starts the vault's thread: one for all tabs, if the browser supports that.
 */
function startThread(): Line {
  setInterval(sayLooked, LOOKED_MS);
  document.addEventListener("visibilitychange", sayLooked);
  // Once the line that is returned here is in use.
  setTimeout(introduce);
  const address = threadAddress("vault.js");
  const options = { type: "module", name: "vault" } as const;
  if (!sharesThread()) return new Worker(address, options);
  const { port } = new SharedWorker(address, options);
  port.start();
  return port;
}

/**
 * Shows the vault that this is a page of the app: the service worker vouches
 * for the pass. The vault holds every other call until then.
 */
async function introduce(): Promise<void> {
  // Insecure contexts lack it, although its type says otherwise.
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  const pass = toHex(randomBytes(16));
  const registered = await workers?.getRegistration().catch(() => undefined);
  registered?.active?.postMessage({ pass });
  if (await vault().page.vouch(pass)) return;
  await sleep(AGAIN_MS);
  introduce();
}
