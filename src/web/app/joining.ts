/**
 * The link by which another device shows this one the account: it waits here,
 * in this tab alone, until the person has signed in.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { goInstead, route } from "./routes.ts";

const KEY = "strongroom.join";

/** The link that waits, as it was scanned. */
export const waitingLink = signal<string | undefined>(stored());

/** Takes a link out of the address, where nobody reads it over a shoulder. */
export function takeLink(): void {
  const [first, rest] = route.value.path;
  if (first !== "join" || rest === undefined) return;
  keep(`${location.origin}/#/join/${rest}`);
  goInstead("#/sign-in");
}

/** The link was used, or is not wanted. */
export function dropLink(): void {
  keep(undefined);
}

function keep(link: string | undefined): void {
  waitingLink.value = link;
  try {
    if (link === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, link);
  } catch {
    // It then lasts as long as the page.
  }
}

function stored(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
