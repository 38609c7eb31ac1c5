/**
 * The anonymous viewer: a link, and nothing of what the owner knows.
 *
 * @module
 */
import { equalBytes, toHex } from "../../src/core/bytes.ts";
import type { Client } from "../../src/client/api/api.ts";
import {
  nativePrimitives,
  nativeSha256,
} from "../../src/client/keys/native.ts";
import {
  decodeShareIndex,
  type ShareIndex,
  type ShareLink,
} from "../../src/client/documents/share.ts";
import { piecesOf } from "../../src/client/stream/chunks.ts";
import {
  type BlobKey,
  decryptBlob,
  decryptBytes,
  StreamError,
} from "../../src/client/stream/stream.ts";
import { readFully } from "./folder.ts";

/** A viewer with a link open. */
interface Viewer {
  readonly index: ShareIndex;
  /** The plaintext of a blob; throws at its end if the blob was another. */
  readonly read: (hash: string, key: BlobKey) => AsyncGenerator<Uint8Array>;
}

/** Opens a link whose secret stands in its fragment. */
export async function openLink(
  client: Client,
  link: ShareLink,
): Promise<Viewer> {
  if (link.secret === undefined) throw new Error("the link has no secret");
  const { metadata_hash: hash } = await client.viewShare(link.opaqueId);
  const ciphertext = await client.sharedBlob(link.opaqueId, hash);
  const key = { fileKey: link.secret, primitives: nativePrimitives };
  const blob = new Uint8Array(
    await new Response(ciphertext.stream).arrayBuffer(),
  );
  return {
    index: decodeShareIndex(await decryptBytes(key, blob)),
    async *read(hash, blobKey) {
      const { stream } = await client.sharedBlob(link.opaqueId, hash);
      yield* decryptBlob(
        { ...blobKey, primitives: nativePrimitives },
        checked(piecesOf(stream), hash),
      );
    },
  };
}

/** Passes a blob on and throws at its end if it has another address. */
async function* checked(
  blob: AsyncIterable<Uint8Array>,
  hash: string,
): AsyncGenerator<Uint8Array, void> {
  const running = nativeSha256();
  for await (const piece of blob) {
    running.update(piece);
    yield piece;
  }
  if (toHex(running.digest()) !== hash) {
    throw new StreamError("corrupt", "the blob is not the one that was asked");
  }
}

/**
 * Compares what arrives with a file, byte for byte. Undefined when they are
 * equal; otherwise what differs, for people.
 */
export async function differenceFrom(
  path: string,
  arriving: AsyncIterable<Uint8Array>,
  onProgress: (bytes: number) => void = () => {},
): Promise<string | undefined> {
  using file = await Deno.open(path);
  let offset = 0;
  try {
    for await (const piece of arriving) {
      const expected = await readFully(file, new Uint8Array(piece.length));
      if (!equalBytes(piece, expected)) {
        return expected.length < piece.length
          ? `is longer than the file, which ends at ${offset + expected.length}`
          : `differs from the file near byte ${offset}`;
      }
      offset += piece.length;
      onProgress(offset);
    }
  } catch (error) {
    if (!(error instanceof StreamError)) throw error;
    return `cannot be decrypted: ${error.message}`;
  }
  const more = await readFully(file, new Uint8Array(1));
  return more.length === 0
    ? undefined
    : `ends at byte ${offset}, before the file does`;
}
