/**
 * libsodium in WebAssembly, against the platform's native code; the vectors
 * hold it to the others as well.
 *
 * @module
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { nativePrimitives } from "../../src/client/keys/native.ts";
import { quickPrimitives } from "../../src/client/keys/portable_primitives.ts";
import { sodiumPrimitives } from "../../src/web/workers/sealing/sodium.ts";
import { seededRandom } from "../support/app.ts";

const KEY = new Uint8Array(seededRandom("a key")(32));
const NONCE = new Uint8Array(seededRandom("a nonce")(12));
const MIB = 1024 * 1024;

Deno.test("libsodium seals and opens as native code does, chunks and what is larger than its memory", async () => {
  const sodium = await sodiumPrimitives();
  const lengths = fc.oneof(
    fc.nat(70_000),
    fc.constantFrom(0, 1, 65_536, MIB - 1, MIB, MIB + 1, MIB + 16, 2 * MIB),
  );
  fc.assert(
    fc.property(
      lengths,
      fc.option(fc.uint8Array({ maxLength: 40 }), { nil: undefined }),
      (length, associated) => {
        const plaintext = new Uint8Array(seededRandom(`${length}`)(length));
        const sealed = sodium.seal(KEY, NONCE, plaintext, associated);
        assert.deepEqual(
          sealed,
          nativePrimitives.seal(KEY, NONCE, plaintext, associated),
        );
        assert.deepEqual(
          sodium.open(KEY, NONCE, sealed, associated),
          plaintext,
        );
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("libsodium opens nothing that was changed, and no key or nonce of another length overflows into its memory", async () => {
  const sodium = await sodiumPrimitives();
  const sealed = sodium.seal(KEY, NONCE, new Uint8Array(1_000));
  for (const at of [0, 500, 1_000, 1_015]) {
    const changed = sealed.slice();
    changed[at] = 1 ^ (changed[at] ?? 0);
    assert.equal(sodium.open(KEY, NONCE, changed), undefined);
  }
  assert.equal(sodium.open(NONCE, NONCE, sealed), undefined);
  assert.equal(sodium.open(KEY, KEY, sealed), undefined);
  assert.equal(sodium.open(KEY, NONCE, sealed.slice(0, 15)), undefined);
  const long = new Uint8Array(64);
  assert.throws(() => sodium.seal(long, NONCE, sealed));
  assert.throws(() => sodium.seal(KEY, long, sealed));
  // It seals as before.
  assert.deepEqual(sodium.seal(KEY, NONCE, new Uint8Array(1_000)), sealed);
});

Deno.test("chunks are the same before, while and after libsodium is loaded for them", async () => {
  const { swiftPrimitives } = await import(
    "../../src/web/workers/sealing/lazy_libsodium.ts"
  );
  const chunk = new Uint8Array(seededRandom("a chunk")(65_536));
  const sealed = nativePrimitives.seal(KEY, NONCE, chunk);
  for (let i = 0; i < 200; i++) {
    assert.deepEqual(swiftPrimitives.open(KEY, NONCE, sealed), chunk);
    assert.deepEqual(swiftPrimitives.seal(KEY, NONCE, chunk), sealed);
    // What is being loaded gets a turn.
    await new Promise((done) => setTimeout(done));
  }
  sealed[0] = 1 ^ (sealed[0] ?? 0);
  assert.equal(swiftPrimitives.open(KEY, NONCE, sealed), undefined);
});

Deno.test("where no WebAssembly may run, portable code goes on sealing", async () => {
  const { WebAssembly } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, "WebAssembly");
    const page = await import(
      "../../src/web/workers/sealing/sodium.ts?without-wasm"
    );
    const primitives = await page.sodiumPrimitives();
    assert.equal(primitives.seal, quickPrimitives.seal);
  } finally {
    Reflect.set(globalThis, "WebAssembly", WebAssembly);
  }
});
