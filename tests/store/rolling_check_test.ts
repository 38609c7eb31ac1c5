/**
 * The deep check that a running server makes by itself, slice by slice
 * (upkeep/check.md#read-again-by-itself).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  readRolling,
  type RollingState,
} from "../../src/features/verification/rolling.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { type TestApp, withRealApp } from "../support/app.ts";
import { examine, expectFinding } from "../support/doctor.ts";
import {
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
} from "../support/people.ts";
import {
  blobFile,
  damageBlob,
  hashesOf,
  verifyOne,
} from "../support/storage.ts";

const DAY_MS = 24 * 3_600_000;

interface World {
  readonly app: TestApp;
  readonly ada: Person;
  readonly assets: readonly LiveAsset[];
}

/** Some more blobs than a slice reads. */
async function withPhotos(test: (world: World) => Promise<void>) {
  await withRealApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const assets = [];
    for (let n = 0; n < 25; n++) {
      assets.push(await createAsset(app, ada, `photo ${n}`));
    }
    await test({ app, ada, assets });
  });
}

function stateOf({ dataDir }: TestApp): RollingState {
  const state = readRolling(denoFiles, dataDir);
  assert(state !== undefined);
  return state;
}

/** Does rounds of upkeep until the check has come to its end. */
async function readOn(app: TestApp): Promise<RollingState> {
  for (let slices = 0; slices < 20; slices++) {
    await app.purge();
    const state = stateOf(app);
    if (state.current.ended_at !== null) return state;
  }
  throw new Error("the check came to no end");
}

const wordsOf = async ({ dataDir }: TestApp) =>
  (await examine(dataDir)).checks.find(({ check }) => check === "blobs")
    ?.detail ?? "";

Deno.test("a server reads its blobs again in slices, goes on after a restart, and starts over after a month", async () => {
  await withPhotos(async ({ app }) => {
    assert.match(await wordsOf(app), /not read again yet/);
    await app.purge();
    const { current: first } = stateOf(app);
    assert(first.done.count > 0 && first.done.count < 75);
    assert.deepEqual([first.total.count, first.ended_at], [75, null]);
    assert.match(await wordsOf(app), /^\d+ % read again since 2026-11-21/);

    const again = await app.reopen();
    const { current: whole } = await readOn(again);
    assert.deepEqual([whole.done, whole.lost], [first.total, 0]);
    assert.equal(whole.began_at, first.began_at);
    assert.match(await wordsOf(app), /^75 blobs .*, all whole$/);

    again.clock.advance(29 * DAY_MS);
    await again.purge();
    assert.deepEqual(stateOf(again).current, whole);
    again.clock.advance(DAY_MS);
    await again.purge();
    const { current, last } = stateOf(again);
    assert.deepEqual(last, whole);
    assert.equal(current.began_at, again.clock.now);
  });
});

Deno.test("what the slices find is told in the log, by the doctor, to the owner and by verification, until it is put back", async () => {
  await withPhotos(async ({ app, ada, assets }) => {
    const [rotten, gone] = assets;
    assert(rotten !== undefined && gone !== undefined);
    const paths = [rotten, gone].map(({ original }) =>
      blobFile(app, hashOf(original))
    );
    const kept = await Promise.all(paths.map((path) => Deno.readFile(path)));
    await damageBlob(app, hashOf(rotten.original), "a flipped byte");
    await damageBlob(app, hashOf(gone.original), "a missing file");
    const { current } = await readOn(app);
    assert.equal(current.lost, 2);
    const errors = app.logged.filter(({ level }) => level === "error")
      .map(({ message }) => message);
    assert.equal(errors.filter((one) => one.includes("is lost")).length, 2);
    assert.equal(
      errors.at(-1),
      "every blob was read again, and some are lost",
    );
    const doctor = await examine(app.dataDir);
    expectFinding(doctor, "blobs", "warning", /, 2 blobs lost$/);
    expectFinding(doctor, "disk", "fault", /^2 .*lost/);
    const hashes = hashesOf(rotten);
    const verdict = await verifyOne(app, ada, rotten.assetId, hashes);
    assert.equal(verdict.durable, false);
    const feed = await app.send("GET", "/v1/sync", { token: ada.token });
    const { entries } = await feed.json();
    const told = entries.filter(({ action }: { action: string }) =>
      action === "damaged"
    );
    assert.deepEqual(
      told.map(({ asset_id }: { asset_id: string }) => asset_id).toSorted(),
      [rotten.assetId, gone.assetId].toSorted(),
    );

    for (const [at, path] of paths.entries()) {
      await Deno.writeFile(path, kept[at] ?? new Uint8Array());
    }
    app.clock.advance(30 * DAY_MS);
    const next = await readOn(app);
    assert.deepEqual([next.current.lost, next.last?.lost], [0, 2]);
    assert.match(await wordsOf(app), /all whole$/);
  });
});
