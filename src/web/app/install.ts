/**
 * The browser's offer to install the app. It comes whenever the browser likes,
 * so it is listened for from the start.
 *
 * @module
 */
import { signal } from "@preact/signals";

/** Asks the person whether to install; undefined where it cannot be asked. */
export const install = signal<(() => void) | undefined>();

addEventListener("beforeinstallprompt", (event) => {
  // Instead of the browser's own bar, which comes at any moment.
  event.preventDefault();
  install.value = () => {
    // It can be used once.
    install.value = undefined;
    if ("prompt" in event && typeof event.prompt === "function") event.prompt();
  };
});
