/**
 * The map with streets that an operator may give the web app: one large file,
 * which is opened again for each part, so that it may be replaced at any time.
 *
 * @module
 */
import { toHex, utf8 } from "../core/bytes.ts";
import type { Log } from "../core/platform.ts";
import { reasonOf } from "../core/reason.ts";
import { sha256 } from "../crypto/sha256.ts";
import type { OpenedFile, PartedFile } from "../http/static_file.ts";

/** Of the header of PMTiles 3: the magic, the version, the kind of tiles. */
const HEADER_BYTES = 127;
const MAGIC = "PMTiles\x03";
const KIND_AT = 99;
const VECTOR_TILES = 1;

/** The app cannot draw the file. */
class MapFault extends Error {
  override readonly name = "MapFault";
}

/** What the log and the operator's commands say of a map that is not offered. */
export const notOffered = (path: string, reason: string) =>
  `streets of ${path} are not offered: ${reason}`;

/**
 * Why the map at a path is not offered, as the log says it, and the reason
 * alone; undefined if it is.
 */
export async function faultOfMap(
  path: string,
): Promise<{ readonly what: string; readonly reason: string } | undefined> {
  try {
    await requireStreets(path);
    return undefined;
  } catch (error) {
    const reason = reasonOf(error);
    return { what: notOffered(path, reason), reason };
  }
}

/** The file at a path of the configuration; nothing is opened yet. */
export function openMapFile(path: string, log: Log): PartedFile {
  let said = "";
  const say = (error: unknown) => {
    const reason = reasonOf(error);
    if (reason !== said) {
      log.warn(notOffered("{path}", "{reason}"), { path, reason });
    }
    said = reason;
  };
  return {
    async open() {
      try {
        return await opened(path);
      } catch (error) {
        say(error);
        return undefined;
      }
    },
    async isUsable() {
      try {
        await requireStreets(path);
        said = "";
        return true;
      } catch (error) {
        say(error);
        return false;
      }
    },
  };
}

/** Throws a {@link MapFault} for a file that the app cannot draw. */
async function requireStreets(path: string): Promise<void> {
  const file = await opened(path);
  try {
    const header = file.length < HEADER_BYTES
      ? undefined
      : await file.read(0, HEADER_BYTES - 1);
    const magic = header?.subarray(0, MAGIC.length);
    if (new TextDecoder().decode(magic) !== MAGIC) {
      throw new MapFault("it is no PMTiles 3 file");
    }
    if (header?.[KIND_AT] !== VECTOR_TILES) {
      throw new MapFault("its tiles are not vector tiles");
    }
  } finally {
    file.close();
  }
}

async function opened(path: string): Promise<OpenedFile> {
  const file = await openRegular(path);
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

/** Throws a {@link MapFault} for what is no file: a pipe would wait. */
async function openRegular(path: string): Promise<Deno.FsFile> {
  try {
    if (!(await Deno.stat(path)).isFile) throw new MapFault("it is no file");
    return await Deno.open(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new MapFault("there is no such file");
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
