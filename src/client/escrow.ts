/**
 * The escrow blob (protocol/client-cryptography.md#escrow-box): 32 bytes under
 * a passphrase. Carries the master key to recovery and a share's secret behind
 * a passphrase; the label, its associated data, keeps the two apart.
 *
 * Canonical CBOR `{v: 1, kdf: {salt, memory_kib, passes, lanes}, nonce, box}`;
 * salt 16 random bytes, nonce 12, box = ChaCha20-Poly1305(Argon2id(passphrase,
 * salt), secret).
 *
 * @module
 */
import * as z from "zod";
import { type Bytes, type RandomBytes, utf8 } from "../core/bytes.ts";
import { CborError, decodeCanonical, encodeCanonical } from "../core/cbor.ts";
import { portablePrimitives, type Primitives } from "../crypto/primitives.ts";
import {
  argon2,
  type Argon2Cost,
  type Argon2Engine,
  passphraseBytes,
  SUITE_ARGON2_COST,
} from "./argon2.ts";
import { anyBytes } from "./fields.ts";
import { assertKey, KEY_BYTES, NONCE_BYTES } from "./suite.ts";

const ESCROW_LABEL = "service-escrow/v1";
const SALT_BYTES = 16;

/** Why a box did not open. */
export type EscrowFault = "unreadable" | "passphrase_wrong";

/** A box that did not open. */
export class EscrowError extends Error {
  override readonly name = "EscrowError";
  constructor(
    readonly fault: EscrowFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Implementations to use; the defaults are right for a browser. */
export interface PassphraseOptions {
  readonly primitives?: Primitives;
  readonly engine?: Argon2Engine;
}

// A box from a hostile server must not cost more than this to try.
const boxSchema = z.strictObject({
  v: z.literal(1),
  kdf: z.strictObject({
    salt: bytesBetween(8, 64),
    memory_kib: z.int().min(8).max(262_144),
    passes: z.int().min(1).max(16),
    lanes: z.int().min(1).max(4),
  }).refine((kdf) => kdf.memory_kib >= 8 * kdf.lanes),
  nonce: bytesBetween(NONCE_BYTES, NONCE_BYTES),
  box: bytesBetween(KEY_BYTES + 16, KEY_BYTES + 16),
});

/**
 * Seals a 32-byte secret under a passphrase and a label. `cost` is the suite's
 * unless a test asks for less. Throws a RangeError for an empty passphrase.
 */
export async function sealWithPassphrase(
  passphrase: string,
  secret: Uint8Array,
  label: string,
  random: RandomBytes,
  options: PassphraseOptions & { readonly cost?: Argon2Cost } = {},
): Promise<Bytes> {
  assertKey(secret, "what a passphrase seals");
  const { primitives = portablePrimitives, cost = SUITE_ARGON2_COST } = options;
  const password = passphraseBytes(passphrase);
  if (password.length === 0) throw new RangeError("the passphrase is empty");
  const salt = random(SALT_BYTES);
  const nonce = random(NONCE_BYTES);
  const key = await (options.engine ?? argon2)(password, salt, cost);
  return encodeCanonical({
    v: 1,
    kdf: {
      salt,
      memory_kib: cost.memoryKib,
      passes: cost.passes,
      lanes: cost.lanes,
    },
    nonce,
    box: primitives.seal(key, nonce, secret, utf8(label)),
  });
}

/**
 * Opens what {@link sealWithPassphrase} sealed under the same label. Throws an
 * {@link EscrowError}: `unreadable` for another format or a cost out of bounds,
 * `passphrase_wrong` when the box does not open (it may as well be damaged).
 */
export async function openWithPassphrase(
  passphrase: string,
  bytes: Uint8Array,
  label: string,
  options: PassphraseOptions = {},
): Promise<Bytes> {
  const { kdf, nonce, box } = readBox(bytes);
  const password = passphraseBytes(passphrase);
  const primitives = options.primitives ?? portablePrimitives;
  const secret = password.length === 0 ? undefined : primitives.open(
    await (options.engine ?? argon2)(password, kdf.salt, {
      memoryKib: kdf.memory_kib,
      passes: kdf.passes,
      lanes: kdf.lanes,
    }),
    nonce,
    box,
    utf8(label),
  );
  if (secret === undefined) {
    throw new EscrowError(
      "passphrase_wrong",
      "the passphrase does not open it",
    );
  }
  return secret;
}

/** The escrow blob of a master key under the recovery phrase. */
export function escrowMasterKey(
  recoveryPhrase: string,
  masterKey: Uint8Array,
  random: RandomBytes,
  options: PassphraseOptions & { readonly cost?: Argon2Cost } = {},
): Promise<Bytes> {
  return sealWithPassphrase(
    recoveryPhrase,
    masterKey,
    ESCROW_LABEL,
    random,
    options,
  );
}

/** The master key of an escrow blob. Throws an {@link EscrowError}. */
export function recoverMasterKey(
  recoveryPhrase: string,
  escrow: Uint8Array,
  options: PassphraseOptions = {},
): Promise<Bytes> {
  return openWithPassphrase(recoveryPhrase, escrow, ESCROW_LABEL, options);
}

function readBox(bytes: Uint8Array): z.infer<typeof boxSchema> {
  try {
    return boxSchema.parse(decodeCanonical(bytes, { maxDepth: 2 }));
  } catch (cause) {
    if (!(cause instanceof CborError || cause instanceof z.ZodError)) {
      throw cause;
    }
    throw new EscrowError("unreadable", "not a box of version 1", { cause });
  }
}

function bytesBetween(min: number, max: number) {
  return anyBytes.refine((bytes) => bytes.length >= min && bytes.length <= max);
}
