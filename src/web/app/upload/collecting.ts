/**
 * Collecting the files that a person drops, pastes or chooses, including those
 * in folders.
 *
 * @module
 */

import { isLitter } from "../../../media/exports/file_names.ts";

/** A file and the path of its folder. */
export interface FoundFile {
  readonly file: File;
  readonly folder: string;
}

/** More files at a time are a mistake, such as a whole disk. */
export const MOST_FILES = 100_000;
const DEEPEST = 32;

/**
 * The files of a dialog, in which a folder may have been chosen. What systems
 * left behind is passed over, except for an import, which names it.
 */
export function chosenFiles(
  files: FileList | null,
  { withLitter }: { readonly withLitter?: true } = {},
): FoundFile[] {
  return [...files ?? []].slice(0, MOST_FILES).flatMap((file) => {
    const path = file.webkitRelativePath.split("/").slice(0, -1);
    const passed = !withLitter && [...path, file.name].some(isLitter);
    return passed ? [] : [{ file, folder: path.join("/") }];
  });
}

/**
 * The files that were dropped or pasted. Call it within the event, because its
 * data is gone afterwards.
 */
export function droppedFiles(data: DataTransfer): Promise<FoundFile[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const files = [...data.files];
  return entries.some((entry) => entry !== null)
    ? walked(entries)
    : Promise.resolve(files.map((file) => ({ file, folder: "" })));
}

async function walked(
  entries: readonly (FileSystemEntry | null)[],
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const walk = async (
    entry: FileSystemEntry,
    folder: string,
    depth: number,
  ): Promise<void> => {
    if (isLitter(entry.name) || found.length >= MOST_FILES) return;
    if (isFile(entry)) {
      // Files that cannot be read are skipped.
      const file = await fileOf(entry).catch(() => undefined);
      if (file !== undefined) found.push({ file, folder });
    } else if (isDirectory(entry) && depth < DEEPEST) {
      const inside = folder === "" ? entry.name : `${folder}/${entry.name}`;
      for (const one of await listed(entry)) await walk(one, inside, depth + 1);
    }
  };
  for (const entry of entries) {
    if (entry !== null) await walk(entry, "", 0);
  }
  return found;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(
  entry: FileSystemEntry,
): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** All entries of a folder; browsers return a hundred at a time. */
async function listed(
  folder: FileSystemDirectoryEntry,
): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  while (true) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject)
    );
    if (some.length === 0 || all.length >= MOST_FILES) return all;
    all.push(...some);
  }
}
