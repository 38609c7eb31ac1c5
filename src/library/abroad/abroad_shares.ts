/**
 * Cards and grants at their place: in the indexes of share links
 * (protocol/albums-abroad.md#links).
 *
 * @module
 */
import { type Bytes, concatBytes } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import {
  ABROAD_INDEX_MAX_BYTES,
  type AbroadKind,
  type AbroadLink,
  assertEncrypted,
  decodeAbroadIndex,
  encodeAbroadIndex,
  type ShareSecret,
} from "../../client/documents/abroad_links.ts";
import { ConnectionError } from "../../client/api/transport.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { decryptBytes, StreamError } from "../../client/stream/stream.ts";
import { piecesOf } from "../../client/stream/chunks.ts";
import { type LibraryPlatform, primitivesOf } from "../base/platform.ts";
import type { Library } from "../library.ts";
import {
  dropIndex,
  indexRow,
  type LinkContext,
  storeEncoded,
} from "../sharing/link_index.ts";
import { clientOf } from "./other_servers.ts";

const TITLE = "For your strongroom";
const MESSAGE = "Open this link in your own strongroom.";

/**
 * Puts a card or a grant where its link leads: into a new share, or in the place
 * of what the share had. `n` is one more each time.
 */
export async function putAbroadIndex(
  library: Library,
  kind: AbroadKind,
  link: ShareSecret,
  carried: Uint8Array,
  { n, expiresAt }: { readonly n: number; readonly expiresAt?: string },
): Promise<void> {
  const { account } = library.vault.session;
  const context = linkContextOf(library);
  const { opaqueId } = link;
  const texts = { n, title: TITLE, message: MESSAGE };
  const index = encodeAbroadIndex(kind, carried, texts);
  const { hash } = await storeEncoded(context, index, TITLE, link);
  const held = (await account.shares())
    .find(({ opaque_id }) => opaque_id === opaqueId);
  if (held === undefined) {
    await account.issueShare({
      opaqueId,
      metadataHash: hash,
      serves: [hash],
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
    return;
  }
  await account.changeShare(opaqueId, { metadataHash: hash, serves: [hash] });
  const before = indexRow(context, held.metadata_hash, opaqueId);
  if (before !== undefined) await dropIndex(context, before);
}

/** Ends a link and deletes its index. */
export async function endAbroadLink(
  library: Library,
  opaqueId: string,
): Promise<void> {
  await library.revokeShare(opaqueId);
}

function linkContextOf(library: Library): LinkContext {
  const { vault, albums, index, custody, deletions, origins } = library;
  return { vault, keys: albums, index, custody, deletions, origins };
}

/**
 * Reads what a link of another server carries. Throws a DocumentError if it is
 * not what the link says.
 */
export async function readAbroadLink(
  { vault }: Library,
  { kind, serverId, opaqueId, secret }: AbroadLink,
  platform: LibraryPlatform = vault.session.platform,
): Promise<Uint8Array> {
  const { server } = vault.session;
  assertEncrypted(serverId, server);
  const client = clientOf(platform, serverId);
  const { metadata_hash: hash } = await client.viewShare(opaqueId);
  const body = await client.sharedBlob(opaqueId, hash);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of piecesOf(body.stream)) {
      size += piece.length;
      if (size > ABROAD_INDEX_MAX_BYTES) {
        throw new DocumentError("the link leads to something too large");
      }
      pieces.push(piece);
    }
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    throw new ConnectionError("the answer broke off", { cause });
  }
  const blob = concatBytes(...pieces);
  if (sha256Hex(blob) !== hash) {
    throw new DocumentError("the link's server shows something else");
  }
  const index = await opened(secret, blob, platform);
  return decodeAbroadIndex(kind, index);
}

async function opened(
  fileKey: Bytes,
  blob: Bytes,
  platform: LibraryPlatform,
): Promise<Bytes> {
  try {
    const primitives = primitivesOf(platform);
    return await decryptBytes({ fileKey, primitives }, blob);
  } catch (cause) {
    if (!(cause instanceof StreamError)) throw cause;
    throw new DocumentError("the link does not open", { cause });
  }
}
