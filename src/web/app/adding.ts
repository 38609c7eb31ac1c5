/**
 * Whether files are being added in this tab, for pages that are loaded before
 * the code that adds them.
 *
 * @module
 */
import { signal } from "@preact/signals";

/** Whether files wait or are worked on. */
export const isAdding = signal(false);
