/**
 * Ed25519 seeds in PKCS #8: WebCrypto imports no raw private keys.
 *
 * @module
 */
import { type Bytes, concatBytes } from "../core/bytes.ts";

/** PrivateKeyInfo with Ed25519's OID, up to the seed (RFC 8410 section 7). */
const PREFIX = new Uint8Array([
  ...[0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06],
  ...[0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20],
]);

/** The PKCS #8 form of a 32 byte seed. */
export function ed25519Pkcs8(seed: Uint8Array): Bytes {
  return concatBytes(PREFIX, seed);
}
