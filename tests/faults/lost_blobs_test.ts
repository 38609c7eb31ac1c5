/**
 * A lost blob is reported when it is read, and a read-only disk while metrics
 * are watched (watching/metrics.md#metrics).
 *
 * @module
 */
import assert from "node:assert/strict";
import { withRealApp, withTestApp } from "../support/app.ts";
import { expectJson } from "../support/expect.ts";
import {
  createAsset,
  hashOf,
  putBytes,
  registerWriter,
  uploadRequest,
} from "../support/people.ts";
import { runProgram } from "../support/program.ts";
import { mayMount } from "../support/small_disk.ts";
import { damageBlob, hashesOf, verifyOne } from "../support/storage.ts";
import { blobPath } from "../support/trash.ts";

Deno.test("a lost blob that is asked for is an error in the log, counted, and a finding of the doctor until it is back", async () => {
  await withRealApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original } = await createAsset(app, ada, "photo");
    const hash = hashOf(original);
    const ask = async () => {
      const answer = await app.send(
        "GET",
        `/v1/assets/${assetId}/blobs/${hash}`,
        { token: ada.token },
      );
      await answer.body?.cancel();
    };
    const doctor = async () =>
      (await runProgram(["doctor"], {
        STRONGROOM_DATA_DIR: app.dataDir,
      }))
        .stdout;
    await ask();
    assert.equal((await app.gauges.read()).blobsLost, 0);
    const path = blobPath(app, original);
    await Deno.rename(path, `${path}.away`);
    await ask();
    await ask();
    const told = app.logged.filter(({ level, message }) =>
      level === "error" && message.startsWith("a blob is lost")
    );
    assert.deepEqual(told.map(({ properties }) => properties.hash), [hash]);
    assert.equal((await app.gauges.read()).blobsLost, 1);
    assert.match(
      await doctor(),
      new RegExp(`^fault +disk: 1 requested blob is [^\\n]+${hash}`, "m"),
    );
    await Deno.rename(`${path}.away`, path);
    assert.doesNotMatch(await doctor(), /are lost/);
  });
});

Deno.test("a client that uploads a lost blob again is asked for its bytes, and the blob is durable again", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const asset = await createAsset(app, ada, "photo");
    await damageBlob(app, hashOf(asset.original), "a missing file");
    const create = async (status: number) =>
      await expectJson(
        await app.send("POST", "/v1/upload", {
          token: ada.token,
          json: uploadRequest(ada, asset.original, { fileId: asset.assetId }),
        }),
        status,
      );
    const { upload_id, state, offset } = await create(201);
    assert.deepEqual([state, offset], ["open", 0]);
    const put = await putBytes(app, ada, upload_id, asset.original);
    await expectJson(put, 200);
    assert.equal((await create(200)).state, "finalized");
    const { durable } = await verifyOne(
      app,
      ada,
      asset.assetId,
      hashesOf(asset),
    );
    assert.equal(durable, true);
  });
});

Deno.test({
  name: "a read-only file system is noticed, and so is its repair",
  ignore: !await mayMount(),
  fn: async () => {
    await withTestApp(async ({ gauges, dataDir }) => {
      const run = async (command: string, ...args: string[]) => {
        const { success } = await new Deno.Command(command, { args }).output();
        assert(success, [command, ...args].join(" "));
      };
      assert.equal(await gauges.takesWrites(), true);
      // A test cannot make a file system in use fail like a disk: another one
      // is mounted over it.
      await run("mount", "-t", "tmpfs", "tmpfs", dataDir);
      try {
        await Deno.writeTextFile(`${dataDir}/lock`, "");
        assert.equal(await gauges.takesWrites(), true);
        await run("mount", "-o", "remount,ro", dataDir);
        assert.equal(await gauges.takesWrites(), false);
      } finally {
        await run("umount", dataDir);
      }
      assert.equal(await gauges.takesWrites(), true);
    });
  },
});
