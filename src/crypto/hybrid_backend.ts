/**
 * The interface that computes the halves of hybrid signatures, and its native
 * implementation with WebCrypto. The portable implementation interoperates with
 * it; `hybrid.ts` chooses between the two.
 *
 * @module
 */
import {
  asBufferSource,
  type Bytes,
  equalBytes,
  fromBase64Url,
} from "../core/bytes.ts";
import { isStrictEd25519 } from "./ed25519_strict.ts";
import { ed25519Pkcs8 } from "./pkcs8.ts";

/** The two seeds of a hybrid key pair, 32 bytes each. Secret. */
export interface HybridSeeds {
  /** RFC 8032 section 5.1.5. */
  readonly ed25519: Uint8Array;
  /** FIPS 204 algorithm 1, ξ. */
  readonly mlDsa65: Uint8Array;
}

/** One half's key pair, opened. */
interface HalfKey {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Promise<Uint8Array>;
}

/**
 * Signs and verifies with both halves. Messages are complete: no domain is
 * added here. All of them refuse Ed25519 keys of small order and keys that are
 * not canonical (`ed25519_strict.ts`).
 */
export interface HybridBackend {
  readonly name: "native" | "portable";
  openEd25519(seed: Uint8Array): Promise<HalfKey>;
  openMlDsa65(seed: Uint8Array): Promise<HalfKey>;
  verifyEd25519(
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
  ): Promise<boolean>;
  verifyMlDsa65(
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
  ): Promise<boolean>;
}

const ED25519 = "Ed25519";
const ML_DSA_65 = "ML-DSA-65";

/**
 * `importKey` with the newer formats, which the type library for browsers
 * lacks.
 */
type ImportKey = (
  format: "pkcs8" | "raw" | "raw-public" | "raw-seed",
  key: BufferSource,
  algorithm: string,
  extractable: boolean,
  usages: KeyUsage[],
) => Promise<CryptoKey>;

/** Public keys that stay opened: those of a server, an account, some friends. */
const MOST_OPENED = 16;

/** A public key that was opened to verify with. */
interface OpenedKey {
  readonly algorithm: string;
  readonly publicKey: Uint8Array;
  readonly key: Promise<CryptoKey>;
}

/**
 * The backend of WebCrypto. Its ML-DSA signatures are hedged: two are never
 * equal.
 */
function webCryptoBackend(subtle: SubtleCrypto): HybridBackend {
  const importKey = subtle.importKey.bind(subtle) as ImportKey;
  const openHalf = async (
    algorithm: string,
    key: CryptoKey,
    publicMember: "x" | "pub",
  ): Promise<HalfKey> => {
    const jwk: object = await subtle.exportKey("jwk", key);
    const text: unknown = Reflect.get(jwk, publicMember);
    const publicKey = typeof text === "string"
      ? fromBase64Url(text)
      : undefined;
    if (publicKey === undefined) throw new Error(`${algorithm}: no public key`);
    const sign = async (message: Uint8Array): Promise<Bytes> =>
      new Uint8Array(
        await subtle.sign(algorithm, key, asBufferSource(message)),
      );
    return { publicKey, sign };
  };
  /** Those used last; thousands of receipts have one key. */
  const opened: OpenedKey[] = [];
  const openPublic = (
    algorithm: string,
    format: "raw" | "raw-public",
    publicKey: Uint8Array,
  ): Promise<CryptoKey> => {
    const at = opened.findIndex((one) =>
      one.algorithm === algorithm && equalBytes(one.publicKey, publicKey)
    );
    const [held] = at < 0 ? [] : opened.splice(at, 1);
    const own = held ?? {
      algorithm,
      publicKey: publicKey.slice(),
      key: importKey(format, publicKey.slice(), algorithm, false, ["verify"]),
    };
    opened.unshift(own);
    opened.length = Math.min(opened.length, MOST_OPENED);
    return own.key;
  };
  const verifyHalf = async (
    algorithm: string,
    format: "raw" | "raw-public",
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
  ): Promise<boolean> => {
    const key = await openPublic(algorithm, format, publicKey);
    return await subtle.verify(
      algorithm,
      key,
      asBufferSource(signature),
      asBufferSource(message),
    );
  };
  return {
    name: "native",
    // Extractable, because only an export gives the public key of a seed.
    async openEd25519(seed) {
      const pkcs8 = ed25519Pkcs8(seed);
      const key = await importKey("pkcs8", pkcs8, ED25519, true, [
        "sign",
      ]);
      return await openHalf(ED25519, key, "x");
    },
    async openMlDsa65(seed) {
      const key = await importKey(
        "raw-seed",
        asBufferSource(seed),
        ML_DSA_65,
        true,
        ["sign"],
      );
      return await openHalf(ML_DSA_65, key, "pub");
    },
    verifyEd25519: async (publicKey, message, signature) =>
      isStrictEd25519(publicKey, signature) &&
      await verifyHalf(ED25519, "raw", publicKey, message, signature),
    verifyMlDsa65: (publicKey, message, signature) =>
      verifyHalf(ML_DSA_65, "raw-public", publicKey, message, signature),
  };
}

/**
 * The native backend, or undefined where WebCrypto is missing (plain http) or
 * lacks one of the algorithms. One signature of each is made and verified to
 * find out.
 */
export async function nativeBackend(): Promise<HybridBackend | undefined> {
  // The type library does not know of insecure contexts.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) return undefined;
  const backend = webCryptoBackend(subtle);
  const probe = new Uint8Array(32).fill(1);
  try {
    const ed25519 = await backend.openEd25519(probe);
    const mlDsa65 = await backend.openMlDsa65(probe);
    const works = await backend.verifyEd25519(
      ed25519.publicKey,
      probe,
      await ed25519.sign(probe),
    ) && await backend.verifyMlDsa65(
      mlDsa65.publicKey,
      probe,
      await mlDsa65.sign(probe),
    );
    return works ? backend : undefined;
  } catch {
    return undefined;
  }
}
