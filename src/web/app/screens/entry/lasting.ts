/**
 * Whether the browser may delete the key that it keeps: it may, when space runs
 * low or the page is not visited for a while, unless it has promised not to.
 *
 * @module
 */
import { signal } from "@preact/signals";

/** Whether the browser has promised it; undefined until it has answered. */
export const lasting = signal<boolean | undefined>(undefined);

// Insecure contexts lack it, although its type says otherwise.
const storage: StorageManager | undefined = navigator.storage;

/** Asks the browser for the promise; some of them ask the person. */
export async function askToLast(): Promise<void> {
  lasting.value = await storage?.persist().catch(() => false) ?? false;
}

/** Looks up what the browser has promised, without asking for anything. */
export async function lookIfLasting(): Promise<void> {
  lasting.value = await storage?.persisted().catch(() => false) ?? false;
}
