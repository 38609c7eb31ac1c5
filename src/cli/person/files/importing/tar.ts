/**
 * Reading tars in place: where each file of one is. The headers are the `tar`
 * package's business; what is allowed here is what is allowed in a zip.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { Header } from "tar/header";
import { Pax } from "tar/pax";
import type { PlainSource } from "../../../../client/stream/sealed_source.ts";
import { ENTRY_FAULTS, pathFault } from "../../../../media/zip.ts";
import type { PassedOver } from "../files.ts";

const BLOCK_BYTES = 512;
const MAX_ENTRIES = 1_000_000;
/** Longest header of names and times (bytes). */
const MAX_EXTENSION_BYTES = 1024 * 1024;

/** A tar contradicts itself, or its end is missing. */
export class MalformedTar extends Error {
  override readonly name = "MalformedTar";
}

/** A file in a tar. */
interface TarEntry {
  /** Its folders and its name, separated by `/`. */
  readonly path: string;
  /** Where its bytes begin in the tar. */
  readonly offset: number;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** The files of a tar. */
interface TarDirectory {
  readonly entries: readonly TarEntry[];
  /** Entries that cannot be read, and why. */
  readonly refused: readonly PassedOver[];
}

/**
 * Reads the headers of a tar (POSIX.1-2001 pax, ustar and GNU). Throws
 * MalformedTar, and what the source throws.
 */
export async function readTar(source: PlainSource): Promise<TarDirectory> {
  // Where a path is there twice, the later one is meant.
  const entries = new Map<string, TarEntry>();
  const refused: PassedOver[] = [];
  let more: Extension = {};
  let count = 0;
  for (let at = 0;;) {
    const header = await headerAt(source, at, more);
    if (header.nullBlock) break;
    if (!header.cksumValid) throw new MalformedTar("it is damaged, or no tar");
    if (++count > MAX_ENTRIES) {
      throw new MalformedTar(`it has more than ${MAX_ENTRIES} entries`);
    }
    const { type, size = 0, mtime } = header;
    const offset = at + BLOCK_BYTES;
    at = offset + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    if (offset + size > source.size) throw new MalformedTar("it is cut");
    const read = EXTENSIONS.get(type);
    if (read !== undefined) {
      if (size > MAX_EXTENSION_BYTES) {
        throw new MalformedTar("a name in it is too long");
      }
      const body = await source.read(offset, size);
      more = { ...more, ...read(Buffer.from(body).toString()) };
      continue;
    }
    const { isSparse, pax } = more;
    more = {};
    if (type === "Directory") continue;
    // Names in many tars begin with the folder that was packed.
    // The package puts the prefix of the header before the whole path, too.
    const path = (pax?.path ?? header.path ?? "").replace(/^(?:\.\/)+/, "");
    const fault = !FILES.has(type) || isSparse ? "special" : pathFault(path);
    if (fault !== undefined) {
      refused.push({ path, why: ENTRY_FAULTS[fault] });
      continue;
    }
    const modifiedAt = mtime?.getTime() ?? NaN;
    entries.set(path, {
      path,
      offset,
      size,
      modifiedAt: Number.isFinite(modifiedAt) ? modifiedAt : 0,
    });
  }
  return { entries: [...entries.values()], refused };
}

const FILES: ReadonlySet<string> = new Set([
  "File",
  "OldFile",
  "ContiguousFile",
]);

/** What is said of the next file before its header. */
interface Extension {
  readonly pax?: Pax;
  /** Not all of its bytes are in the tar. */
  readonly isSparse?: boolean;
}

const EXTENSIONS: ReadonlyMap<string, (body: string) => Extension> = new Map([
  ["ExtendedHeader", paxOf],
  ["OldExtendedHeader", paxOf],
  ["NextFileHasLongPath", longPath],
  ["OldGnuLongPath", longPath],
  // Nothing of these is wanted.
  ["GlobalExtendedHeader", () => ({})],
  ["NextFileHasLongLinkpath", () => ({})],
]);

function paxOf(body: string): Extension {
  return { pax: Pax.parse(body), isSparse: body.includes(" GNU.sparse.") };
}

function longPath(body: string): Extension {
  return { pax: new Pax({ path: body.replace(/\0.*$/s, "") }) };
}

async function headerAt(
  source: PlainSource,
  at: number,
  { pax }: Extension,
): Promise<Header> {
  const isCut = at + BLOCK_BYTES > source.size;
  if (isCut) throw new MalformedTar("its end is missing");
  const block = Buffer.from(await source.read(at, BLOCK_BYTES));
  try {
    return new Header(block, 0, pax);
  } catch (cause) {
    throw new MalformedTar("it is damaged, or no tar", { cause });
  }
}
