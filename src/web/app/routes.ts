/**
 * The routes of the app. They are in the fragment of the address, which
 * browsers do not send, so the server never learns what a person looks at.
 *
 * @module
 */
import { computed, signal } from "@preact/signals";
import { isLeaving, onceLeft } from "./history/overlay_history.ts";
import { stateAt } from "./history/scrolled.ts";

/** The parts of a route: `#/album/0f3a…/photo/77…?q=june`. */
export interface Route {
  /** The segments, without the empty first one. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const fragment = signal(location.hash);

addEventListener("hashchange", () => {
  fragment.value = location.hash;
});

/** The part of the fragment before every route: the key of a link. */
let prefix = "";

/**
 * Sets the part before every route, so that a link's key stays in the address.
 */
export function keepPrefix(before: string): void {
  prefix = before;
}

/** Reads a fragment. */
function routeOf(hash: string): Route {
  const own = hash.startsWith(`#${prefix}`)
    ? hash.slice(prefix.length + 1)
    : "";
  const [path = "", query = ""] = own.replace(/^\//, "").split("?");
  const parts = path.split("/").filter((part) => part !== "");
  return { path: parts.map(decoded), query: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The present route. */
export const route = computed(() => routeOf(fragment.value));

/** The address of a route, for a link: `href("album", id)`. */
export function href(...path: readonly string[]): string {
  return `#${prefix}/${path.map(encodeURIComponent).join("/")}`;
}

/** Goes to an address of {@link href} and adds it to the history. */
export function go(to: string): void {
  onceLeft(() => {
    if (location.hash !== to) location.hash = to;
  });
}

/** Goes to an address, which replaces the present one in the history. */
export function goInstead(to: string): void {
  onceLeft(() => {
    const { pathname, search } = location;
    history.replaceState(stateAt(to), "", `${pathname}${search}${to}`);
    fragment.value = location.hash;
  });
}

// The browser would first follow a link that is clicked at that moment, and
// then go back from where it leads.
addEventListener("click", (event) => {
  const { target, button, defaultPrevented } = event;
  if (defaultPrevented || button !== 0 || !isLeaving()) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = target instanceof Element ? target.closest("a") : null;
  const to = link?.getAttribute("href") ?? "";
  if (!to.startsWith("#")) return;
  event.preventDefault();
  go(to);
});

/** Goes one entry back in the history. */
export function goBack(): void {
  onceLeft(() => history.back());
}
