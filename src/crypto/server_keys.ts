/**
 * The server's classical keys, Ed25519: the active one, which signs, and
 * retired ones, which verify for a grace period
 * (protocol/authentication.md#tokens, protocol/signed-things.md#tokens).
 *
 * @module
 */
import { fromBase64Url, toHex } from "../core/bytes.ts";
import { DAY_MS, livesUntil } from "../core/time.ts";
import { ed25519Pkcs8 } from "./pkcs8.ts";

/** How long a retired key still verifies (ms). */
export const KEY_GRACE_MS = DAY_MS;

interface ClassicalKey {
  /** SHA-256 of the raw public key, lowercase hex: the `kid`. */
  readonly keyId: string;
  /** Raw Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly signingKey: CryptoKey;
  readonly verifyingKey: CryptoKey;
}

/** Opens the key of a 32 byte seed. */
export async function classicalKey(
  seed: Uint8Array<ArrayBuffer>,
): Promise<ClassicalKey> {
  const pkcs8 = ed25519Pkcs8(seed);
  const importPrivate = (extractable: boolean) =>
    crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", extractable, ["sign"]);
  const jwk = await crypto.subtle.exportKey("jwk", await importPrivate(true));
  const publicKey = fromBase64Url(jwk.x ?? "");
  if (publicKey === undefined) throw new Error("no public key");
  const digest = await crypto.subtle.digest("SHA-256", publicKey);
  return {
    keyId: toHex(new Uint8Array(digest)),
    publicKey,
    signingKey: await importPrivate(false),
    verifyingKey: await crypto.subtle.importKey(
      "raw",
      publicKey,
      "Ed25519",
      true,
      ["verify"],
    ),
  };
}

/**
 * A key with the time in which it signs (ms); the active one has no end yet.
 */
export interface OfficeKey {
  readonly key: ClassicalKey;
  readonly activeFrom: number;
  readonly activeTo: number | undefined;
}

/** The keys of one server, as they change with each rotation. */
export class ServerKeys {
  /** `keys` are oldest first; the last one is active. */
  constructor(private keys: readonly OfficeKey[]) {}

  get active(): ClassicalKey {
    const key = this.keys.at(-1)?.key;
    if (key === undefined) throw new Error("no access key");
    return key;
  }

  /** Replaces the keys after a rotation. */
  use(keys: readonly OfficeKey[]): void {
    this.keys = keys;
  }

  /**
   * The key of this id; throws if it does not verify at that instant. A key
   * retired by a clock that was ahead has no grace, which would otherwise last
   * until that time has come.
   */
  verifying(keyId: string, now: number): CryptoKey {
    const held = this.keys.find(({ key }) => key.keyId === keyId);
    const graceEndsAt = (held?.activeTo ?? now) + KEY_GRACE_MS;
    if (held === undefined || !livesUntil(graceEndsAt, KEY_GRACE_MS, now)) {
      throw new Error("unknown or long retired kid");
    }
    return held.key.verifyingKey;
  }
}
