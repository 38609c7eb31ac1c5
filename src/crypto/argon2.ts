/**
 * Argon2id (RFC 9106) with one lane, by the runtime: its threads compute it, and
 * the event loop goes on.
 *
 * @module
 */

export interface Argon2Cost {
  readonly memoryKib: number;
  readonly passes: number;
}

const NAME = "Argon2id";
const BITS = 256;

/**
 * 32 bytes. The same text of another keyboard gives the same key: it is
 * normalised (NFC; RFC 8265 section 4.2, OpaqueString). Rejects where the
 * machine has not that much memory.
 */
export async function argon2id(
  text: string,
  salt: Uint8Array<ArrayBuffer>,
  { memoryKib, passes }: Argon2Cost,
): Promise<Uint8Array<ArrayBuffer>> {
  const secret = new TextEncoder().encode(text.normalize("NFC"));
  const { subtle } = crypto;
  const key = await subtle.importKey("raw-secret", secret, NAME, false, [
    "deriveBits",
  ]);
  // https://wicg.github.io/webcrypto-modern-algos/#argon2
  const how = {
    name: NAME,
    nonce: salt,
    parallelism: 1,
    memory: memoryKib,
    passes,
  };
  return new Uint8Array(await subtle.deriveBits(how, key, BITS));
}
