/**
 * `strongroom asset` as a process, while a server runs
 * (accounts-and-moderation.md): what it does is in force on the server's next
 * request.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Beside,
  expectHelp,
  expectMisused,
  withServer,
} from "../support/operator_commands.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
} from "../support/people.ts";
import { opaqueId, shareRequest } from "../support/api.ts";
import { sendDelete } from "../support/trash.ts";

const DEEDS = ["take-down", "reinstate", "hold", "release"];
const COMMANDS = ["show", ...DEEDS];

/** Runs a test over one asset of Ada's, on a share link. */
async function withAsset(
  test: (beside: Beside, ada: Person, asset: LiveAsset) => Promise<void>,
): Promise<void> {
  await withServer(async (beside) => {
    const ada = await registerWriter(beside, "ada");
    const asset = await createAsset(beside, ada, "photo");
    const serves = [asset.metadata, asset.original].map(hashOf);
    await expectJson(
      await beside.send("POST", "/v1/shares", {
        token: ada.token,
        json: shareRequest("photo", serves),
      }),
      201,
    );
    await test(beside, ada, asset);
  });
}

function viewOriginal({ send }: Beside, { original }: LiveAsset) {
  const path = `/s/${opaqueId("photo")}/blob/${hashOf(original)}`;
  return send("GET", path, { protocol: null });
}

async function eventsOf({ send }: Beside, { token }: Person): Promise<Json[]> {
  const { events } = await expectJson(
    await send("GET", "/v1/moderation/record", { token }),
    200,
  );
  return events;
}

Deno.test("a take-down makes an asset and its share 404 on the next request, until it is reinstated", async () => {
  await withAsset(async (beside, ada, asset) => {
    const { assetId, original } = asset;
    const viewed = await viewOriginal(beside, asset);
    assert.deepEqual(new Uint8Array(await viewed.arrayBuffer()), original);
    const why = ["--reason", "court order"];
    assert.equal(
      await beside.done("asset", "take-down", assetId, ...why),
      `asset ${assetId} of account ${ada.userId} is taken down\n`,
    );
    await expectProblem(
      await viewOriginal(beside, asset),
      "error.share.not_found",
    );
    const read = () =>
      beside.send("GET", `/v1/assets/${assetId}`, { token: ada.token });
    await expectProblem(await read(), "error.asset.not_found");
    await beside.refused(/already taken down/, "asset", "take-down", assetId);
    assert.match(
      await beside.done("asset", "show", assetId),
      /\(ada@example\.org\): live, taken down since 2.*\n(.*\n)*.*"court order"/,
    );
    assert.deepEqual(await beside.json("asset", "reinstate", assetId), {
      asset_id: assetId,
      owner: ada.userId,
      outcome: "reinstated",
    });
    await expectJson(await read(), 200);
    const again = await viewOriginal(beside, asset);
    assert.equal(again.status, 200);
    await again.body?.cancel();
    await beside.refused(/is not taken down/, "asset", "reinstate", assetId);
    assert.deepEqual(
      (await eventsOf(beside, ada)).map((one) => [one.action, one.reason]),
      [["taken_down", "court order"], ["reinstated", undefined]],
    );
  });
});

Deno.test("an asset under legal hold is not deleted, nor is its account, until it is released", async () => {
  await withAsset(async (beside, ada, { assetId }) => {
    assert.deepEqual(await beside.json("asset", "hold", assetId), {
      asset_id: assetId,
      owner: ada.userId,
      outcome: "under_legal_hold",
    });
    await expectProblem(
      await sendDelete(beside, ada, assetId),
      "error.asset.held",
    );
    await beside.refused(
      new RegExp(`under legal hold: ${assetId}: .*release`),
      ...["account", "delete", ada.address, "--yes"],
    );
    await beside.refused(/already under legal hold/, "asset", "hold", assetId);
    assert.equal(
      await beside.done("asset", "release", assetId, "--reason", "settled"),
      `asset ${assetId} of account ${ada.userId} is released\n`,
    );
    await expectJson(await sendDelete(beside, ada, assetId), 200);
    await beside.refused(/not under legal hold/, "asset", "release", assetId);
    assert.match(
      await beside.done("asset", "show", assetId),
      /: in the trash since 2/,
    );
    await beside.done("account", "delete", ada.address, "--yes");
    await beside.refused(/was deleted at 2/, "asset", "show", assetId);
  });
});

Deno.test("an asset is shown with its blobs and what was done about it", async () => {
  await withAsset(async (beside, ada, asset) => {
    await beside.done("asset", "hold", asset.assetId, "--reason", "a\nb");
    const shown = await beside.json("asset", "show", asset.assetId);
    const { asset_id, owner, owner_address, state, chain_head } = shown;
    assert.deepEqual({ asset_id, owner, owner_address, state, chain_head }, {
      asset_id: asset.assetId,
      owner: ada.userId,
      owner_address: ada.address,
      state: "live",
      chain_head: hashOf(asset.manifest),
    });
    assert.deepEqual(
      shown.blobs,
      [
        ["original", asset.original] as const,
        ["metadata", asset.metadata] as const,
        ["provenance", asset.manifest] as const,
      ].map(([role, bytes]) => ({
        hash: hashOf(bytes),
        role,
        size: bytes.length,
      })),
    );
    assert.match(shown.held_since, /Z$/);
    const [event] = shown.events;
    assert.deepEqual([event.action, event.reason], ["legal_hold", "a\nb"]);
    // On one line, whatever the reason has in it.
    assert.match(
      await beside.done("asset", "show", asset.assetId),
      /legal_hold {2}"a b"\n$/,
    );
  });
});

Deno.test("an unknown asset, no id at all and a reason that is too long are refused", async () => {
  await withAsset(async ({ refused }, _, { assetId }) => {
    const unknown = crypto.randomUUID();
    for (const command of COMMANDS) {
      await refused(/there is no asset/, "asset", command, unknown);
      await refused(
        /is not an asset id/,
        "asset",
        command,
        assetId.toUpperCase(),
      );
    }
    const long = ["--reason", "x".repeat(2_001)];
    await refused(/at most 2000 characters/, "asset", "hold", assetId, ...long);
  });
});

Deno.test("a wrong use is status 2, and every help has an example and says who reads the reason", async () => {
  await Promise.all([
    expectMisused("asset"),
    expectMisused("asset", "show"),
    expectMisused("asset", "show", "a", "--reason", "x"),
    expectMisused("asset", "hold", "a", "--reason"),
    expectMisused("asset", "delete", "a"),
  ]);
  const [, ...helps] = await expectHelp("asset", COMMANDS);
  for (const help of helps) {
    assert.match(help.replaceAll(/\s+/g, " "), /its owner reads in its/);
  }
});
