/**
 * Vectors of what every implementation refuses alike, and of X-Wing's draft.
 *
 * @module
 */
import { Point } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { ml_kem768_x25519 as xWing } from "@noble/post-quantum/hybrid.js";
import {
  concatBytes,
  fromHex,
  toBase64,
  toHex,
  utf8,
} from "../../src/core/bytes.ts";
import { portableBackend } from "../../src/crypto/hybrid_portable.ts";
import { littleEndian, ORDER } from "../../src/crypto/ed25519_strict.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { secretOf } from "./seeds.ts";

/** Keys of small order: for each of them R = A, S = 0 satisfies an equation. */
const SMALL = [
  "0100000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000080",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  // Not canonical: 1, 0 and -1 with a sign, and above the modulus.
  "0100000000000000000000000000000000000000000000000000000000000080",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
];

/**
 * X25519 points of low order (RFC 7748 section 6.1), 2^255 - 19 and the next;
 * each also with the bit that X25519 ignores.
 */
const LOW_ORDER = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
].flatMap((text) => {
  const high = hex(text);
  high[31] = (high[31] ?? 0) | 0x80;
  return [text, toHex(high)];
});

/** Seeds, coins and secrets of draft-connolly-cfrg-xwing-kem-10, Appendix C. */
const DRAFT = [
  [
    "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26",
    "3cb1eea988004b93103cfb0aeefd2a686e01fa4a58e8a3639ca8a1e3f9ae57e235b8cc873c23dc62b8d260169afa2f75ab916a58d974918835d25e6a435085b2",
    "d2df0522128f09dd8e2c92b1e905c793d8f57a54c3da25861f10bf4ca613e384",
  ],
  [
    "badfd6dfaac359a5efbb7bcc4b59d538df9a04302e10c8bc1cbf1a0b3a5120ea",
    "17cda7cfad765f5623474d368ccca8af0007cd9f5e4c849f167a580b14aabdefaee7eef47cb0fca9767be1fda69419dfb927e9df07348b196691abaeb580b32d",
    "f2e86241c64d60f6649fbc6c5b7d17180b780a3f34355e64a85749949c45f150",
  ],
  [
    "ef58538b8d23f87732ea63b02b4fa0f4873360e2841928cd60dd4cee8cc0d4c9",
    "22a96188d032675c8ac850933c7aff1533b94c834adbb69c6115bad4692d8619f90b0cdf8a7b9c264029ac185b70b83f2801f2f4b3f70c593ea3aeeb613a7f1b",
    "953f7f4e8c5b5049bdc771d1dffada0dd961477d1a2ae0988baa7ea6898d893f",
  ],
] as const;

function hex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = fromHex(text);
  if (bytes === undefined) throw new RangeError("not hex");
  return bytes;
}

/** A number as 32 bytes, little endian. */
function scalar(value: bigint): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    { length: 32 },
    (_, at) => Number((value >> BigInt(8 * at)) & 255n),
  );
}

/**
 * A key and a signature of it of which the equation holds times eight alone:
 * `R`, or the key, has a part of order eight.
 */
function cofactored(message: Uint8Array, weak: "R" | "key") {
  const torsion = Point.fromBytes(hex(SMALL[4] ?? ""));
  const a = littleEndian(secretOf("cofactored")) % ORDER;
  const r = littleEndian(secretOf("cofactored R")) % ORDER;
  const key = Point.BASE.multiply(a);
  const publicKey = (weak === "key" ? key.add(torsion) : key).toBytes();
  const commitment = Point.BASE.multiply(r);
  const R = (weak === "R" ? commitment.add(torsion) : commitment).toBytes();
  const k = littleEndian(sha512(concatBytes(R, publicKey, message))) % ORDER;
  const signature = concatBytes(R, scalar((r + k * a) % ORDER));
  return [new Uint8Array(publicKey), signature] as const;
}

/** Signatures, keys and ciphertexts, most of which are refused. */
export async function refusalVectors() {
  const message = utf8("any message");
  const key = await portableBackend.openEd25519(secretOf("refused"));
  const signature = new Uint8Array(await key.sign(message));
  const high = concatBytes(
    signature.subarray(0, 32),
    scalar(littleEndian(signature.subarray(32)) + ORDER),
  );
  const row = (
    why: string,
    publicKey: Uint8Array,
    signature: Uint8Array,
    holds = false,
  ) => ({
    why,
    public_key: toHex(publicKey),
    signature: toHex(signature),
    holds,
  });
  const [identity = ""] = SMALL;
  const ed25519 = [
    row("as it was signed", key.publicKey, signature, true),
    row("S is not below L", key.publicKey, high),
    ...(["R", "key"] as const).map((weak) =>
      row(
        `${weak} has a part of small order: the equation holds times eight`,
        ...cofactored(message, weak),
      )
    ),
    ...SMALL.flatMap((small) =>
      [...new Set([identity, small])].map((point) =>
        row(
          "a key of small order, or one that is not canonical",
          hex(small),
          concatBytes(hex(point), new Uint8Array(32)),
        )
      )
    ),
  ];
  const draft = DRAFT.map(([seed, coins, shared_secret]) => {
    const { publicKey } = xWing.keygen(hex(seed));
    const { cipherText } = xWing.encapsulate(publicKey, hex(coins));
    return {
      seed,
      coins,
      public_key_sha256: sha256Hex(publicKey),
      ciphertext: toBase64(cipherText),
      shared_secret,
    };
  });
  const seed = hex(DRAFT[0][0]);
  const changed = new Uint8Array(
    xWing.encapsulate(xWing.keygen(seed).publicKey, hex(DRAFT[0][1]))
      .cipherText,
  );
  changed[5] = (changed[5] ?? 0) ^ 1;
  return {
    message: toHex(message),
    ed25519,
    hybrid: {
      about: "a bit of this byte of the signature in hybrid.json is another",
      bytes: [0, 3, 40, 63, 64, 1_000, 3_372],
    },
    x_wing: {
      draft,
      implicit_rejection: {
        about: "the first ciphertext, a bit of its byte 5 another",
        shared_secret: toHex(xWing.decapsulate(changed, seed)),
      },
      low_order: LOW_ORDER,
      modulus: {
        about: "the first public key, its first three bytes these: two numbers",
        bytes: [
          { bytes: "000d00", holds: true },
          { bytes: "0000d0", holds: true },
          { bytes: "010d00", holds: false },
          { bytes: "0010d0", holds: false },
          { bytes: "ffffff", holds: false },
        ],
      },
    },
  };
}
