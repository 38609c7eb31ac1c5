/**
 * Folders of this device that the browser may read again, such as the camera's:
 * what is new in them is added when the person asks, without choosing the
 * folder once more (File System Access).
 *
 * @module
 */
import { effect } from "@preact/signals";
import { now } from "../../browser.ts";
import { ended, openDatabase, resultOf } from "../../workers/databases.ts";
import { add } from "./adding.tsx";
import { type FoundFile, isPassedOver, MOST_FILES } from "./collecting.ts";

/** What the types of pages lack. */
interface ReadableHandle extends FileSystemDirectoryHandle {
  queryPermission(given: { mode: "read" }): Promise<PermissionState>;
  requestPermission(given: { mode: "read" }): Promise<PermissionState>;
}
type Picker = (
  options: { readonly id: string; readonly mode: "read" },
) => Promise<ReadableHandle>;

/** A folder that was chosen. */
export interface KeptFolder {
  readonly handle: ReadableHandle;
  /**
   * Everything that was last changed before is in the library (ms since the
   * epoch); undefined as long as nothing is.
   */
  readonly until?: number;
  /** Marks of those changed shortly before or after that; no names. */
  readonly seen?: readonly string[];
}

const DATABASE = "strongroom-folders";
const STORE = "folders";
const KEY = "camera";
const DEEPEST = 32;
/** Clocks of cameras and computers differ, and copying takes its time. */
const OVERLAP_MS = 24 * 3_600_000;

function picker(): Picker | undefined {
  const { showDirectoryPicker } = globalThis as {
    readonly showDirectoryPicker?: Picker;
  };
  return showDirectoryPicker?.bind(globalThis);
}

/** Whether this browser lets a page read a folder again. */
export function canKeepFolder(): boolean {
  return picker() !== undefined;
}

/** Has a folder chosen; undefined if the person changed their mind. */
export async function chooseFolder(): Promise<KeptFolder | undefined> {
  try {
    const handle = await picker()?.({ id: "camera", mode: "read" });
    if (handle === undefined) return undefined;
    await write({ handle });
    return { handle };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") {
      return undefined;
    }
    throw error;
  }
}

/** The folder that was chosen last. */
export async function keptFolder(): Promise<KeptFolder | undefined> {
  return await inStore("readonly", (store) => resultOf(store.get(KEY)));
}

export async function forgetFolder(): Promise<void> {
  await inStore("readwrite", (store) => resultOf(store.delete(KEY)));
}

/**
 * Adds what is new in the folder; resolves to how many files that are, or to
 * undefined where the browser may not read it. Call it within a press: the
 * browser may ask.
 */
export async function addFrom(
  { handle, until = -Infinity, seen = [] }: KeptFolder,
): Promise<number | undefined> {
  const given = { mode: "read" } as const;
  const isAllowed = await handle.queryPermission(given) === "granted" ||
    await handle.requestPermission(given) === "granted";
  if (!isAllowed) return undefined;
  const began = now();
  const all = await newerIn(handle, until - OVERLAP_MS);
  const known = new Set(seen);
  const found = all.filter((one) => !known.has(markOf(one)));
  const next = {
    handle,
    until: began,
    seen: all.filter(({ file }) => file.lastModified > began - OVERLAP_MS)
      .map(markOf),
  };
  if (found.length === 0) {
    await write(next);
    return 0;
  }
  await add(found);
  void noteOnceKept(found, next);
  return found.length;
}

function markOf({ file }: FoundFile): string {
  return `${file.lastModified} ${file.size}`;
}

/** Notes how far the folder is known, once all that was found is kept. */
async function noteOnceKept(
  found: readonly FoundFile[],
  next: KeptFolder,
): Promise<void> {
  const { queue } = await import("./workers.ts");
  const files = new Set(found.map(({ file }) => file));
  const stop = effect(() => {
    queue.version.value;
    const states = queue.items()
      .filter(({ file }) => files.has(file))
      .map(({ state }) => state);
    const isKept = states.every((state) =>
      state === "kept" || state === "known" || state === "back"
    );
    if (!isKept || states.length === 0) return;
    queueMicrotask(() => stop());
    void write(next);
  });
}

/** Files below a folder that were changed after an instant. */
async function newerIn(
  root: FileSystemDirectoryHandle,
  after: number,
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const walk = async (
    folder: FileSystemDirectoryHandle,
    path: string,
    depth: number,
  ): Promise<void> => {
    for await (const one of folder.values()) {
      if (isPassedOver(one.name) || found.length >= MOST_FILES) continue;
      if (one instanceof FileSystemFileHandle) {
        // Files that cannot be read are skipped.
        const file = await one.getFile().catch(() => undefined);
        const isNew = file !== undefined && file.lastModified > after;
        if (isNew) found.push({ file, folder: path });
      } else if (one instanceof FileSystemDirectoryHandle && depth < DEEPEST) {
        await walk(one, `${path}/${one.name}`, depth + 1);
      }
    }
  };
  await walk(root, root.name, 0);
  return found;
}

async function write(folder: KeptFolder): Promise<void> {
  await inStore("readwrite", (store) => resultOf(store.put(folder, KEY)));
}

async function inStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(DATABASE, 1, [STORE]);
  try {
    const transaction = database.transaction(STORE, mode);
    const over = ended(transaction);
    const done = await work(transaction.objectStore(STORE));
    await over;
    return done;
  } finally {
    database.close();
  }
}
