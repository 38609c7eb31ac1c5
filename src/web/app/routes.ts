/**
 * Where the person is in the app. Routes live in the fragment of the address,
 * which browsers do not send: the server never learns what is looked at.
 *
 * @module
 */
import { computed, signal } from "@preact/signals";

/** The parts of a route: `#/album/0f3a…/photo/77…?q=june`. */
export interface Route {
  /** Without the empty first one. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const fragment = signal(location.hash);

addEventListener("hashchange", () => {
  fragment.value = location.hash;
});

/** What stands before every route in the fragment: the key of a link. */
let prefix = "";

/** Keeps what stands before the route; a link's key is to stay in its address. */
export function keepPrefix(before: string): void {
  prefix = before;
}

/** Reads a fragment. */
export function routeOf(hash: string): Route {
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

/** Where the person is now. */
export const route = computed(() => routeOf(fragment.value));

/** The address of a route, for a link: `href("album", id)`. */
export function href(...path: readonly string[]): string {
  return `#${prefix}/${path.map(encodeURIComponent).join("/")}`;
}

/** Goes to an address of {@link href}; the last one stays to go back to. */
export function go(to: string): void {
  if (location.hash === to) return;
  location.hash = to;
}

/** Goes there in place of where the person is. */
export function goInstead(to: string): void {
  const { pathname, search } = location;
  history.replaceState(history.state, "", `${pathname}${search}${to}`);
  fragment.value = location.hash;
}
