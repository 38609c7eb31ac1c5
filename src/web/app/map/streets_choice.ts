/**
 * Whether this browser shows streets on the map. Nobody does before they chose
 * it: the parts of the file that a browser asks for tell the server which places
 * somebody looks at.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { browserFetch } from "../../browser.ts";

const CHOSEN = "strongroom.streets";

/** The choice in this browser. */
export const showsStreets = signal(remembered());

/** Shows streets from now on, or no more. */
export function showStreets(isChosen: boolean): void {
  showsStreets.value = isChosen;
  try {
    if (isChosen) localStorage.setItem(CHOSEN, "yes");
    else localStorage.removeItem(CHOSEN);
  } catch {
    // Storage may be refused: the choice then lasts a visit.
  }
}

function remembered(): boolean {
  try {
    return localStorage.getItem(CHOSEN) === "yes";
  } catch {
    return false;
  }
}

/** Whether the operator gave this server a map with streets. */
export async function hasStreets(): Promise<boolean> {
  const response = await browserFetch("/app/map.json", {});
  if (!response.ok) return false;
  return JSON.parse(await response.text()).streets === true;
}
