/**
 * What a verify request may hold, and what it may cost
 * (protocol/receipts.md#structural-and-deep-verification).
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectProblem, type Json } from "../support/expect.ts";
import {
  createAsset,
  hashOf,
  type LiveAsset,
  uuidOf,
} from "../support/people.ts";
import { hashesOf, sendVerify, verify } from "../support/storage.ts";
import { withAda } from "../support/api.ts";

Deno.test("1 to 100 assets and 1 to 1,000 hashes in all are taken", async () => {
  await withAda(async (app, ada) => {
    const asked = (assets: number, each: number) =>
      Array.from({ length: assets }, (_, n) => ({
        asset_id: uuidOf(`asset ${n}`),
        blob_hashes: Array.from(
          { length: each },
          (_, k) => hashOf(`${n} ${k}`),
        ),
      }));
    const hash = hashOf("one");
    for (
      const assets of [
        asked(1, 1),
        asked(100, 10),
        asked(1, 1_000),
        [{ asset_id: uuidOf("one"), blob_hashes: Array(1_000).fill(hash) }],
      ]
    ) {
      const verdicts = await verify(app, ada, assets);
      assert.deepEqual(
        verdicts.map(({ blobs }: Json) => blobs.length),
        assets.map(({ blob_hashes }) => blob_hashes.length),
      );
    }
    for (
      const assets of [
        [],
        asked(101, 1),
        asked(1, 0),
        asked(1, 1_001),
        [...asked(99, 10), ...asked(1, 11)],
        [...asked(2, 1), ...asked(1, 0)],
      ]
    ) {
      const { errors } = await expectProblem(
        await sendVerify(app, ada, assets),
        "error.request.invalid",
      );
      assert.match(errors[0].path, /^\/assets/);
    }
  });
});

Deno.test("identifiers and hashes of another form are 422, named by their place", async () => {
  await withAda(async (app, ada) => {
    const asset_id = uuidOf("a");
    const blob_hashes = [hashOf("a")];
    const upper = hashOf("a").toUpperCase();
    const bodies: [Json, string][] = [
      [{ assets: [{ asset_id: "a", blob_hashes }] }, "/assets/0/asset_id"],
      [
        { assets: [{ asset_id: asset_id.toUpperCase(), blob_hashes }] },
        "/assets/0/asset_id",
      ],
      [{ assets: [{ asset_id: 7, blob_hashes }] }, "/assets/0/asset_id"],
      [{ assets: [{ blob_hashes }] }, "/assets/0/asset_id"],
      [{ assets: [{ asset_id }] }, "/assets/0/blob_hashes"],
      [{ assets: [{ asset_id, blob_hashes: "" }] }, "/assets/0/blob_hashes"],
      ...[upper, "", "zz", "../../etc/passwd", `${hashOf("a")}0`, null, 1].map(
        (hash): [Json, string] => [
          { assets: [{ asset_id, blob_hashes: [hash] }] },
          "/assets/0/blob_hashes/0",
        ],
      ),
      [
        { assets: [{ asset_id, blob_hashes }], deep: "yes" },
        "/deep",
      ],
      [{ assets: [{ asset_id, blob_hashes, role: "original" }] }, "/assets/0"],
      [{ assets: null }, "/assets"],
      [{}, "/assets"],
    ];
    for (const [json, path] of bodies) {
      const { errors } = await expectProblem(
        await app.send("POST", "/v1/storage/verify", {
          token: ada.token,
          json,
        }),
        "error.request.invalid",
      );
      assert(errors[0].path.startsWith(path), `${errors[0].path} ${path}`);
    }
  });
});

Deno.test("a hundred assets are verified by one question to the database", async () => {
  await withAda(async (app, ada) => {
    const assets: LiveAsset[] = [];
    for (let n = 0; n < 5; n++) {
      assets.push(await createAsset(app, ada, `photo ${n}`, { length: 50 }));
    }
    const asked = Array.from({ length: 100 }, (_, n) => {
      const asset = assets[n % 5];
      assert(asset !== undefined);
      return { asset_id: asset.assetId, blob_hashes: hashesOf(asset) };
    });
    const { db } = app.app;
    const questions: string[] = [];
    const adapter = db.getExecutor();
    const original = adapter.executeQuery.bind(adapter);
    adapter.executeQuery = (query) => {
      if (query.sql.includes("holding")) questions.push(query.sql);
      return original(query);
    };
    const verdicts = await verify(app, ada, asked);
    assert.equal(questions.length, 1);
    assert(verdicts.every(({ durable }: Json) => durable));
    // No part of the answer is looked for by walking a table.
    const plan = await db.executeQuery<{ detail: string }>({
      ...db.selectFrom("holding").select("hash").compile(),
      sql: `explain query plan ${questions[0]}`,
      parameters: Array(questions[0]?.split("?").length ?? 0).fill("[]")
        .slice(1),
    });
    for (const { detail } of plan.rows) {
      assert.doesNotMatch(
        detail,
        /SCAN (own|holding|asset|blob)\b/,
        detail,
      );
    }
  });
});
