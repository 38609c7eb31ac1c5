/**
 * `strongroom gc` as a process, while a server runs
 * (upkeep/gc.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectDone, expectRefused } from "../support/ended.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/core/time.ts";
import { type TestApp, withRealApp } from "../support/app.ts";
import { check, namesOf } from "../support/check.ts";
import { expectEmpty, expectJson } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  patchBytes,
  type Person,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { runProgram, withDataDir } from "../support/program.ts";
import { expectHelp, expectLine } from "../support/upkeep.ts";

const STRAY = uuidOf("a stray upload");

/**
 * A server on which, more than half a year ago, an asset went to the trash, a
 * blob was uploaded for nothing and a session was left open.
 */
async function withGarbage(
  test: (app: TestApp, ada: Person, live: string) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withRealApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const live = await createAsset(app, ada, "kept");
    const { assetId } = await createAsset(app, ada, "thrown away");
    await expectJson(
      await app.send("DELETE", `/v1/assets/${assetId}`, { token: ada.token }),
      200,
    );
    await uploadBlob(app, ada, ciphertext("for nothing", 2_000), {
      fileId: uuidOf("nothing"),
    });
    const half = ciphertext("half", 800);
    const { upload_id } = await createUpload(app, ada, half, {
      fileId: uuidOf("half"),
    });
    await expectEmpty(
      await patchBytes(app, ada, upload_id, 0, half.slice(0, 400)),
      204,
    );
    const stray = `${app.dataDir}/uploads/${STRAY}`;
    await Deno.writeFile(stray, new Uint8Array(77));
    const longAgo = new Date(Date.now() - 2 * HOUR_MS);
    await Deno.utime(stray, longAgo, longAgo);
    await test(app, ada, hashOf(live.original));
  }, { startMs: Date.now() - 200 * DAY_MS, settings });
}

function gc(app: TestApp, ...args: string[]) {
  // Its clock is half a year behind that of this process.
  const own = ["--clock-is-right", "--data-dir", app.dataDir];
  return runProgram(["gc", ...args, ...own]);
}

const COLLECTED = {
  assets: { count: 1, bytes: 5_000 + 300 + 900 },
  unapplied: { count: 1, bytes: 2_000 },
  blobs: { count: 4, bytes: 5_000 + 300 + 900 + 2_000 },
  stray_uploads: { count: 1, bytes: 77 },
  stray_files: { count: 0, bytes: 0 },
  lost_files: { count: 0, bytes: 0 },
  put_back: { count: 0, bytes: 0 },
  suspicious_strays: 0,
  failed: 0,
  freed_bytes: 5_000 + 300 + 900 + 2_000 + 77,
};

Deno.test("a dry run says what would be removed and removes nothing; then it is removed", async () => {
  await withGarbage(async (app, _ada, live) => {
    const before = await filesOf(app.dataDir);
    const { expired, ...dry } = expectLine(
      await gc(app, "--dry-run", "--json"),
    );
    assert.deepEqual(dry, { dry_run: true, ...COLLECTED });
    // Seven that were finalized, and the half one.
    assert.equal(expired.upload_sessions, 8);
    assert.equal(expired.sessions, 1);
    assert.match(
      expectDone(await gc(app, "--dry-run")),
      /blobs that nothing references: 4, 8 KiB\n[^]*5 files would be removed, 8\.1 KiB would be freed\n$/,
    );
    assert.deepEqual(await filesOf(app.dataDir), before);

    const { expired: ended, ...done } = expectLine(await gc(app, "--json"));
    assert.deepEqual(done, { dry_run: false, ...COLLECTED });
    assert.deepEqual(ended, expired);
    const after = await filesOf(app.dataDir);
    assert.equal(after.filter((path) => path.includes("uploads/")).length, 0);
    assert.equal(after.length, 3);
    assert(after.some((path) => path.endsWith(live)));
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
    assert.equal(
      expectDone(await gc(app)),
      "0 files removed, 0 bytes freed\n",
    );
  });
});

Deno.test("the server that runs goes by it on its next request", async () => {
  await withGarbage(async (app, ada, live) => {
    expectDone(await gc(app));
    // By this server's clock the session would live on.
    const refresh = await app.send("POST", "/v1/auth/refresh", {
      json: { session_token: ada.sessionToken },
    });
    assert.equal(refresh.status, 401);
    await refresh.body?.cancel();
    app.clock.now = Date.now();
    const bob = await registerWriter(app, "bob");
    const asset = await createAsset(app, bob, "bob's");
    await expectJson(
      await app.send("GET", `/v1/assets/${asset.assetId}`, {
        token: bob.token,
      }),
      200,
    );
    assert((await filesOf(app.dataDir)).some((path) => path.endsWith(live)));
    assert.deepEqual(namesOf(await check(app, { deep: true })), []);
  });
});

Deno.test("what the server was started with decides how old is old enough, not the environment of the command", async () => {
  const kept = { STRONGROOM_TRASH_DAYS: "300" };
  await withGarbage(async (app) => {
    const ended = await gc(app, "--json");
    const { assets, unapplied } = JSON.parse(ended.stdout);
    assert.deepEqual(assets, { count: 0, bytes: 0 });
    assert.deepEqual(unapplied, COLLECTED.unapplied);
    assert.match(
      ended.stderr,
      /STRONGROOM_TRASH_DAYS is 30 here and 300 at the server, whose value is used/,
    );
    const agreed = await runProgram(
      ["gc", "--clock-is-right", "--data-dir", app.dataDir],
      kept,
    );
    assert.equal(agreed.stderr, "");
  }, kept);
  await withGarbage(async (app) => {
    const ended = await runProgram(
      ["gc", "--json", "--clock-is-right", "--data-dir", app.dataDir],
      { ...kept, STRONGROOM_UPLOAD_TTL_HOURS: "48" },
    );
    const { assets, unapplied } = JSON.parse(ended.stdout);
    assert.deepEqual([assets, unapplied], [
      COLLECTED.assets,
      COLLECTED.unapplied,
    ]);
    assert.match(ended.stderr, /STRONGROOM_UPLOAD_TTL_HOURS is 48 here/);
  });
});

Deno.test("by a clock that is far ahead of the server's last one nothing is deleted, unless the operator says that it is right", async () => {
  await withGarbage(async (app) => {
    const before = await filesOf(app.dataDir);
    const command = ["gc", "--data-dir", app.dataDir];
    for (const args of [[], ["--json"]]) {
      expectRefused(
        await runProgram([...command, ...args]),
        /the server last ran at 2\S+Z.*set it right.*--clock-is-right/,
      );
    }
    // To look is no harm.
    const looked = await runProgram([...command, "--dry-run"]);
    assert.equal(looked.status, 0);
    assert.match(looked.stderr, /the server last ran at 2/);
    assert.deepEqual(await filesOf(app.dataDir), before);
    expectDone(await runProgram([...command, "--clock-is-right"]));
    assert((await filesOf(app.dataDir)).length < before.length);
    // Said once, it is known.
    expectDone(await runProgram(command));
  });
});

Deno.test("by a clock that is behind what is recorded nothing is deleted, unless the operator says that it is right", async () => {
  const at = (startMs: number, test: (app: TestApp) => Promise<void>) =>
    withRealApp(async (app) => {
      await createAsset(app, await registerWriter(app, "ada"), "kept");
      await test(app);
    }, { startMs });
  const run = (app: TestApp, ...args: string[]) =>
    runProgram(["gc", "--data-dir", app.dataDir, ...args]);
  const told = /clock says 2\S+Z, but .* is from 2\S+Z.*--clock-is-right/;
  await at(Date.now() + 3 * DAY_MS, async (app) => {
    expectRefused(await run(app), told);
    assert.match((await run(app, "--dry-run")).stderr, told);
    expectDone(await run(app, "--clock-is-right"));
    // Said once, it is known.
    expectDone(await run(app));
  });
  await at(Date.now() + 10 * MINUTE_MS, async (app) => {
    expectRefused(await run(app), told);
  });
  await at(Date.now() + 2 * MINUTE_MS, async (app) => {
    expectDone(await run(app));
    // Nothing but the note of the last backup is newer.
    const note = {
      version: 1,
      dir: "/mnt/backup",
      made_at: Date.now() + 12 * MINUTE_MS,
      damaged: 0,
      blobs: 1,
      bytes: 1,
    };
    await Deno.writeTextFile(
      `${app.dataDir}/backup.json`,
      JSON.stringify(note),
    );
    expectRefused(await run(app), /the last backup is from/);
  });
});

Deno.test("a file that cannot be removed is status 1, and the rest goes", async () => {
  await withGarbage(async (app) => {
    // A directory with something in it, under the name of a blob.
    const hash = hashOf(ciphertext("for nothing", 2_000));
    const path = `${app.dataDir}/blobs/${hash.slice(0, 2)}/${
      hash.slice(2, 4)
    }/${hash}`;
    await Deno.remove(path);
    await Deno.mkdir(`${path}/in the way`, { recursive: true });
    const ended = await gc(app);
    assert.equal(ended.status, 1);
    assert.match(ended.stdout, /4 files removed/);
    assert.match(ended.stderr, /^strongroom: 1 file could not be removed/);
  });
});

Deno.test("a directory without a database is refused and stays without one", async () => {
  await withDataDir(async (dataDir) => {
    for (const args of [["gc"], ["gc", "--dry-run"]]) {
      expectRefused(
        await runProgram([...args, "--data-dir", dataDir]),
        /contains no database: give the server's data directory/,
      );
    }
    assert.deepEqual(await Array.fromAsync(Deno.readDir(dataDir)), []);
  });
});

Deno.test("gc has an example in its help", () => expectHelp(["gc"]));

/** Paths of all files in `blobs/` and `uploads/`. */
async function filesOf(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  const visit = async (path: string) => {
    for await (const { name, isDirectory } of Deno.readDir(path)) {
      if (isDirectory) await visit(`${path}/${name}`);
      else found.push(`${path}/${name}`);
    }
  };
  for (const part of ["blobs", "uploads"]) await visit(`${dataDir}/${part}`);
  return found.toSorted();
}
