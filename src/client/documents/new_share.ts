/**
 * The id and the secret of a new link. They are apart from `share.ts` because
 * pages load the reading of indexes only when they need it.
 *
 * @module
 */
import { type Bytes, type RandomBytes, toHex } from "../../core/bytes.ts";
import { KEY_BYTES } from "./suite.ts";

const OPAQUE_ID_BYTES = 16;

/** Makes a new link: its id (32 hex characters) and its secret (32 bytes). */
export function newShare(
  random: RandomBytes,
): { opaqueId: string; secret: Bytes } {
  return {
    opaqueId: toHex(random(OPAQUE_ID_BYTES)),
    secret: new Uint8Array(random(KEY_BYTES)),
  };
}
