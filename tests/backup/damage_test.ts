/**
 * One damaged item does not hold the library hostage: a backup goes around it
 * and names it, a restore brings back everything else, and the server knows
 * what it has lost. And what was lost by mistake does not empty the backup.
 *
 * @module
 */
import assert from "node:assert/strict";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import {
  backUp,
  faultsOf,
  namesIn,
  restore,
  signIn,
  tryBackup,
  tryRestore,
  verifyBackup,
  withRoom,
  withServer,
} from "../support/backups.ts";
import { placesIn } from "../support/backups.ts";
import { expectRefused } from "../support/ended.ts";
import type { Json } from "../support/expect.ts";
import {
  createGuestUpload,
  finalizeGuest,
  issueLink,
  patchGuest,
} from "../support/guests.ts";
import {
  ciphertext,
  createAsset,
  createUpload,
  hashOf,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { runProgram } from "../support/program.ts";
import { hashesOf, verifyOne } from "../support/storage.ts";

function blobIn(root: string, hash: string): string {
  return `${root}/blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
}

/** Changes one byte of a file where it lies, whatever its other names are. */
async function rot(path: string): Promise<void> {
  const bytes = await Deno.readFile(path);
  bytes[9] = (bytes[9] ?? 0) ^ 1;
  await Deno.writeFile(path, bytes);
}

/** A file of its own in the place of one that may have other names. */
async function put(path: string, bytes: Uint8Array): Promise<void> {
  await Deno.remove(path);
  await Deno.writeFile(path, bytes, { mode: 0o600 });
}

/** Runs a command that ends with 1; its answer and what it complained of. */
async function half(...args: readonly string[]): Promise<{
  readonly report: Json;
  readonly lines: readonly string[];
}> {
  const ended = await runProgram([...args, "--json"]);
  assert.equal(ended.status, 1, ended.stderr + ended.stdout);
  const lines = ended.stderr.trimEnd().split("\n");
  return { report: JSON.parse(ended.stdout), lines };
}

/** A server's data with an account, some assets, and a backup of it. */
async function withAssets(
  names: readonly string[],
  test: (
    places: ReturnType<typeof placesIn> & Awaited<ReturnType<typeof make>>,
  ) => Promise<void>,
): Promise<void> {
  await withRoom(async (room) => {
    const places = placesIn(room);
    const made = await make(places.data);
    await backUp(places.data, places.backup);
    await test({ ...places, ...made });
  });

  function make(data: string) {
    return withServer(data, async (server) => {
      const ada = await registerWriter(server, "ada");
      const assets = [];
      for (const name of names) {
        assets.push(await createAsset(server, ada, name));
      }
      return { ada, assets };
    });
  }
}

function change(database: string, statements: string): void {
  const sqlite = openSqlite(database);
  try {
    sqlite.exec(`pragma foreign_keys = off; ${statements}`);
  } finally {
    sqlite.close();
  }
}

Deno.test("a backup refuses to drop more than a tenth of what it holds unless that is said, and the one before stays", async () => {
  const names = Array.from({ length: 10 }, (_, n) => `photo ${n}`);
  await withAssets(names, async ({ data, backup, restored, assets }) => {
    const database = `${data}/db/strongroom.sqlite`;
    const forget = (count: number) => {
      const hashes = assets.slice(0, count).flatMap(hashesOf);
      const list = hashes.map((hash) => `'${hash}'`).join();
      change(database, `delete from holding where hash in (${list})`);
    };
    const before = await verifyBackup(backup);
    assert.equal(before.blobs.count, 30);
    // A tenth, and more than that where it is few.
    forget(1);
    assert.equal((await backUp(data, backup)).removed, 3);
    forget(3);
    assert.equal((await backUp(data, backup)).removed, 6);
    const kept = await verifyBackup(backup);
    forget(8);
    for (const more of [[], ["--copy"], ["--verify"]]) {
      expectRefused(
        await runProgram(["backup", backup, "--data-dir", data, ...more]),
        /would remove 15 blobs .* has 21 blobs .*--allow-shrink/,
      );
      assert.deepEqual(await verifyBackup(backup), kept);
    }
    forget(10);
    expectRefused(await tryBackup(data, backup), /would remove 21 blobs/);
    assert.deepEqual(await verifyBackup(backup), kept);
    await restore(backup, restored);
    const { removed, blobs } = await backUp(data, backup, "--allow-shrink");
    assert.deepEqual([removed, blobs.count], [21, 0]);
    const { findings, leftovers } = await verifyBackup(backup);
    // The assets without blobs that this test has made of them.
    assert(findings.every(({ kind }: Json) => kind === "server_fault"));
    assert.equal(leftovers, 0);
  });
});

Deno.test("a tiny backup is not emptied either", async () => {
  await withAssets(["photo"], async ({ data, backup }) => {
    change(`${data}/db/strongroom.sqlite`, "delete from holding");
    expectRefused(await tryBackup(data, backup), /would remove 3 blobs/);
    assert.equal((await verifyBackup(backup)).blobs.count, 3);
  });
});

Deno.test("a linked blob that rots is found and named, all else is backed up, and a sound one takes its place", async () => {
  await withAssets(["rotten", "sound"], async (world) => {
    const { data, backup, restored, ada, assets: [rotten] } = world;
    assert(rotten !== undefined);
    const hash = hashOf(rotten.original);
    // One file under two names: the server's and the backup's.
    await rot(blobIn(data, hash));
    await withServer(data, async (server) => {
      const again = await signIn(server, ada);
      await createAsset(server, again, "newer");
    });
    for (const more of [[], ["--copy"], ["--verify"], []]) {
      const args = ["backup", backup, "--data-dir", data, ...more];
      const { report, lines } = await half(...args);
      assert.deepEqual(report.lost, [hash]);
      assert.deepEqual(report.damaged_receipts, []);
      assert.equal(report.blobs.count, 8);
      assert.equal(lines.length, 1);
      assert.match(
        lines[0] ?? "",
        new RegExp(
          "^strongroom: 1 blob is not whole on the server \\(1 damaged\\) and not in this " +
            `backup: ${hash}; \`strongroom check --deep\``,
        ),
      );
      const { findings, blobs } = await verifyBackup(backup);
      assert.equal(blobs.count, 8);
      assert.deepEqual(
        findings.map(({ kind }: Json) => kind),
        ["blob_lost"],
      );
    }
    const { report } = await half("restore", backup, "--data-dir", restored);
    assert.deepEqual(report.lost.map(({ because }: Json) => because), [
      "before",
    ]);
    await put(blobIn(data, hash), rotten.original);
    const mended = await backUp(data, backup);
    assert.deepEqual([mended.lost, mended.replaced], [[], 1]);
    assert.equal((await verifyBackup(backup)).found, 0);
  });
});

Deno.test("a blob that the server loses after it was backed up is told by every backup that follows, which keeps it", async () => {
  const names = ["missing", "short", "rotten", "whole"];
  await withAssets(names, async ({ data, backup, assets }) => {
    const [missing, short, rotten] = assets.map(({ original }) => original);
    assert(missing && short && rotten);
    await backUp(data, backup, "--copy");
    const [gone, cut] = [hashOf(missing), hashOf(short)].toSorted();
    assert(gone !== undefined && cut !== undefined);
    await Deno.remove(blobIn(data, gone));
    await put(blobIn(data, cut), new Uint8Array(3));
    await rot(blobIn(data, hashOf(rotten)));
    const seen = [gone, cut].toSorted();
    const all = [...seen, hashOf(rotten)].toSorted();
    // Same size: seen only where the server's files are read.
    for (const [flag, faulty] of [["", seen], ["--verify", all]] as const) {
      const args = ["backup", backup, "--data-dir", data, "--copy"];
      const more = flag === "" ? [] : [flag];
      const { report, lines } = await half(...args, ...more);
      assert.deepEqual([report.lost, report.faulty], [[], faulty]);
      assert.deepEqual([report.blobs.count, report.kept], [12, 12]);
      assert.equal(lines.length, 1);
      const [line = ""] = lines;
      assert(
        line.startsWith(
          `strongroom: ${faulty.length} blobs are not whole on the `,
        ),
      );
      assert.match(line, /1 missing/);
      assert.match(line, /still in this backup: .*`strongroom check --deep`/);
      for (const hash of faulty) assert(line.includes(hash), line);
      assert.equal((await verifyBackup(backup)).found, 0);
    }
    const doctor = await runProgram(["doctor", "--data-dir", data]);
    assert.match(doctor.stdout, /backup: .*3 .*damaged or missing here/);
    // What a check has found is told by every backup, without --verify too.
    assert.equal(
      (await runProgram(["check", "--deep", "--data-dir", data])).status,
      1,
    );
    const nightly = ["backup", backup, "--data-dir", data, "--copy"];
    assert.deepEqual((await half(...nightly)).report.faulty, all);
    // Put back from there, as its page says.
    for (const hash of all) {
      await Deno.copyFile(blobIn(backup, hash), blobIn(data, hash));
    }
    assert.deepEqual((await backUp(data, backup, "--verify")).faulty, []);
  });
});

Deno.test("many losses are one line that names the first of them", async () => {
  const names = Array.from({ length: 5 }, (_, n) => `photo ${n}`);
  await withAssets(names, async ({ data, backup, assets }) => {
    for (const { original } of assets) {
      await Deno.remove(blobIn(data, hashOf(original)));
    }
    const { report, lines } = await half("backup", backup, "--data-dir", data);
    assert.equal(report.faulty.length, 5);
    assert.equal(lines.length, 1);
    assert.match(
      lines[0] ?? "",
      /^strongroom: 5 blobs are .*\(5 missing\).* and 2 more;/,
    );
  });
});

Deno.test("a copy that rots in the backup is replaced by the server's", async () => {
  await withAssets(["photo"], async ({ data, backup, assets: [photo] }) => {
    assert(photo !== undefined);
    await backUp(data, backup, "--copy");
    for (const more of [[], ["--copy"]]) {
      const rotten = photo.metadata.slice();
      rotten[9] = (rotten[9] ?? 0) ^ 1;
      await put(blobIn(backup, hashOf(photo.metadata)), rotten);
      assert.equal((await verifyBackup(backup)).found, 1);
      const { replaced, lost } = await backUp(data, backup, ...more);
      assert.deepEqual([replaced, lost], [1, []]);
      assert.equal((await verifyBackup(backup)).found, 0);
    }
  });
});

Deno.test("what is damaged in a backup is restored around with --without-damaged: named, known to the server, and taken again", async () => {
  const names = ["flipped", "missing", "cut", "whole"];
  await withAssets(names, async (world) => {
    const { data, backup, restored, ada, assets } = world;
    const [flipped, missing, cut, whole] = assets;
    assert(flipped && missing && cut && whole);
    const guest = ciphertext("a guest's", 600);
    await withServer(data, async (server) => {
      const again = await signIn(server, ada);
      const link = await issueLink(server, again, "link", {
        expires_at: new Date(Date.now() + 86_400_000).toISOString(),
        max_files: 2,
        max_bytes: 1_000,
      });
      const { upload_id } = await createGuestUpload(server, link, guest);
      const sent = await patchGuest(server, link, upload_id, 0, guest);
      assert.equal(sent.status, 204);
      const finalized = await finalizeGuest(server, link, upload_id);
      assert.equal(finalized.status, 200, await finalized.text());
    });
    await backUp(data, backup, "--copy");
    const lost = [
      [hashOf(flipped.original), "damaged"],
      [hashOf(missing.metadata), "missing"],
      [hashOf(cut.manifest), "damaged"],
      [hashOf(guest), "missing"],
    ] as const;
    const [one, two, three, four] = lost.map(([hash]) => blobIn(backup, hash));
    assert(one && two && three && four);
    await rot(one);
    await Deno.remove(two);
    await put(three, cut.manifest.slice(1));
    await Deno.remove(four);

    expectRefused(
      await tryRestore(backup, restored),
      /is damaged: blobs\/.*--without-damaged/,
    );
    assert.deepEqual(await namesIn(restored), ["lock"]);
    const flag = "--without-damaged";
    const args = ["restore", backup, "--data-dir", restored];
    const { report, lines } = await half(...args, flag);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /restored all but 4 blobs, listed above/);
    assert.deepEqual([report.lost_count, report.blobs.count], [4, 9]);
    assert.deepEqual(
      report.lost.map(({ hash, because }: Json) => [hash, because]),
      lost.toSorted(([a], [b]) => a < b ? -1 : 1),
    );
    const holders = report.lost.flatMap((loss: Json) =>
      loss.holders.map((holder: Json) => [loss.hash, holder])
    );
    const hers = { owner_id: ada.userId, address: ada.address };
    const expected = [
      { ...hers, asset_id: flipped.assetId, role: "original" },
      { ...hers, asset_id: missing.assetId, role: "metadata" },
      { ...hers, asset_id: cut.assetId, role: "provenance" },
      { ...hers, asset_id: null, role: "contribution" },
    ].map((holder, n) => [lost[n]?.[0], holder]);
    assert.deepEqual(new Map(holders), new Map(expected as [string, Json][]));

    const faults = await faultsOf(restored);
    assert.deepEqual(
      faults.map((fault) => fault.split(":")[0]).toSorted(),
      lost.map(([hash]) => `blob_missing ${hash}`).toSorted(),
    );
    await withServer(restored, async (server) => {
      const again = await signIn(server, ada);
      const ask = (asset: typeof whole) =>
        verifyOne(server, again, asset.assetId, hashesOf(asset));
      assert.equal((await ask(whole)).durable, true);
      for (const [n, asset] of [flipped, missing, cut].entries()) {
        const { durable, blobs } = await ask(asset);
        assert.equal(durable, false);
        const gone = blobs.filter(({ stored }: Json) => !stored);
        assert.deepEqual(gone.map(({ hash }: Json) => hash), [lost[n]?.[0]]);
      }
      await uploadBlob(server, again, flipped.original, {
        fileId: flipped.assetId,
      });
      assert.equal((await ask(flipped)).durable, true);
    });

    const other = `${restored}-too`;
    const ended = await runProgram([
      ...["restore", backup, "--data-dir", other, flag],
    ]);
    assert.equal(ended.status, 1);
    assert.match(
      ended.stdout,
      new RegExp(
        `^lost: original of asset ${flipped.assetId} of ${ada.address}: ` +
          `${hashOf(flipped.original)} \\(damaged in the backup\\)$`,
        "m",
      ),
    );
    assert.match(ended.stdout, /^lost: contribution of /m);
  });
});

Deno.test("one bit of an old receipt is named by the backup, and by a restore that goes on without it", async () => {
  await withAssets(["photo"], async ({ data, backup, restored, ada }) => {
    const flip = (number: number) =>
      change(
        `${data}/db/strongroom.sqlite`,
        `update receipt set body = cast(substr(body, 1, 300) ||
          (case substr(body, 301, 1) when x'00' then x'01' else x'00' end) ||
          substr(body, 302) as blob) where receipt_seq = ${number}`,
      );
    flip(2);
    const backingUp = ["backup", backup, "--data-dir", data];
    for (const more of [[], ["--verify"]]) {
      const { report, lines } = await half(...backingUp, ...more);
      assert.deepEqual([report.lost, report.damaged_receipts], [[], [2]]);
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? "", /receipt 2 is damaged in the database/);
    }
    const { findings } = await verifyBackup(backup);
    assert.deepEqual(
      findings.map(({ kind, subject }: Json) => `${kind} ${subject}`),
      ["server_fault receipt 2"],
    );
    expectRefused(
      await tryRestore(backup, restored),
      /receipt 2 is not sound .*--without-damaged/,
    );
    const restoring = ["restore", backup, "--data-dir", restored];
    const { report } = await half(...restoring, "--without-damaged");
    assert.deepEqual(
      report.damaged_receipts.map(({ receipt_seq }: Json) => receipt_seq),
      [2],
    );
    assert.deepEqual([report.receipts, report.blobs.count], [3, 3]);
    // The newest too, which says whose server this is.
    flip(3);
    const both = await half(...backingUp);
    assert.deepEqual(both.report.damaged_receipts, [2, 3]);
    const again = `${restored}-again`;
    await half("restore", backup, "--data-dir", again, "--without-damaged");
    await withServer(again, async (server) => {
      const person = await signIn(server, ada);
      await uploadBlob(server, person, ciphertext("more", 10), {
        fileId: uuidOf("more"),
      });
    });
  });
});

Deno.test("with --existing nothing new is begun where a disk is not mounted", async () => {
  await withAssets(["photo"], async ({ data, backup }) => {
    const mount = `${backup}-disk`;
    await Deno.mkdir(mount);
    for (const place of [mount, `${mount}/strongroom`, `${mount}/a/b`]) {
      expectRefused(
        await runProgram(["backup", place, "--existing", "--data-dir", data]),
        /contains no backup: mount its disk/,
      );
      assert.deepEqual(await namesIn(mount), []);
    }
    await backUp(data, `${mount}/strongroom`);
    const { kept } = await backUp(data, `${mount}/strongroom`, "--existing");
    assert.equal(kept, 3);
  });
});

Deno.test("counters that are wrong keep no backup from being restored", async () => {
  await withRoom(async (room) => {
    const { data, backup } = placesIn(room);
    await withServer(data, async (server) => {
      const ada = await registerWriter(server, "ada");
      const link = await issueLink(server, ada, "link", {
        expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      });
      await createGuestUpload(server, link, ciphertext("open", 600));
      await createUpload(server, ada, ciphertext("own", 500));
    });
    const sqlite = openSqlite(`${data}/db/strongroom.sqlite`);
    sqlite.exec("update upload_link set bytes_used = 1, files_used = 0");
    sqlite.exec("update usage set reserved_bytes = 1, open_uploads = 0");
    sqlite.close();
    await backUp(data, backup);
    const to = `${room}/new`;
    assert.equal((await restore(backup, to)).uploads_dropped, 2);
    assert.deepEqual(await faultsOf(to), []);
  });
});
