/**
 * Backups of a server whose rotation was interrupted, or whose clock was ahead
 * for a while: whatever is backed up can be restored (backup.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { readReceipt } from "../../src/crypto/receipt.ts";
import { verifyReceiptChain } from "../../src/crypto/receipt_chain.ts";
import { followSuccession } from "../../src/crypto/succession.ts";
import { backUpIntoDirectory } from "../../src/features/backup/directory/back_up.ts";
import { sourceIn } from "../../src/features/backup/directory/source.ts";
import {
  parseManifest,
  renderManifest,
} from "../../src/features/backup/manifest.ts";
import { restoreBackup } from "../../src/features/backup/restore.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { openBesideServer } from "../../src/store/store.ts";
import { type TestApp, withRealApp } from "../support/app.ts";
import {
  backUp,
  faultsOf,
  hashFileOf,
  placesIn,
  publishedBy,
  receiptsOf,
  restore,
  signIn,
  verifyBackup,
  withRoom,
  withServer,
} from "../support/backups.ts";
import { issueAt } from "../support/chains.ts";
import { publishedRecord, uploadNamed } from "../support/custody.ts";
import type { Json } from "../support/expect.ts";
import { createAsset, registerWriter } from "../support/people.ts";
import { LOCKED } from "../../scripts/locked.ts";

const HOUR_MS = 3_600_000;

/** Rotates the attestation key in a process that dies before the commit. */
async function dieRotating(dataDir: string): Promise<void> {
  const script = new URL("../support/rotator_process.ts", import.meta.url);
  const { signal } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...LOCKED,
      "--allow-all",
      script.href,
      dataDir,
      "attestation",
      "after",
    ],
    stdin: "null",
  }).output();
  assert.equal(signal, "SIGKILL");
}

function keysIn(text: string): Json[] {
  return JSON.parse(text).keys;
}

Deno.test("a server whose rotation was interrupted is backed up with the keys that its database means, and is restored", async () => {
  await withRoom(async (room) => {
    const { data, backup, restored } = placesIn(room);
    await withServer(data, async (server) => {
      const ada = await registerWriter(server, "ada");
      await createAsset(server, ada, "before");
      await dieRotating(data);
      await createAsset(server, ada, "after");
      await backUp(data, backup);
    });
    const left = await Deno.readTextFile(`${data}/keys/attestation.json`);
    assert.equal(keysIn(left).length, 2);
    assert.deepEqual((await verifyBackup(backup)).findings, []);
    const [snapshot] = await Array.fromAsync(
      Deno.readDir(`${backup}/snapshots`),
    );
    const kept = `${backup}/snapshots/${snapshot?.name}`;
    const path = `${kept}/keys/attestation.json`;
    assert.equal(keysIn(await Deno.readTextFile(path)).length, 1);
    assert.deepEqual((await restore(backup, restored)).receipts_misdated, []);
    assert.deepEqual(await faultsOf(restored), []);

    // As an older program copied it: the file, whatever the database says.
    await Deno.writeTextFile(path, left);
    const manifest = parseManifest(
      await Deno.readFile(`${backup}/strongroom-backup.json`),
    );
    if (typeof manifest === "string" || manifest.snapshot === null) {
      throw new Error("no manifest");
    }
    const files = await Promise.all(
      manifest.snapshot.files.map(async ({ path }) => ({
        path,
        ...await hashFileOf(`${kept}/${path}`),
      })),
    );
    await Deno.writeFile(
      `${backup}/strongroom-backup.json`,
      renderManifest({
        ...manifest,
        snapshot: { ...manifest.snapshot, files },
      }),
    );
    assert.deepEqual((await verifyBackup(backup)).findings, []);
    const again = `${room}/again`;
    const answer = await restore(backup, again);
    assert.deepEqual(answer.receipts_misdated, []);
    assert.deepEqual(await faultsOf(again), []);
    await withServer(again, async (server) => {
      const published = await publishedBy(server);
      // The first one, and the one of the restore.
      assert.equal(published.keys.length, 2);
      // Which the first one vouches for.
      const [first] = published.keys;
      const followed = await followSuccession(published, first?.keyId ?? "");
      assert.equal(followed?.published.keys.length, 2);
      const chain = await receiptsOf(again);
      assert((await verifyReceiptChain(chain, published)).ok);
    });
  });
});

Deno.test("the next start takes back what an interrupted rotation left in the key files", async () => {
  await withRoom(async (room) => {
    const { data } = placesIn(room);
    await withServer(data, async (server) => {
      await createAsset(server, await registerWriter(server, "ada"), "photo");
    });
    const path = `${data}/keys/attestation.json`;
    const before = await Deno.readTextFile(path);
    await dieRotating(data);
    assert.equal(keysIn(await Deno.readTextFile(path)).length, 2);
    await withServer(data, () => Promise.resolve());
    assert.equal(await Deno.readTextFile(path), before);
  });
});

/** Backs up an application while it runs, by its own clock. */
async function backUpApp(app: TestApp, dir: string): Promise<void> {
  const db = await openBesideServer(app.dataDir);
  await Deno.mkdir(dir, { recursive: true });
  try {
    await backUpIntoDirectory({
      files: denoFiles,
      dataDir: app.dataDir,
      db,
      platform: { now: () => app.clock.now },
      settings: { origin: null, given: [] },
      version: "0",
    }, dir);
  } finally {
    await db.destroy();
  }
}

async function restoreBy(
  app: TestApp,
  dir: string,
  dataDir: string,
  options: { readonly clockIsRight?: boolean } = {},
) {
  await Deno.mkdir(dataDir, { recursive: true });
  return await restoreBackup(
    {
      files: denoFiles,
      dataDir,
      platform: { now: () => app.clock.now, random: app.app.platform.random },
    },
    await sourceIn({ files: denoFiles, dir }),
    { keepSessions: false, revokeShares: false, ...options },
  );
}

Deno.test("a receipt that a clock was ahead for outlives a restore, and so does every backup after it", async () => {
  await withRoom(async (room) => {
    await withRealApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      await createAsset(app, ada, "photo");
      app.clock.jump(2 * HOUR_MS);
      const then = await signIn(app, ada);
      const ahead = await uploadNamed(app, then, "ahead");
      app.clock.jump(-2 * HOUR_MS);
      await uploadNamed(app, ada, "right again");
      await backUpApp(app, `${room}/backup`);
      app.clock.advance(60_000);
      const first = await restoreBy(app, `${room}/backup`, `${room}/first`);
      assert.deepEqual(first.misdated, []);
      assert.deepEqual(await faultsOf(`${room}/first`), []);
      const of = (dataDir: string) => ({ ...app, dataDir });
      await backUpApp(of(`${room}/first`), `${room}/second`);
      const second = await restoreBy(app, `${room}/second`, `${room}/third`);
      assert.deepEqual(second.misdated, []);
      assert.deepEqual(await faultsOf(`${room}/third`), []);
      const dates = (await receiptsOf(`${room}/third`))
        .map((body) => readReceipt(body).received_at);
      assert.deepEqual(dates, dates.toSorted());
      assert.equal(dates.at(-1), ahead.received_at);
    });
  });
});

Deno.test("a chain that went back in time under an older program is restored, and one that its restore cut off is repaired", async () => {
  await withRoom(async (room) => {
    await withRealApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      const { now } = app.clock;
      await issueAt(app, ada, [now, now + 2 * HOUR_MS, now + 1_000]);
      await backUpApp(app, `${room}/backup`);
      app.clock.advance(60_000);
      await restoreBy(app, `${room}/backup`, `${room}/first`);
      assert.deepEqual(await faultsOf(`${room}/first`), []);
      // The older program's restore: the key's time ended with its clock.
      const path = `${room}/first/keys/attestation.json`;
      const held = JSON.parse(await Deno.readTextFile(path));
      held.keys[0].active_to = now + 60_000;
      await Deno.writeTextFile(path, JSON.stringify(held));
      const [fault, ...more] = await faultsOf(`${room}/first`);
      assert.match(
        fault ?? "",
        /^receipt_misdated receipt 2: .*outside_window/,
      );
      assert.deepEqual(more, []);
      const of = { ...app, dataDir: `${room}/first` };
      await backUpApp(of, `${room}/second`);
      await restoreBy(app, `${room}/second`, `${room}/third`);
      assert.deepEqual(await faultsOf(`${room}/third`), []);
    });
  });
});

Deno.test("a receipt dated before its key is told of by a restore, which brings everything all the same", async () => {
  await withRoom(async (room) => {
    await withRealApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      const { keys: [key] } = await publishedRecord(app);
      await issueAt(app, ada, [Date.parse(key.active_from) - HOUR_MS]);
      await createAsset(app, ada, "photo");
      await backUpApp(app, `${room}/backup`);
      const report = await restoreBy(app, `${room}/backup`, `${room}/restored`);
      assert.equal(report.misdated.length, 1);
      assert.match(report.misdated[0] ?? "", /^receipt 1: key_outside_window/);
      assert.equal(report.receipts, 4);
    });
  });
});

Deno.test("a backup that was made while the clock was ahead is restored once the operator says which clock is right", async () => {
  await withRoom(async (room) => {
    await withRealApp(async (app) => {
      const year = 365 * 24 * HOUR_MS;
      app.clock.jump(year);
      const ada = await registerWriter(app, "ada");
      await createAsset(app, ada, "photo");
      await backUpApp(app, `${room}/backup`);
      app.clock.jump(-year);
      const restored = `${room}/restored`;
      await assert.rejects(
        restoreBy(app, `${room}/backup`, restored),
        /set this machine's clock, or use --clock-is-right/,
      );
      const right = { clockIsRight: true };
      await restoreBy(app, `${room}/backup`, restored, right);
      assert.deepEqual(await faultsOf(restored), []);
    });
  });
});
