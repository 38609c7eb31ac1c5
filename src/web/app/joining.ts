/**
 * The link by which another device hands the account to this one. It waits in
 * this tab until the person has signed in.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { goInstead, route } from "./routes.ts";

const KEY = "strongroom.join";

/** The waiting link, as it was scanned. */
export const waitingLink = signal<string | undefined>(stored());

/** Moves a link out of the address bar, where others could read it. */
export function takeLink(): void {
  const [first, rest] = route.value.path;
  if (first !== "join" || rest === undefined) return;
  keep(`${location.origin}/#/join/${rest}`);
  goInstead("#/sign-in");
}

/** Drops the link after it was used or declined. */
export function dropLink(): void {
  keep(undefined);
}

function keep(link: string | undefined): void {
  waitingLink.value = link;
  try {
    if (link === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, link);
  } catch {
    // Storage may be refused; the link then lasts as long as the page.
  }
}

function stored(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
