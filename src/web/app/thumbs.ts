/**
 * Small pictures. Components ask for them, and they are fetched many at once,
 * visible ones first. Pictures that are no longer shown are not fetched. Object
 * URLs of the pictures seen last are kept; the oldest are revoked.
 *
 * @module
 */
import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { now, sleep } from "../browser.ts";
import { addressOf } from "./addresses.ts";
import { picturesCame } from "./first_pictures.ts";
import { onVault, vault } from "./vault.ts";

/** The small picture of a photo, or the state of loading it. */
type Thumb =
  /** The address of the picture. */
  | { readonly state: "here"; readonly url: string }
  | { readonly state: "coming" | "none" | "damaged" };

const COMING: Thumb = { state: "coming" };
/**
 * Photos in one call: few enough for a quick answer, but enough for one
 * request.
 */
const AT_ONCE = 24;
/** The same for the first call, which is alone: on a slow line it is soon here. */
const FIRST = 6;
/** Calls under way. */
const CALLS = 2;
/** Pictures that are kept although nothing shows them. */
const MOST_KEPT = 400;
/**
 * Pictures are asked for once scrolling has paused for the first time, at the
 * latest after the second (ms), so that those scrolled past are not.
 */
const SETTLED_MS = 40;
const LONGEST_MS = 200;
/** Most time of a frame for making addresses (ms). */
const BUDGET_MS = 3;
const AGAIN_MS = [2_000, 5_000, 15_000, 30_000];

interface Held {
  readonly shown: Signal<Thumb>;
  users: number;
  /** What its list said of the picture that is shown. */
  hash?: string;
}

const held = new Map<string, Held>();
/** The ids in the order in which pictures are wanted. */
let queue: readonly string[] = [];
const underWay = new Set<string>();
let calls = 0;
/** Whether the first call was answered. */
let isBegun = false;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let firstAsked = 0;
let lastAsked = 0;
/** Pictures that arrived and have no address yet. */
const arrived = new Map<string, Blob>();
let frame = 0;

/**
 * The small picture of a photo, fetched for as long as something shows it.
 * `has` is whether its list says that there is one: it may have come since.
 * Under another `hash`, which its list says of it, it is another picture.
 */
export function useThumb(id: string, has = false, hash?: string): Thumb {
  const entry = entryOf(id);
  useEffect(() => {
    const used = entryOf(id);
    used.users += 1;
    // Moved to the end, where the newest entries are.
    held.delete(id);
    held.set(id, used);
    const { shown } = used;
    const isOther = hash !== undefined && used.hash !== undefined &&
      hash !== used.hash;
    if (hash !== undefined) used.hash = hash;
    if (isOther || (has && shown.peek().state === "none")) {
      revoke(shown.peek());
      shown.value = COMING;
    }
    if (shown.peek().state === "coming") ask();
    return () => {
      used.users -= 1;
      if (used.users === 0) trim();
    };
  }, [id, has, hash]);
  return entry.shown.value;
}

/** Asks once more for one that there was none of, or a damaged one. */
export function askAgain(id: string): void {
  const entry = held.get(id);
  const state = entry?.shown.peek().state;
  if (entry === undefined || (state !== "none" && state !== "damaged")) return;
  entry.shown.value = COMING;
  ask();
}

/** Tells what is in sight, first what is to come first. */
export function inOrder(ids: readonly string[]): void {
  queue = ids;
  ask();
}

/** A closed library leaves no pictures behind. */
onVault("sessionState", ({ phase }) => {
  if (phase !== "open") forgetThumbs();
});

function forgetThumbs(): void {
  for (const { shown } of held.values()) revoke(shown.peek());
  held.clear();
  arrived.clear();
  queue = [];
}

function entryOf(id: string): Held {
  const known = held.get(id);
  if (known !== undefined) return known;
  const made = { shown: signal<Thumb>(COMING), users: 0 };
  held.set(id, made);
  return made;
}

function ask(): void {
  lastAsked = now();
  if (timer !== undefined) return;
  firstAsked = lastAsked;
  timer = setTimeout(settle, SETTLED_MS);
}

/** Fetches after a pause in asking, or after the longest wait. */
function settle(): void {
  const due = Math.min(lastAsked + SETTLED_MS, firstAsked + LONGEST_MS);
  const left = due - now();
  timer = left > 0 ? setTimeout(settle, left) : undefined;
  if (timer === undefined) pump();
}

/** The next photos to ask for: first the visible ones, then the others. */
function next(): string[] {
  const wanted: string[] = [];
  const most = isBegun ? AT_ONCE : FIRST;
  const want = (id: string) => {
    if (wanted.length === most || underWay.has(id) || arrived.has(id)) {
      return;
    }
    const entry = held.get(id);
    if (entry === undefined || entry.users === 0) return;
    if (entry.shown.peek().state === "coming" && !wanted.includes(id)) {
      wanted.push(id);
    }
  };
  for (const id of queue) want(id);
  for (const id of held.keys()) want(id);
  return wanted;
}

function pump(): void {
  while (calls < (isBegun ? CALLS : 1)) {
    const ids = next();
    if (ids.length === 0) break;
    fetchThem(ids);
  }
  if (calls === 0) picturesCame();
}

async function fetchThem(ids: readonly string[]): Promise<void> {
  for (const id of ids) underWay.add(id);
  calls += 1;
  let later = false;
  try {
    for (const one of await vault().photos.thumbnails(ids)) {
      if (one.missing === "later") later = true;
      else take(one);
    }
  } catch {
    // The sync shows the error; here the call is only repeated.
    later = true;
  }
  isBegun = true;
  picturesCame(false);
  failures = later ? failures + 1 : 0;
  if (later) await pause();
  for (const id of ids) underWay.delete(id);
  calls -= 1;
  pump();
}

function take(
  { id, bytes, mime = "image/jpeg", missing }: {
    readonly id: string;
    readonly bytes?: Uint8Array<ArrayBuffer>;
    readonly mime?: string;
    readonly missing?: "none" | "later" | "damaged";
  },
): void {
  const entry = held.get(id);
  if (bytes !== undefined) {
    // If it was scrolled past meanwhile, the vault's cache has it.
    if (entry === undefined || entry.users === 0) return;
    arrived.set(id, new Blob([bytes], { type: mime }));
    if (frame === 0) frame = requestAnimationFrame(showArrived);
  } else if (missing === "none" || missing === "damaged") {
    if (entry !== undefined) entry.shown.value = { state: missing };
    if (missing === "damaged") {
      import("./showing/lightbox/lost_small_pictures.ts").then(
        ({ renew }) => renew(id, askAgain),
        () => {},
      );
    }
  }
}

/** Makes their addresses, a few in each frame, because each takes a while. */
function showArrived(): void {
  frame = 0;
  const began = now();
  for (const [id, blob] of arrived) {
    arrived.delete(id);
    const entry = held.get(id);
    if (entry === undefined || entry.users === 0) continue;
    entry.shown.value = { state: "here", url: addressOf(blob) };
    if (now() - began >= BUDGET_MS) break;
  }
  if (arrived.size > 0) frame = requestAnimationFrame(showArrived);
}

/** Waits a while, or until the network is back. */
async function pause(): Promise<void> {
  const ended = new AbortController();
  const wake = () => ended.abort();
  addEventListener("online", wake, { signal: ended.signal });
  const stop = onVault("sync", ({ state }) => {
    if (state === "idle") wake();
  });
  const at = Math.min(failures, AGAIN_MS.length) - 1;
  await sleep(AGAIN_MS[at] ?? 0, ended.signal);
  stop();
  ended.abort();
}

function trim(): void {
  let unused = 0;
  for (const { users } of held.values()) if (users === 0) unused += 1;
  for (const [id, { users, shown }] of held) {
    if (unused <= MOST_KEPT) return;
    if (users > 0) continue;
    revoke(shown.peek());
    held.delete(id);
    unused -= 1;
  }
}

function revoke(thumb: Thumb): void {
  if (thumb.state === "here") URL.revokeObjectURL(thumb.url);
}
