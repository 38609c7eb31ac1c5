import assert from "node:assert/strict";
import { verifyReceiptChain } from "../../src/crypto/receipt_chain.ts";
import { parsePublishedKeys } from "../../src/crypto/receipt_chain.ts";
import { fromBase64 } from "../../src/core/bytes.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { failingFiles } from "../support/failing_files.ts";
import { restarting } from "../support/restarting.ts";
import { offsetOf } from "../support/uploads.ts";
import { filesIn } from "../support/trash.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  patchBytes,
  type Person,
  putBytes,
  registerWriter,
  uuidOf,
} from "../support/people.ts";

/** More operations than any request here has. */
const MANY = 60;

async function finalize(app: TestApp, person: Person, uploadId: string) {
  return await app.send("POST", `/v1/upload/${uploadId}/finalize`, {
    token: person.token,
  });
}

async function receipts(app: TestApp, person: Person, assetId: string) {
  const { receipts } = await expectJson(
    await app.send("GET", `/v1/assets/${assetId}/receipts`, {
      token: person.token,
    }),
    200,
  );
  return receipts.map((one: Json) => fromBase64(one.receipt_cbor));
}

/** Puts a damaged file where a blob is to lie. */
async function occupy(app: TestApp, bytes: Uint8Array): Promise<void> {
  const hash = hashOf(bytes);
  const leaf = `${app.dataDir}/blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}`;
  await Deno.mkdir(leaf, { recursive: true });
  await Deno.writeTextFile(`${leaf}/${hash}`, "damaged");
}

/** What leaves in doubt whether the bytes are on the disk; they are opened to be synced. */
const DOUBTFUL = ["open", "sync", "rename", "syncDirectory"];

Deno.test("a finalization that fails at any file operation can be repeated, and issues one receipt", async () => {
  const files = failingFiles();
  await withTestApp(async (first) => {
    const app = restarting(first);
    const ada = await registerWriter(app, "ada");
    const attempt = async (n: number, only?: string) => {
      const name = `${only} ${n}`;
      const fileId = uuidOf(`file ${name}`);
      const bytes = ciphertext(`blob ${name}`, 10_000);
      const { upload_id } = await createUpload(app, ada, bytes, { fileId });
      const patched = await patchBytes(app, ada, upload_id, 0, bytes);
      assert.equal(patched.status, 204);
      // Only where something lies already is anything replaced.
      if (only === "rename") await occupy(app.current(), bytes);
      files.failAt(n, "EIO", only);
      const first = await finalize(app, ada, upload_id);
      const fault = files.fault();
      files.failAt(MANY * MANY);
      if (fault === undefined) return undefined;
      if (first.status !== 200) await expectProblem(first, "error.internal");
      if (fault === "syncDirectory") await app.restart();
      // Bytes that may not be on the disk are requested again: reading them
      // back would prove only what the system has in memory.
      const isDoubtful = DOUBTFUL.includes(fault);
      assert.equal(
        await offsetOf(app, ada, upload_id),
        isDoubtful ? 0 : 10_000,
        fault,
      );
      if (isDoubtful) await patchBytes(app, ada, upload_id, 0, bytes);
      const again = await expectJson(
        await finalize(app, ada, upload_id),
        200,
      );
      assert.equal(again.replayed, first.status === 200);
      assert.equal((await receipts(app, ada, fileId)).length, 1);
      return fault;
    };
    let faults = 0;
    while (await attempt(faults + 1) !== undefined) faults += 1;
    assert.ok(faults >= 8 && faults < MANY, `${faults} operations failed`);
    // Those that go on at once come in any order: each has its turn.
    for (const only of DOUBTFUL) assert.equal(await attempt(1, only), only);
  }, { files });
});

Deno.test("a server that cannot sync a directory says so, promises nothing more, and makes the directory again when it is restarted", async () => {
  const files = failingFiles();
  await withTestApp(async (first) => {
    const app = restarting(first);
    const ada = await registerWriter(app, "ada");
    const syncs = () =>
      files.seen().filter((operation) => operation === "syncDirectory").length;
    let failedSyncs = 0;
    for (let n = 1; n <= MANY; n++) {
      const fileId = uuidOf(`file ${n}`);
      const bytes = ciphertext(`directory ${n}`, 1_000);
      const { upload_id } = await createUpload(app, ada, bytes, { fileId });
      await patchBytes(app, ada, upload_id, 0, bytes);
      const { lost } = app.current();
      files.failAt(n, "EIO", "syncDirectory");
      await (await finalize(app, ada, upload_id)).body?.cancel();
      const failed = files.failed();
      files.failAt(MANY * MANY);
      if (!failed) break;
      assert.match((await lost).message, /cannot be brought to the disk: EIO/);
      const other = ciphertext(`beside ${n}`, 1_000);
      const beside = await createUpload(app, ada, other);
      await expectProblem(
        await putBytes(app, ada, beside.upload_id, other),
        "error.internal",
      );
      await app.restart();
      files.failAt(MANY * MANY);
      await expectJson(await putBytes(app, ada, upload_id, bytes), 200);
      assert.equal(syncs(), 3, "two directories, and the blob's own name");
      failedSyncs += 1;
    }
    assert.equal(failedSyncs, 3);
  }, { files });
});

Deno.test("the same bytes finalized for many assets at once are stored for each", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("the same", 30_000);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const fileId = uuidOf(`asset ${n}`);
        const { upload_id } = await createUpload(app, ada, bytes, { fileId });
        return await putBytes(app, ada, upload_id, bytes);
      }),
    );
    for (const answer of answers) await expectJson(answer, 200);
    const names = [...(await filesIn(app, "blobs")).keys()];
    assert.deepEqual(names, [hashOf(bytes)]);
  });
});

Deno.test("a PATCH that fails at any file operation but syncing loses no acknowledged byte, and after that all are asked for again", async () => {
  const files = failingFiles();
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    let faults = 0;
    let dropped = 0;
    for (let n = 1; n <= MANY; n++) {
      const fileId = uuidOf(`file ${n}`);
      const bytes = ciphertext(`blob ${n}`, 20_000);
      const { upload_id } = await createUpload(app, ada, bytes, { fileId });
      const start = bytes.slice(0, 8_000);
      const acknowledged = await patchBytes(app, ada, upload_id, 0, start);
      assert.equal(acknowledged.headers.get("upload-offset"), "8000");
      files.failAt(n);
      await patchBytes(app, ada, upload_id, 8_000, bytes.slice(8_000));
      if (!files.failed()) break;
      faults += 1;
      const { offset } = await expectJson(
        await app.send("GET", `/v1/upload/${upload_id}`, { token: ada.token }),
        200,
      );
      if (offset === 0) dropped += 1;
      else assert.ok(offset >= 8_000 && offset <= 20_000);
      const rest = bytes.slice(offset);
      await patchBytes(app, ada, upload_id, offset, rest);
      await expectJson(await finalize(app, ada, upload_id), 200);
    }
    assert.ok(faults >= 4 && faults < MANY, `${faults} operations failed`);
    assert.equal(dropped, 2, "opening to sync, and syncing");
  }, { files });
});

Deno.test("a disk that fills up while bytes are written answers error.storage.full and keeps what was acknowledged", async () => {
  const files = failingFiles();
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    let full = 0;
    for (let n = 1; n <= MANY; n++) {
      const fileId = uuidOf(`file ${n}`);
      const bytes = ciphertext(`blob ${n}`, 20_000);
      const { upload_id } = await createUpload(app, ada, bytes, { fileId });
      await patchBytes(app, ada, upload_id, 0, bytes.slice(0, 8_000));
      files.failAt(n, "ENOSPC");
      const rest = bytes.slice(8_000);
      const answer = await patchBytes(app, ada, upload_id, 8_000, rest);
      if (!files.failed()) break;
      await expectProblem(answer, "error.storage.full");
      full += 1;
      files.failAt(MANY * MANY);
      await expectJson(await putBytes(app, ada, upload_id, bytes), 200);
    }
    assert.equal(
      full,
      8,
      "stat, freeBytes, open, truncate, seek, write, open and sync",
    );
  }, { files });
});

Deno.test("bytes under a checksum that was not verified do not count after a crash", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("a blob", 20_000);
    const { upload_id } = await createUpload(app, ada, bytes);
    await patchBytes(app, ada, upload_id, 0, bytes.slice(0, 8_000));
    // What a process leaves behind that is killed in the middle.
    await app.app.db.updateTable("upload").set({ unverified_from: 8_000 })
      .where("upload_id", "=", upload_id).execute();
    await Deno.writeFile(
      `${app.dataDir}/uploads/${upload_id}`,
      new Uint8Array(5_000),
      { append: true },
    );
    const after = await app.reopen();
    const { offset } = await expectJson(
      await after.send("GET", `/v1/upload/${upload_id}`, { token: ada.token }),
      200,
    );
    assert.equal(offset, 8_000);
    const rest = await patchBytes(
      after,
      ada,
      upload_id,
      8_000,
      bytes.slice(8_000),
    );
    assert.equal(rest.status, 204);
    await expectJson(await finalize(after, ada, upload_id), 200);
  });
});

Deno.test("storing a blob again repairs damage on the disk", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { assetId, original } = await createAsset(app, ada, "photo");
    const hash = hashOf(original);
    const path = `${app.dataDir}/blobs/${hash.slice(0, 2)}/` +
      `${hash.slice(2, 4)}/${hash}`;
    await Deno.writeFile(path, new Uint8Array(original.length));
    const fileId = uuidOf("another asset");
    const { upload_id } = await createUpload(app, ada, original, { fileId });
    await expectJson(await putBytes(app, ada, upload_id, original), 200);
    const blob = await app.send("GET", `/v1/assets/${assetId}/blobs/${hash}`, {
      token: ada.token,
    });
    assert.deepEqual(new Uint8Array(await blob.arrayBuffer()), original);
  }, { blobs: "directory" });
});

Deno.test("finalizations at once make one chain without a gap", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const fileId = uuidOf("a file of many derivatives");
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const bytes = ciphertext(`derivative ${n}`, 3_000);
        const { upload_id } = await createUpload(app, ada, bytes, {
          fileId,
          role: "derivative",
        });
        return await expectJson(
          await putBytes(app, ada, upload_id, bytes),
          200,
        );
      }),
    );
    assert.equal(
      new Set(answers.map((one) => one.receipt.receipt_seq)).size,
      30,
    );
    const keys = await expectJson(
      await app.send("GET", "/.well-known/service/attestation-keys"),
      200,
    );
    const chain = await verifyReceiptChain(
      await receipts(app, ada, fileId),
      parsePublishedKeys(keys),
    );
    assert.equal(chain.ok && chain.count, 30);
  });
});

Deno.test("one session finalized twenty times at once gives one receipt", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("a blob", 50_000);
    const { upload_id, asset_id } = await createUpload(app, ada, bytes);
    await patchBytes(app, ada, upload_id, 0, bytes);
    const answers = await Promise.all(
      Array.from(
        { length: 20 },
        async () => await expectJson(await finalize(app, ada, upload_id), 200),
      ),
    );
    const seqs = new Set(answers.map((one) => one.receipt.receipt_seq));
    assert.equal(seqs.size, 1);
    assert.equal(answers.filter((one) => !one.replayed).length, 1);
    assert.equal((await receipts(app, ada, asset_id)).length, 1);
  });
});
