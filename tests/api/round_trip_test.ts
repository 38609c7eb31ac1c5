import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectJson } from "../support/expect.ts";
import { createAsset, hashOf, registerWriter } from "../support/people.ts";

Deno.test("an uploaded asset is read back byte for byte", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original } = await createAsset(app, ada, "photo");
    const asset = await expectJson(
      await app.send("GET", `/v1/assets/${assetId}`, { token: ada.token }),
      200,
    );
    assert.equal(asset.state, "live");
    const blob = await app.send(
      "GET",
      `/v1/assets/${assetId}/blobs/${hashOf(original)}`,
      { token: ada.token },
    );
    assert.equal(blob.status, 200);
    assert.deepEqual(new Uint8Array(await blob.arrayBuffer()), original);
  });
});
