/**
 * The colour scheme: light, dark, or that of the device.
 *
 * @module
 */
import { signal } from "@preact/signals";

/** How the app looks. */
export type Appearance = "auto" | "light" | "dark";

const CHOSEN = "strongroom.appearance";

/** The choice in this browser. */
export const appearance = signal<Appearance>("auto");

/** Applies the remembered choice, or a new one. */
export function chooseAppearance(chosen?: Appearance): void {
  const kept = chosen ?? remembered();
  appearance.value = kept === "light" || kept === "dark" ? kept : "auto";
  if (appearance.value === "auto") {
    delete document.documentElement.dataset["appearance"];
  } else document.documentElement.dataset["appearance"] = appearance.value;
  if (chosen === undefined) return;
  try {
    localStorage.setItem(CHOSEN, chosen);
  } catch {
    // Storage may be refused: the choice then lasts a visit.
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(CHOSEN);
  } catch {
    return null;
  }
}
