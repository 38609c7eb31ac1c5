/**
 * Lifecycle writes on a disk that fails: the whole effect or none of it, and
 * the call can be repeated.
 *
 * @module
 */
import assert from "node:assert/strict";
import { opRequest, provisionAlbum, sendOp } from "../support/albums.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { restarting, type RestartingApp } from "../support/restarting.ts";
import { type FailingFiles, failingFiles } from "../support/failing_files.ts";
import {
  everything,
  expectWholeChain,
  receiptsOf,
  uploadOriginal,
} from "../support/ops.ts";
import {
  ciphertext,
  hashOf,
  type Person,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { expectBytes, readBlob } from "../support/api.ts";

/** More operations than any lifecycle write has. */
const MANY = 60;

interface Faulty {
  readonly app: RestartingApp;
  readonly ada: Person;
  readonly albumId: string;
  readonly files: FailingFiles;
}

async function withFaults(
  test: (world: Faulty) => Promise<void>,
): Promise<void> {
  const files = failingFiles();
  await withTestApp(async (first) => {
    const app = restarting(first);
    const ada = await registerWriter(app, "ada");
    const albumId = await provisionAlbum(app, ada, "faults");
    await test({ app, ada, albumId, files });
  }, { files });
}

/** What the tables hold, files apart: those may wait for collection. */
async function tables(app: TestApp): Promise<Json> {
  const { blobs: _, uploads: _rest, ...held } = await everything(app);
  return held;
}

/**
 * Sends writes of which the n-th fails at its n-th operation, until one has
 * less; each must have its whole effect or none, and be taken when repeated.
 */
async function failEachOperation(
  { app, ada, albumId, files }: Faulty,
  request: (n: number) => Promise<Json>,
): Promise<void> {
  let faults = 0;
  for (let n = 1; n <= MANY; n++) {
    const json = await request(n);
    const before = await tables(app);
    files.failAt(n);
    const first = await sendOp(app, ada, albumId, json);
    const fault = files.fault();
    files.failAt(MANY * MANY);
    if (fault === "syncDirectory") await app.restart();
    if (first.status === 200) await first.json();
    else {
      await expectProblem(first, "error.internal");
      assert.deepEqual(await tables(app), before, `operation ${n}`);
    }
    const again = await expectJson(await sendOp(app, ada, albumId, json), 200);
    assert.equal(again.replayed, first.status === 200);
    if (fault === undefined) {
      assert.ok(faults >= 16, `${faults} operations failed`);
      const { uploads } = await everything(app);
      // A name that could not be removed waits for collection.
      assert.ok(uploads !== undefined && uploads.length <= 4);
      return;
    }
    faults += 1;
  }
  assert.fail("more operations than expected");
}

Deno.test("a create that fails at any file operation has its whole effect or none, and can be repeated", async () => {
  await withFaults(async (world) => {
    const { app, ada, albumId } = world;
    const receipts: Json[] = [];
    const assets: [string, Uint8Array[]][] = [];
    await failEachOperation(world, async (n) => {
      const assetId = uuidOf(`asset ${n}`);
      const original = await uploadOriginal(world, ada, assetId, `${n}`);
      const manifest = ciphertext(`manifest ${n}`, 500);
      const metadata = ciphertext(`metadata ${n}`, 100);
      assets.push([assetId, [manifest, metadata]]);
      return opRequest(ada, albumId, assetId, manifest, { original, metadata });
    });
    for (const [assetId, blobs] of assets) {
      const issued = await receiptsOf(app, ada, assetId);
      assert.equal(issued.length, 3);
      receipts.push(...issued);
      for (const bytes of blobs) {
        const blob = await readBlob(app, ada, assetId, hashOf(bytes));
        expectBytes(await blob.arrayBuffer(), bytes);
      }
    }
    await expectWholeChain(app, receipts);
  });
});

Deno.test("a replace that fails at any file operation leaves the chain where it was, and can be repeated", async () => {
  await withFaults(async (world) => {
    const { app, ada, albumId } = world;
    const assetId = uuidOf("asset");
    const original = await uploadOriginal(world, ada, assetId, "one");
    const first = ciphertext("manifest", 500);
    await expectJson(
      await sendOp(
        app,
        ada,
        albumId,
        opRequest(ada, albumId, assetId, first, { original }),
      ),
      200,
    );
    let prior = hashOf(first);
    let steps = 0;
    await failEachOperation(world, (n) => {
      const manifest = ciphertext(`manifest ${n}`, 500);
      const metadata = ciphertext(`metadata ${n}`, 100);
      const request = opRequest(ada, albumId, assetId, manifest, {
        action: "replace",
        original,
        metadata,
        prior,
      });
      prior = hashOf(manifest);
      steps += 1;
      return Promise.resolve(request);
    });
    const receipts = await receiptsOf(app, ada, assetId);
    assert.equal(receipts.length, 2 + 2 * steps);
    await expectWholeChain(app, receipts);
  });
});

Deno.test("a full disk fails a lifecycle write whole", async () => {
  await withFaults(async ({ app, ada, albumId, files }) => {
    const assetId = uuidOf("asset");
    const original = await uploadOriginal(
      { app, albumId },
      ada,
      assetId,
      "one",
    );
    const json = opRequest(ada, albumId, assetId, ciphertext("m", 500), {
      original,
    });
    const before = await tables(app);
    for (let n = 1; n <= 4; n++) {
      files.failAt(n, "ENOSPC");
      const answer = await sendOp(app, ada, albumId, json);
      await expectProblem(answer, "error.storage.full");
      assert.deepEqual(await tables(app), before);
    }
    files.failAt(MANY * MANY);
    await expectJson(await sendOp(app, ada, albumId, json), 200);
  });
});
