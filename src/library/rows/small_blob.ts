/**
 * Reading a small blob whole: its metadata or its manifest. The size is looked
 * at before anything is fetched, and no more than that size is read, because
 * another member of an album or the server may have chosen it.
 *
 * @module
 */
import { type Bytes, concatBytes } from "../../core/bytes.ts";
import type { Account } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { piecesOf } from "../../client/stream/chunks.ts";

/** Most bytes of a metadata or provenance blob. */
const SMALL_MAX_BYTES: number = 4 * 1024 * 1024;

/** A blob's address and size, as the asset declares them. */
export interface SmallBlob {
  readonly hash: string;
  readonly size: number;
}

/**
 * Reads a small blob of an asset. Throws a DocumentError if it is too large, of
 * another size than declared, or breaks off.
 */
export async function readSmallBlob(
  account: Pick<Account, "blob">,
  assetId: string,
  { hash, size }: SmallBlob,
): Promise<Bytes> {
  if (size > SMALL_MAX_BYTES) {
    throw new DocumentError(
      `${size} bytes are more than metadata or a manifest may have`,
    );
  }
  const body = await account.blob(assetId, hash);
  if (body.first !== 0 || body.length !== size) {
    await body.stream.cancel();
    throw new DocumentError("the server serves another size than it declares");
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of piecesOf(body.stream)) {
      length += piece.length;
      if (length > size) break;
      pieces.push(piece);
    }
  } catch (cause) {
    throw new DocumentError("the server broke off while it served a blob", {
      cause,
    });
  }
  if (length === size) return concatBytes(...pieces);
  throw new DocumentError("the server serves another size than it declares");
}
