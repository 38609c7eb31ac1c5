/**
 * The map with streets that an operator may give the web app: one large file,
 * which is opened anew for each part, so that it may be replaced at any time.
 *
 * @module
 */
import { toHex, utf8 } from "./core/bytes.ts";
import { sha256 } from "./crypto/sha256.ts";
import type { OpenedFile, PartedFile } from "./http/static_file.ts";

/** The file at a path of the configuration; nothing is opened yet. */
export function openMapFile(path: string): PartedFile {
  return { open: () => opened(path) };
}

async function opened(path: string): Promise<OpenedFile | undefined> {
  const file = await openRegular(path);
  if (file === undefined) return undefined;
  try {
    const info = await file.stat();
    const version = versionOf(info);
    return {
      etag: `"${toHex(sha256(utf8(version)))}"`,
      length: info.size,
      lastModified: info.mtime?.getTime() ?? 0,
      read: async (first, last) => {
        const bytes = await bytesOf(file, first, last - first + 1);
        // Half of what was there and half of what is: that is no version.
        return versionOf(await file.stat()) === version ? bytes : undefined;
      },
      close: () => file.close(),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Undefined for what is missing, and for what is no file: a pipe would wait. */
async function openRegular(path: string): Promise<Deno.FsFile | undefined> {
  try {
    if (!(await Deno.stat(path)).isFile) return undefined;
    return await Deno.open(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function versionOf({ ino, size, mtime }: Deno.FileInfo): string {
  return `${ino} ${size} ${mtime?.getTime()}`;
}

/** Fewer where the file ended meanwhile. */
async function bytesOf(
  file: Deno.FsFile,
  at: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  await file.seek(at, Deno.SeekMode.Start);
  let filled = 0;
  while (filled < length) {
    const read = await file.read(bytes.subarray(filled));
    if (read === null) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}
