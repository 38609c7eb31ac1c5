/**
 * How long a slideshow shows a photo.
 *
 * @module
 */
import { signal } from "@preact/signals";

/** The choices (seconds). */
export const PACES = [3, 5, 10, 30, 60] as const;
const USUAL = 5;
const CHOSEN = "strongroom.slideshow";

/** The choice in this browser (seconds). */
export const pace = signal(remembered());

/** Sets how long each photo is shown, in this browser from now on. */
export function choosePace(seconds: number): void {
  pace.value = seconds;
  try {
    localStorage.setItem(CHOSEN, String(seconds));
  } catch {
    // Storage may be refused: the choice then lasts a visit.
  }
}

function remembered(): number {
  try {
    const kept = Number(localStorage.getItem(CHOSEN));
    return PACES.find((one) => one === kept) ?? USUAL;
  } catch {
    return USUAL;
  }
}
