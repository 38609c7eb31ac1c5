/**
 * Everything that is derived from a master key
 * (protocol/client-cryptography.md#master-key): the identity that signs, the
 * key that others seal to, the ids of albums, and the keys of assets without an
 * album, of state slots and of upload links. None of it is ever stored, because
 * the master key suffices to derive it again.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import { isOpaqueId } from "../../core/ids.ts";
import {
  type HybridBackend,
  type HybridSeeds,
  type HybridSigner,
  hybridSignerFromSeeds,
} from "../../crypto/hybrid.ts";
import {
  portablePrimitives,
  type Primitives,
} from "../../crypto/primitives.ts";
import { xWing } from "../keys/lazy_sealing.ts";
import { assertKey, deriveKey, uuidText } from "./suite.ts";

/** Bytes of a master key. */
export const MASTER_KEY_BYTES = 32;

const STATE_SLOT = /^[a-z0-9-]{1,32}$/;

/**
 * An X-Wing key pair whose public key is computed when it is first asked for:
 * the secret key, which is its seed, is enough to open.
 */
export interface LazySealingKeys {
  readonly secretKey: Bytes;
  /** Throws a ConnectionError if the code for it cannot be loaded. */
  publicKey(): Promise<Bytes>;
}

/** The keys and ids of one master key. */
export interface Identity {
  /** The album key (epoch 0) of assets without an album. */
  readonly libraryKey: Bytes;
  /** The key of a state slot, see {@link deriveStateKey}. */
  stateKey(slot: string): Bytes;
  /**
   * The keys of an upload link, to which its guests seal, see
   * {@link deriveUploadLinkKeys}.
   */
  uploadLinkKeys(opaqueId: string): LazySealingKeys;
  /** The gate of an upload link with a passphrase. */
  uploadLinkGate(opaqueId: string): Bytes;
  /** Signs directories, rosters, manifests and proofs. */
  readonly signer: HybridSigner;
  /** The key pair to which album keys are sealed. */
  readonly sealing: LazySealingKeys;
  /** The id of the account's n-th album, see {@link deriveAlbumId}. */
  albumId(index: number): string;
}

/** The three seeds of an identity, 32 bytes each. Secret. */
export interface IdentitySeeds extends HybridSeeds {
  readonly xWing: Bytes;
}

/**
 * Derives the seeds of a master key: HKDF(master key, empty salt, label).
 * Throws a RangeError unless the master key has 32 bytes.
 */
export function deriveIdentitySeeds(
  masterKey: Uint8Array,
  primitives: Primitives = portablePrimitives,
): IdentitySeeds {
  const seed = (label: string) => fromMaster(primitives, masterKey, label);
  return {
    ed25519: seed("service-identity-ed25519/v1"),
    mlDsa65: seed("service-identity-ml-dsa-65/v1"),
    xWing: seed("service-identity-x-wing/v1"),
  };
}

/**
 * Derives the id of an account's n-th album: 16 derived bytes with the bits of
 * UUID version 8 set (RFC 9562 section 5.8). The client counts n from 0; it is
 * decimal in the label. Throws a RangeError for a negative or unsafe index.
 */
export function deriveAlbumId(
  masterKey: Uint8Array,
  index: number,
  primitives: Primitives = portablePrimitives,
): string {
  if (!Number.isSafeInteger(index) || index < 0) {
    throw new RangeError("an album index is a whole number from 0");
  }
  const label = `service-album-id/v1/${index}`;
  const bytes = fromMaster(primitives, masterKey, label, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return uuidText(bytes);
}

/**
 * Derives the library key, which is the AMK (epoch 0) of assets without an
 * album. Throws a RangeError unless the master key has 32 bytes.
 */
export function deriveLibraryKey(
  masterKey: Uint8Array,
  primitives: Primitives = portablePrimitives,
): Bytes {
  return fromMaster(primitives, masterKey, "service-library-key/v1");
}

/**
 * Derives the file key of the blobs in a state slot. Throws a RangeError unless
 * the slot's name has 1 to 32 characters of a-z, 0-9 and the hyphen.
 */
export function deriveStateKey(
  masterKey: Uint8Array,
  slot: string,
  primitives: Primitives = portablePrimitives,
): Bytes {
  if (!STATE_SLOT.test(slot)) throw new RangeError(`not a state slot: ${slot}`);
  return fromMaster(primitives, masterKey, `service-state-key/v1/${slot}`);
}

/**
 * Derives the X-Wing key pair of an upload link. Every device of the account
 * can open what the link's guests sent, and each link has its own key. Throws a
 * RangeError unless `opaqueId` is the id of a link.
 */
export function deriveUploadLinkKeys(
  masterKey: Uint8Array,
  opaqueId: string,
  primitives: Primitives = portablePrimitives,
): LazySealingKeys {
  if (!isOpaqueId(opaqueId)) throw new RangeError("not the id of a link");
  const label = `service-upload-link/v1/${opaqueId}`;
  return lazyKeysOf(fromMaster(primitives, masterKey, label));
}

/**
 * Derives the gate of an upload link, which its passphrase opens for guests: 32
 * bytes. Throws a RangeError unless `opaqueId` is the id of a link.
 */
function deriveUploadLinkGate(
  masterKey: Uint8Array,
  opaqueId: string,
  primitives: Primitives = portablePrimitives,
): Bytes {
  if (!isOpaqueId(opaqueId)) throw new RangeError("not the id of a link");
  const label = `service-upload-gate/v1/${opaqueId}`;
  return fromMaster(primitives, masterKey, label);
}

/** Opens the identity of a master key of 32 bytes. */
export async function openIdentity(
  masterKey: Uint8Array,
  primitives: Primitives = portablePrimitives,
  backend?: HybridBackend,
): Promise<Identity> {
  const seeds = deriveIdentitySeeds(masterKey, primitives);
  return {
    signer: await hybridSignerFromSeeds(seeds, backend),
    sealing: lazyKeysOf(seeds.xWing),
    libraryKey: deriveLibraryKey(masterKey, primitives),
    stateKey: (slot) => deriveStateKey(masterKey, slot, primitives),
    uploadLinkKeys: (opaqueId) =>
      deriveUploadLinkKeys(masterKey, opaqueId, primitives),
    uploadLinkGate: (opaqueId) =>
      deriveUploadLinkGate(masterKey, opaqueId, primitives),
    albumId: (index) => deriveAlbumId(masterKey, index, primitives),
  };
}

function lazyKeysOf(secretKey: Bytes): LazySealingKeys {
  let held: Bytes | undefined;
  return {
    secretKey,
    async publicKey() {
      if (held === undefined) {
        const { sealingKeyPairFromSeed } = await xWing();
        held = sealingKeyPairFromSeed(secretKey).publicKey;
      }
      return held;
    },
  };
}

function fromMaster(
  primitives: Primitives,
  masterKey: Uint8Array,
  label: string,
  length?: number,
): Bytes {
  assertKey(masterKey, "a master key");
  return deriveKey(primitives, masterKey, new Uint8Array(), label, length);
}
