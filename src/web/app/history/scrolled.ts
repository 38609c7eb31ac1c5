/**
 * How far the page was scrolled at each entry of the history. Browsers scroll
 * back when one comes back, but before the photos are there again, which are
 * loaded from the vault.
 *
 * @module
 */
import { now } from "../../browser.ts";
import { part } from "../part.ts";

/** Entries whose place is kept for a reload: the newest. */
const MOST_KEPT = 200;
/** Where the tab's storage has it for a reload. */
const LEFT = "strongroom.scrolled";

/** The state of an entry of the history. */
interface EntryState {
  /** The name of the entry of the page. */
  readonly entry?: string;
  /** What is open over the page, which has an entry of its own. */
  readonly layer?: string;
}

/** The state of the entry one is at, which nothing but this app makes. */
export function stateHere(): EntryState {
  return { ...history.state };
}

const kept = new Map(keptBefore());
let count = 0;
let entry = "";
/** The page below a photo that is shown large. */
let page = pageOf(location.hash);
/** Ends the coming back to where one was. */
let coming: AbortController | undefined;

function pageOf(hash: string): string {
  return hash.replace(/\/photo\/[^?]*/, "");
}

/** Names the entry one is at. */
function name(): void {
  entry = `${now()}-${++count}`;
  history.replaceState({ ...stateHere(), entry }, "");
}

/** What was kept before a reload: a name, a height, and so on. */
function keptBefore(): [string, number][] {
  try {
    const parts = sessionStorage.getItem(LEFT)?.split(" ") ?? [];
    return parts.flatMap((part, at): [string, number][] =>
      at % 2 === 0 ? [[part, Number(parts[at + 1]) || 0]] : []
    );
  } catch {
    return [];
  }
}

function keep(): void {
  kept.set(entry, scrollY);
}

/** The state of an entry that gets another address; what was over it is not. */
export function stateAt(hash: string): EntryState {
  const before = page;
  page = pageOf(hash);
  if (page !== before) begin();
  return { entry };
}

/** A page that one has gone to begins at its top. */
function begin(): void {
  coming?.abort();
  kept.delete(entry);
  scrollTo(0, 0);
}

function arrive(): void {
  const state = stateHere();
  const before = page;
  page = pageOf(location.hash);
  const isNew = state.entry === undefined;
  if (state.entry === undefined) name();
  else if (state.entry === entry) return;
  else entry = state.entry;
  if (page === before) return;
  if (isNew) begin();
  else comeBack(kept.get(entry) ?? 0);
}

/** Restores the scroll position once the page is drawn. */
async function comeBack(top: number): Promise<void> {
  coming?.abort();
  if (top === 0) return scrollTo(0, 0);
  const mine = coming = new AbortController();
  const { scrollBack } = await part(() => import("./scrolling_back.ts"));
  await scrollBack(top, mine);
  if (coming !== mine) return;
  coming = undefined;
  keep();
}

history.scrollRestoration = "manual";
const { entry: known } = stateHere();
if (known === undefined) name();
else {
  entry = known;
  comeBack(kept.get(entry) ?? 0);
}
addEventListener("popstate", arrive);
addEventListener("scroll", () => {
  if (coming === undefined) keep();
}, { passive: true });
addEventListener("pagehide", () => {
  try {
    sessionStorage.setItem(LEFT, [...kept].slice(-MOST_KEPT).flat().join(" "));
  } catch {
    // Refused (private windows): a reload then begins at the top.
  }
});
