/**
 * Handing a decrypted file to the visitor: straight to the disk where the
 * browser allows it and the file is big, as a Blob everywhere else.
 *
 * @module
 */
import { sleep } from "./browser.ts";
import { element } from "./dom.ts";
import { type Item, originalOf, type Reading } from "./share_reader.ts";
import type { ShareReader } from "./share_reader.ts";
import { shownName } from "./words.ts";

/** Over this a file had better not go through memory (bytes). */
const BIG_BYTES = 64 * 1024 * 1024;
/** How long a browser may take to begin saving a Blob. */
const KEEP_MS = 60_000;

/** The File System Access API, where a browser has it. */
interface SavePicker {
  showSaveFilePicker?: (
    options: { suggestedName: string },
  ) => Promise<FileSystemFileHandle>;
}

/** Saves an item's original; resolves to false if the visitor thinks better. */
export async function saveOriginal(
  reader: ShareReader,
  item: Item,
  reading: Reading,
): Promise<boolean> {
  const name = shownName(item.name);
  const { showSaveFilePicker } = globalThis as SavePicker;
  if (item.size <= BIG_BYTES || showSaveFilePicker === undefined) {
    const type = blobType(item);
    saveBlob(await reader.readBlob(originalOf(item), type, reading), name);
    return true;
  }
  let handle: FileSystemFileHandle;
  try {
    handle = await showSaveFilePicker.call(globalThis, { suggestedName: name });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") {
      return false;
    }
    throw error;
  }
  const file = await handle.createWritable();
  try {
    for await (const piece of reader.read(originalOf(item), reading)) {
      await file.write(piece);
    }
  } catch (error) {
    // What is written so far never becomes the file.
    await file.abort();
    throw error;
  }
  await file.close();
  return true;
}

/** Has the browser save a Blob under a name. */
export function saveBlob(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  const link = element("a", { href, download: name });
  link.click();
  sleep(KEEP_MS).then(() => URL.revokeObjectURL(href));
}

/**
 * The media type that a decrypted file may have here. Only what is looked at or
 * listened to keeps its own: a document of somebody's must not become a page
 * of this origin.
 */
export function blobType(item: Pick<Item, "mime">): string {
  return kindOf(item) === "other"
    ? "application/octet-stream"
    : item.mime.toLowerCase();
}

export type Kind = "image" | "video" | "audio" | "other";

/**
 * How an item is shown. What is XML, such as SVG, is a document in a tab of its
 * own, with scripts and links: it is saved and not looked at.
 */
export function kindOf({ mime }: Pick<Item, "mime">): Kind {
  const [, kind] = /^(image|video|audio)\/[a-z0-9.+-]+$/i.exec(mime) ?? [];
  return kind === undefined || /[+-]xml$/i.test(mime)
    ? "other"
    : kind.toLowerCase() as Kind;
}
