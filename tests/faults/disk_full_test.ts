/**
 * A disk that is really full, under the files and under the database: uploads
 * answer error.storage.full (protocol/uploads.md#room), what was acknowledged stays, reading
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
  createGuestUpload,
  finalizeGuest,
  guestOffset,
  issueLink,
  patchGuest,
  postUpload,
} from "../support/guests.ts";
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
import { expectNoErrors, expectReadable, refreshed } from "../support/api.ts";
import { collect, DAY, later, trash } from "../support/trash.ts";
import { finalize, offsetOf } from "../support/uploads.ts";

const MIB = 1024 ** 2;
const DISK_BYTES = 24 * MIB;
const RESERVED_BYTES = 4 * MIB;
const MINUTE = 60_000;
const ignore = !await mayMount();
const where = ignore ? " (ignored: mounting a small disk needs root)" : "";

function expectWhole(
  app: TestApp,
  person: Person,
  { assetId, original, metadata, manifest }: LiveAsset,
): Promise<void> {
  return expectReadable(app, person, assetId, original, metadata, manifest);
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
        // In a bucket they would not fill it.
        blobs: "directory",
        settings: { STRONGROOM_RESERVED_DISK_BYTES: String(RESERVED_BYTES) },
      });
    }),
});

Deno.test({
  name: `a full disk ends no session and hides nothing${where}`,
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

const KINDS = [
  "create",
  "copy",
  "patch",
  "put",
  "finalize",
  "apply",
  "guestCreate",
  "guestPatch",
  "guestFinalize",
] as const;
/** What is about to be sent when the disk fills up: one call of each kind. */
type Pending = Readonly<
  Record<typeof KINDS[number], () => Promise<Response>>
>;

/** So much is left of the disk: 4 KiB each, a page of the database. */
const PAGES = [
  ...Array.from({ length: 16 }, (_, n) => n),
  ...[18, 20, 23, 26, 30, 34, 38, 42, 47, 52, 58, 64, 72],
];

async function prepare(
  app: TestApp,
  ada: Person,
  link: string,
  n: number,
): Promise<Pending> {
  const bytesOf = (word: string) => ciphertext(`${word} ${n}`, 9_000);
  const open = async (word: string) => {
    const fileId = uuidOf(`${word} ${n}`);
    const bytes = bytesOf(word);
    return (await createUpload(app, ada, bytes, { fileId })).upload_id;
  };
  const [patched, put, whole] = [
    await open("patch"),
    await open("put"),
    await open("finalize"),
  ];
  await patchBytes(app, ada, patched, 0, bytesOf("patch").slice(0, 4_000));
  await patchBytes(app, ada, whole, 0, bytesOf("finalize"));
  const fileId = uuidOf(`apply ${n}`);
  const original = bytesOf("apply");
  const { upload_id: first } = await createUpload(app, ada, original, {
    fileId,
  });
  await expectJson(await putBytes(app, ada, first, original), 200);
  const manifest = bytesOf("manifest");
  const { upload_id: last } = await createUpload(app, ada, manifest, {
    fileId,
    role: "provenance",
    envelope: { original_blob_hash: hashOf(original) },
  });
  await patchBytes(app, ada, last, 0, manifest);
  const held = await createAsset(app, ada, `copied ${n}`, { length: 9_000 });
  const guest = async (word: string, sent: number) => {
    const bytes = bytesOf(word);
    const { upload_id } = await createGuestUpload(app, link, bytes);
    await patchGuest(app, link, upload_id, 0, bytes.slice(0, sent));
    return upload_id;
  };
  const half = await guest("guest's half", 4_000);
  const full = await guest("guest's", 9_000);
  return {
    create: () =>
      app.send("POST", "/v1/upload", {
        token: ada.token,
        json: uploadRequest(ada, bytesOf("create"), {
          fileId: uuidOf(`create ${n}`),
          // So that even one page of the disk would be enough.
          request: { size: 1 },
        }),
      }),
    copy: () =>
      app.send("POST", "/v1/upload", {
        token: ada.token,
        json: uploadRequest(ada, held.original, {
          fileId: uuidOf(`copy ${n}`),
          request: { copies: held.assetId },
        }),
      }),
    // From where it stands: part of what was refused may have been kept.
    patch: async () => {
      const at = await offsetOf(app, ada, patched);
      assert(at >= 4_000 && at <= 9_000, `${at}`);
      const rest = bytesOf("patch").slice(at);
      return await patchBytes(
        app,
        ada,
        patched,
        at,
        ReadableStream.from([rest]),
      );
    },
    put: () => putBytes(app, ada, put, bytesOf("put")),
    finalize: () => finalize(app, ada, whole),
    apply: () => finalize(app, ada, last),
    guestCreate: () =>
      postUpload(app, link, bytesOf("guest"), { size: 1 }, `192.0.2.${n + 2}`),
    guestPatch: async () => {
      const at = await guestOffset(app, link, half);
      assert(at >= 4_000 && at <= 9_000, `${at}`);
      const rest = bytesOf("guest's half").slice(at);
      return await patchGuest(app, link, half, at, ReadableStream.from([rest]));
    },
    guestFinalize: () => finalizeGuest(app, link, full),
  };
}

Deno.test({
  name:
    `however little of a disk is left, what an upload does not fit into answers error.storage.full, and can be repeated${where}`,
  ignore,
  fn: () =>
    withSmallDisk(DISK_BYTES, async (disk) => {
      await withTestApp(async (app) => {
        const ada = await registerWriter(app, "ada");
        const link = await issueLink(app, ada, "link");
        const kept = await createAsset(app, ada, "kept");
        const refused = new Map<string, number>();
        const taken = new Map<string, number>();
        for (const [n, pages] of PAGES.entries()) {
          const now = await refreshed(app, ada);
          const calls = Object.entries(await prepare(app, now, link, n));
          // Nothing of the log's own room is left to write into.
          await sql`pragma wal_checkpoint(truncate)`.execute(app.app.db);
          await disk.leavePages(pages);
          // Time for the session's last use to be written, which cannot be.
          app.clock.advance(2 * MINUTE);
          // Every kind is the first of all now and then.
          const from = n % calls.length;
          const turned = [...calls.slice(from), ...calls.slice(0, from)];
          for (const [name, call] of turned) {
            const outcome = await isTaken(await call()) ? taken : refused;
            outcome.set(name, (outcome.get(name) ?? 0) + 1);
            await expectWhole(app, now, kept);
          }
          await disk.release();
          for (const [, call] of calls) assert(await isTaken(await call()));
        }
        // Every kind met both answers, and no third one.
        const kinds = [...KINDS].toSorted();
        assert.deepEqual([...refused.keys()].toSorted(), kinds);
        assert.deepEqual([...taken.keys()].toSorted(), kinds);
        expectNoErrors(app);
        await expectSound(app);
      }, { place: disk.path });
    }),
});

Deno.test("a database that cannot grow answers error.storage.full to what would finalize", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const { db } = app.app;
    const bytes = ciphertext("bytes", 3_000);
    let refused = 0;
    for (let n = 0; n < 12; n++) {
      const fileId = uuidOf(`file ${n}`);
      const { upload_id } = await createUpload(app, ada, bytes, { fileId });
      // SQLite makes it the size that the database has.
      await sql`pragma max_page_count = 1`.execute(db);
      if (!await isTaken(await putBytes(app, ada, upload_id, bytes))) {
        refused += 1;
        assert(!await isTaken(await finalize(app, ada, upload_id)));
        assert.equal(await offsetOf(app, ada, upload_id), bytes.length);
      }
      await sql`pragma max_page_count = 1000000`.execute(db);
      await expectJson(await finalize(app, ada, upload_id), 200);
    }
    assert(refused > 0);
    expectNoErrors(app);
    await expectSound(app);
  });
});
