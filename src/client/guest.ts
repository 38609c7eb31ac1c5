/**
 * What a guest seals for the owner of an upload link
 * (protocol/client-cryptography.md#upload-link): a random file key together
 * with name and mime.
 *
 * Decided here where the suite leaves it open: the plaintext is JSON
 * `{v: 1, name, mime, key}`, sealed under the label `service-guest-upload/v1`
 * with the link's `opaque_id` as associated data; the blob has the default
 * chunk size.
 *
 * @module
 */
import * as z from "zod";
import { type Bytes, type RandomBytes, utf8 } from "../core/bytes.ts";
import { portablePrimitives, type Primitives } from "../crypto/primitives.ts";
import { fileName, mediaType } from "./fields.ts";
import { decodeJson, encodeJson, key } from "./json.ts";
import { openSealed, sealTo } from "./sealing.ts";

const LABEL = "service-guest-upload/v1";

const guestFileSchema = z.object({
  v: z.literal(1),
  name: fileName,
  mime: mediaType,
  /** File key of the blob, 32 bytes. */
  key,
});

/** What the owner learns of a guest's file. */
export type GuestFile = z.output<typeof guestFileSchema>;

/**
 * The `sealed_metadata` of a guest's upload. `recipientKey` is the link's
 * X-Wing public key. Throws DocumentError for values out of bounds.
 */
export function sealGuestFile(
  file: GuestFile,
  recipientKey: Uint8Array,
  opaqueId: string,
  random: RandomBytes,
  primitives: Primitives = portablePrimitives,
): Bytes {
  const plaintext = encodeJson(guestFileSchema, file, "guest file");
  return sealTo(
    recipientKey,
    plaintext,
    LABEL,
    utf8(opaqueId),
    random,
    primitives,
  );
}

/**
 * What a guest sealed; undefined when it does not open. Throws DocumentError
 * when it opens to another shape: guests are strangers.
 */
export function openGuestFile(
  sealedMetadata: Uint8Array,
  secretKey: Uint8Array,
  opaqueId: string,
  primitives: Primitives = portablePrimitives,
): GuestFile | undefined {
  const plaintext = openSealed(
    secretKey,
    sealedMetadata,
    LABEL,
    utf8(opaqueId),
    primitives,
  );
  if (plaintext === undefined) return undefined;
  return decodeJson(guestFileSchema, plaintext, "guest file");
}
