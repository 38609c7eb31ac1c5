/**
 * Folders of this device that the browser may read again, such as the camera's:
 * what is new in them is added when the person asks, without choosing the
 * folder once more (File System Access).
 *
 * @module
 */
import { effect } from "@preact/signals";
import { utf8 } from "../../../core/bytes.ts";
import { sha256Hex } from "../../../crypto/sha256.ts";
import {
  ended,
  openDatabase,
  resultOf,
} from "../../workers/vault/databases.ts";
import { add } from "./adding.tsx";
import type { QueuedFile } from "./queue.ts";
import { isLitter } from "../../../media/exports/file_names.ts";
import { type FoundFile, MOST_FILES } from "./collecting.ts";

/** What the types of pages lack. */
interface ReadableHandle extends FileSystemDirectoryHandle {
  queryPermission(given: { mode: "read" }): Promise<PermissionState>;
  requestPermission(given: { mode: "read" }): Promise<PermissionState>;
}
type Picker = (
  options: { readonly id: string; readonly mode: "read" },
) => Promise<ReadableHandle>;

/** A folder that was chosen. */
interface KeptFolder {
  readonly handle: ReadableHandle;
  /**
   * Marks of its files that are in the library; no names. Undefined as long as
   * none is.
   */
  readonly seen?: readonly string[];
}

const DATABASE = "strongroom-folders";
const STORE = "folders";
const KEY = "camera";
const DEEPEST = 32;
/** Characters of a mark: of 100,000 files no two have one by chance. */
const MARK_LENGTH = 20;

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
  { handle, seen = [] }: KeptFolder,
): Promise<number | undefined> {
  const given = { mode: "read" } as const;
  const isAllowed = await handle.queryPermission(given) === "granted" ||
    await handle.requestPermission(given) === "granted";
  if (!isAllowed) return undefined;
  const { found, marks } = await filesIn(handle, new Set(seen));
  const next = { handle, seen: marks };
  if (found.length === 0) {
    await write(next);
    return 0;
  }
  await add(found);
  void noteOnceKept(found, next);
  return found.length;
}

/**
 * What a file is known by. Its time alone tells nothing: photos of a burst have
 * one time and one size, and what is moved here from elsewhere is old.
 */
function markOf({ file, folder }: FoundFile): string {
  const { name, lastModified, size } = file;
  const text = JSON.stringify([folder, name, lastModified, size]);
  return sha256Hex(utf8(text)).slice(0, MARK_LENGTH);
}

/** Notes how far the folder is known, once all that was found is kept. */
async function noteOnceKept(
  found: readonly FoundFile[],
  next: KeptFolder,
): Promise<void> {
  const { queue } = await import("./workers.ts");
  const files = new Set<QueuedFile>(found.map(({ file }) => file));
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

/** Files below a folder that are not known, and the marks of those and others. */
async function filesIn(
  root: FileSystemDirectoryHandle,
  known: ReadonlySet<string>,
): Promise<{
  readonly found: readonly FoundFile[];
  readonly marks: readonly string[];
}> {
  const found: FoundFile[] = [];
  const marks: string[] = [];
  const walk = async (
    folder: FileSystemDirectoryHandle,
    path: string,
    depth: number,
  ): Promise<void> => {
    for await (const one of folder.values()) {
      if (isLitter(one.name) || found.length >= MOST_FILES) continue;
      if (one instanceof FileSystemFileHandle) {
        // Files that cannot be read are skipped.
        const file = await one.getFile().catch(() => undefined);
        if (file === undefined) continue;
        const mark = markOf({ file, folder: path });
        marks.push(mark);
        if (!known.has(mark)) found.push({ file, folder: path });
      } else if (one instanceof FileSystemDirectoryHandle && depth < DEEPEST) {
        await walk(one, `${path}/${one.name}`, depth + 1);
      }
    }
  };
  await walk(root, root.name, 0);
  return { found, marks };
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
