/**
 * The page's end of the vault: its functions, and what it tells.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type {
  Pairing,
  Question,
  Standing,
  SyncState,
  VaultEvents,
} from "../work/context.ts";
import type { LinkGroups } from "../work/link.ts";
import type { VaultGroups } from "../work/vault.ts";
import { type Line, type Remote, remote } from "../work/wire.ts";
import { threadAddress } from "./trusted.ts";

/** How far the person is in; undefined until the vault said so. */
export const standing = signal<Standing | undefined>(undefined);
/** The question that the vault has for the person. */
export const question = signal<Question | undefined>(undefined);
/** Grows with every change of the library. */
export const revision = signal(0);
/** How far the pairing with another device is. */
export const pairing = signal<Pairing>({ step: "none" });
/** A newer build took over: this page starts its vault no more. */
export const otherBuild = signal(false);
/** When the server, which has had enough for now, is asked again (ms). */
export const waitingUntil = signal(0);
/** How many photos are not as they should be. */
export const alarms = signal(0);
/** How the sync stands. */
export const syncState = signal<SyncState>({ state: "idle" });

type Listener<K extends keyof VaultEvents> = (data: VaultEvents[K]) => void;
const listeners = new Map<string, Set<(data: never) => void>>();

/** Hears of an event of the vault; call what it returns to hear no more. */
export function onVault<K extends keyof VaultEvents>(
  event: K,
  listener: Listener<K>,
): () => void {
  const held = listeners.get(event) ?? new Set();
  held.add(listener);
  listeners.set(event, held);
  return () => held.delete(listener);
}

onVault("standing", (data) => standing.value = data);
onVault("ask", (data) => question.value = data);
onVault("waiting", ({ until }) => waitingUntil.value = until);
onVault("pairing", (data) => pairing.value = data);
// A page that begins anew holds nothing of what it showed.
onVault("closing", ({ why }) => {
  if (why === "other-build") otherBuild.value = true;
  else {
    // What was gone to from the lock is not what the lock is to show.
    if (location.hash === "#/connection") location.hash = "#/photos";
    location.reload();
  }
});
onVault("library", (data) => revision.value = data.revision);
onVault("alarms", (data) => alarms.value = data.count);
onVault("sync", (data) => syncState.value = data);

/** How often a page that is looked at says so. */
const LOOKED_MS = 20_000;

/** Tells the vault that somebody looks: it locks when nobody does for long. */
function sayLooked(): void {
  if (!document.hidden && !otherBuild.value) vault().session.looked();
}

let start: () => Line = startThread;
let line: Line | undefined;
let held: (Remote<VaultGroups> & LinkFunctions) | undefined;

/** The functions of a link's thread, where {@link answerWith} gave one. */
export type LinkFunctions = Pick<Remote<LinkGroups>, "link">;

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
 * Has another thread answer: that of a share link, which has no vault. It
 * answers what the views of photos ask, and nothing else.
 */
export function answerWith(thread: () => Line): void {
  start = thread;
}

/**
 * Whether a shared thread can be the vault. WebKit's cannot keep a key that no
 * script can read out: storing one is refused there, but not in a Worker.
 */
function sharesThread(): boolean {
  const isWebKit = navigator.vendor.startsWith("Apple");
  return typeof SharedWorker !== "undefined" &&
    !(isWebKit && isSecureContext);
}

/** One thread for all tabs, where the browser has such. */
function startThread(): Line {
  setInterval(sayLooked, LOOKED_MS);
  document.addEventListener("visibilitychange", sayLooked);
  const address = threadAddress("vault.js");
  const options = { type: "module", name: "vault" } as const;
  if (!sharesThread()) return new Worker(address, options);
  const { port } = new SharedWorker(address, options);
  port.start();
  return port;
}
