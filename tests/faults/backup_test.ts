/**
 * Backing up and restoring while the disk fails at every operation in turn,
 * and while collection takes blobs away: what was whole before is whole after.
 *
 * @module
 */
import assert from "node:assert/strict";
import { backUpIntoDirectory } from "../../src/features/backup/directory/back_up.ts";
import { sourceIn } from "../../src/features/backup/directory/source.ts";
import { verifyBackup } from "../../src/features/backup/directory/verify.ts";
import { restoreBackup } from "../../src/features/backup/restore.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import type { Files } from "../../src/store/files/files.ts";
import { seededRandom, type TestApp, withRealApp } from "../support/app.ts";
import { faultsOf, filesUnder, withRoom } from "../support/backups.ts";
import { DiskFault, failingFiles } from "../support/failing_files.ts";
import { createAsset, hashOf, registerWriter } from "../support/people.ts";
import { collect, DAY, later, trash } from "../support/trash.ts";

function back(app: TestApp, dir: string, files: Files, copy = false) {
  return backUpIntoDirectory(
    {
      files,
      dataDir: app.dataDir,
      db: app.app.db,
      platform: app.app.platform,
      settings: { origin: null, given: [] },
      version: "test",
    },
    dir,
    { copy },
  );
}

async function expectWhole(dir: string): Promise<string> {
  const { findings, snapshot } = await verifyBackup(denoFiles, dir);
  assert.deepEqual(findings, []);
  return snapshot.name;
}

/** The same files under the same names, each of them a copy. */
async function copyTree(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { mode: 0o700 });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyTree(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

async function restoreInto(
  app: TestApp,
  dir: string,
  dataDir: string,
  files: Files = denoFiles,
  options: { readonly withoutDamaged?: boolean } = {},
) {
  const { now } = app.app.platform;
  await Deno.mkdir(dataDir, { recursive: true });
  return await restoreBackup(
    { files, dataDir, platform: { now, random: seededRandom(dataDir) } },
    await sourceIn({ files, dir }),
    { keepSessions: false, revokeShares: false, ...options },
  );
}

/** By night every other operation fails, by day every sixth. */
const STEP = Deno.env.get("TEST_FAULTS") === "all" ? 2 : 6;

for (const copy of [false, true]) {
  const how = copy ? "copies" : "links";
  Deno.test(`whichever operation of a backup that ${how} fails, the backup before or the new one is whole`, async () => {
    await withRoom(async (room) => {
      await withRealApp(async (app) => {
        let ada = await registerWriter(app, "ada");
        const gone = await createAsset(app, ada, "gone", { length: 400 });
        const dir = `${room}/backup`;
        await Deno.mkdir(dir);
        const files = failingFiles();
        await back(app, dir, files, copy);
        // From here on there is something to bring and something to remove.
        await createAsset(app, ada, "new", { length: 700 });
        await trash(app, ada, gone.assetId);
        ada = await later(app, ada, 31 * DAY);
        await collect(app);
        const tried = `${room}/tried`;
        // By night the rest is where the other kind is tried.
        let [n, failures] = [copy ? 2 : 1, 0];
        for (;; n += STEP) {
          await copyTree(dir, tried);
          files.failAt(n, n % 4 > 1 ? "EIO" : "ENOSPC");
          try {
            await back(app, tried, files, copy);
          } catch {
            failures += 1;
          }
          await expectWhole(tried);
          // The next one is whole as well, and clears up behind this one.
          if (n % 20 < STEP || !files.failed()) {
            await back(app, tried, denoFiles, copy);
            const { leftovers } = await verifyBackup(denoFiles, tried);
            assert.equal(leftovers, 0);
          }
          await Deno.remove(tried, { recursive: true });
          // A link that fails is made good by a copy.
          if (!files.failed()) break;
        }
        assert(failures * STEP > 30 && n > 40, `${failures} of ${n}`);
        await back(app, dir, denoFiles, copy);
        await restoreInto(app, dir, `${room}/restored`);
        assert.deepEqual(await faultsOf(`${room}/restored`), []);
      });
    });
  });
}

Deno.test("whichever operation of a restore fails, nothing is served of it, and the next one is whole", async () => {
  await withRoom(async (room) => {
    await withRealApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      await createAsset(app, ada, "photo", { length: 400 });
      const dir = `${room}/backup`;
      await Deno.mkdir(dir);
      await back(app, dir, denoFiles);
      const before = await filesUnder(dir);
      const files = failingFiles();
      const target = `${room}/restored`;
      let n = 1;
      for (;; n++) {
        files.failAt(n, n % 2 === 0 ? "EIO" : "ENOSPC");
        const failed = await restoreInto(app, dir, target, files)
          .then(() => undefined, (error: unknown) => error);
        if (!files.failed()) break;
        if (failed === undefined) {
          // A blob that could be read at the second try.
          assert.deepEqual(await faultsOf(target), []);
          assert.match(files.seen()[n - 1] ?? "", /^(stat|open|read)$/);
          await Deno.remove(target, { recursive: true });
          continue;
        }
        const left = [...(await filesUnder(target)).keys()];
        assert(
          left.every((name) => name === "restore-unfinished.new") ||
            left.includes("restore-unfinished"),
          `after operation ${n}: ${left}`,
        );
      }
      assert(n > 40, `${n} operations`);
      assert.deepEqual(await faultsOf(target), []);
      assert.deepEqual(await filesUnder(dir), before);
    });
  });
});

Deno.test("blobs that are collected after the database was copied are not missing from the backup", async () => {
  await withRoom(async (room) => {
    await withRealApp(async (app) => {
      let ada = await registerWriter(app, "ada");
      await createAsset(app, ada, "kept");
      const gone = await createAsset(app, ada, "gone");
      await trash(app, ada, gone.assetId);
      ada = await later(app, ada, 31 * DAY);
      const dir = `${room}/backup`;
      await Deno.mkdir(dir);
      // The database is copied by then; nothing is linked before.
      let collection: ReturnType<typeof collect> | undefined;
      const files: Files = {
        ...denoFiles,
        link: async (from, to) => {
          await (collection ??= collect(app));
          return await denoFiles.link(from, to);
        },
      };
      const { snapshot } = await back(app, dir, files);
      assert.equal((await collection)?.blobs.count, 3);
      assert.equal(snapshot.blobs.count, 3);
      assert.deepEqual(snapshot.lost, []);
      await expectWhole(dir);
      const names = [...(await filesUnder(`${dir}/blobs`)).keys()];
      assert.equal(names.length, 3);
      assert(!names.some((name) => name.endsWith(hashOf(gone.original))));
    });
  });
});

Deno.test("a blob that the server has lost is named, and the rest is backed up and restored", async () => {
  await withRoom(async (room) => {
    await withRealApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      const { original } = await createAsset(app, ada, "photo");
      await createAsset(app, ada, "other");
      const hash = hashOf(original);
      await Deno.remove(
        `${app.dataDir}/blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`,
      );
      const dir = `${room}/backup`;
      await Deno.mkdir(dir);
      const { snapshot } = await back(app, dir, denoFiles);
      assert.deepEqual(snapshot.lost, [hash]);
      assert.equal(snapshot.blobs.count, 5);
      const { findings } = await verifyBackup(denoFiles, dir);
      assert.deepEqual(findings.map(({ kind }) => kind), ["blob_lost"]);
      await restoreInto(app, dir, `${room}/restored`);
      const faults = await faultsOf(`${room}/restored`);
      assert.equal(faults.length, 1);
      assert.match(faults[0] ?? "", new RegExp(`^blob_missing ${hash}`));
    });
  });
});

Deno.test("a copy is hashed as it is made, and shares no file with the server", async () => {
  await withRoom(async (room) => {
    await withRealApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      const { original } = await createAsset(app, ada, "photo");
      const hash = hashOf(original);
      const place = `blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
      const dir = `${room}/backup`;
      await Deno.mkdir(dir);
      const inodes = async () => [
        (await Deno.stat(`${app.dataDir}/${place}`)).ino,
        (await Deno.stat(`${dir}/${place}`)).ino,
      ];
      await back(app, dir, denoFiles);
      let [own, backup] = await inodes();
      assert.equal(own, backup);
      const made = await back(app, dir, denoFiles, true);
      // A link that a copy takes the place of was not damaged.
      assert.deepEqual([made.copied, made.kept, made.replaced], [3, 0, 0]);
      [own, backup] = await inodes();
      assert.notEqual(own, backup);
      assert.equal((await back(app, dir, denoFiles, true)).kept, 3);
      // Damage of the server's file does not reach the copy, nor a new one.
      const bytes = original.slice();
      bytes[7] = (bytes[7] ?? 0) ^ 1;
      await Deno.writeFile(`${app.dataDir}/${place}`, bytes);
      assert.deepEqual(
        (await back(app, dir, denoFiles, true)).snapshot.lost,
        [],
      );
      await expectWhole(dir);
      const another = `${room}/another`;
      await Deno.mkdir(another);
      const { snapshot } = await back(app, another, denoFiles, true);
      assert.deepEqual(snapshot.lost, [hash]);
    });
  });
});

Deno.test("a blob whose reads fail is named and gone around, in a backup that copies and in a restore", async () => {
  await withRoom(async (room) => {
    await withRealApp(async (app) => {
      const ada = await registerWriter(app, "ada");
      const { original } = await createAsset(app, ada, "photo");
      await createAsset(app, ada, "other");
      const hash = hashOf(original);
      const files: Files = {
        ...denoFiles,
        open: async (path, mode) => {
          const file = await denoFiles.open(path, mode);
          if (file === undefined || !path.endsWith(hash)) return file;
          const read = () => Promise.reject(new DiskFault("read", "EIO"));
          return { ...file, read };
        },
      };
      const dir = `${room}/backup`;
      await Deno.mkdir(dir);
      const { lost, snapshot } = await back(app, dir, files, true);
      assert.deepEqual(
        lost.map(({ hash, because }) => [hash, because]),
        [[hash, "unreadable"]],
      );
      assert.equal(snapshot.blobs.count, 5);
      const { findings } = await verifyBackup(denoFiles, dir);
      assert.deepEqual(findings.map(({ kind }) => kind), ["blob_lost"]);
      // Readable again, it is brought; then it is the backup that fails.
      const mended = await back(app, dir, denoFiles, true);
      assert.deepEqual([mended.lost, mended.copied], [[], 1]);
      await assert.rejects(
        restoreInto(app, dir, `${room}/refused`, files),
        new RegExp(`is damaged: .*${hash} cannot be read`),
      );
      const { losses } = await restoreInto(
        app,
        dir,
        `${room}/restored`,
        files,
        {
          withoutDamaged: true,
        },
      );
      assert.deepEqual(
        losses.map(({ hash, because }) => [hash, because]),
        [[hash, "unreadable"]],
      );
      const faults = await faultsOf(`${room}/restored`);
      assert.equal(faults.length, 1);
    });
  });
});
