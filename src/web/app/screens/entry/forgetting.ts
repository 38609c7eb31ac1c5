/**
 * A browser that forgets the account's key with the page: over plain http it
 * can keep none but sealed by a browser phrase. No one is to find themselves
 * signed out without a word.
 *
 * @module
 */
import { ownConnection } from "../../own_connection.ts";
import { onVault, sessionState } from "../../vault.ts";

/** Held for as long as the tab: nothing but that the photos were open in it. */
const OPENED = "opened";

/** Notes that photos are open in this tab. */
export function noteOpened(): void {
  sessionStorage.setItem(OPENED, "1");
}

/** Notes that the person left: no reload ended it. */
export function noteLeft(): void {
  sessionStorage.removeItem(OPENED);
}

// In each tab, before the page is reloaded.
onVault("closing", ({ why }) => {
  if (why === "signed-out") noteLeft();
});

/** Whether photos were open in this tab, and a reload ended that. */
export function wasForgotten(): boolean {
  return ownConnection() !== "safe" && sessionState.value?.ended !== true &&
    sessionStorage.getItem(OPENED) !== null;
}

/** Whether a reload would end it. */
export function wouldForget(): boolean {
  return ownConnection() !== "safe" && sessionState.value?.phrase !== true;
}
