/**
 * A guest's journal in this browser, so that a page that was closed or reloaded
 * can continue. If the browser refuses storage, it lasts as long as the page.
 *
 * @module
 */
import { type Bytes, fromUtf8 } from "../../../core/bytes.ts";
import { DAY_MS } from "../../../core/time.ts";
import type { GuestJournal } from "../../../library/mod.ts";
import { now } from "../../browser.ts";
import { ended, openDatabase, resultOf } from "../vault/databases.ts";

/** A journal that can count unfinished files. */
export interface BrowserJournal extends GuestJournal {
  /** Number of files that were begun and did not arrive. */
  unfinished(): Promise<number>;
}

interface Kept {
  readonly at: number;
  readonly entry: Bytes;
}

const NOTES = "notes";
/** How long entries are kept; no link lives longer. */
const KEPT_MS = 90 * DAY_MS;

/** Opens the journal of a link. */
export async function browserJournal(
  opaqueId: string,
): Promise<BrowserJournal> {
  try {
    return await onDisk(opaqueId);
  } catch {
    return inMemory();
  }
}

async function onDisk(opaqueId: string): Promise<BrowserJournal> {
  const database = await openDatabase("strongroom-guest", 1, [NOTES]);
  const keyOf = (name: string) => `${opaqueId}/${name}`;
  const writing = () =>
    database.transaction(NOTES, "readwrite", { durability: "strict" });
  const old = writing();
  const cursor = old.objectStore(NOTES).openCursor();
  cursor.onsuccess = () => {
    const at = cursor.result;
    if (at === null) return;
    if (keptOf(at.value).at < now() - KEPT_MS) at.delete();
    at.continue();
  };
  await ended(old);
  const reading = () =>
    database.transaction(NOTES, "readonly").objectStore(NOTES);
  return {
    async read(name) {
      const kept = await resultOf(reading().get(keyOf(name)));
      return kept === undefined ? undefined : keptOf(kept).entry;
    },
    async write(name, entry) {
      const transaction = writing();
      const kept: Kept = { at: now(), entry };
      transaction.objectStore(NOTES).put(kept, keyOf(name));
      await ended(transaction);
    },
    async unfinished() {
      const ofLink = IDBKeyRange.bound(`${opaqueId}/`, `${opaqueId}0`);
      const all: unknown[] = await resultOf(reading().getAll(ofLink));
      return all.filter((kept) => isOpen(keptOf(kept).entry)).length;
    },
  };
}

function inMemory(): BrowserJournal {
  const entries = new Map<string, Bytes>();
  return {
    read: (name) => Promise.resolve(entries.get(name)),
    write: (name, entry) => {
      entries.set(name, entry);
      return Promise.resolve();
    },
    unfinished: () =>
      Promise.resolve([...entries.values()].filter(isOpen).length),
  };
}

function keptOf(kept: unknown): Kept {
  const found = typeof kept === "object" && kept !== null ? kept : {};
  return {
    at: "at" in found && typeof found.at === "number" ? found.at : 0,
    entry: "entry" in found && found.entry instanceof Uint8Array
      ? new Uint8Array(found.entry)
      : new Uint8Array(),
  };
}

/** Whether an entry is of a file with an open session at the server. */
function isOpen(entry: Bytes): boolean {
  return /^\{"open":\{.*"upload":/.test(fromUtf8(entry) ?? "");
}
