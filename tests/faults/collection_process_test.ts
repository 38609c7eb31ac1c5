/**
 * Collection in another process than the server's: killed half way, and without
 * a pause while others write.
 *
 * @module
 */
import assert from "node:assert/strict";
import { blobPlaceOf } from "../support/blob_place.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { opRequest, provisionAlbum, sendOp } from "../support/albums.ts";
import { expectJson } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  hashOf,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { expectNoErrors, expectReadable } from "../support/api.ts";
import {
  collect,
  DAY,
  expectConsistent,
  expectStored,
  filesIn,
  later,
  trash,
} from "../support/trash.ts";
import { LOCKED } from "../../scripts/locked.ts";

/** Runs `collector_process.ts`; see there for the modes. */
function collector(
  app: TestApp,
  mode: "once" | "repeat" | "die",
  settings: Readonly<Record<string, string>> = {},
) {
  const script = new URL("../support/collector_process.ts", import.meta.url);
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      ...LOCKED,
      "--no-check",
      "--allow-all",
      script.pathname,
      app.dataDir,
      String(app.clock.now),
      mode,
    ],
    // The bucket of this process's servers is not one for it to begin.
    env: { TEST_BLOBS: "", ...settings },
    stdin: mode === "repeat" ? "piped" : "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

Deno.test("a collection killed between removing a file and its commit leaves a consistent store, and the next one finishes", async () => {
  await withTestApp(async (app) => {
    let ada = await registerWriter(app, "ada");
    const live = await createAsset(app, ada, "live");
    const gone = await createAsset(app, ada, "gone");
    await trash(app, ada, gone.assetId);
    ada = await later(app, ada, 30 * DAY);
    const { code, signal } = await collector(app, "die").output();
    assert(code !== 0 || signal !== null);
    assert.equal((await filesIn(app, "blobs")).size, 5);
    const rows = await app.app.db.selectFrom("blob").selectAll().execute();
    assert.equal(rows.length, 6);
    await expectConsistent(app);
    const { assetId, original, metadata, manifest } = live;
    await expectReadable(app, ada, assetId, original, metadata, manifest);
    // The same bytes may come again before it is repaired.
    const again = uuidOf("again");
    for (const bytes of [gone.original, gone.metadata, gone.manifest]) {
      await uploadBlob(app, ada, bytes, { fileId: again });
    }
    await expectConsistent(app);
    const output = await collector(app, "once").output();
    assert.equal(output.code, 0);
    await expectConsistent(app);
    const { original: o, metadata: m, manifest: f } = gone;
    await expectStored(app, original, metadata, manifest, o, m, f);
    app.clock.advance(DAY);
    await collect(app);
    await expectStored(app, original, metadata, manifest);
  }, { blobs: "directory" });
});

Deno.test("another process that collects without a pause deletes no account's blobs while the server works", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const place = blobPlaceOf(app.dataDir);
    const child = collector(app, "repeat", place?.settings);
    const said = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await said.read()).value, "collecting\n");
    const albumId = await provisionAlbum(app, ada, "mine");
    const contents = [1, 2, 3].map((n) => ciphertext(`content ${n}`, 400));
    const work = async (name: string): Promise<void> => {
      const assetId = uuidOf(`asset ${name}`);
      let prior: string | undefined;
      for (let n = 0; n < 8; n++) {
        // The same few contents, replaced and brought again all the time.
        const original = contents[(n + name.length) % 3] ?? new Uint8Array(1);
        await uploadBlob(app, ada, original, { fileId: assetId, albumId });
        const manifest = ciphertext(`${name} ${n}`, 60);
        const op = opRequest(ada, albumId, assetId, manifest, {
          original,
          metadata: ciphertext(`${name} metadata ${n % 2}`, 30),
          ...(prior === undefined ? {} : { action: "replace", prior }),
        });
        await expectJson(await sendOp(app, ada, albumId, op), 200);
        prior = hashOf(manifest);
        await expectReadable(app, ada, assetId, original, manifest);
      }
    };
    await Promise.all(["a", "bb", "ccc"].map(work));
    await child.stdin.close();
    const { rounds } = JSON.parse((await said.read()).value ?? "");
    assert(rounds > 1);
    assert.equal((await child.status).code, 0);
    await expectConsistent(app);
    expectNoErrors(app);
  });
});
