/**
 * What a viewer of an album says of a photo there, or takes back: signed by the
 * viewer, because the album's owner stores it
 * (protocol/client-cryptography.md#what-viewers-say).
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes } from "../../core/bytes.ts";
import { signEnvelope } from "../../crypto/envelope.ts";
import type { HybridBackend, HybridSigner } from "../../crypto/hybrid.ts";
import {
  assertUtc,
  checked,
  commentText,
  DocumentError,
  hash,
  hexId,
  instant,
  MADE_BY_NEWER,
  NewerDocumentError,
  SIGNED_REMARK_MAX_BYTES,
  uuid,
} from "./fields.ts";
import { assertSigned, openDocument } from "./signed.ts";

const REMARK_TYPE = "service-album-remark/v1";
const WHAT = "album remark";

const remarkSchema = z.strictObject({
  type: z.literal(REMARK_TYPE),
  album_id: uuid,
  author: uuid,
  id: hexId,
  on: z.exactOptional(uuid),
  of: z.exactOptional(hash),
  text: z.exactOptional(commentText),
  at: instant,
});

/** What a viewer says; the type is added when it is signed. */
export interface AlbumRemark {
  readonly album_id: string;
  /** The viewer's user id. */
  readonly author: string;
  /** 16 random bytes in hex. */
  readonly id: string;
  /**
   * The photo and the SHA-256 of its plaintext, in hex. Without them the viewer
   * takes back what they said with this id.
   */
  readonly on?: string;
  readonly of?: string;
  /** Of a comment; a heart has none. */
  readonly text?: string;
  /** RFC 3339, UTC, `Z`. */
  readonly at: string;
}

/** A remark that was read; its signature is not verified yet. */
export interface OpenedRemark {
  /** What it says, and of whom. */
  readonly said: AlbumRemark;
  /**
   * Returns the remark. Throws a DocumentError unless this identity key (1,984
   * bytes) signed it.
   */
  verified(
    identityKey: Uint8Array,
    backend?: HybridBackend,
  ): Promise<AlbumRemark>;
}

/** Signs a remark. Throws a DocumentError for fields out of bounds. */
export async function signAlbumRemark(
  signer: HybridSigner,
  remark: AlbumRemark,
): Promise<Bytes> {
  const payload = checked(remarkSchema, { ...remark, type: REMARK_TYPE }, WHAT);
  assertWhole(payload);
  return await signEnvelope(signer, { ...payload });
}

/**
 * Reads a signed remark. Throws a NewerDocumentError for a later version, and a
 * DocumentError for another shape.
 */
export function openAlbumRemark(bytes: Uint8Array): OpenedRemark {
  if (bytes.length > SIGNED_REMARK_MAX_BYTES) {
    throw new DocumentError(`${WHAT}: too large`);
  }
  const opened = openDocument(bytes, WHAT);
  const named = opened.payload["type"];
  const isNewer = typeof named === "string" && named !== REMARK_TYPE &&
    named.startsWith(REMARK_TYPE.slice(0, -1));
  if (isNewer) throw new NewerDocumentError(`${WHAT} ${MADE_BY_NEWER}`);
  const { type, ...remark } = checked(remarkSchema, opened.payload, WHAT);
  assertWhole(remark);
  return {
    said: remark,
    async verified(identityKey, backend) {
      await assertSigned(opened, WHAT, type, identityKey, backend);
      return remark;
    },
  };
}

/** Throws for what the shape of the fields does not show. */
function assertWhole({ at, on, of, text }: AlbumRemark): void {
  assertUtc(WHAT, at);
  const isWhole = (on === undefined) === (of === undefined) &&
    (on !== undefined || text === undefined);
  if (!isWhole) throw new DocumentError(`${WHAT}: not whole`);
}
