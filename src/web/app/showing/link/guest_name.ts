/**
 * What a guest calls themselves, typed once and remembered in this browser. It
 * is sealed with each file that they send.
 *
 * @module
 */
import { signal } from "@preact/signals";

const KEY = "strongroom-guest-name";

/** The name; empty if none was typed. */
export const guestName = signal(remembered());

/** Takes a name over. */
export function nameGuest(name: string): void {
  guestName.value = name;
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // A browser that stores nothing asks again.
  }
}

function remembered(): string {
  try {
    return (localStorage.getItem(KEY) ?? "").slice(0, 100);
  } catch {
    return "";
  }
}
