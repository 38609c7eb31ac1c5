/**
 * A disk that is really full, under the files and under the database: uploads
 * answer 507 (completions.md section 6), what was acknowledged stays, reading
 * goes on, and what is deleted and collected makes room.
 *
 * Ignored where this process may not mount a small tmpfs, which wants root.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sql } from "kysely";
import { type TestApp, withTestApp } from "../support/app.ts";
import { readFeed } from "../support/albums.ts";
import { check } from "../support/check.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  type LiveAsset,
  patchBytes,
  type Person,
  putBytes,
  registerWriter,
  uploadRequest,
  uuidOf,
} from "../support/people.ts";
import { mayMount, withSmallDisk } from "../support/small_disk.ts";
import { expectBytes, expectNoErrors, readBlob } from "../support/stories.ts";
import { collect, DAY, later, trash } from "../support/trash.ts";
import { offsetOf } from "../support/uploads.ts";

const MIB = 1024 ** 2;
const DISK_BYTES = 24 * MIB;
const RESERVED_BYTES = 4 * MIB;
const MINUTE = 60_000;
const ignore = !await mayMount();
const where = ignore ? " (ignored: mounting a small disk needs root)" : "";

async function expectWhole(
  app: TestApp,
  person: Person,
  { assetId, original, metadata, manifest }: LiveAsset,
): Promise<void> {
  for (const bytes of [original, metadata, manifest]) {
    const read = await readBlob(app, person, assetId, hashOf(bytes));
    assert.equal(read.status, 200);
    expectBytes(await read.arrayBuffer(), bytes);
  }
}

async function expectSound(app: TestApp): Promise<void> {
  const { findings, summary } = await check(app, { deep: true });
  assert.deepEqual(findings, []);
  assert(summary.checked.blobs > 0);
}

/** Whether a request was taken; the one other answer is that the disk is full. */
async function isTaken(response: Response): Promise<boolean> {
  if (response.ok) {
    await response.body?.cancel();
    return true;
  }
  await expectProblem(response, "error.storage.full");
  return false;
}

Deno.test({
  name:
    `a disk that uploads have filled refuses more, reads on, and is emptied by deleting and collecting${where}`,
  ignore,
  fn: () =>
    withSmallDisk(DISK_BYTES, async ({ path, freeBytes }) => {
      await withTestApp(async (app) => {
        let ada = await registerWriter(app, "ada");
        const half = ciphertext("half", 2 * MIB);
        const fileId = uuidOf("half");
        const { upload_id } = await createUpload(app, ada, half, { fileId });
        const first = half.slice(0, MIB);
        assert(await isTaken(await patchBytes(app, ada, upload_id, 0, first)));
        const assets: LiveAsset[] = [];
        while (await freeBytes() > RESERVED_BYTES + 0.9 * MIB) {
          const name = `asset ${assets.length}`;
          assets.push(await createAsset(app, ada, name, { length: MIB / 2 }));
        }
        const more = () =>
          app.send("POST", "/v1/upload", {
            token: ada.token,
            json: uploadRequest(ada, half, { fileId: uuidOf("more") }),
          });

        // Full: what every way of uploading answers.
        await expectProblem(await more(), "error.storage.full");
        const rest = half.slice(MIB);
        for (const body of [rest, ciphertext("other", MIB)]) {
          const patched = await patchBytes(app, ada, upload_id, MIB, body);
          await expectProblem(patched, "error.storage.full");
        }
        const put = await putBytes(app, ada, upload_id, half);
        await expectProblem(put, "error.storage.full");

        // Nothing is lost, and reading goes on.
        ada = await later(app, ada, 2 * MINUTE);
        assert.equal(await offsetOf(app, ada, upload_id), MIB);
        for (const asset of assets) await expectWhole(app, ada, asset);
        const { entries } = await readFeed(app, ada.token);
        assert.equal(entries.length, assets.length);
        await expectSound(app);

        // Deleting alone makes no room, collecting does.
        const [kept, ...gone] = assets;
        assert(kept !== undefined && gone.length > 5, `${assets.length}`);
        for (const { assetId } of gone) await trash(app, ada, assetId);
        await expectProblem(await more(), "error.storage.full");
        ada = await later(app, ada, 31 * DAY);
        await collect(app);
        const { upload_id: again } = await expectJson(await more(), 201);
        await expectJson(await putBytes(app, ada, again, half), 200);
        await expectWhole(app, ada, kept);
        expectNoErrors(app);
        await expectSound(app);
      }, {
        place: path,
        settings: { STRONGROOM_RESERVED_DISK_BYTES: String(RESERVED_BYTES) },
      });
    }),
});

Deno.test({
  name: `a disk with no room at all signs nobody out and hides nothing${where}`,
  ignore,
  fn: () =>
    withSmallDisk(DISK_BYTES, async (disk) => {
      await withTestApp(async (app) => {
        const ada = await registerWriter(app, "ada");
        const asset = await createAsset(app, ada, "kept");
        await sql`pragma wal_checkpoint(truncate)`.execute(app.app.db);
        await disk.leavePages(0);
        // Time for the session's last use to be written, which cannot be.
        app.clock.advance(2 * MINUTE);
        await expectWhole(app, ada, asset);
        expectNoErrors(app);
      }, { place: disk.path });
    }),
});
