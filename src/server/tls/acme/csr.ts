/**
 * The request for a certificate (PKCS #10, RFC 2986): a key of P-256 and one
 * name, in DER.
 *
 * @module
 */
import { createPublicKey, type KeyObject, sign } from "node:crypto";
import { concatBytes, utf8 } from "../../../core/bytes.ts";

const SEQUENCE = 0x30;
const SET = 0x31;
const OID = 0x06;
const OCTETS = 0x04;
const BITS = 0x03;
const INTEGER = 0x02;
/** Of a name in the alternative names. */
const DNS_NAME = 0x82;
/** Attributes of the request. */
const ATTRIBUTES = 0xa0;

/** 1.2.840.113549.1.9.14, 2.5.29.17, 1.2.840.10045.4.3.2. */
const EXTENSION_REQUEST = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 14];
const ALTERNATIVE_NAMES = [0x55, 0x1d, 0x11];
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2];

/** One element with its length in front. */
function der(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const content = concatBytes(...parts);
  const { length } = content;
  const head = length < 0x80
    ? [tag, length]
    : length < 0x100
    ? [tag, 0x81, length]
    : [tag, 0x82, length >> 8, length & 0xff];
  return concatBytes(Uint8Array.from(head), content);
}

const oid = (arcs: readonly number[]) => der(OID, Uint8Array.from(arcs));

/** Asks for a certificate of a name, for a private key of P-256. */
export function certificateRequest(key: KeyObject, name: string): Uint8Array {
  const publicKey = new Uint8Array(
    createPublicKey(key).export({ type: "spki", format: "der" }),
  );
  const names = der(SEQUENCE, der(DNS_NAME, utf8(name)));
  const extensions = der(
    SEQUENCE,
    der(SEQUENCE, oid(ALTERNATIVE_NAMES), der(OCTETS, names)),
  );
  const info = der(
    SEQUENCE,
    der(INTEGER, Uint8Array.of(0)),
    // The name stands in the extension alone.
    der(SEQUENCE),
    publicKey,
    der(
      ATTRIBUTES,
      der(SEQUENCE, oid(EXTENSION_REQUEST), der(SET, extensions)),
    ),
  );
  const signature = new Uint8Array(sign("sha256", info, key));
  return der(
    SEQUENCE,
    info,
    der(SEQUENCE, oid(ECDSA_WITH_SHA256)),
    der(BITS, Uint8Array.of(0), signature),
  );
}
