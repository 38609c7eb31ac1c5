/**
 * Restoring straight from a place off the premises.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { BlobHash } from "../../../core/ids.ts";
import type { FileDigest } from "../../../store/files/copies.ts";
import type { Files } from "../../../store/files/files.ts";
import {
  keyOf,
  type Repository,
} from "../../../store/remote/backup/repository.ts";
import { Unsealable } from "../../../store/remote/backup/sealing.ts";
import { DATABASE } from "../manifest.ts";
import { notWhole, type RestoreSource } from "../source.ts";
import { type Generation, PIECE_BYTES } from "./generation.ts";

/** A generation to restore from, under a lock for reading. */
export function sourceOf(
  files: Files,
  repository: Repository,
  { number, key, record }: Generation,
): RestoreSource {
  const { snapshot } = record;
  const { name } = repository;
  const others =
    `this is generation ${number}: \`strongroom backup list ${name}` +
    "` names the others, and --generation NUMBER restores one of them";
  return {
    ...{ name, others },
    snapshot,
    attestationKey: record.attestation_key,
    fileName: (path) => path === DATABASE ? `${key}: ${path}` : key,
    keysName: key,
    blobName: (hash) => keyOf(repository.nameOf(hash)),
    async bringFile({ path, bytes }, to) {
      if (path === DATABASE) {
        const pieces = databaseOf(repository, record.database, bytes);
        try {
          return await write(files, to, pieces);
        } catch (error) {
          if (!(error instanceof PieceLost)) throw error;
          throw notWhole({ name, others }, error.object, HOW[error.how], {
            around: false,
          });
        }
      }
      return await write(files, to, one(record.keys[path] ?? ""));
    },
    async bringBlob({ hash, size }, to) {
      return await bringObject(files, repository, { hash, size }, to);
    },
  };
}

const HOW = { missing: "is missing", damaged: "was changed" } as const;

/** A piece of a database that is not to be had. */
export class PieceLost extends Error {
  constructor(readonly object: string, readonly how: "missing" | "damaged") {
    super(`${object} is ${how}`);
  }
}

/** A database, piece by piece; throws {@link PieceLost}. */
export async function* databaseOf(
  repository: Repository,
  names: readonly string[],
  bytes: number,
): AsyncGenerator<Uint8Array, void, void> {
  let left = bytes;
  for (const name of names) {
    const size = Math.min(left, PIECE_BYTES);
    left -= size;
    const found = await repository.object(name, size);
    if (typeof found === "string") throw new PieceLost(keyOf(name), found);
    try {
      yield* found.content;
    } catch (error) {
      if (!(error instanceof Unsealable)) throw error;
      throw new PieceLost(keyOf(name), "damaged");
    }
  }
}

async function* one(
  base64: string,
): AsyncGenerator<Uint8Array, void, void> {
  yield Uint8Array.fromBase64(base64);
}

/** Writes a new file that is on the disk when this returns. */
export async function write(
  files: Files,
  to: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<FileDigest> {
  const file = await files.open(to, "create");
  if (file === undefined) throw new Error(`cannot create ${to}`);
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      file.write(piece);
      hash.update(piece);
      bytes += piece.length;
    }
    await file.sync();
  } finally {
    file.close();
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function bringObject(
  files: Files,
  repository: Repository,
  { hash, size }: { readonly hash: BlobHash; readonly size: number },
  to: string,
): Promise<"copied" | "missing" | "damaged"> {
  const found = await repository.object(repository.nameOf(hash), size);
  if (typeof found === "string") return found;
  const temporary = `${to}.new`;
  await files.remove(temporary);
  try {
    const { bytes, sha256 } = await write(files, temporary, found.content);
    if (bytes === size && sha256 === hash) {
      await files.rename(temporary, to);
      return "copied";
    }
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
  }
  await files.remove(temporary);
  return "damaged";
}
