/**
 * ChaCha20-Poly1305 by libsodium in WebAssembly, which seals several times as
 * fast as portable code; the hashes are those of `portable_primitives.ts`. Browsers have no
 * native implementation on plain http, and over https one that needs a promise
 * for every chunk.
 *
 * @module
 */
import {
  KEY_BYTES,
  NONCE_BYTES,
  type Primitives,
  TAG_BYTES,
} from "../../../crypto/primitives.ts";
import {
  quickened,
  quickPrimitives,
} from "../../../client/keys/portable_primitives.ts";
import type { Libsodium } from "./libsodium.d.ts";

/** Largest plaintext that is copied into libsodium's memory (bytes). */
const ROOM_BYTES = 1024 * 1024;

let loading: Promise<Primitives> | undefined;

/**
 * Waits until libsodium is loaded. If it cannot be, the primitives are those of
 * `portable_primitives.ts`, which are slower but as correct.
 */
export function sodiumPrimitives(): Promise<Primitives> {
  return loading ??= load().catch(() => quickPrimitives);
}

async function load(): Promise<Primitives> {
  const [{ libsodium }, hashes] = await Promise.all([
    import("./libsodium.ts"),
    quickened(),
  ]);
  const engine = await libsodium();
  if (engine._sodium_init() < 0) throw new Error("libsodium does not start");
  return over(engine, hashes);
}

function over(engine: Libsodium, portable: Primitives): Primitives {
  const key = engine._malloc(KEY_BYTES);
  const nonce = engine._malloc(NONCE_BYTES);
  const room = engine._malloc(ROOM_BYTES + TAG_BYTES);
  /**
   * Lets libsodium work on a copy of bytes in its memory, where no plaintext
   * stays; undefined unless it answers 0. The result has `grown` more bytes.
   */
  const within = (
    given: Parameters<Primitives["seal"]>,
    grown: number,
    work: () => number,
  ) => {
    const [givenKey, givenNonce, bytes] = given;
    engine.HEAPU8.set(givenKey, key);
    engine.HEAPU8.set(givenNonce, nonce);
    engine.HEAPU8.set(bytes, room);
    const isDone = work() === 0;
    const heap = engine.HEAPU8;
    const out = isDone
      ? heap.slice(room, room + bytes.length + grown)
      : undefined;
    heap.fill(0, key, key + KEY_BYTES);
    // What was sealed lies over its plaintext.
    if (!isDone || grown < 0) heap.fill(0, room, room + bytes.length);
    return out;
  };
  /** Whether it is a chunk; anything else is left to portable code. */
  const isChunk = (
    [givenKey, givenNonce, bytes, associated]: Parameters<Primitives["seal"]>,
    most: number,
  ) =>
    associated === undefined && bytes.length <= most &&
    givenKey.length === KEY_BYTES && givenNonce.length === NONCE_BYTES;
  return {
    ...portable,
    seal(...given) {
      if (!isChunk(given, ROOM_BYTES)) return portable.seal(...given);
      const { length } = given[2];
      const sealed = within(
        given,
        TAG_BYTES,
        () =>
          engine._crypto_aead_chacha20poly1305_ietf_encrypt(
            room,
            0,
            room,
            length,
            0,
            0,
            0,
            0,
            0,
            nonce,
            key,
          ),
      );
      return sealed ?? portable.seal(...given);
    },
    open(...given) {
      const { length } = given[2];
      if (length < TAG_BYTES || !isChunk(given, ROOM_BYTES + TAG_BYTES)) {
        return portable.open(...given);
      }
      return within(
        given,
        -TAG_BYTES,
        () =>
          engine._crypto_aead_chacha20poly1305_ietf_decrypt(
            room,
            0,
            0,
            room,
            length,
            0,
            0,
            0,
            0,
            nonce,
            key,
          ),
      );
    },
  };
}
