/**
 * Small pictures: asked for by what shows them, fetched in the order in which
 * they are in sight, many at once. Who is no longer shown is no longer asked
 * for. Addresses of those seen last are kept; the oldest are revoked.
 *
 * @module
 */
import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { now, sleep } from "../browser.ts";
import { onVault, vault } from "./vault.ts";

/** What a tile shows of a photo. */
export type Thumb =
  /** The address of the picture. */
  | { readonly state: "here"; readonly url: string }
  | { readonly state: "coming" | "none" | "damaged" };

const COMING: Thumb = { state: "coming" };
/** Photos of one call: few enough to be passed quickly, many for one request. */
const AT_ONCE = 24;
/** Calls under way. */
const CALLS = 2;
/** Pictures kept that nobody shows. */
const MOST_KEPT = 400;
/** What is scrolled past is not asked for; but slow scrolling is. */
const SETTLED_MS = 40;
const LONGEST_MS = 200;
const AGAIN_MS = [2_000, 5_000, 15_000, 30_000];

interface Held {
  readonly shown: Signal<Thumb>;
  users: number;
}

const held = new Map<string, Held>();
/** In the order in which they are to come. */
let queue: readonly string[] = [];
const underWay = new Set<string>();
let calls = 0;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let firstAsked = 0;

/** The small picture of a photo, fetched for as long as something shows it. */
export function useThumb(id: string): Thumb {
  const entry = entryOf(id);
  useEffect(() => {
    const used = entryOf(id);
    used.users += 1;
    // The youngest are at the end.
    held.delete(id);
    held.set(id, used);
    if (used.shown.peek().state === "coming") ask();
    return () => {
      used.users -= 1;
      if (used.users === 0) trim();
    };
  }, [id]);
  return entry.shown.value;
}

/** The picture, if it is here already. */
export function heldThumb(id: string): string | undefined {
  const thumb = held.get(id)?.shown.peek();
  return thumb?.state === "here" ? thumb.url : undefined;
}

/** Tells what is in sight, first what is to come first. */
export function inOrder(ids: readonly string[]): void {
  queue = ids;
  ask();
}

/** Who closes the library leaves no pictures behind. */
onVault("standing", ({ phase }) => {
  if (phase !== "open") forgetThumbs();
});

function forgetThumbs(): void {
  for (const { shown } of held.values()) revoke(shown.peek());
  held.clear();
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
  const at = now();
  if (timer === undefined) firstAsked = at;
  clearTimeout(timer);
  const left = firstAsked + LONGEST_MS - at;
  timer = setTimeout(() => {
    timer = undefined;
    pump();
  }, Math.max(0, Math.min(SETTLED_MS, left)));
}

/** Those that are shown and not here: what is in sight, then the others. */
function next(): string[] {
  const wanted: string[] = [];
  const take = (id: string) => {
    if (wanted.length === AT_ONCE || underWay.has(id)) return;
    const entry = held.get(id);
    if (entry === undefined || entry.users === 0) return;
    if (entry.shown.peek().state === "coming" && !wanted.includes(id)) {
      wanted.push(id);
    }
  };
  for (const id of queue) take(id);
  for (const id of held.keys()) take(id);
  return wanted;
}

function pump(): void {
  while (calls < CALLS) {
    const ids = next();
    if (ids.length === 0) return;
    fetchThem(ids);
  }
}

async function fetchThem(ids: readonly string[]): Promise<void> {
  for (const id of ids) underWay.add(id);
  calls += 1;
  let later = false;
  try {
    for (const one of await vault().photos.thumbnails(ids)) {
      const entry = held.get(one.id);
      if (one.missing === "later") later = true;
      else if (entry !== undefined) show(entry, one);
    }
  } catch {
    // What is wrong is told where the sync is; here it is tried again.
    later = true;
  }
  failures = later ? failures + 1 : 0;
  if (later) await pause();
  for (const id of ids) underWay.delete(id);
  calls -= 1;
  pump();
}

function show(
  entry: Held,
  { bytes, mime = "image/jpeg", missing }: {
    readonly bytes?: Uint8Array<ArrayBuffer>;
    readonly mime?: string;
    readonly missing?: "none" | "later" | "damaged";
  },
): void {
  if (bytes !== undefined) {
    const url = URL.createObjectURL(new Blob([bytes], { type: mime }));
    entry.shown.value = { state: "here", url };
  } else if (missing === "none" || missing === "damaged") {
    entry.shown.value = { state: missing };
  }
}

/** Until it is worth another try: a while, or the network came back. */
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
