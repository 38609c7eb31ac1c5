/**
 * Deep verification: the bytes are read and hashed again
 * (protocol/receipts.md#structural-and-deep-verification).
 *
 * @module
 */
import assert from "node:assert/strict";
import { HOUR_MS } from "../../src/core/time.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import {
  damageBlob,
  DAMAGES,
  hashesOf,
  verify,
  verifyOne,
  writeBlob,
} from "../support/storage.ts";
import { refreshed } from "../support/api.ts";

/** Runs a test over a live asset, with so many bytes an hour to examine. */
async function withAsset(
  test: (app: TestApp, ada: Person, asset: LiveAsset) => Promise<void>,
  budgetBytes?: number,
): Promise<void> {
  await withTestApp(
    async (app) => {
      const ada = await registerWriter(app, "ada");
      // 1,000 bytes of original, 300 of metadata, 900 of manifest.
      await test(
        app,
        ada,
        await createAsset(app, ada, "photo", {
          length: 1_000,
        }),
      );
    },
    budgetBytes === undefined ? {} : {
      settings: { STRONGROOM_LIMIT_DEEP_VERIFY_BYTES: String(budgetBytes) },
    },
  );
}

function deepOf(verdict: Json): Json[] {
  return verdict.blobs.map(({ deep }: Json) => deep);
}

async function deeply(
  app: TestApp,
  person: Person,
  asset: LiveAsset,
  hashes: readonly string[] = hashesOf(asset),
): Promise<Json> {
  return await verifyOne(app, person, asset.assetId, hashes, { deep: true });
}

Deno.test("deep verification finds whole blobs intact", async () => {
  await withAsset(async (app, ada, asset) => {
    const verdict = await deeply(app, ada, asset);
    assert.equal(verdict.durable, true);
    assert.deepEqual(deepOf(verdict), ["intact", "intact", "intact"]);
  });
});

Deno.test("every damage to every blob is found, named, and makes the asset not durable", async () => {
  for (const damage of Object.keys(DAMAGES) as (keyof typeof DAMAGES)[]) {
    for (const at of [0, 1, 2]) {
      await withAsset(async (app, ada, asset) => {
        const other = await createAsset(app, ada, "other");
        const hash = hashesOf(asset)[at] ?? "";
        await damageBlob(app, hash, damage);
        const [verdict, sound] = await verify(app, ada, [
          { asset_id: asset.assetId, blob_hashes: hashesOf(asset) },
          { asset_id: other.assetId, blob_hashes: hashesOf(other) },
        ], { deep: true });
        assert.equal(verdict.durable, false, damage);
        assert.equal(sound.durable, true, damage);
        for (const [index, blob] of verdict.blobs.entries()) {
          const { stored, deep } = blob;
          if (index !== at) {
            assert.deepEqual({ stored, deep }, {
              stored: true,
              deep: "intact",
            });
            continue;
          }
          assert.equal(blob.hash, hash);
          assert.equal(stored, damage === "a flipped byte", damage);
          assert.equal(
            deep,
            damage === "a missing file" ? undefined : "corrupt",
            damage,
          );
        }
      });
    }
  }
});

Deno.test("every single byte of a blob counts", async () => {
  await withAsset(async (app, ada, asset) => {
    const hash = hashOf(asset.metadata);
    for (const at of [0, 1, 150, 298, 299]) {
      const bytes = asset.metadata.slice();
      bytes[at] = (bytes[at] ?? 0) ^ 0x80;
      await writeBlob(app, hash, bytes);
      const verdict = await deeply(app, ada, asset, [hash]);
      assert.deepEqual(deepOf(verdict), ["corrupt"]);
    }
    await writeBlob(app, hash, asset.metadata);
    assert.equal((await deeply(app, ada, asset, [hash])).durable, true);
  });
});

Deno.test("a blob of many pieces is examined to its end", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "big", { length: 2_500_000 });
    assert.equal((await deeply(app, ada, asset)).durable, true);
    const bytes = asset.original.slice();
    bytes[2_499_999] = (bytes[2_499_999] ?? 0) ^ 1;
    await writeBlob(app, hashOf(asset.original), bytes);
    assert.deepEqual(deepOf(await deeply(app, ada, asset)), [
      "corrupt",
      "intact",
      "intact",
    ]);
  });
});

Deno.test("unapplied bytes of the caller's are examined as well", async () => {
  await withAsset(async (app, ada) => {
    const bytes = ciphertext("pending", 70);
    const fileId = uuidOf("pending");
    await uploadBlob(app, ada, bytes, { fileId });
    const [verdict] = await verify(app, ada, [
      { asset_id: fileId, blob_hashes: [hashOf(bytes)] },
    ], { deep: true });
    assert.deepEqual(deepOf(verdict), ["intact"]);
    assert.equal(verdict.durable, false);
  });
});

Deno.test("past the budget a blob is rate_limited and keeps its structural verdict", async () => {
  await withAsset(async (app, ada, asset) => {
    await damageBlob(app, hashOf(asset.manifest), "a flipped byte");
    const verdict = await deeply(app, ada, asset);
    assert.deepEqual(deepOf(verdict), ["intact", "intact", "rate_limited"]);
    // Nothing says that the third is damaged: its bytes were not examined.
    assert.equal(verdict.durable, true);
    const { role, stored, indexed, retrievable } = verdict.blobs[2];
    assert.deepEqual({ role, stored, indexed, retrievable }, {
      role: "provenance",
      stored: true,
      indexed: true,
      retrievable: true,
    });
  }, 1_400);
});

Deno.test("a missing blob is not durable past the budget either", async () => {
  await withAsset(async (app, ada, asset) => {
    await deeply(app, ada, asset);
    await damageBlob(app, hashOf(asset.manifest), "a missing file");
    const verdict = await deeply(app, ada, asset);
    assert.equal(verdict.durable, false);
    assert.deepEqual(deepOf(verdict), [
      "rate_limited",
      "rate_limited",
      undefined,
    ]);
  }, 2_200);
});

Deno.test("the budget is charged by bytes and comes back after an hour", async () => {
  await withAsset(async (app, ada, asset) => {
    // Twice the whole asset, to the byte.
    for (const deep of ["intact", "intact", "rate_limited"]) {
      const verdict = await deeply(app, ada, asset);
      assert.deepEqual(deepOf(verdict), [deep, deep, deep]);
    }
    app.clock.advance(HOUR_MS - 1);
    const later = await refreshed(app, ada);
    const still = await deeply(app, later, asset);
    assert.deepEqual(deepOf(still), Array(3).fill("rate_limited"));
    app.clock.advance(1);
    const again = await deeply(app, later, asset);
    assert.deepEqual(deepOf(again), Array(3).fill("intact"));
  }, 4_400);
});

Deno.test("the first blob of a window is always examined, the first in the request's order", async () => {
  await withAsset(async (app, ada, asset) => {
    for (const first of hashesOf(asset)) {
      const order = [
        first,
        ...hashesOf(asset).filter((hash) => hash !== first),
      ];
      const person = await refreshed(app, ada);
      assert.deepEqual(deepOf(await deeply(app, person, asset, order)), [
        "intact",
        "rate_limited",
        "rate_limited",
      ]);
      app.clock.advance(HOUR_MS);
    }
  }, 1);
});

Deno.test("a blob is paid for once, however often a request declares it", async () => {
  await withAsset(async (app, ada, asset) => {
    const hash = hashOf(asset.original);
    const verdict = await deeply(app, ada, asset, [hash, hash, hash, hash]);
    assert.deepEqual(deepOf(verdict), Array(4).fill("intact"));
    const rest = await deeply(app, ada, asset);
    assert.deepEqual(deepOf(rest), [
      "rate_limited",
      "intact",
      "rate_limited",
    ]);
  }, 1_999);
});

Deno.test("what the caller does not hold, and what needs no reading, costs nothing", async () => {
  await withAsset(async (app, ada, asset) => {
    const bob = await registerWriter(app, "bob");
    const foreign = await deeply(app, bob, asset);
    assert.deepEqual(deepOf(foreign), Array(3).fill(undefined));
    const other = await createAsset(app, ada, "other", { length: 1_000 });
    await damageBlob(app, hashOf(other.original), "a truncated file");
    await damageBlob(app, hashOf(other.metadata), "a missing file");
    await deeply(app, ada, other, hashesOf(other).slice(0, 2));
    assert.deepEqual(
      deepOf(await deeply(app, ada, asset)),
      Array(3).fill("intact"),
    );
  }, 2_200);
});

Deno.test("the budget is each account's own", async () => {
  await withAsset(async (app, ada, asset) => {
    const bob = await registerWriter(app, "bob");
    const his = await createAsset(app, bob, "his", { length: 1_000 });
    await deeply(app, ada, asset);
    assert.deepEqual(
      deepOf(await deeply(app, ada, asset)),
      Array(3).fill("rate_limited"),
    );
    assert.deepEqual(
      deepOf(await deeply(app, bob, his)),
      Array(3).fill("intact"),
    );
  }, 2_200);
});

Deno.test("a structural check spends nothing of the budget", async () => {
  await withAsset(async (app, ada, asset) => {
    for (let n = 0; n < 5; n++) {
      await verifyOne(app, ada, asset.assetId, hashesOf(asset));
    }
    assert.deepEqual(
      deepOf(await deeply(app, ada, asset)),
      Array(3).fill("intact"),
    );
  }, 2_200);
});

Deno.test("others are served while a large blob is examined", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "big", { length: 80_000_000 });
    let done = false;
    const verdict = deeply(app, ada, asset).finally(() => {
      done = true;
    });
    let served = 0;
    while (!done) {
      await (await app.send("GET", "/v1/version", { protocol: null })).text();
      // To the end of the event loop's turn.
      await new Promise((resolve) => setTimeout(resolve, 0));
      served += 1;
    }
    assert.equal((await verdict).durable, true);
    // Read and hashed in one go, it would leave room for none.
    assert(served >= 3, `${served} answers meanwhile`);
  });
});
