/**
 * The parts of an export: folders and zips, whose files are read where they
 * are. What does not fit into memory is unpacked into a file that has no name.
 *
 * @module
 */
import type { ExportFile as ExportedFile } from "../../../client/exports/export_kind.ts";
import { MalformedZip, readZip, type ZipEntry } from "../../../client/zip.ts";
import { sha256Hex } from "../../../crypto/sha256.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { type OpenFile, openFile } from "../describing.ts";
import { filesOf, type PassedOver } from "../files.ts";
import type { FileStamp } from "../local_store.ts";

/** A file of an export on this machine. */
export interface ExportFile extends ExportedFile {
  /** Where it is, for people. */
  readonly shown: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Tells a part from another one of its name. */
  readonly part: Omit<FileStamp, "size">;
  open(): Promise<OpenFile>;
}

/** Parts that are open. */
export interface OpenParts extends Disposable {
  readonly files: readonly ExportFile[];
  readonly passedOver: readonly PassedOver[];
}

/** Larger files are unpacked into a file instead (bytes). */
const IN_MEMORY_BYTES = 4 * 1024 * 1024;

/** Opens all parts of an export together. */
export async function openParts(
  paths: readonly string[],
  stagingDirectory: string,
  signal: AbortSignal,
  hidden: readonly string[] = [],
): Promise<OpenParts> {
  const files: ExportFile[] = [];
  const passedOver: PassedOver[] = [];
  const open: OpenFile[] = [];
  const close = () => open.forEach((one) => one[Symbol.dispose]());
  const addZip = async (path: string) => {
    const opened = await openFile(path);
    open.push(opened);
    const part = partOf(await Deno.stat(path));
    const { entries, refused } = await readZip(opened.source);
    for (const entry of entries) {
      files.push({
        path: entry.path.normalize("NFC"),
        within: path,
        shown: `${path}/${entry.path}`,
        size: entry.size,
        modifiedAt: entry.modifiedAt,
        part,
        open: () => unpack(entry, stagingDirectory, signal),
      });
    }
    for (const { path: inside, why } of refused) {
      passedOver.push({ path: `${path}/${inside}`, why });
    }
  };
  try {
    for (const given of paths) {
      const looking = {
        exclude: [],
        hidden,
        signal,
        onPassedOver: (one: PassedOver) => passedOver.push(one),
      };
      for await (const file of filesOf(given, looking)) {
        const { path, name, folder, size, modifiedAt, changedAt, inode } = file;
        if (/\.zip$/i.test(name)) {
          await addZip(path).catch((error) => {
            if (!(error instanceof MalformedZip)) throw error;
            throw new OperatorFault(
              `${path}: ${error.message}; nothing was imported, download ` +
                "that part again",
            );
          });
          continue;
        }
        files.push({
          path: (folder === "" ? name : `${folder}/${name}`).normalize("NFC"),
          within: path.slice(0, -(folder.length + name.length + 1)),
          shown: path,
          size,
          modifiedAt,
          part: { inode, modifiedAt, changedAt },
          open: () => openFile(path),
        });
      }
    }
  } catch (error) {
    close();
    throw error;
  }
  return { files, passedOver, [Symbol.dispose]: close };
}

/** A file of a zip, whole and with its checksum, to be read anywhere. */
async function unpack(
  entry: ZipEntry,
  stagingDirectory: string,
  signal: AbortSignal,
): Promise<OpenFile> {
  if (entry.size > IN_MEMORY_BYTES) {
    return await unpackToStaging(entry, stagingDirectory, signal);
  }
  const bytes = new Uint8Array(entry.size);
  let at = 0;
  for await (const piece of entry.read()) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return {
    source: {
      size: bytes.length,
      read: (offset, length) =>
        Promise.resolve(bytes.slice(offset, offset + length)),
    },
    hash: () => Promise.resolve(sha256Hex(bytes)),
    [Symbol.dispose]: () => undefined,
  };
}

async function unpackToStaging(
  entry: ZipEntry,
  directory: string,
  signal: AbortSignal,
): Promise<OpenFile> {
  // Only its owner may read it.
  const path = await Deno.makeTempFile({ dir: directory, prefix: "import-" });
  const file = await Deno.open(path, { write: true });
  try {
    try {
      for await (const piece of entry.read()) {
        signal.throwIfAborted();
        let at = 0;
        while (at < piece.length) at += await file.write(piece.subarray(at));
      }
    } finally {
      file.close();
    }
    const opened = await openFile(path);
    return unnamed(opened, path, await removed(path));
  } catch (error) {
    await removed(path);
    throw error;
  }
}

/** A program that is killed leaves nothing behind of a file without a name. */
async function removed(path: string): Promise<boolean> {
  // Windows keeps what is open.
  return await Deno.remove(path).then(() => true, () => false);
}

function unnamed(open: OpenFile, path: string, isGone: boolean): OpenFile {
  if (isGone) return open;
  return {
    source: open.source,
    hash: (signal) => open.hash(signal),
    [Symbol.dispose]() {
      open[Symbol.dispose]();
      Deno.removeSync(path);
    },
  };
}

function partOf({ ino, mtime }: Deno.FileInfo): ExportFile["part"] {
  return { inode: ino, modifiedAt: mtime?.getTime() ?? 0, changedAt: null };
}
