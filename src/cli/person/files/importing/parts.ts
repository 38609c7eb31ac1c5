/**
 * The parts of an export: folders, zips and tars, whose files are read where
 * they are. What does not fit into memory is unpacked into a file that has no
 * name.
 *
 * @module
 */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { createGunzip } from "node:zlib";
import type { PartlyRead } from "../../../../media/exports/export_kind.ts";
import { isLitter } from "../../../../media/exports/file_names.ts";
import { isArchive } from "../../../../media/exports/export_kind.ts";
import {
  ENTRY_FAULTS,
  lookInto,
  MalformedZip,
  MAX_RATIO,
  RATIO_FROM_BYTES,
  readZip,
  type ZipEntry,
} from "../../../../media/zip.ts";
import { nativePrimitives } from "../../../../client/keys/native.ts";
import { toHex } from "../../../../core/bytes.ts";
import { sha256Hex } from "../../../../crypto/sha256.ts";
import { OperatorFault } from "../../../../core/operator.ts";
import { type OpenFile, openFile } from "../describing.ts";
import { filesOf, type PassedOver } from "../files.ts";
import type { FileStamp } from "../../local_store.ts";
import { MalformedTar, readTar } from "./tar.ts";

/** A file of an export on this machine. */
export interface ExportFile extends PartlyRead {
  /** Where it is, for people. */
  readonly shown: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Tells a part from another one of its name. */
  readonly part: Omit<FileStamp, "size">;
  open(): Promise<OpenFile>;
}

/** Parts that are open. */
interface OpenParts extends Disposable {
  readonly files: readonly ExportFile[];
  readonly passedOver: readonly PassedOver[];
}

/** Larger files are unpacked into a file instead (bytes). */
const IN_MEMORY_BYTES = 4 * 1024 * 1024;
/** Read and hashed at a time. */
const HASHED_BYTES = 1024 * 1024;

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
        look: (use) => lookInto(opened.source, entry, use),
      });
    }
    for (const { path: inside, why } of refused) {
      passedOver.push({ path: `${path}/${inside}`, why });
    }
  };
  const addTar = async (path: string, isPacked: boolean) => {
    const part = partOf(await Deno.stat(path));
    const opened = isPacked
      ? await gunzip(path, stagingDirectory, signal)
      : await openFile(path);
    open.push(opened);
    const { entries, refused } = await readTar(opened.source);
    for (const { path: inside, offset, size, modifiedAt } of entries) {
      files.push({
        path: inside.normalize("NFC"),
        within: path,
        shown: `${path}/${inside}`,
        size,
        modifiedAt,
        part,
        open: () => Promise.resolve(within(opened, offset, size)),
        look: (use) => use(within(opened, offset, size).source),
      });
    }
    for (const { path: inside, why } of refused) {
      passedOver.push({ path: `${path}/${inside}`, why });
    }
  };
  const addArchive = async (path: string, name: string) => {
    if (/\.zip$/i.test(name)) await addZip(path);
    else if (/\.tar$/i.test(name)) await addTar(path, false);
    else if (/\.(?:tgz|tar\.gz)$/i.test(name)) await addTar(path, true);
    else return false;
    return true;
  };
  try {
    for (const given of paths) {
      const looking = {
        exclude: [],
        hidden,
        withLitter: true as const,
        signal,
        onPassedOver: (one: PassedOver) => passedOver.push(one),
      };
      for await (const file of filesOf(given, looking)) {
        const {
          path,
          name,
          folder,
          size,
          modifiedAt,
          changedAt,
          inode,
          device,
        } = file;
        const isRead = !isLitter(name) &&
          await addArchive(path, name).catch((error) => {
            const isDamaged = error instanceof MalformedZip ||
              error instanceof MalformedTar;
            if (!isDamaged) throw error;
            throw new OperatorFault(
              `${path}: ${error.message}; nothing was imported, download that ` +
                "part again",
            );
          });
        if (isRead) continue;
        // One that was found in a folder is passed over, and named.
        if (isArchive(name) && resolve(given) === path) {
          throw new OperatorFault(
            `${path}: archives of this kind cannot be read; nothing was ` +
              "imported. Unpack it and import its folder",
          );
        }
        files.push({
          path: (folder === "" ? name : `${folder}/${name}`).normalize("NFC"),
          within: path.slice(0, -(folder.length + name.length + 1)),
          shown: path,
          size,
          modifiedAt,
          part: { inode, modifiedAt, changedAt, device },
          open: () => openFile(path),
          async look(use) {
            using opened = await openFile(path);
            return await use(opened.source);
          },
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
  return await stage(entry.read(), directory, signal);
}

/** Writes pieces to a file without a name. */
async function stage(
  pieces: AsyncIterable<Uint8Array>,
  directory: string,
  signal: AbortSignal,
): Promise<OpenFile> {
  // Only its owner may read it.
  const path = await Deno.makeTempFile({ dir: directory, prefix: "import-" });
  const file = await Deno.open(path, { write: true });
  try {
    try {
      for await (const piece of pieces) {
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

/** Unpacks a tar as a whole: its files are not read in their order. */
async function gunzip(
  path: string,
  directory: string,
  signal: AbortSignal,
): Promise<OpenFile> {
  const { size } = await Deno.stat(path);
  return await stage(unpacked(path, size), directory, signal);
}

async function* unpacked(
  path: string,
  packedBytes: number,
): AsyncGenerator<Uint8Array> {
  const most = Math.max(RATIO_FROM_BYTES, packedBytes * MAX_RATIO);
  const packed = createReadStream(path);
  // Files that several programs packed one after the other are one.
  const pieces = packed.pipe(createGunzip());
  packed.on("error", (error) => pieces.destroy(error));
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > most) throw new MalformedTar(ENTRY_FAULTS.bomb);
      yield piece;
    }
  } catch (cause) {
    const isPacking = cause instanceof Error && "code" in cause &&
      String(cause.code).startsWith("Z_");
    if (!isPacking) throw cause;
    throw new MalformedTar("it is damaged, or its end is missing", { cause });
  } finally {
    packed.destroy();
  }
}

/** A part of a file that stays open. */
function within(whole: OpenFile, start: number, size: number): OpenFile {
  const read = (offset: number, length: number) =>
    whole.source.read(
      start + offset,
      Math.max(0, Math.min(length, size - offset)),
    );
  return {
    source: { size, read },
    async hash(signal) {
      const hash = nativePrimitives.sha256();
      for (let at = 0; at < size; at += HASHED_BYTES) {
        signal.throwIfAborted();
        hash.update(await read(at, HASHED_BYTES));
      }
      return toHex(hash.digest());
    },
    [Symbol.dispose]: () => undefined,
  };
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

function partOf({ ino, mtime, dev }: Deno.FileInfo): ExportFile["part"] {
  return {
    inode: ino,
    modifiedAt: mtime?.getTime() ?? 0,
    changedAt: null,
    device: dev,
  };
}
