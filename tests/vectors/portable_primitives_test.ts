import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { toHex } from "../../src/core/bytes.ts";
import { portableSha256, type Sha256 } from "../../src/crypto/sha256.ts";
import {
  quickened,
  quickPrimitives,
} from "../../src/client/keys/portable_primitives.ts";
import { wasmSha256 } from "../../src/client/keys/sha256_wasm.ts";

/** Some hashes at once, and bytes for any of them in turn. */
const turns = fc.array(
  fc.tuple(fc.nat(2), fc.uint8Array({ maxLength: 40_000, size: "max" })),
  { maxLength: 12 },
);

Deno.test("WebAssembly hashes as portable and native code do, however many hashes take turns", async () => {
  const start = await wasmSha256();
  fc.assert(
    fc.property(turns, (steps) => {
      const running = [0, 1, 2].map(() => ({
        wasm: start(),
        portable: portableSha256(),
        native: createHash("sha256"),
      }));
      for (const [which, bytes] of steps) {
        running[which]?.wasm.update(bytes);
        running[which]?.portable.update(bytes);
        running[which]?.native.update(bytes);
      }
      for (const { wasm, portable, native } of running) {
        const digest = toHex(wasm.digest());
        assert.equal(digest, toHex(portable.digest()));
        assert.equal(digest, native.digest("hex"));
      }
    }),
    { numRuns: 30 },
  );
});

Deno.test("an unfinished hash disturbs no other", async () => {
  const start = await wasmSha256();
  const left = start();
  left.update(new Uint8Array(100));
  const empty = toHex(start().digest());
  assert.equal(
    empty,
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
});

Deno.test("what began in portable code ends there, and the next hash is WebAssembly's", async () => {
  const digestOf = (hash: Sha256) => {
    hash.update(new TextEncoder().encode("bc"));
    return toHex(hash.digest());
  };
  const first = quickPrimitives.sha256();
  first.update(new TextEncoder().encode("a"));
  await quickened();
  const second = quickPrimitives.sha256();
  second.update(new TextEncoder().encode("a"));
  const abc = createHash("sha256").update("abc").digest("hex");
  assert.equal(digestOf(first), abc);
  assert.equal(digestOf(second), abc);
});

Deno.test("where no WebAssembly may run, portable code goes on hashing", async () => {
  const { WebAssembly } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, "WebAssembly");
    const page = await import(
      "../../src/client/keys/portable_primitives.ts?without-wasm"
    );
    const { sha256 } = await page.quickened();
    const hash = sha256();
    hash.update(new TextEncoder().encode("abc"));
    assert.equal(
      toHex(hash.digest()),
      createHash("sha256").update("abc").digest("hex"),
    );
  } finally {
    Reflect.set(globalThis, "WebAssembly", WebAssembly);
  }
});
