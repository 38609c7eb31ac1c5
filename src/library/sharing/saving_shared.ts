/**
 * Saving what a share link shows to one's own library. A program that has the
 * account's keys opens the link; the page of the link never sees them. Each
 * file is compared with its address and hashed here: what the link says of a
 * file is a stranger's word.
 *
 * @module
 */
import { type Bytes, concatBytes } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { ApiProblem } from "../../client/api/transport.ts";
import { createViewer, type ShareCalls } from "../../client/api/links.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import type { Metadata } from "../../client/documents/metadata.ts";
import {
  decodeShareIndex,
  type ShareItem,
  type ShareLink,
  type SharePicture,
  unlockShare,
} from "../../client/documents/share.ts";
import { piecesOf } from "../../client/stream/chunks.ts";
import { decryptBytes, StreamError } from "../../client/stream/stream.ts";
import { readFileFacts } from "../../media/exif/mod.ts";
import { clientOptions, passphraseOptions } from "../base/platform.ts";
import type { NewDerivative } from "../adding/upload_types.ts";
import { isOfEverything } from "../base/faults.ts";
import type { Library } from "../library.ts";
import { plainOf } from "../rows/plaintext_cache.ts";
import { DamagedBlob } from "../rows/pull.ts";
import { blobOf, isShown, type Row } from "../rows/rows.ts";

/** Larger files are not saved: they are held in memory (bytes). */
const LARGEST_BYTES = 512 * 1024 * 1024;

/** A link whose contents are to be saved. */
interface SharedLink extends ShareLink {
  readonly passphrase?: string;
}

/** Options of saving. */
interface SavingShared {
  readonly onFile?: (
    name: string,
    outcome: "kept" | "known" | "failed",
    at: { readonly done: number; readonly of: number },
  ) => void;
  readonly signal?: AbortSignal;
}

/** How many files came to what. */
export interface SavedShared {
  kept: number;
  known: number;
  failed: number;
}

/**
 * Saves everything that a link of the account's own server shows. What this
 * account may read anyway, such as in an album, is not sent again. Throws a
 * DocumentError for a link that is cut off or of another server, EscrowError for
 * a wrong passphrase, and what ends all of it, such as a ConnectionError.
 */
export async function saveShared(
  library: Library,
  link: SharedLink,
  { onFile, signal }: SavingShared = {},
): Promise<SavedShared> {
  const { session } = library.vault;
  const { platform } = session;
  const { opaqueId, secret: fragment, passphrase } = link;
  if (fragment === undefined) throw new DocumentError("the link is cut off");
  const { origins } = library;
  if (link.origin !== origins.opened && link.origin !== origins.links) {
    throw new DocumentError("the link is of another server");
  }
  const viewer = createViewer(clientOptions(platform, origins.opened));
  const { metadata_hash } = await viewer.viewShare(opaqueId);
  const secret = passphrase === undefined ? fragment : await unlockShare(
    passphrase,
    await viewer.sharedSecret(opaqueId),
    { opaqueId, fragment },
    passphraseOptions(platform),
  );
  const read = (hash: string, fileKey: Uint8Array, chunkSize?: number) =>
    opened(viewer, opaqueId, hash, { fileKey, chunkSize });
  const { items } = decodeShareIndex(await read(metadata_hash, secret));
  const stopping = signal === undefined ? {} : { signal };
  const fetched = async (item: ShareItem) => {
    const { size, hash, key, chunk_size } = item;
    if (size > LARGEST_BYTES) throw new DocumentError("it is too large");
    const bytes = await read(hash, key, chunk_size);
    const picture = (kind: "thumbnail" | "preview", one?: SharePicture) =>
      pictureOf(kind, one, read);
    const made = [
      await picture("thumbnail", item.thumbnail),
      await picture("preview", item.preview),
    ].flatMap((one) => one ?? []);
    const { outcome } = await library.take({
      source: plainOf(bytes),
      about: await aboutOf(item, bytes),
      derivatives: made,
    }, stopping);
    return outcome;
  };
  const held = originalsHere(library);
  const done: SavedShared = { kept: 0, known: 0, failed: 0 };
  for (const [at, item] of items.entries()) {
    signal?.throwIfAborted();
    let outcome: keyof SavedShared;
    try {
      outcome = await copied(library, held.get(item.hash), stopping) ??
        await fetched(item);
    } catch (error) {
      const isItsOwn = error instanceof DocumentError ||
        error instanceof StreamError || error instanceof DamagedBlob;
      if (!isItsOwn) throw error;
      outcome = "failed";
    }
    done[outcome] += 1;
    onFile?.(item.name, outcome, { done: at + 1, of: items.length });
  }
  await library.index.commit();
  return done;
}

/** The assets that this account can read, by their originals' addresses. */
function originalsHere({ index }: Library): ReadonlyMap<string, Row> {
  return new Map([...index.rows()].flatMap((row) => {
    const original = blobOf(row, "original");
    const isHere = isShown(row) && row.fault === undefined;
    return isHere && original ? [[original.hash, row] as const] : [];
  }));
}

/** Saves an asset without its bytes; undefined where that is refused. */
async function copied(
  library: Library,
  row: Row | undefined,
  options: { readonly signal?: AbortSignal },
) {
  if (row === undefined) return undefined;
  try {
    const { libraryAlbumId, session } = library.vault;
    const { outcome } = await library.copyInto(
      row.id,
      libraryAlbumId,
      options,
    );
    // That is known which a member says it is. What it is, the link shows.
    const isTheirWord = outcome === "known" && row.owner !== session.userId;
    return isTheirWord ? undefined : outcome;
  } catch (error) {
    if (isOfEverything(error)) throw error;
    // It left the album, or is not what its member said: the link shows more.
    const isOfAsset = error instanceof DocumentError ||
      error instanceof ApiProblem;
    if (isOfAsset) return undefined;
    throw error;
  }
}

async function opened(
  viewer: ShareCalls,
  opaqueId: string,
  hash: string,
  key: {
    readonly fileKey: Uint8Array;
    readonly chunkSize?: number | undefined;
  },
) {
  const { size, stream } = await viewer.sharedBlob(opaqueId, hash);
  if (size > LARGEST_BYTES * 1.01) throw new DocumentError("it is too large");
  const pieces: Uint8Array[] = [];
  let held = 0;
  for await (const piece of piecesOf(stream)) {
    held += piece.length;
    if (held > size) throw new DamagedBlob(`more than ${size} bytes`);
    pieces.push(piece);
  }
  const sealed = concatBytes(...pieces);
  if (sha256Hex(sealed) !== hash) throw new DamagedBlob("another blob");
  const { fileKey, chunkSize } = key;
  return await decryptBytes({
    fileKey,
    ...(chunkSize === undefined ? {} : { chunkSize }),
  }, sealed);
}

async function pictureOf(
  kind: NewDerivative["kind"],
  picture: SharePicture | undefined,
  read: (
    hash: string,
    key: Uint8Array,
  ) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<NewDerivative | undefined> {
  if (picture === undefined) return undefined;
  const { hash, key, mime, width, height } = picture;
  return { kind, mime, width, height, bytes: await read(hash, key) };
}

/**
 * What the link says of a file: its name, its caption and when it was taken;
 * and what the file itself has inside.
 */
async function aboutOf(
  { name, mime, taken_at, caption, duration_ms }: ShareItem,
  bytes: Bytes,
): Promise<Omit<Metadata, "size" | "sha256" | "derivatives">> {
  const source = plainOf(bytes);
  const { inside, place } = await readFileFacts(source, { isMedia: true });
  return {
    name,
    mime,
    ...(inside === undefined ? {} : { inside }),
    ...(place === undefined ? {} : { place }),
    ...(taken_at === undefined
      ? {}
      : { taken_at, taken_source: "sidecar" as const }),
    ...(caption === undefined ? {} : { caption }),
    ...(duration_ms === undefined ? {} : { duration_ms }),
  };
}
