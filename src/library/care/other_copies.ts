/**
 * Own photos that the server lost or damaged, healed from another asset with
 * the same content: a copy in an album, or one that someone else added there.
 * No one needs the file for that.
 *
 * @module
 */
import { saidOf } from "../adding/derivatives.ts";
import { concatBytes } from "../../core/bytes.ts";
import { isOfEverything } from "../base/faults.ts";
import { plainOf } from "../rows/plaintext_cache.ts";
import type { Library } from "../library.ts";
import type { NewDerivative, NewFile } from "../adding/upload_types.ts";
import { DERIVATIVE_MAX_BYTES } from "../rows/pull.ts";
import { blobOf, isBroken, isRolledBack, type Row } from "../rows/rows.ts";

/** A larger original is read in parts, more than once (bytes). */
const IN_MEMORY_BYTES = 32 * 1024 * 1024;

/** A photo and the asset that it was healed from. */
interface HealedFromCopy {
  readonly id: string;
  readonly from: Row;
}

type Healing = Pick<
  Library,
  "index" | "vault" | "take" | "copyInto" | "read" | "ranges" | "hash"
>;

/**
 * Heals own photos from other assets with the same content, as far as there are
 * any that can be read. What it cannot heal stays as it is. A photo that was
 * missing as a whole comes back as a new asset, which the next pass of the feed
 * puts in its place.
 */
export async function healFromCopies(
  library: Healing,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly HealedFromCopy[]> {
  const { index, vault } = library;
  const { userId } = vault.session;
  const lost = [...index.rows()].filter((row) =>
    row.owner === userId && isLost(row)
  );
  const healed: HealedFromCopy[] = [];
  for (const { id } of lost) {
    for (const copy of copiesOf(library, id)) {
      signal?.throwIfAborted();
      // The one before may have healed this one with its own.
      const row = index.get(id);
      if (row === undefined || !isLost(row)) break;
      try {
        await healFrom(library, row, copy, signal);
        healed.push({ id, from: copy });
        break;
      } catch (error) {
        if (signal?.aborted || !(error instanceof Error)) throw error;
        // The copy may be as lost as the photo is.
        if (isOfEverything(error)) throw error;
      }
    }
  }
  if (healed.length > 0) await index.commit();
  return healed;
}

function isLost(row: Row): boolean {
  return row.state === "missing" ||
    (row.state === "live" && isBroken(row) && !isRolledBack(row));
}

/** Assets with the content of a lost one, under blobs of their own. */
function copiesOf({ index }: Healing, id: string): readonly Row[] {
  const row = index.get(id);
  const sha256 = row?.metadata?.sha256;
  if (row === undefined || sha256 === undefined) return [];
  const hash = blobOf(row, "original")?.hash;
  // What has the same blob is as damaged as this one, whoever noticed it.
  const isOther = (copy: Row) =>
    row.state === "missing" || blobOf(copy, "original")?.hash !== hash;
  return index.allByPlaintext(sha256).filter((copy) =>
    copy.id !== id && copy.state === "live" && !isBroken(copy) &&
    isOther(copy)
  );
}

async function healFrom(
  library: Healing,
  row: Row,
  copy: Row,
  signal: AbortSignal | undefined,
): Promise<void> {
  const albumId = row.album ?? library.vault.libraryAlbumId;
  const { metadata } = row;
  if (metadata === undefined) throw new TypeError("the row is not open");
  if (row.state === "missing" && copy.album !== albumId) {
    await library.copyInto(copy.id, albumId);
    return;
  }
  const { size, sha256, derivatives: _, ...about } = metadata;
  const file: NewFile = {
    source: await sourceOf(library, copy, size),
    about,
    sha256,
    derivatives: await derivativesOf(library, row, copy),
  };
  await library.take(file, { albumId, ...(signal && { signal }) });
}

/** The copy's content. Whoever seals it compares it with the hash. */
async function sourceOf(
  library: Healing,
  { id }: Row,
  size: number,
): Promise<NewFile["source"]> {
  if (size <= IN_MEMORY_BYTES) {
    return plainOf(
      concatBytes(...await Array.fromAsync(library.read(id))),
    );
  }
  const ranges = await library.ranges(id);
  return {
    size,
    read: (offset, length) =>
      ranges.read({ first: offset, last: offset + length - 1 }),
  };
}

/** Those that the lost photo had, as far as its copy has them. */
async function derivativesOf(
  library: Healing,
  row: Row,
  copy: Row,
): Promise<NewDerivative[]> {
  const wanted = new Set(row.metadata?.derivatives.map(({ kind }) => kind));
  const read: NewDerivative[] = [];
  for (const one of copy.metadata?.derivatives ?? []) {
    const { kind, size = 0 } = one;
    // A long film's copy can be made again.
    if (!wanted.has(kind) || size > DERIVATIVE_MAX_BYTES) continue;
    try {
      const pieces = library.read(copy.id, { derivative: kind });
      const bytes = concatBytes(...await Array.fromAsync(pieces));
      read.push({ ...saidOf(one), bytes });
    } catch (error) {
      if (!(error instanceof Error) || isOfEverything(error)) throw error;
    }
  }
  return read;
}
