/**
 * The line of the keys that sign a server's public logs
 * (protocol/logs.md#keys): each signs that the next one follows it.
 *
 * @module
 */
import { type Bytes, concatBytes, toHex, utf8 } from "../../core/bytes.ts";
import { encodeCanonical } from "../../core/cbor.ts";
import { toRfc3339 } from "../../core/time.ts";
import { sha256 } from "../sha256.ts";
import { noteSigner } from "./signed_note.ts";

/** The signing domain, and the first item of the signed array. */
const LOG_SUCCESSION_DOMAIN = "service-log-key-succession/v1";

/** The algorithm's name on the wire. */
export const LOG_KEY_ALGORITHM = "Ed25519";

/** The fingerprint of a key: SHA-256 in lowercase hex. */
export function logKeyId(publicKey: Uint8Array): string {
  return toHex(sha256(publicKey));
}

/** What a key of the logs signs of the next one. */
export function messageOf(
  serverId: string,
  next: { readonly keyId: string; readonly activeFrom: number },
): Bytes {
  const from = toRfc3339(next.activeFrom);
  const statement = [LOG_SUCCESSION_DOMAIN, serverId, next.keyId, from];
  return concatBytes(
    utf8(LOG_SUCCESSION_DOMAIN),
    new Uint8Array(1),
    encodeCanonical(statement),
  );
}

/** Makes the function with which a key of the logs endorses the next one. */
export function endorsedLogKeyFor(serverId: string) {
  return async (
    before: Uint8Array<ArrayBuffer>,
    next: {
      readonly seed: Uint8Array<ArrayBuffer>;
      readonly activeFrom: number;
    },
  ): Promise<Bytes> => {
    const signer = await noteSigner(before);
    const { publicKey } = await noteSigner(next.seed);
    const message = messageOf(serverId, {
      keyId: logKeyId(publicKey),
      activeFrom: next.activeFrom,
    });
    return new Uint8Array(await signer.sign(message));
  };
}
