/**
 * Syncs that fail, at the program as a process: the server never promises what
 * is not on the disk, even if the system claims later that it is.
 *
 * @module
 */
import assert from "node:assert/strict";
import { databasePath } from "../../src/store/data_paths.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { makeRequest, ORIGIN } from "../support/app.ts";
import { debianProgram } from "../support/debian.ts";
import { expectBytes, readBlob } from "../support/api.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { MortalServer } from "../support/mortal_server.ts";
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
import { runProgram, startKillable, withDataDir } from "../support/program.ts";
import { until } from "../support/until.ts";
import { offsetOf } from "../support/uploads.ts";

const GCC = await debianProgram("gcc", "gcc");
/** The library follows what glibc has the program call. */
const ignore = GCC === undefined || Deno.build.os !== "linux";

/** What a directory syncs, for tests of that. */
const DIRECTORY = { STRONGROOM_BLOBS: "directory" };
const LOG = "/db/strongroom.sqlite-wal";
/** A server that has not ended by then goes on. */
const LINGERING_MS = 60_000;

interface Disk {
  readonly settings: Record<string, string>;
  /** Has syncs fail of what has a path that ends so. */
  readonly fail: (ending: string) => Promise<void>;
  readonly mend: () => Promise<void>;
  /** Has syncs of what has a path that ends so last until they are released. */
  readonly hold: (ending: string) => Promise<void>;
  /** Whether a sync is held by now. */
  readonly isHeld: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

async function withFailingDisk(
  test: (disk: Disk) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  await withDataDir(async (room) => {
    const library = `${room}/failing_sync.so`;
    const source = new URL("failing_sync.c", import.meta.url).pathname;
    const { success, stderr } = await new Deno.Command(GCC ?? "", {
      args: ["-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"],
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    const told = `${room}/failing`;
    const held = `${room}/held`;
    await test({
      settings: {
        STRONGROOM_DATA_DIR: `${room}/data`,
        STRONGROOM_BASE_URL: ORIGIN,
        STRONGROOM_ARGON2_MEMORY_KIB: "8",
        STRONGROOM_ARGON2_PASSES: "1",
        STRONGROOM_RESERVED_DISK_BYTES: "0",
        LD_PRELOAD: library,
        FAILING_SYNC: told,
        HELD_SYNC: held,
        ...more,
      },
      fail: (ending) => Deno.writeTextFile(told, ending),
      mend: () => Deno.remove(told),
      hold: (ending) => Deno.writeTextFile(held, ending),
      isHeld: () => isThere(`${held}.reached`),
      release: () => Deno.remove(held),
    });
  });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** A server over a disk, with a signed-in account. */
async function withServer(
  { settings }: Disk,
  test: (server: MortalServer, ada: Person) => Promise<void>,
): Promise<void> {
  const server = new MortalServer(settings);
  await server.start();
  try {
    await test(server, await registerWriter(server, "ada"));
  } finally {
    await server.stop();
  }
}

function finalize(server: MortalServer, ada: Person, uploadId: string) {
  return server.send("POST", `/v1/upload/${uploadId}/finalize`, {
    token: ada.token,
  });
}

async function expectSound(settings: Record<string, string>): Promise<void> {
  const { LD_PRELOAD: _, FAILING_SYNC: __, HELD_SYNC: ___, ...own } = settings;
  const checked = await runProgram(["check", "--deep"], own);
  assert.equal(checked.status, 0, checked.stdout + checked.stderr);
}

Deno.test({
  name:
    "bytes that could not be synced are asked for again, and never believed because a later sync succeeds",
  ignore,
  fn: async () => {
    await withFailingDisk(async (disk) => {
      await withServer(disk, async (server, ada) => {
        const bytes = ciphertext("a photograph", 50_000);
        const { upload_id } = await createUpload(server, ada, bytes);
        await disk.fail(`/uploads/${upload_id}`);
        await expectProblem(
          await putBytes(server, ada, upload_id, bytes),
          "error.internal",
        );
        await disk.mend();
        assert.equal(await offsetOf(server, ada, upload_id), 0);
        const { offset } = await expectProblem(
          await finalize(server, ada, upload_id),
          "error.upload.incomplete",
        );
        assert.equal(offset, 0);
        const sent = await patchBytes(server, ada, upload_id, 0, bytes);
        await expectEmpty(sent, 204);
        await disk.fail(`/uploads/${upload_id}`);
        await expectProblem(
          await finalize(server, ada, upload_id),
          "error.internal",
        );
        await disk.mend();
        assert.equal(await offsetOf(server, ada, upload_id), 0);
        await expectJson(await putBytes(server, ada, upload_id, bytes), 200);
      });
      await expectSound(disk.settings);
    }, DIRECTORY);
  },
});

/** Sends a small blob, and reads it while its commit is on its way to the disk. */
async function expectNoEarlyRead(
  disk: Disk,
  server: MortalServer,
  ada: Person,
  sent: {
    readonly assetId: string;
    readonly uploadId: string;
    readonly bytes: Uint8Array<ArrayBuffer>;
  },
): Promise<void> {
  const { assetId, uploadId, bytes } = sent;
  const read = () => readBlob(server, ada, assetId, hashOf(bytes));
  await disk.hold(LOG);
  let isTold = false;
  const put = putBytes(server, ada, uploadId, bytes)
    .finally(() => isTold = true);
  try {
    await until(async () => isTold || await disk.isHeld(), true);
    // The commit is in the log by now, and the log not on the disk.
    for (let n = 0; n < 20; n++) {
      const early = await read();
      await early.body?.cancel();
      assert.equal(early.status, 404);
    }
    assert.equal(isTold, false);
  } finally {
    await disk.release();
  }
  await expectJson(await put, 200);
  expectBytes(await (await read()).bytes(), bytes);
}

Deno.test({
  name: "a small blob cannot be read before its commit is durable",
  ignore,
  fn: async () => {
    await withFailingDisk(async (disk) => {
      await withServer(disk, async (server, ada) => {
        const { assetId } = await createAsset(server, ada, "a photograph");
        const bytes = ciphertext("its thumbnail", 900);
        const over = { fileId: assetId, role: "derivative" } as const;
        const { upload_id } = await createUpload(server, ada, bytes, over);
        const sent = { assetId, uploadId: upload_id, bytes };
        await expectNoEarlyRead(disk, server, ada, sent);
      });
      await expectSound(disk.settings);
    });
  },
});

Deno.test({
  name:
    "a small blob that its owner sends again cannot be read before its commit is durable",
  ignore,
  fn: async () => {
    await withFailingDisk(async (disk) => {
      await withServer(disk, async (server, ada) => {
        const { assetId, original } = await createAsset(server, ada, "lost");
        using database = openSqlite(
          databasePath(disk.settings.STRONGROOM_DATA_DIR ?? ""),
        );
        database.prepare("delete from small_blob where hash = ?")
          .run(hashOf(original));
        const { upload_id } = await createUpload(server, ada, original, {
          fileId: assetId,
          request: { heals: assetId },
        });
        const sent = { assetId, uploadId: upload_id, bytes: original };
        await expectNoEarlyRead(disk, server, ada, sent);
      });
      await expectSound(disk.settings);
    });
  },
});

Deno.test({
  name:
    "creating a session syncs nothing, and neither does an expiry that moved seconds ago; the first byte that is acknowledged does",
  ignore,
  fn: async () => {
    await withFailingDisk(async (disk) => {
      const server = new MortalServer(disk.settings);
      await server.start();
      const ada = await registerWriter(server, "ada");
      const bytes = ciphertext("a photograph", 9_000);
      const first = await createUpload(server, ada, bytes);
      const half = await patchBytes(
        server,
        ada,
        first.upload_id,
        0,
        bytes.slice(0, 4_000),
      );
      await expectEmpty(half, 204);
      await disk.fail(LOG);
      const rest = await patchBytes(
        server,
        ada,
        first.upload_id,
        4_000,
        bytes.slice(4_000),
      );
      await expectEmpty(rest, 204);
      const other = ciphertext("another", 9_000);
      const fileId = uuidOf("another");
      const second = await createUpload(server, ada, other, { fileId });
      await expectProblem(
        await patchBytes(server, ada, second.upload_id, 0, other),
        "error.internal",
      );
      assert.equal(await server.ended(), 1);
    });
  },
});

/** Sends a write that meets the fault; resolves to how the server ended. */
async function endOf(
  disk: Disk,
  ending: string,
): Promise<{ readonly status: number; readonly complaint: string }> {
  const before = new MortalServer(disk.settings);
  await before.start();
  const ada = await registerWriter(before, "ada");
  const bytes = ciphertext("a photograph", 50_000);
  const { upload_id } = await createUpload(before, ada, bytes);
  assert.equal(await before.stop(), 0);

  const program = await startKillable(disk.settings);
  await disk.fail(ending);
  const request = makeRequest("PUT", `/v1/upload/${upload_id}`, {
    token: ada.token,
    headers: { "Content-Type": "application/octet-stream" },
    body: bytes,
  }, program.url);
  // A write of the server's own may meet the fault first: then the request is
  // cut off by the end, with an answer or without one.
  const answer = await fetch(request).catch(() => undefined);
  await answer?.body?.cancel();
  assert.notEqual(answer?.ok, true);
  const lingering = setTimeout(() => program.kill(), LINGERING_MS);
  const status = await program.exited;
  clearTimeout(lingering);
  const complaint = await program.complaint();
  await disk.mend();

  const after = new MortalServer(disk.settings);
  await after.start();
  const again = await expectJson(
    await putBytes(after, ada, upload_id, bytes),
    200,
  );
  assert.equal(again.receipt.receipt_seq, 1);
  assert.equal(await after.stop(), 0);
  await expectSound(disk.settings);
  return { status, complaint };
}

for (
  const [what, ending, settings] of [
    ["the database's log", LOG, {}],
    ["a directory", "/blobs", DIRECTORY],
  ] as const
) {
  Deno.test({
    name:
      `a server that cannot sync ${what} acknowledges nothing, says why, and ends; started again, it takes what it refused`,
    ignore,
    fn: async () => {
      await withFailingDisk(async (disk) => {
        const { status, complaint } = await endOf(disk, ending);
        assert.equal(status, 1);
        assert.match(complaint, /stopping: nothing can be written/);
        assert.match(complaint, /cannot be written to/);
        assert.match(complaint, /check the disk/);
      }, settings);
    },
  });
}

Deno.test({
  name: "a server whose keys cannot be synced does not start",
  ignore,
  fn: async () => {
    await withFailingDisk(async (disk) => {
      await disk.fail("/keys");
      const program = await startKillable(disk.settings);
      assert.equal(program.url, "");
      assert.equal(await program.exited, 1);
      await disk.mend();
      await withServer(disk, async () => {});
    });
  },
});
