/**
 * Sealing a blob for sending: a small one in memory, a large one in two passes
 * while it is read.
 *
 * @module
 */
import { letGo } from "../../core/bytes.ts";
import type { Primitives } from "../../crypto/primitives.ts";
import {
  addressedSource,
  type PlainSource,
  type SealedSource,
  SourceChanged,
} from "../../client/stream/sealed_source.ts";
import {
  hashPlain,
  type Sealer,
  type SealerOptions,
} from "../../client/stream/sealer.ts";
import { sourceOf } from "../../client/api/send.ts";
import { type BlobKey, saltOf, streamKey } from "../../client/stream/stream.ts";
import { heldHash, noteHash } from "../rows/plaintext_cache.ts";
import { type LibraryPlatform, primitivesOf } from "../base/platform.ts";

/**
 * A plaintext up to this size is sealed in memory (bytes); a larger one twice,
 * piece by piece, which costs less than having it and its blob there.
 */
export const IN_MEMORY_BYTES = 12 * 1024 * 1024;

/** A sealed blob and the size of its plaintext. */
export interface Part extends SealedSource {
  readonly plaintextSize: number;
}

/** One that was sealed here. */
export interface SealedPart extends Part {
  /** Frees its memory: it cannot be read any more. */
  release(): void;
}

/** The file's key, and what seals under it. */
interface PartKey extends Pick<BlobKey, "fileKey" | "chunkSize"> {
  readonly sealer: Sealer;
}

/**
 * Seals a plaintext: the same key and the same plaintext give the same blob,
 * unless a salt is given. Throws SourceChanged if the plaintext's hash is not
 * `sha256` or it changes while it is read.
 */
export async function sealPart(
  source: PlainSource,
  { sealer, ...key }: PartKey,
  sha256: string,
  { salt = saltOf(key, sha256), ...given }:
    & Pick<SealerOptions, "onProgress" | "signal">
    & { readonly salt?: Uint8Array } = {},
): Promise<SealedPart> {
  const stream = streamKey(key, salt);
  const options = { ...given, sha256: heldHash(source) };
  const part = async () => {
    if (source.size > IN_MEMORY_BYTES) {
      const found = await sealer.address(source, stream, options);
      const sealed = addressedSource(source, stream, sealer, found);
      return { ...sealed, found, release: () => {} };
    }
    const found = await sealer.whole(source, stream, options);
    const { blob, hash } = found;
    const release = () => letGo(blob);
    return { ...sourceOf(blob), hash, size: blob.length, found, release };
  };
  const { found, ...sealed } = await part();
  if (found.sha256 !== sha256) throw new SourceChanged("it was changed");
  return { ...sealed, plaintextSize: source.size };
}

/**
 * SHA-256 of a plaintext in hex, which is read once. Throws SourceChanged if it
 * is shorter than its stated size.
 */
export async function hashSource(
  source: PlainSource,
  primitives: Primitives,
  options: Pick<SealerOptions, "onProgress" | "signal"> = {},
): Promise<string> {
  const known = heldHash(source);
  if (known !== undefined) return known;
  const digest = await hashPlain(source, primitives, options);
  noteHash(source, digest);
  return digest;
}

/** The same with a platform's implementation. */
export function hashOn(
  platform: LibraryPlatform,
  source: PlainSource,
  { signal, onProgress }: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (step: "hashing", bytes: number) => void;
  } = {},
): Promise<string> {
  return hashSource(source, primitivesOf(platform), {
    signal,
    onProgress: (bytes) => onProgress?.("hashing", bytes),
  });
}
