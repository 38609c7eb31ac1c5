/**
 * A server with its blobs in a bucket as a process, with the permissions that
 * it is started with, and commands while it runs
 * (object-store/moving-blobs.md#moving-blobs).
 *
 * @module
 */
import assert from "node:assert/strict";
import { PROGRAM_PERMISSIONS } from "../../scripts/packaging/permissions.ts";
import {
  type Beside,
  besideServer,
  expectHelp,
  withServer,
} from "../support/operator_commands.ts";
import { expectDone } from "../support/ended.ts";
import { withBucket } from "../support/bucket.ts";
import { type KillingProxy, withProxy } from "../support/killing_proxy.ts";
import {
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
} from "../support/people.ts";
import { runProgram, startProgram, withDataDir } from "../support/program.ts";
import { openBesideServer } from "../../src/store/store.ts";
import {
  expectBytes,
  issueShare,
  readBlob,
  viewShare,
} from "../support/api.ts";
import { LOCKED } from "../../scripts/locked.ts";

/** To the directory and no further, or by night there, back and there again. */
const WAYS = Deno.env.get("TEST_FAULTS") === "all"
  ? ["directory", "s3", "directory"]
  : ["directory"];

const CHEAP = {
  STRONGROOM_ARGON2_MEMORY_KIB: "8",
  STRONGROOM_ARGON2_PASSES: "1",
  STRONGROOM_RESERVED_DISK_BYTES: "0",
  // Blobs are files, which these tests look at.
  STRONGROOM_SMALL_BLOB_BYTES: "0",
  // Whatever port it gets, it is the same server.
  STRONGROOM_BASE_URL: "https://photos.example.org",
};

async function expectServed(
  beside: Pick<Beside, "send">,
  ada: Person,
  { assetId, original, metadata, manifest }: LiveAsset,
): Promise<void> {
  for (const bytes of [original, metadata, manifest]) {
    const answer = await readBlob(beside, ada, assetId, hashOf(bytes));
    assert.equal(answer.status, 200);
    expectBytes(new Uint8Array(await answer.arrayBuffer()), bytes, "a blob");
  }
}

Deno.test("the family's help names its examples and options", async () => {
  await expectHelp("blobs", ["move", "claim"]);
});

Deno.test("a server with a bucket works with the permissions it is given, and commands work while it runs", async () => {
  await withBucket(async (bucket) => {
    const keys = await Deno.makeTempFile();
    await Deno.writeTextFile(
      keys,
      "[default]\naws_access_key_id = S3RVER\naws_secret_access_key=S3RVER\n",
    );
    const { STRONGROOM_S3_ACCESS_KEY_ID: _, ...settings } = bucket.settings;
    delete settings.STRONGROOM_S3_SECRET_ACCESS_KEY;
    settings.STRONGROOM_S3_KEYS_FILE = keys;
    await withServer(async (beside) => {
      const ada = await registerWriter(beside, "ada");
      const asset = await createAsset(beside, ada, "photo");
      assert.equal((await bucket.keys()).length, 3);
      await expectServed(beside, ada, asset);
      const checked = await beside.json("check", "--deep");
      assert.deepEqual([checked.found, checked.checked.blobs], [0, 3]);
      assert.equal((await beside.json("gc")).failed, 0);
      const { stdout } = await beside.run("doctor");
      assert.match(stdout, /ok +object store: .*\/photos\/ answers/);
      assert.match(stdout, /ok +object store: .*\/photos\/ is this data dir/);
      const { holder } = await beside.json("blobs", "claim");
      assert.equal(holder, "this");
      await beside.refused(/STRONGROOM_BLOBS=directory/, ...MOVE, "directory");
      // A backup has what lies in the bucket, and is restored without it.
      const backup = `${beside.dataDir}-backup`;
      const made = await beside.json("backup", backup);
      assert.deepEqual([made.blobs.count, made.copied], [3, 3]);
      await beside.done("backup", "verify", backup);
      await Deno.remove(backup, { recursive: true });
    }, settings);
    await Deno.remove(keys);
  });
});

Deno.test("an object of the server's bucket that is cut off or gone is reported by every backup that has its blob, and repaired from there", async () => {
  await withBucket(async (bucket) => {
    await withServer(async (beside) => {
      const ada = await registerWriter(beside, "ada");
      const { original } = await createAsset(beside, ada, "photo");
      const hash = hashOf(original);
      const backup = `${beside.dataDir}-backup`;
      await beside.done("backup", backup);
      const whole = await Deno.readFile(bucket.fileOf(hash));
      const damages: readonly [RegExp, () => Promise<void>][] = [
        [/1 damaged/, () => Deno.truncate(bucket.fileOf(hash), 9)],
        [/1 missing/, () => Deno.remove(bucket.fileOf(hash))],
      ];
      for (const [how, damage] of damages) {
        await damage();
        const { status, stdout, stderr } = await beside.run(
          "backup",
          backup,
          "--json",
        );
        assert.equal(status, 1, stderr);
        const { faulty, lost, kept } = JSON.parse(stdout);
        assert.deepEqual([faulty, lost, kept], [[hash], [], 3]);
        assert.match(stderr, how);
        await Deno.writeFile(bucket.fileOf(hash), whole);
        assert.deepEqual((await beside.json("backup", backup)).faulty, []);
      }
      await beside.done("backup", "verify", backup);
      await Deno.remove(backup, { recursive: true });
    }, bucket.settings);
  });
});

Deno.test("a restored data directory is served on the old one's bucket once it is told to take it over", async () => {
  await withBucket(async (bucket) => {
    await withDataDir(async (dataDir) => {
      const settings = { ...CHEAP, ...bucket.settings };
      const old = { ...settings, STRONGROOM_DATA_DIR: `${dataDir}/old` };
      const first = await startProgram(old);
      const beside = besideServer(first, `${dataDir}/old`, old);
      const ada = await registerWriter(beside, "ada");
      const asset = await createAsset(beside, ada, "photo");
      const hash = hashOf(asset.original);
      const link = await issueShare(beside, ada, "link", [hash]);
      await beside.done("backup", `${dataDir}/backup`);
      const anew = { ...settings, STRONGROOM_DATA_DIR: `${dataDir}/new` };
      expectDone(await runProgram(["restore", `${dataDir}/backup`], anew));

      const refused = await startProgram(anew);
      assert.equal(refused.line, "");
      assert.equal(await refused.exited, 1);
      assert.match(
        await refused.complaint(),
        /^strongroom: another data directory has .*photos\/ since .*, as https:\/\/photos\.example\.org: .*blobs claim --take\n$/,
      );
      const elsewhere = besideServer(refused, `${dataDir}/new`, anew);
      const asked = await elsewhere.run("blobs", "claim", "--json");
      assert.equal(asked.status, 1);
      assert.equal(JSON.parse(asked.stdout).holder, "other");
      for (const command of [["doctor"], ["check"]]) {
        const { status, stdout } = await elsewhere.run(...command);
        assert.equal(status, 1);
        assert.match(stdout, /another data directory has .*photos/);
      }
      assert.equal(await first.stop(), 0);
      const taken = await elsewhere.json("blobs", "claim", "--take");
      assert.equal(taken.holder, "this");

      const second = await startProgram(anew);
      const shown = await viewShare(
        besideServer(second, `${dataDir}/new`, anew),
        `${link}/blob/${hash}`,
      );
      assert.equal(shown.status, 200);
      await shown.body?.cancel();
      assert.equal(await second.stop(), 0);
      const former = await startProgram(old);
      assert.match(await former.complaint(), /another data directory has/);
    });
  });
});

const MOVE = ["blobs", "move", "--to"];

Deno.test("blobs are moved into a bucket and back while a server runs", async () => {
  await withBucket(async (bucket) => {
    await withDataDir(async (dataDir) => {
      const common = { ...CHEAP, STRONGROOM_DATA_DIR: dataDir };
      const withIt = { ...common, ...bucket.settings };
      const plain = await startProgram(common);
      const first = besideServer(plain, dataDir, common);
      const ada = await registerWriter(first, "ada");
      const asset = await createAsset(first, ada, "photo");
      // A server that does not know the bucket would miss what is moved.
      const early = besideServer(plain, dataDir, withIt);
      await early.refused(
        /start the server with these settings/,
        ...MOVE,
        "s3",
      );
      await first.refused(/no bucket is set/, ...MOVE, "s3");
      assert.equal(await plain.stop(), 0);

      const server = await startProgram(withIt);
      const beside = besideServer(server, dataDir, withIt);
      await expectServed(beside, ada, asset);
      const other = await createAsset(beside, ada, "other");
      assert.equal((await bucket.keys()).length, 3);
      const moved = await beside.json(...MOVE, "s3");
      assert.deepEqual([moved.moved.count, moved.there.count], [3, 3]);
      assert.equal((await bucket.keys()).length, 6);
      for (const one of [asset, other]) await expectServed(beside, ada, one);
      const again = await beside.json(...MOVE, "s3");
      assert.deepEqual([again.moved.count, again.there.count], [0, 6]);
      assert.equal((await beside.json("check", "--deep")).found, 0);
      assert.equal(await server.stop(), 0);

      const homeward = { ...withIt, STRONGROOM_BLOBS: "directory" };
      const third = await startProgram(homeward);
      const home = besideServer(third, dataDir, homeward);
      const back = await home.json(...MOVE, "directory");
      assert.deepEqual([back.moved.count, back.left], [6, 0]);
      assert.deepEqual(await bucket.keys(), []);
      for (const one of [asset, other]) await expectServed(home, ada, one);
      assert.equal(await third.stop(), 0);

      // Nothing is left there: the bucket may go.
      const fourth = await startProgram(common);
      const last = besideServer(fourth, dataDir, common);
      for (const one of [asset, other]) await expectServed(last, ada, one);
      assert.equal((await last.json("check", "--deep")).found, 0);
      assert.equal(await fourth.stop(), 0);
    });
  });
});

Deno.test("a move that is killed at any of its requests goes on, and loses nothing", async () => {
  await withBucket(async (bucket) => {
    await withProxy(
      bucket.settings.STRONGROOM_S3_ENDPOINT ?? "",
      async (proxy) => {
        await withDataDir(async (dataDir) => {
          const settings = {
            ...CHEAP,
            ...bucket.settings,
            STRONGROOM_DATA_DIR: dataDir,
            STRONGROOM_S3_ENDPOINT: proxy.endpoint,
          };
          let server = await startProgram(settings);
          let beside = besideServer(server, dataDir, settings);
          const ada = await registerWriter(beside, "ada");
          const asset = await createAsset(beside, ada, "photo");
          let killed = 0;
          for (const to of WAYS) {
            const given = { ...settings, STRONGROOM_BLOBS: to };
            assert.equal(await server.stop(), 0);
            server = await startProgram(given);
            beside = besideServer(server, dataDir, given);
            // What was just removed is not placed again for a while.
            await letTimePass(dataDir);
            for (let n = 1;; n++) {
              const moment = n % 2 === 0 ? "after" : "before";
              if (!await killAt(proxy, n, moment, given, to)) break;
              killed += 1;
              await expectServed(beside, ada, asset);
              const { stdout } = await beside.run("check", "--deep", "--json");
              // What a move that was killed had fetched, or was just giving
              // its name, is collection's.
              const { kinds } = JSON.parse(stdout);
              delete kinds.upload_file_unknown;
              delete kinds.blob_file_unknown;
              assert.deepEqual(kinds, {});
            }
          }
          assert(killed >= 4, String(killed));
          assert.deepEqual(await bucket.keys(), []);
          await expectServed(beside, ada, asset);
          assert.equal(await server.stop(), 0);
        });
      },
    );
  });
});

/** Runs a move that is killed at its n-th request; whether it came to that. */
async function killAt(
  proxy: KillingProxy,
  n: number,
  moment: "before" | "after",
  settings: Record<string, string>,
  to: string,
): Promise<boolean> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...LOCKED,
      "--no-prompt",
      ...PROGRAM_PERMISSIONS,
      "main.ts",
      ...MOVE,
      to,
      "--json",
    ],
    env: settings,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  proxy.at(n, moment, () => child.kill("SIGKILL"));
  const { stdout, stderr } = await child.output();
  if (proxy.done()) return true;
  const said = new TextDecoder().decode(stdout);
  assert.notEqual(said, "", new TextDecoder().decode(stderr));
  const { missing, damaged, left, waiting } = JSON.parse(said);
  assert.deepEqual([missing, damaged], [[], []]);
  if (left + waiting.count === 0) return false;
  // Whoever was killed may have a removal on its way: it is waited for.
  await letTimePass(settings.STRONGROOM_DATA_DIR ?? "");
  return await killAt(proxy, Infinity, moment, settings, to);
}

/** What was tried to be removed was an hour ago. */
async function letTimePass(dataDir: string): Promise<void> {
  const db = await openBesideServer(dataDir);
  await db.updateTable("doomed_blob")
    .set((row) => ({ tried_at: row("tried_at", "-", 3_600_000) })).execute();
  await db.destroy();
}
