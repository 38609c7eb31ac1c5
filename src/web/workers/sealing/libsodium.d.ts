/**
 * The types of the used parts of libsodium, whose package has none: its C API,
 * with addresses in its memory, and lengths of 64 bits in two halves.
 */
type Lengths = readonly [low: number, high: number];

export interface Libsodium {
  /** Its memory; another array after it has grown. */
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  _sodium_init(): number;
  _malloc(bytes: number): number;
  _crypto_aead_chacha20poly1305_ietf_encrypt(
    sealed: number,
    sealedLength: 0,
    plaintext: number,
    ...rest: [...Lengths, associated: 0, ...Lengths, 0, number, number]
  ): number;
  _crypto_aead_chacha20poly1305_ietf_decrypt(
    plaintext: number,
    plaintextLength: 0,
    secretNonce: 0,
    sealed: number,
    ...rest: [...Lengths, associated: 0, ...Lengths, number, number]
  ): number;
}
export default function libsodium(): Promise<Libsodium>;
