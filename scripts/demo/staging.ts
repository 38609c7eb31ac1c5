/**
 * Encrypted files on their way. An upload names its hash before its first byte,
 * and a file that changed between two passes would be encrypted twice under one
 * nonce: so it is encrypted once, into a staging file, and sent from there.
 *
 * @module
 */
import { toHex } from "../../src/core/bytes.ts";
import { nativeSha256 } from "../../src/client/keys/native.ts";
import {
  type BlobKey,
  encryptBlob,
  SALT_BYTES,
} from "../../src/client/stream/stream.ts";
import type { BlobSource } from "../../src/client/api/upload.ts";
import { piecesOfFile, readFully } from "./folder.ts";

/** Ciphertext is written in pieces of about this size (bytes). */
const GATHER_BYTES = 1024 * 1024;

/** Secure randomness. */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** A blob and what it is the encryption of; hashes in hex. */
export interface Staged {
  readonly hash: string;
  readonly size: number;
  readonly plaintextSize: number;
  readonly plaintextHash: string;
}

/** A staging file: written once, then read anywhere. */
interface Staging extends BlobSource {
  readonly append: (bytes: Uint8Array) => void;
}

/** Lends a new staging file, and removes it whatever happens. */
export async function withStagingFile<T>(
  directory: string,
  use: (staging: Staging) => Promise<T>,
): Promise<T> {
  const path = await Deno.makeTempFile({ dir: directory });
  const file = await Deno.open(path, { read: true, write: true });
  try {
    return await use({
      append(bytes) {
        let rest = bytes;
        while (rest.length > 0) rest = rest.subarray(file.writeSync(rest));
      },
      async read(offset, length) {
        await file.seek(offset, Deno.SeekMode.Start);
        return await readFully(file, new Uint8Array(length));
      },
    });
  } finally {
    file.close();
    await Deno.remove(path);
  }
}

/** Encrypts a file into a staging file; tells how many plaintext bytes are done. */
export async function stageEncrypted(
  staging: Staging,
  key: BlobKey,
  path: string,
  onProgress: (plaintextBytes: number) => void,
): Promise<Staged> {
  const plaintextHash = nativeSha256();
  const hash = nativeSha256();
  let plaintextSize = 0;
  let size = 0;
  async function* plaintext() {
    for await (const piece of piecesOfFile(path)) {
      plaintextHash.update(piece);
      plaintextSize += piece.length;
      yield piece;
      onProgress(plaintextSize);
    }
  }
  const gathered = new Uint8Array(GATHER_BYTES);
  let filled = 0;
  const flush = () => {
    hash.update(gathered.subarray(0, filled));
    staging.append(gathered.subarray(0, filled));
    filled = 0;
  };
  const salt = randomBytes(SALT_BYTES);
  for await (const sealed of encryptBlob(key, salt, plaintext())) {
    // A chunk of the default size always fits into an empty buffer.
    if (filled + sealed.length > GATHER_BYTES) flush();
    gathered.set(sealed, filled);
    filled += sealed.length;
    size += sealed.length;
  }
  flush();
  return {
    hash: toHex(hash.digest()),
    size,
    plaintextSize,
    plaintextHash: toHex(plaintextHash.digest()),
  };
}
