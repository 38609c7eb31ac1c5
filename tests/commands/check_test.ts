/**
 * `strongroom check` as a process (upkeep/check.md#is-everything-still-there).
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { expectDone, expectRefused } from "../support/ended.ts";
import { expectEmpty, expectJson, type Json } from "../support/expect.ts";
import { readFeed } from "../support/albums.ts";
import { examine } from "../support/doctor.ts";
import {
  createAsset,
  createUpload,
  hashOf,
  putBytes,
  registerWriter,
} from "../support/people.ts";
import { sendDelete, sendPurge } from "../support/trash.ts";
import { verifyOne } from "../support/storage.ts";

import { runProgram, withDataDir } from "../support/program.ts";
import {
  expectHelp,
  expectLine,
  type ServerAndCommands,
  withServer,
} from "../support/upkeep.ts";

function blobPath(dataDir: string, hash: string): string {
  return `${dataDir}/blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
}

/** A server with one asset; its blobs by their role. */
function withAsset(
  test: (
    given: ServerAndCommands,
    hashes: Readonly<Record<"original" | "metadata" | "manifest", string>>,
  ) => Promise<void>,
): Promise<void> {
  return withServer(async (given) => {
    const ada = await registerWriter(given.server, "ada");
    const asset = await createAsset(given.server, ada, "photo");
    await test(given, {
      original: hashOf(asset.original),
      metadata: hashOf(asset.metadata),
      manifest: hashOf(asset.manifest),
    });
  });
}

/** Expects one finding, in JSON and in words. */
async function expectFinding(
  { run }: ServerAndCommands,
  { args = [], kind, subject, mend }: {
    readonly args?: readonly string[];
    readonly kind: string;
    readonly subject: string;
    readonly mend: RegExp;
  },
): Promise<void> {
  const report = expectLine(await run("check", ...args, "--json"), 1);
  assert.deepEqual(report.kinds, { [kind]: 1 });
  const [finding] = report.findings;
  assert.equal(finding.kind, kind);
  assert.equal(finding.subject, subject);
  assert.match(finding.mend, mend);
  const words = await run("check", ...args);
  assert.equal(words.status, 1);
  assert.equal(words.stderr, "");
  for (const part of [kind, subject, finding.mend, "1 finding"]) {
    assert(words.stdout.includes(part), words.stdout);
  }
}

const AGAIN = /from a backup, or have its owner upload the blob again/;

Deno.test("a clean data directory is status 0, with a running server and without one", async () => {
  await withAsset(async ({ server, run }) => {
    for (const args of [["check"], ["check", "--deep"]]) {
      const words = expectDone(await run(...args));
      assert.match(words, /checked 1 asset, 3 blobs .*3 receipts and 3 files/);
      assert.match(words, /nothing is wrong\n$/);
      const report: Json = expectLine(await run(...args, "--json"));
      assert.deepEqual([report.found, report.findings], [0, []]);
      assert.equal(report.checked.blobs, 3);
      assert.equal(report.deep, args.length === 2);
    }
    await server.stop();
    assert.match(expectDone(await run("check", "--deep")), /nothing is wrong/);
  });
});

Deno.test("what a check finds lost its owner is told, and gives back", async () => {
  await withServer(async ({ server, dataDir, run }) => {
    const ada = await registerWriter(server, "ada");
    const asset = await createAsset(server, ada, "photo");
    const { assetId, original } = asset;
    const hash = hashOf(original);
    const path = blobPath(dataDir, hash);
    const bytes = await Deno.readFile(path);
    bytes[7] = (bytes[7] ?? 0) ^ 1;
    await Deno.writeFile(path, bytes);
    expectLine(await run("check", "--deep", "--json"), 1);
    const { entries } = await readFeed(server, ada.token);
    const told = entries.filter(({ action }: Json) => action === "damaged");
    assert.deepEqual(told.map(({ asset_id }: Json) => asset_id), [assetId]);
    const verdict = await verifyOne(server, ada, assetId, [hash]);
    assert.equal(verdict.durable, false);
    assert.equal(verdict.blobs[0].retrievable, false);
    const { checks } = await examine(dataDir);
    assert(
      checks.some(({ detail }) => /^1 requested blob is lost/.test(detail)),
    );

    const given = await createUpload(server, ada, original, {
      fileId: assetId,
      request: { heals: assetId },
    });
    const put = await putBytes(server, ada, given.upload_id, original);
    assert.equal(put.status, 200);
    await put.body?.cancel();
    assert.match(expectDone(await run("check", "--deep")), /nothing is wrong/);
    const after = await verifyOne(server, ada, assetId, [hash]);
    assert.equal(after.durable, true);
  });
});

Deno.test("a check forgets a lost blob whose file was put back", async () => {
  await withServer(async ({ server, dataDir, run }) => {
    const ada = await registerWriter(server, "ada");
    const { assetId, original } = await createAsset(server, ada, "photo");
    const hash = hashOf(original);
    const path = blobPath(dataDir, hash);
    await Deno.writeFile(path, original.with(7, (original[7] ?? 0) ^ 1));
    expectLine(await run("check", "--deep", "--json"), 1);
    await Deno.writeFile(path, original);
    assert.match(expectDone(await run("check")), /nothing is wrong/);
    const verdict = await verifyOne(server, ada, assetId, [hash]);
    assert.equal(verdict.durable, true);
  });
});

Deno.test("a flipped byte is found by --deep, which names the blob and the fix", async () => {
  await withAsset(async (given, { original }) => {
    const path = blobPath(given.dataDir, original);
    const bytes = await Deno.readFile(path);
    bytes[1_234] = (bytes[1_234] ?? 0) ^ 1;
    await Deno.writeFile(path, bytes);
    assert.match(expectDone(await given.run("check")), /nothing is wrong/);
    await expectFinding(given, {
      args: ["--deep"],
      kind: "blob_corrupt",
      subject: original,
      mend: AGAIN,
    });
  });
});

Deno.test("a damaged blob that nothing references any more is left to gc, and no client is asked to upload it", async () => {
  await withServer(async (given) => {
    const { server, dataDir, run } = given;
    const ada = await registerWriter(server, "ada");
    const { assetId, original } = await createAsset(server, ada, "photo");
    const hash = hashOf(original);
    await Deno.writeFile(
      blobPath(dataDir, hash),
      original.with(7, (original[7] ?? 0) ^ 1),
    );
    expectLine(await run("check", "--deep", "--json"), 1);
    await expectJson(await sendDelete(server, ada, assetId), 200);
    await expectEmpty(await sendPurge(server, ada, assetId), 204);
    await expectFinding(given, {
      args: ["--deep"],
      kind: "blob_unneeded",
      subject: hash,
      mend: /^`strongroom gc` removes it/,
    });
    const { checks } = await examine(dataDir);
    assert(!checks.some(({ detail }) => /is lost/.test(detail)));
    expectDone(await run("gc"));
    assert.match(expectDone(await run("check", "--deep")), /nothing is wrong/);
  });
});

Deno.test("a truncated file, a missing one and a foreign one are named, each with its fix", async () => {
  await withAsset(async (given, { original, metadata }) => {
    const path = blobPath(given.dataDir, original);
    const whole = await Deno.readFile(path);
    await Deno.truncate(path, 4_000);
    await expectFinding(given, {
      kind: "blob_of_other_size",
      subject: original,
      mend: AGAIN,
    });
    await Deno.writeFile(path, whole);
    const other = blobPath(given.dataDir, metadata);
    await Deno.rename(other, `${given.dataDir}/aside`);
    await expectFinding(given, {
      kind: "blob_missing",
      subject: metadata,
      mend: AGAIN,
    });
    await Deno.rename(`${given.dataDir}/aside`, other);
    await Deno.writeTextFile(`${given.dataDir}/blobs/notes.txt`, "mine");
    await expectFinding(given, {
      kind: "file_foreign",
      subject: "blobs/notes.txt",
      mend: /remove it from the data directory/,
    });
  });
});

Deno.test("wrong counters are found, and counted again while a server runs", async () => {
  await withAsset(async ({ dataDir, run }) => {
    const sqlite = new DatabaseSync(`${dataDir}/db/strongroom.sqlite`);
    sqlite.exec("update usage set used_bytes = used_bytes + 5, held_blobs = 0");
    sqlite.exec("delete from blob_month");
    sqlite.close();
    const { kinds, findings } = expectLine(await run("check", "--json"), 1);
    assert.deepEqual(kinds, { usage_miscounted: 3 });
    for (const { mend } of findings) {
      assert.match(mend, /`strongroom check --recount`/);
    }
    assert.match(
      expectDone(await run("check", "--recount")),
      /^corrected the counts of 1 account and 1 month\nchecked .*\nnothing is wrong\n$/,
    );
    assert.match(expectDone(await run("check")), /nothing is wrong/);
    assert.match(
      expectDone(await run("check", "--recount")),
      /^corrected the counts of 0 accounts and 0 months\n/,
    );
  });
});

Deno.test("holdings that are wrongly marked as in the trash are found, and marked again while a server runs", async () => {
  await withAsset(async ({ dataDir, run }) => {
    const sqlite = new DatabaseSync(`${dataDir}/db/strongroom.sqlite`);
    const counters = "select used_bytes, trash_bytes, held_blobs from usage";
    const before = sqlite.prepare(counters).get();
    sqlite.exec(`update holding set in_use = 0;
      update usage set used_bytes = trash_bytes, trash_bytes = 0`);
    assert.deepEqual(sqlite.prepare(counters).get(), before);
    const { kinds, findings } = expectLine(await run("check", "--json"), 1);
    assert.deepEqual(kinds, { usage_miscounted: 1 });
    assert.match(findings[0].detail, /in_use is wrong for 3 of its holdings/);
    assert.match(
      expectDone(await run("check", "--recount")),
      /^corrected the counts of 1 account and 0 months\nchecked .*\nnothing is wrong\n$/,
    );
    assert.deepEqual(sqlite.prepare(counters).get(), before);
    sqlite.close();
  });
});

Deno.test("a database too damaged to be opened is a finding, not a crash", async () => {
  await withAsset(async (given) => {
    await given.server.stop();
    const path = `${given.dataDir}/db/strongroom.sqlite`;
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(path, damaged(bytes, 0, 100));
    await expectFinding(given, {
      kind: "database_damaged",
      subject: "database",
      mend: /`strongroom restore BACKUP --data-dir NEW_DIRECTORY`/,
    });
    const { findings: [found] } = expectLine(
      await given.run("check", "--json"),
      1,
    );
    assert.doesNotMatch(found.detail, /StoreFault|Error/);
  });
});

Deno.test("a database that is damaged inside is checked as far as that goes", async () => {
  await withAsset(async (given) => {
    await given.server.stop();
    const path = `${given.dataDir}/db/strongroom.sqlite`;
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(path, damaged(bytes, 8_192, bytes.length));
    const report = expectLine(await given.run("check", "--json"), 1);
    assert(report.kinds.database_damaged >= 1);
    // Whatever the check could not do for it leads nowhere else.
    assert.deepEqual(Object.keys(report.kinds), ["database_damaged"]);
    for (const { mend } of report.findings) {
      assert.match(mend, /`strongroom restore BACKUP --data-dir NEW_DIR/);
    }
  });
});

Deno.test("whichever table of the database is damaged, the way on is a restore", async () => {
  await withAsset(async ({ server, dataDir, run }) => {
    await server.stop();
    const path = `${dataDir}/db/strongroom.sqlite`;
    const whole = await Deno.readFile(path);
    const sqlite = new DatabaseSync(path, { readOnly: true });
    const tables = sqlite.prepare(
      "select name, rootpage from sqlite_schema where type = 'table' and " +
        "name in ('server', 'blob', 'holding', 'receipt', 'usage')",
    ).all();
    const size = Number(sqlite.prepare("pragma page_size").get()?.page_size);
    sqlite.close();
    assert.equal(tables.length, 5);
    for (const { name, rootpage } of tables) {
      const at = (Number(rootpage) - 1) * size;
      await Deno.writeFile(path, damaged(whole.slice(), at, at + size));
      const { kinds, findings } = expectLine(await run("check", "--json"), 1);
      assert.deepEqual(Object.keys(kinds), ["database_damaged"], String(name));
      assert.match(findings[0].mend, /`strongroom restore BACKUP --data-dir/);
    }
  });
});

Deno.test("a lost key file is reported with its fix, and no receipt is called invalid for it", async () => {
  await withAsset(async (given) => {
    await Deno.remove(`${given.dataDir}/keys/attestation.json`);
    expectRefused(
      await given.run("check", "--json"),
      /keys\/attestation\.json is missing[^\n]+: restore it from a backup/,
    );
  });
});

Deno.test("a directory without a database is refused and stays without one", async () => {
  await withDataDir(async (dataDir) => {
    expectRefused(
      await runProgram(["check", "--data-dir", dataDir]),
      /contains no database: give the server's data directory/,
    );
    assert.deepEqual(await Array.fromAsync(Deno.readDir(dataDir)), []);
  });
});

Deno.test("check has an example in its help, and takes no arguments", async () => {
  await expectHelp(["check"]);
  assert.equal((await runProgram(["check", "everything"])).status, 2);
});

function damaged(
  bytes: Uint8Array<ArrayBuffer>,
  from: number,
  to: number,
): Uint8Array<ArrayBuffer> {
  return bytes.fill(0x55, from, to);
}
