/**
 * Checking a data directory (upkeep/check.md#is-everything-still-there): a
 * healthy one gives no finding, and whatever is damaged is found and named.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sql } from "kysely";
import { ReceiptChain } from "../../src/features/receipts/chain.ts";
import { checkStore } from "../../src/features/verification/check.ts";
import type { BlobHash, UploadId, UserId } from "../../src/core/ids.ts";
import { DAY_MS } from "../../src/core/time.ts";
import { check, type History, makeHistory, namesOf } from "../support/check.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import type { Json } from "../support/expect.ts";
import { hashOf, registerWriter, uuidOf } from "../support/people.ts";
import { damageBlob, DAMAGES, hashesOf } from "../support/storage.ts";

async function withHistory(
  test: (app: TestApp, history: History) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    await test(app, await makeHistory(app));
  }, { blobs: "directory" });
}

/** What befalls a data directory, and the findings that it makes, no others. */
type Damage = (
  app: TestApp,
  history: History,
) => Promise<readonly string[]>;

const run = (app: TestApp, text: string, ...values: unknown[]) =>
  app.app.db.executeQuery({
    ...sql.raw(text).compile(app.app.db),
    parameters: values,
  });

/** The receipt that promises a blob, or one counted from it. */
async function receiptOf(app: TestApp, hash: string): Promise<number> {
  const { receipt_seq } = await app.app.db.selectFrom("holding")
    .select("receipt_seq")
    .where("hash", "=", hash as BlobHash)
    .executeTakeFirstOrThrow();
  return receipt_seq;
}

Deno.test("a healthy data directory gives no finding, whatever its history", async () => {
  await withHistory(async (first) => {
    for (const deep of [false, true]) {
      const { findings, summary } = await check(first, { deep });
      assert.deepEqual(findings, []);
      assert.equal(summary.found, 0);
      assert.deepEqual(summary.kinds, {});
      assert.equal(summary.deep, deep);
      assert.equal(summary.checked.assets, 4);
      assert.equal(summary.checked.usage, 2);
      assert(summary.checked.receipts > 15);
      // The blobs, and two of the three open sessions.
      assert(summary.checked.files >= summary.checked.blobs + 2);
    }
    const app = await first.reopen();
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
    app.clock.advance(2 * DAY_MS);
    await app.purge();
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
  });
});

Deno.test("an empty data directory is healthy", async () => {
  await withTestApp(async (app) => {
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
  });
});

Deno.test("a damaged file is found and named with its fix", async () => {
  const kinds = {
    "a flipped byte": "blob_corrupt",
    "a truncated file": "blob_of_other_size",
    "a missing file": "blob_missing",
  } as const;
  for (const damage of Object.keys(DAMAGES) as (keyof typeof DAMAGES)[]) {
    await withHistory(async (app, { asset }) => {
      const [hash = ""] = hashesOf(asset);
      await damageBlob(app, hash, damage);
      const { findings, summary } = await check(app, { deep: true });
      assert.deepEqual(
        findings.map(({ kind, subject }) => ({ kind, subject })),
        [{ kind: kinds[damage], subject: hash }],
      );
      assert.match(findings[0]?.mend ?? "", /backup|upload/);
      assert.notEqual(findings[0]?.detail, "");
      assert.deepEqual(summary.kinds, { [kinds[damage]]: 1 });
      // Without reading it a flipped byte is not seen.
      const shallow = namesOf(await check(app));
      assert.equal(shallow.length, damage === "a flipped byte" ? 0 : 1);
    });
  }
});

const DAMAGE: Readonly<Record<string, Damage>> = {
  "a holding without its blob's row": async (app, { asset }) => {
    const [hash = ""] = hashesOf(asset);
    await run(app, "pragma foreign_keys = off");
    await run(app, "delete from blob where hash = ?", hash);
    const place = `blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
    return [`blob_file_unknown ${place}`, `holding_without_blob ${hash}`];
  },
  "a holding of another size than its blob": async (app, { asset, ada }) => {
    const [hash = ""] = hashesOf(asset);
    await run(app, "update holding set size = 7 where hash = ?", hash);
    return [`holding_of_other_size ${hash}`, `usage_miscounted ${ada.userId}`];
  },
  "attached holdings of no asset": async (app, { asset, ada }) => {
    await run(app, "delete from asset where asset_id = ?", asset.assetId);
    return [
      ...hashesOf(asset).map((hash) => `holding_without_asset ${hash}`),
      `usage_miscounted ${ada.userId}`,
    ];
  },
  "a chain head that is no manifest": async (app, { asset }) => {
    const { assetId } = asset;
    await run(app, "delete from manifest where asset_id = ?", assetId);
    return [`asset_without_manifest ${assetId}`];
  },
  "a chain head without its provenance": async (app, { asset }) => {
    const hash = hashOf(asset.manifest);
    await run(app, "delete from holding where hash = ?", hash);
    return [`asset_without_provenance ${asset.assetId}`];
  },
  "an asset without its original": async (app, { asset }) => {
    const hash = hashOf(asset.original);
    await run(app, "update holding set applied = 0 where hash = ?", hash);
    return [`asset_without_original ${asset.assetId}`];
  },
  ...Object.fromEntries(
    [
      "used_bytes",
      "reserved_bytes",
      "trash_bytes",
      "open_uploads",
      "live_assets",
      "held_blobs",
      "pending_blobs",
    ].map((column): [string, Damage] => [
      `a ${column} that is not what the tables say`,
      async (app, { ada }) => {
        const change = `update usage set ${column} = ${column} + 1`;
        await run(app, `${change} where user_id = ?`, ada.userId);
        return [`usage_miscounted ${ada.userId}`];
      },
    ]),
  ),
  "files in blobs/ that have no row": async (app) => {
    const hash = hashOf("nobody's");
    const directory = `blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}`;
    const names = [hash, `${hash}.${uuidOf("nobody's")}`];
    await Deno.mkdir(`${app.dataDir}/${directory}`, { recursive: true });
    for (const name of names) {
      await Deno.writeTextFile(`${app.dataDir}/${directory}/${name}`, "x");
    }
    return names.map((name) => `blob_file_unknown ${directory}/${name}`);
  },
  "a file in uploads/ without a session": async (app) => {
    const name = uuidOf("nobody's");
    await Deno.writeTextFile(`${app.dataDir}/uploads/${name}`, "x");
    return [`upload_file_unknown uploads/${name}`];
  },
  "a session's file once its row is lost": async (app) => {
    const { upload_id } = await app.app.db.selectFrom("upload")
      .innerJoin("usage", "usage.user_id", "upload.user_id")
      .select("upload_id").where("state", "=", "open")
      .where(
        "ciphertext_hash",
        "in",
        (select) => select.selectFrom("upload").select("ciphertext_hash"),
      )
      .orderBy("upload_id", "desc").executeTakeFirstOrThrow();
    await run(app, "delete from upload where upload_id = ?", upload_id);
    const { user_id } = await app.app.db.selectFrom("usage")
      .select("user_id").where("open_uploads", ">", 0)
      .executeTakeFirstOrThrow();
    return [
      `upload_file_unknown uploads/${upload_id}`,
      // Of the open sessions, and of their bytes.
      `usage_miscounted ${user_id}`,
      `usage_miscounted ${user_id}`,
    ];
  },
  "files that concern no one": async (app, { asset }) => {
    const [hash = ""] = hashesOf(asset);
    const taken = new Set(
      (await Array.fromAsync(Deno.readDir(`${app.dataDir}/blobs`)))
        .map(({ name }) => name),
    );
    const free = Array.from(
      { length: 256 },
      (_, n) => n.toString(16).padStart(2, "0"),
    ).filter((name) => !taken.has(name));
    const [file = "", directory = ""] = free;
    await Deno.mkdir(`${app.dataDir}/blobs/${directory}/00`, {
      recursive: true,
    });
    const places = [
      "uploads/notes.txt",
      "blobs/notes.txt",
      // A blob's own name in another's place.
      `blobs/${directory}/${hash}`,
      `blobs/${directory}/00/${hash}`,
      `blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}.tmp`,
      // A file where a directory would be.
      `blobs/${file}`,
    ];
    for (const place of places) {
      await Deno.writeTextFile(`${app.dataDir}/${place}`, "x");
    }
    return places.map((place) => `file_foreign ${place}`);
  },
  "a contribution without its blob": async (app, { ada }) => {
    const { db, newId } = app.app;
    const owner_id = ada.userId as UserId;
    const opaque_id = "0".repeat(32) as Json;
    await db.insertInto("upload_link").values({
      opaque_id,
      owner_id,
      album_id: null,
      recipient_key: new Uint8Array(1),
      wrapped_secret: null,
      max_bytes: 1,
      max_files: 1,
      expires_at: app.clock.now,
      created_at: 0,
      request_hash: "",
    }).execute();
    const ciphertext_hash = hashOf("brought") as BlobHash;
    await db.insertInto("guest_upload").values({
      upload_id: newId<UploadId>(),
      opaque_id,
      owner_id,
      ciphertext_hash,
      size: 5,
      sealed_metadata: new Uint8Array(1),
      state: "finalized",
      created_at: 0,
      expires_at: app.clock.now,
    }).execute();
    return [
      `contribution_without_blob ${ciphertext_hash}`,
      `usage_miscounted ${ada.userId}`,
    ];
  },
  "a row that refers to none": async (app) => {
    await run(app, "pragma foreign_keys = off");
    await run(
      app,
      "insert into roster_member values ('a', 'b', 'viewer', 'c')",
    );
    return ["reference_broken roster_member"];
  },
  "the last receipt, lost": async (app, { asset }) => {
    const hash = hashOf(asset.manifest);
    const seq = await receiptOf(app, hash);
    await run(app, "delete from receipt where receipt_seq = ?", seq);
    return [`holding_without_receipt ${hash}`];
  },
  "a receipt in the middle, lost": async (app, { asset }) => {
    const hash = hashOf(asset.metadata);
    const seq = await receiptOf(app, hash);
    await run(app, "delete from receipt where receipt_seq = ?", seq);
    return [
      `holding_without_receipt ${hash}`,
      `receipt_out_of_chain receipt ${seq + 1}`,
    ];
  },
  "the first receipt, lost": async (app) => {
    await run(app, "delete from receipt where receipt_seq = 1");
    // Its holding is given another, so that the chain alone tells.
    await run(app, "update holding set receipt_seq = 2 where receipt_seq = 1");
    return ["receipt_out_of_chain receipt 2"];
  },
  "a receipt with a changed byte": async (app, { asset }) => {
    const seq = await receiptOf(app, hashOf(asset.metadata));
    const { body } = await app.app.db.selectFrom("receipt").select("body")
      .where("receipt_seq", "=", seq).executeTakeFirstOrThrow();
    const changed = body.slice();
    const at = changed.length - 100;
    changed[at] = (changed[at] ?? 0) ^ 1;
    await app.app.db.updateTable("receipt").set({ body: changed })
      .where("receipt_seq", "=", seq).execute();
    return [`receipt_invalid receipt ${seq}`];
  },
  "a receipt that cannot be read": async (app, { asset }) => {
    const seq = await receiptOf(app, hashOf(asset.metadata));
    await app.app.db.updateTable("receipt").set({ body: new Uint8Array(9) })
      .where("receipt_seq", "=", seq).execute();
    return [`receipt_invalid receipt ${seq}`];
  },
  "a receipt under another's number": async (app, { asset }) => {
    const seq = await receiptOf(app, hashOf(asset.manifest));
    const change = "update receipt set receipt_seq = 99 where receipt_seq = ?";
    await run(app, change, seq);
    await run(
      app,
      "update holding set receipt_seq = 99 where receipt_seq = ?",
      seq,
    );
    return ["receipt_invalid receipt 99"];
  },
  ...Object.fromEntries(
    ["asset_id", "upload_id", "receipt_hash"].map((
      column,
    ): [string, Damage] => [
      `a receipt whose row has another ${column}`,
      async (app, { asset }) => {
        const seq = await receiptOf(app, hashOf(asset.metadata));
        const change = `update receipt set ${column} = ?`;
        const value = hashOf("another");
        await run(app, `${change} where receipt_seq = ?`, value, seq);
        return [`receipt_invalid receipt ${seq}`];
      },
    ]),
  ),
};

for (const [name, damage] of Object.entries(DAMAGE)) {
  Deno.test(`${name}: found and named, and nothing else is`, async () => {
    await withHistory(async (app, history) => {
      const expected = await damage(app, history);
      const report = await check(app, { deep: true });
      assert.deepEqual(namesOf(report), expected.toSorted());
      for (const { detail, mend } of report.findings) {
        assert(detail !== "" && mend !== "");
      }
      assert.equal(report.summary.found, expected.length);
    });
  });
}

Deno.test("receipts under a key that is not the server's are found, all of them", async () => {
  await withHistory(async (app) => {
    const { findings, summary } = await checkStore({ ...app.app, keys: [] });
    assert.equal(findings.length, summary.checked.receipts);
    assert.match(findings[0]?.detail ?? "", /key_unknown/);
  });
});

Deno.test("receipts from under an earlier origin of this server are sound", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const [key] = app.app.secrets.attestationKeys;
    assert(key !== undefined);
    const chain = new ReceiptChain(
      app.app.db,
      "https://before.example.org",
      { active: { ...key, generation: 0 }, refresh: () => Promise.resolve() },
      () => app.clock.now,
      { hold: () => {}, note: () => {} },
    );
    await chain.issue({
      ownerId: ada.userId as UserId,
      uploadId: app.app.newId<UploadId>(),
      assetId: null,
      blobRole: "original",
      ciphertextHash: hashOf("x") as BlobHash,
      size: 1,
      envelopeHash: null,
    }, () => Promise.resolve());
    const report = await check(app);
    assert.deepEqual(namesOf(report), []);
    assert.equal(report.summary.checked.receipts, 1);
  });
});

Deno.test("a chain longer than a page is followed over all of it", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await app.app.receipts.issueAll(
      Array.from({ length: 230 }, () => ({
        ownerId: ada.userId as UserId,
        uploadId: app.app.newId<UploadId>(),
        assetId: null,
        blobRole: "original" as const,
        ciphertextHash: hashOf("x") as BlobHash,
        size: 1,
        envelopeHash: null,
      })),
      () => Promise.resolve(),
    );
    assert.deepEqual(namesOf(await check(app)), []);
    await run(app, "delete from receipt where receipt_seq in (200, 220)");
    assert.deepEqual(namesOf(await check(app)), [
      "receipt_out_of_chain receipt 201",
      "receipt_out_of_chain receipt 221",
    ]);
  });
});
