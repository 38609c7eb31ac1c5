/**
 * The escrow box (protocol/client-cryptography.md#escrow-box): 32 bytes sealed
 * under a passphrase. A box carries a link's half of a secret or its gate;
 * several of them, in `recovery.ts`, carry the master key. The label, which is
 * in the associated data, keeps these uses apart.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, type RandomBytes, utf8 } from "../../core/bytes.ts";
import {
  CborError,
  decodeCanonical,
  encodeCanonical,
} from "../../core/cbor.ts";
import {
  portablePrimitives,
  type Primitives,
} from "../../crypto/primitives.ts";
import {
  argon2,
  type Argon2Cost,
  type Argon2Engine,
  passphraseBytes,
  SUITE_ARGON2_COST,
} from "../keys/argon2.ts";
import {
  anyBytes,
  checked,
  DocumentError,
  NewerDocumentError,
} from "./fields.ts";
import { assertKnownVersion } from "./json.ts";
import { assertKey, KEY_BYTES, NONCE_BYTES, TAG_BYTES } from "./suite.ts";

const SALT_BYTES = 16;

/** Why a box did not open; `newer`: a newer program made it. */
export type EscrowFault = "unreadable" | "newer" | "passphrase_wrong";

/** A box could not be opened. */
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

/** Implementations to use; the defaults suit a browser. */
export interface PassphraseOptions {
  readonly primitives?: Primitives;
  readonly engine?: Argon2Engine;
}

/** Options of sealing. */
export interface SealPassphraseOptions extends PassphraseOptions {
  /** The suite's cost by default; tests use less. */
  readonly cost?: Argon2Cost;
}

/** A secret sealed under a passphrase, in a box or in an escrow blob. */
export interface SealedSecret {
  readonly kdf: {
    readonly salt: Uint8Array;
    readonly memory_kib: number;
    readonly passes: number;
    readonly lanes: number;
  };
  readonly nonce: Uint8Array;
  readonly box: Uint8Array;
}

/** The fields of a {@link SealedSecret}. */
export const SEALED_FIELDS = {
  // Upper bounds, so that a box from a malicious server cannot cost more to
  // try.
  kdf: z.strictObject({
    salt: bytesBetween(8, 64),
    memory_kib: z.int().check(z.gte(8), z.lte(262_144)),
    passes: z.int().check(z.gte(1), z.lte(16)),
    lanes: z.int().check(z.gte(1), z.lte(4)),
  }).check(z.refine((kdf) => kdf.memory_kib >= 8 * kdf.lanes)),
  nonce: bytesBetween(NONCE_BYTES, NONCE_BYTES),
  box: bytesBetween(KEY_BYTES + TAG_BYTES, KEY_BYTES + TAG_BYTES),
};

const boxSchema = z.strictObject({ v: z.literal(1), ...SEALED_FIELDS });

/**
 * Seals a 32-byte secret; `associated` names its use. Throws a RangeError for
 * an empty passphrase.
 */
export async function sealSecret(
  passphrase: string,
  secret: Uint8Array,
  associated: string,
  random: RandomBytes,
  options: SealPassphraseOptions = {},
): Promise<SealedSecret> {
  assertKey(secret, "what a passphrase seals");
  const { primitives = portablePrimitives, cost = SUITE_ARGON2_COST } = options;
  const password = passphraseBytes(passphrase);
  if (password.length === 0) throw new RangeError("the passphrase is empty");
  const salt = random(SALT_BYTES);
  const nonce = random(NONCE_BYTES);
  const key = await (options.engine ?? argon2)(password, salt, cost);
  return {
    kdf: {
      salt,
      memory_kib: cost.memoryKib,
      passes: cost.passes,
      lanes: cost.lanes,
    },
    nonce,
    box: primitives.seal(key, nonce, secret, utf8(associated)),
  };
}

/**
 * Opens a sealed secret; undefined if the passphrase is another or the box was
 * changed.
 */
export async function openSecret(
  passphrase: string,
  { kdf, nonce, box }: SealedSecret,
  associated: string,
  options: PassphraseOptions = {},
): Promise<Bytes | undefined> {
  const password = passphraseBytes(passphrase);
  if (password.length === 0) return undefined;
  const primitives = options.primitives ?? portablePrimitives;
  const key = await (options.engine ?? argon2)(password, kdf.salt, {
    memoryKib: kdf.memory_kib,
    passes: kdf.passes,
    lanes: kdf.lanes,
  });
  return primitives.open(key, nonce, box, utf8(associated));
}

/**
 * Makes the box of a 32-byte secret under a passphrase and a label: canonical
 * CBOR `{v: 1, kdf, nonce, box}`. Throws a RangeError for an empty passphrase.
 */
export async function sealWithPassphrase(
  passphrase: string,
  secret: Uint8Array,
  label: string,
  random: RandomBytes,
  options: SealPassphraseOptions = {},
): Promise<Bytes> {
  const { kdf, nonce, box } = await sealSecret(
    passphrase,
    secret,
    label,
    random,
    options,
  );
  return encodeCanonical({ v: 1, kdf: { ...kdf }, nonce, box });
}

/**
 * Opens what {@link sealWithPassphrase} sealed under the same label. Throws an
 * {@link EscrowError}: `unreadable` for another format or a cost out of bounds,
 * `newer` for a later version, `passphrase_wrong` if the box does not open,
 * which may also mean that it is damaged.
 */
export async function openWithPassphrase(
  passphrase: string,
  bytes: Uint8Array,
  label: string,
  options: PassphraseOptions = {},
): Promise<Bytes> {
  const box = readEscrowCbor(boxSchema, bytes);
  const secret = await openSecret(passphrase, box, label, options);
  if (secret === undefined) throw wrongPassphrase();
  return secret;
}

/** The least cost of a link's box, which a server hands to strangers. */
const LINK_MEMORY_KIB = 19 * 1024;
const LINK_PASSES = 2;

/**
 * Makes the box of a link: of 32 bytes, under a label and the link's id. A cost
 * below 19 MiB or 2 passes is raised to that.
 */
export function sealForLink(
  passphrase: string,
  secret: Uint8Array,
  of: { readonly label: string; readonly opaqueId: string },
  random: RandomBytes,
  options: SealPassphraseOptions = {},
): Promise<Bytes> {
  const { cost = SUITE_ARGON2_COST } = options;
  return sealWithPassphrase(passphrase, secret, boundTo(of), random, {
    ...options,
    cost: {
      ...cost,
      memoryKib: Math.max(cost.memoryKib, LINK_MEMORY_KIB),
      passes: Math.max(cost.passes, LINK_PASSES),
    },
  });
}

/**
 * Opens what {@link sealForLink} sealed for the same link, with the passphrase as
 * it was typed, or else in lower case. Throws an
 * {@link EscrowError} as {@link openWithPassphrase} does, and `unreadable` for a
 * cost below 19 MiB or 2 passes.
 */
export async function openForLink(
  passphrase: string,
  bytes: Uint8Array,
  of: { readonly label: string; readonly opaqueId: string },
  options: PassphraseOptions = {},
): Promise<Bytes> {
  const { kdf } = readEscrowCbor(boxSchema, bytes);
  if (kdf.memory_kib < LINK_MEMORY_KIB || kdf.passes < LINK_PASSES) {
    throw new EscrowError("unreadable", "the box costs too little to guess");
  }
  const open = (typed: string) =>
    openWithPassphrase(typed, bytes, boundTo(of), options);
  try {
    return await open(passphrase);
  } catch (error) {
    // Keyboards of phones begin with a capital letter.
    const lower = passphrase.trim().toLowerCase();
    const isWrong = error instanceof EscrowError &&
      error.fault === "passphrase_wrong";
    if (!isWrong || lower === passphrase) throw error;
    return await open(lower);
  }
}

function boundTo(
  { label, opaqueId }: { readonly label: string; readonly opaqueId: string },
): string {
  return `${label}\0${opaqueId}`;
}

/** The error for a wrong passphrase. */
export function wrongPassphrase(): EscrowError {
  return new EscrowError("passphrase_wrong", "the passphrase does not open it");
}

/** Reads canonical CBOR by a schema. Throws an {@link EscrowError}. */
export function readEscrowCbor<T extends z.ZodMiniType>(
  schema: T,
  bytes: Uint8Array,
  version = 1,
): z.output<T> {
  try {
    const value = decodeCanonical(bytes, { maxDepth: 4 });
    assertKnownVersion(value, version, "it");
    return checked(schema, value, "it");
  } catch (cause) {
    if (cause instanceof NewerDocumentError) {
      throw new EscrowError("newer", cause.message, { cause });
    }
    if (!(cause instanceof CborError || cause instanceof DocumentError)) {
      throw cause;
    }
    throw new EscrowError("unreadable", "not what a passphrase opens", {
      cause,
    });
  }
}

function bytesBetween(min: number, max: number) {
  return anyBytes.check(
    z.refine((bytes) => bytes.length >= min && bytes.length <= max),
  );
}
