/**
 * The hybrid signature Ed25519 + ML-DSA-65
 * (protocol/signed-things.md#hybrid-signature). Both halves must verify, so an
 * attacker has to break both algorithms.
 *
 * @module
 */
import { type Bytes, concatBytes, utf8 } from "../core/bytes.ts";
import {
  type HybridBackend,
  type HybridSeeds,
  nativeBackend,
} from "./hybrid_backend.ts";
import { sha256Hex } from "./sha256.ts";

export type { HybridBackend, HybridSeeds };
export { nativeBackend };

/** The algorithm's name on the wire. */
export const HYBRID_ALGORITHM = "Ed25519+ML-DSA-65";

export const ED25519_PUBLIC_KEY_BYTES = 32;
export const ED25519_SIGNATURE_BYTES = 64;
/** Ed25519 (32) ‖ ML-DSA-65 (1,952). */
export const HYBRID_PUBLIC_KEY_BYTES: number = ED25519_PUBLIC_KEY_BYTES + 1_952;
/** Ed25519 (64) ‖ ML-DSA-65 (3,309). */
export const HYBRID_SIGNATURE_BYTES: number = ED25519_SIGNATURE_BYTES + 3_309;
/** Bytes of each seed. */
export const HYBRID_SEED_BYTES = 32;

const DOMAIN = /^[\x20-\x7e]+$/;

/** A private key that signs; the key itself stays inside. */
export interface HybridSigner {
  /** Ed25519 ‖ ML-DSA-65, 1,984 bytes. */
  readonly publicKey: Bytes;
  /** SHA-256 of the public key, lowercase hex. */
  readonly keyId: string;
  /**
   * Signs `ascii(domain) ‖ 0x00 ‖ payload`: 3,373 bytes. Throws a RangeError
   * unless the domain is printable ASCII.
   */
  sign(domain: string, payload: Uint8Array): Promise<Bytes>;
}

/** The fingerprint of a hybrid public key: SHA-256 in lowercase hex. */
export function keyId(publicKey: Uint8Array): string {
  return sha256Hex(publicKey);
}

let chosenBackend: Promise<HybridBackend> | undefined;

/** This process's backend: native where it works, which is tested once. */
export async function hybridBackend(): Promise<HybridBackend> {
  chosenBackend ??= chooseBackend();
  try {
    return await chosenBackend;
  } catch (error) {
    // A page that could not load the portable code may succeed later.
    chosenBackend = undefined;
    throw error;
  }
}

async function chooseBackend(): Promise<HybridBackend> {
  const native = await nativeBackend();
  if (native !== undefined) return native;
  return (await import("./hybrid_portable.ts")).portableBackend;
}

/**
 * Opens a key pair from its two seeds of 32 bytes. The same seeds always give
 * the same key. Throws a RangeError for seeds of another length.
 */
export async function hybridSignerFromSeeds(
  seeds: HybridSeeds,
  backend?: HybridBackend,
): Promise<HybridSigner> {
  for (const seed of [seeds.ed25519, seeds.mlDsa65]) {
    if (seed.length !== HYBRID_SEED_BYTES) {
      throw new RangeError("a hybrid seed has 32 bytes");
    }
  }
  const engine = backend ?? await hybridBackend();
  const [ed25519, mlDsa65] = await Promise.all([
    engine.openEd25519(seeds.ed25519),
    engine.openMlDsa65(seeds.mlDsa65),
  ]);
  const publicKey = concatBytes(ed25519.publicKey, mlDsa65.publicKey);
  return {
    publicKey,
    keyId: keyId(publicKey),
    async sign(domain, payload) {
      const message = separatedMessage(domain, payload);
      if (message === undefined) {
        throw new RangeError("a signing domain is printable ASCII");
      }
      const halves = await Promise.all([
        ed25519.sign(message),
        mlDsa65.sign(message),
      ]);
      return concatBytes(...halves);
    },
  };
}

/**
 * Whether both halves of a hybrid signature are the key's, over this domain and
 * payload. False for anything malformed; never throws for its arguments.
 */
export async function verifyHybrid(
  publicKey: Uint8Array,
  domain: string,
  payload: Uint8Array,
  signature: Uint8Array,
  backend?: HybridBackend,
): Promise<boolean> {
  // Exact lengths first: no backend sees a key or signature of another size.
  if (publicKey.length !== HYBRID_PUBLIC_KEY_BYTES) return false;
  if (signature.length !== HYBRID_SIGNATURE_BYTES) return false;
  const message = separatedMessage(domain, payload);
  if (message === undefined) return false;
  const engine = backend ?? await hybridBackend();
  try {
    return await engine.verifyEd25519(
      publicKey.subarray(0, ED25519_PUBLIC_KEY_BYTES),
      message,
      signature.subarray(0, ED25519_SIGNATURE_BYTES),
    ) && await engine.verifyMlDsa65(
      publicKey.subarray(ED25519_PUBLIC_KEY_BYTES),
      message,
      signature.subarray(ED25519_SIGNATURE_BYTES),
    );
  } catch {
    // A point off the curve, or an encoding that the backend cannot import.
    return false;
  }
}

function separatedMessage(
  domain: string,
  payload: Uint8Array,
): Bytes | undefined {
  if (!DOMAIN.test(domain)) return undefined;
  return concatBytes(utf8(domain), new Uint8Array(1), payload);
}
