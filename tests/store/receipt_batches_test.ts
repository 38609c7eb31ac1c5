import assert from "node:assert/strict";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { type TestApp, withTestApp, yieldToEventLoop } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { expectWholeChain } from "../support/ops.ts";
import { blobPath } from "../support/trash.ts";
import {
  ciphertext,
  createUpload,
  patchBytes,
  registerWriter,
  uuidOf,
} from "../support/people.ts";

const FINALIZED = 12;
/** One of them, in the midst of those that wait. */
const ENDED = 5;
const FRAME_BYTES = 24;
const PAGE_BYTES = 4096;

/** Commits that the database's log holds; it must have been emptied before. */
async function commitsLogged(app: TestApp): Promise<number> {
  const log = await Deno.readFile(`${app.dataDir}/db/strongroom.sqlite-wal`);
  const view = new DataView(log.buffer);
  let commits = 0;
  const step = FRAME_BYTES + PAGE_BYTES;
  for (let at = 32; at + step <= log.length; at += step) {
    // Salt of the log and of the frame: what differs is of an earlier round.
    const isCurrent = view.getBigUint64(at + 8) === view.getBigUint64(16);
    if (isCurrent && view.getUint32(at + 4) > 0) commits += 1;
  }
  return commits;
}

/** Resolves once so many have asked for receipts since. */
function whenInTurn({ app }: TestApp, many: number): Promise<void> {
  const { receipts } = app;
  const issueAll = receipts.issueAll.bind(receipts);
  let asked = 0;
  return new Promise((resolve) => {
    receipts.issueAll = (orders, commit) => {
      asked += 1;
      if (asked === many) resolve();
      return issueAll(orders, commit);
    };
  });
}

async function isPlaced(app: TestApp, bytes: Uint8Array): Promise<boolean> {
  try {
    await Deno.stat(blobPath(app, bytes));
    return true;
  } catch {
    return false;
  }
}

Deno.test("finalizations that wait for their turn are committed together, and one that is refused disturbs no other", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const blobs = Array.from(
      { length: FINALIZED },
      (_, n) => ciphertext(`blob ${n}`, 2_000),
    );
    const uploads: Json[] = [];
    for (const [n, bytes] of blobs.entries()) {
      const fileId = uuidOf(`file ${n}`);
      const upload = await createUpload(app, ada, bytes, { fileId });
      await patchBytes(app, ada, upload.upload_id, 0, bytes);
      uploads.push(upload);
    }
    using other = openSqlite(`${app.dataDir}/db/strongroom.sqlite`);
    // What this turn has read would hold it up.
    await yieldToEventLoop();
    other.exec("pragma wal_checkpoint(truncate)");
    other.exec("begin immediate");
    const inTurn = whenInTurn(app, FINALIZED);
    const answers = uploads.map(({ upload_id }) =>
      app.send("POST", `/v1/upload/${upload_id}/finalize`, { token: ada.token })
    );
    // By then all have been checked, and what is left is to commit.
    await inTurn;
    for (const one of blobs) assert(await isPlaced(app, one));
    other.prepare("delete from upload where upload_id = ?")
      .run(uploads[ENDED].upload_id);
    other.exec("commit");
    const receipts: Json[] = [];
    for (const [n, answer] of (await Promise.all(answers)).entries()) {
      if (n === ENDED) await expectProblem(answer, "error.upload.not_found");
      else receipts.push((await expectJson(answer, 200)).receipt);
    }
    assert.deepEqual(
      receipts.map(({ receipt_seq }) => receipt_seq).toSorted((a, b) => a - b),
      Array.from({ length: FINALIZED - 1 }, (_, n) => n + 1),
    );
    await expectWholeChain(app, receipts);
    // The other's, the first's that waited for it, and twice the rest.
    const commits = await commitsLogged(app);
    assert.ok(commits <= 5, `${commits} commits`);
  }, { blobs: "directory" });
});

Deno.test("receipts of one request are all issued or none, even if others wait", async () => {
  await withTestApp(async (app) => {
    const { receipts } = app.app;
    const ada = await registerWriter(app, "ada");
    const bytes = ciphertext("a blob", 100);
    const { upload_id } = await createUpload(app, ada, bytes);
    const [row] = await app.app.db.selectFrom("upload").selectAll().execute();
    assert(row !== undefined);
    assert.equal(row.upload_id, upload_id);
    const order = {
      ownerId: row.user_id,
      uploadId: row.upload_id,
      assetId: row.asset_id,
      blobRole: row.blob_role,
      ciphertextHash: row.ciphertext_hash,
      size: row.size,
      envelopeHash: null,
    } as const;
    const refusal = new Error("refused");
    const issued = await Promise.allSettled(
      Array.from(
        { length: 9 },
        (_, n) =>
          receipts.issueAll([order, order], (_, given) => {
            if (n % 3 === 1) throw refusal;
            return Promise.resolve(given.map(({ receiptSeq }) => receiptSeq));
          }),
      ),
    );
    assert.deepEqual(
      issued.map((one) => one.status === "fulfilled" ? one.value : one.reason),
      [
        [1, 2],
        refusal,
        ...[[3, 4], [5, 6]],
        refusal,
        ...[[7, 8], [9, 10]],
        refusal,
        [11, 12],
      ],
    );
    const stored = await app.app.db.selectFrom("receipt").select("receipt_seq")
      .orderBy("receipt_seq").execute();
    assert.equal(stored.length, 12);
  });
});
