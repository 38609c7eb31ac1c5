/**
 * The entries of the keys log (protocol/logs.md#the-keys-log). They say with
 * hashes alone which directories, rosters and web apps this server serves. A
 * client that has one of these finds it there; others do not learn whose it is.
 *
 * @module
 */
import { concatBytes, fromHex, utf8 } from "../../core/bytes.ts";
import { type CborValue, encodeCanonical } from "../../core/cbor.ts";
import type { AlbumId, UserId } from "../../core/ids.ts";
import { sha256 } from "../../crypto/sha256.ts";
import type { Tx } from "../../store/sqlite/database.ts";
import type { AppFiles } from "../../http/static_file.ts";

/** Before the id of an album, so that its hash is nothing else's. */
const ALBUM_DOMAIN = "service-log-album/v1";

/**
 * A published device directory, and the `key_id` of the account's anchor; null
 * where it has none yet.
 */
export function directoryEntry(
  userId: UserId,
  version: number,
  bodyHash: string,
  keyId: string | null,
): Uint8Array<ArrayBuffer> {
  return entry(
    1,
    sha256(utf8(userId)),
    version,
    digest(bodyHash),
    keyId === null ? null : digest(keyId),
  );
}

/** A published roster of an album. */
export function rosterEntry(
  albumId: AlbumId,
  version: number,
  bodyHash: string,
): Uint8Array<ArrayBuffer> {
  const album = sha256(
    concatBytes(utf8(ALBUM_DOMAIN), new Uint8Array(1), utf8(albumId)),
  );
  return entry(2, album, version, digest(bodyHash));
}

/** The web app that is served. */
export function appEntry(manifestHash: string): Uint8Array<ArrayBuffer> {
  return entry(3, digest(manifestHash));
}

/** The log that went before, with its last checkpoint. */
export function forkEntry(
  origin: string,
  checkpoint: string,
): Uint8Array<ArrayBuffer> {
  return entry(4, origin, checkpoint);
}

/** The web app's manifest: the SHA-256 of each of its files by its path. */
export function appManifest(files: AppFiles): Uint8Array<ArrayBuffer> {
  return encodeCanonical(Object.fromEntries(
    files.paths().map((path) => [path, digest(files.get(path)?.hash ?? "")]),
  ));
}

/** Appends an entry, in the transaction that makes true what it says. */
export async function appendEntry(
  tx: Tx,
  entry: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await tx.insertInto("log_entry").values({ entry }).execute();
}

function entry(...items: CborValue[]): Uint8Array<ArrayBuffer> {
  return encodeCanonical(items);
}

function digest(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  if (bytes?.length !== 32) throw new Error("no SHA-256 in hex");
  return bytes;
}
