/**
 * `strongroom-off-site.json`, the one object that is not sealed as a whole. It
 * holds the key of all other objects, sealed by the passphrase or by the key
 * file, and says which of the two it is and how the key is derived.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import {
  concatBytes,
  equalBytes,
  fromUtf8,
  utf8,
} from "../../../core/bytes.ts";
import { OperatorFault } from "../../../core/operator.ts";
import type { Platform } from "../../../core/platform.ts";
import { stretch } from "../../../crypto/stretch.ts";
import { seal, unseal, Unsealable } from "./sealing.ts";

export const HEADER = "strongroom-off-site.json";
export const HEADER_MAX_BYTES = 16 * 1024;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** The second recommended option of RFC 9106, with one lane. */
const COST = { memory_kib: 64 * 1024, passes: 3 };
/** A forged header must not use up the whole machine. */
const COST_MAX = { memory_kib: 1024 * 1024, passes: 16 };

/** What opens a backup. */
export type Secret =
  | { readonly kind: "passphrase"; readonly passphrase: string }
  | { readonly kind: "key_file"; readonly key: Uint8Array };

const base64 = z.string().regex(/^[A-Za-z0-9+/]{1,8192}={0,2}$/);

const Header = z.strictObject({
  format: z.literal(1),
  secret: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("passphrase"),
      argon2id: z.strictObject({
        memory_kib: z.int().min(8).max(COST_MAX.memory_kib),
        passes: z.int().min(1).max(COST_MAX.passes),
        salt: base64,
      }),
    }),
    z.strictObject({ kind: z.literal("key_file") }),
  ]),
  sealed: base64,
});
type Header = z.infer<typeof Header>;

const Newer = z.looseObject({ format: z.int().min(2).max(99) });
const Summed = z.looseObject({ sha256: z.string() });

/** The content of `sealed`. */
const Held = z.strictObject({
  master_key: base64,
  /** The first attestation key, which identifies a server. */
  attestation_key: z.string().regex(/^[0-9a-f]{64}$/),
});

export interface Held {
  readonly masterKey: Uint8Array<ArrayBuffer>;
  readonly attestationKey: string;
}

function render(header: Header): Uint8Array<ArrayBuffer> {
  const text = (value: unknown) => JSON.stringify(value, null, 2) + "\n";
  const body = Header.parse(header);
  const sha256 = createHash("sha256").update(text(body)).digest("hex");
  return utf8(text({ ...body, sha256 }));
}

/** What the header of a new backup holds. */
export function newHeld(
  attestationKey: string,
  { random }: Pick<Platform, "random">,
): Held {
  return { masterKey: random(KEY_BYTES), attestationKey };
}

/**
 * A header that a secret opens, and the key that was made of the secret for it:
 * to make it again takes as much memory once more.
 */
export async function sealHeader(
  secret: Secret,
  { masterKey, attestationKey }: Held,
  { random }: Pick<Platform, "random">,
): Promise<
  { readonly bytes: Uint8Array<ArrayBuffer>; readonly key: Uint8Array }
> {
  const how: Header["secret"] = secret.kind === "key_file"
    ? { kind: "key_file" }
    : {
      kind: "passphrase",
      argon2id: { ...COST, salt: random(SALT_BYTES).toBase64() },
    };
  const content = utf8(JSON.stringify({
    master_key: masterKey.toBase64(),
    attestation_key: attestationKey,
  }));
  const key = await keyOf(secret, how);
  const pieces = await Array.fromAsync(seal(
    { master: key, name: HEADER, salt: random(32) },
    content.length,
    one(content),
  ));
  const sealed = concatBytes(...pieces).toBase64();
  return { bytes: render({ format: 1, secret: how, sealed }), key };
}

/**
 * Opens a header, with the `key` of its secret if that was made before. An
 * {@link OperatorFault} says why it does not open.
 */
export async function openHeader(
  bytes: Uint8Array,
  secret: Secret,
  name: string,
  key?: Uint8Array,
): Promise<Held> {
  const header = parseHeader(bytes, name);
  if (header.secret.kind !== secret.kind) {
    const given = secret.kind === "passphrase" ? "a passphrase" : "a key file";
    const wanted = secret.kind === "passphrase" ? "a key file" : "a passphrase";
    throw new OperatorFault(
      `${name} is encrypted with ${wanted}, but ${given} was given: give ` +
        `${wanted}`,
    );
  }
  try {
    const pieces = await Array.fromAsync(unseal(
      key ?? await keyOf(secret, header.secret),
      HEADER,
      one(Uint8Array.fromBase64(header.sealed)),
    ));
    const held = Held.parse(JSON.parse(fromUtf8(concatBytes(...pieces)) ?? ""));
    return {
      masterKey: Uint8Array.fromBase64(held.master_key),
      attestationKey: held.attestation_key,
    };
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
    const what = secret.kind === "passphrase" ? "passphrase" : "key file";
    throw new OperatorFault(
      `${name} is encrypted with another ${what}, so nothing was read: ` +
        "give the one that it was begun with, or the one that it got since",
    );
  }
}

function parseHeader(bytes: Uint8Array, name: string): Header {
  try {
    const whole: unknown = JSON.parse(fromUtf8(bytes) ?? "");
    if (Newer.safeParse(whole).success) {
      throw new OperatorFault(
        `${name} was made by a newer program: run that one`,
      );
    }
    const { sha256: _, ...body } = Summed.parse(whole);
    const header = Header.parse(body);
    if (equalBytes(render(header), bytes)) return header;
  } catch (error) {
    if (error instanceof OperatorFault) throw error;
  }
  throw new OperatorFault(
    `${name}: ${HEADER} was changed since it was written, and nothing ` +
      "opens without it: restore your own copy of it",
  );
}

async function keyOf(
  secret: Secret,
  how: Header["secret"],
): Promise<Uint8Array> {
  if (secret.kind === "key_file") return secret.key;
  if (how.kind !== "passphrase") throw new Error("another kind of secret");
  const { memory_kib: memoryKib, passes, salt } = how.argon2id;
  const cost = { memoryKib, passes };
  return await stretch(secret.passphrase, Uint8Array.fromBase64(salt), cost);
}

async function* one(
  bytes: Uint8Array,
): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}
