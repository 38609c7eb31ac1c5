/**
 * `strongroom rollback`: going back after an upgrade
 * (moving/previous-release.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { readReceipt, receiptHash } from "../../src/crypto/receipt.ts";
import {
  verifyReceipt,
  verifyReceiptChain,
} from "../../src/crypto/receipt_chain.ts";
import { lockFile } from "../../src/store/files/lock.ts";
import { SCHEMA } from "../../src/store/sqlite/migrations.ts";
import { issueShare, viewShare } from "../support/api.ts";
import { readFeed } from "../support/albums.ts";
import {
  done,
  faultsOf,
  hashFileOf,
  namesIn,
  placesIn,
  publishedBy,
  receiptsOf,
  signIn,
  withRoom,
  withServer,
} from "../support/backups.ts";
import { expectRefused } from "../support/ended.ts";
import { expectProblem } from "../support/expect.ts";
import {
  createAsset,
  registerPerson,
  registerWriter,
} from "../support/people.ts";
import { runProgram } from "../support/program.ts";
import { databaseOf } from "../support/data_directory.ts";
import { hashesOf, verifyOne } from "../support/storage.ts";

const NEWER = SCHEMA + 1;

/** What the next release's migration leaves: the database before it, copied. */
async function copyBefore(data: string, schema = NEWER): Promise<string> {
  const copy = `${databaseOf(data)}.before-${schema}`;
  await Deno.copyFile(databaseOf(data), copy);
  return copy;
}

/** The migration itself. */
function migrateFurther(path: string, schema = NEWER): void {
  const sqlite = new DatabaseSync(path);
  sqlite.exec("create table of_the_next_release (number integer) strict");
  sqlite.exec(`pragma user_version = ${schema}`);
  sqlite.close();
}

function rollBack(data: string, ...more: readonly string[]) {
  return runProgram(["rollback", "--data-dir", data, ...more]);
}

/**
 * A server that was upgraded, with what came before and since; what came since
 * was signed under two attestation keys.
 */
async function makeUpgraded(data: string) {
  const before = await withServer(data, async (server) => {
    const ada = await registerWriter(server, "ada");
    const kept = await createAsset(server, ada, "kept");
    const hashes = hashesOf(kept);
    const share = await issueShare(server, ada, "share", hashes);
    const revoked = await issueShare(server, ada, "revoked", hashes);
    return { ada, kept, share, revoked };
  });
  const copy = await copyBefore(data);
  const { ada } = before;
  const since = await withServer(data, async (server) => {
    const first = await createAsset(server, ada, "first");
    await done("keys", "rotate", "attestation", "--data-dir", data);
    await done("keys", "rotate", "access", "--data-dir", data);
    const second = await createAsset(
      server,
      await signIn(server, ada),
      "second",
    );
    await server.send("DELETE", `/v1/shares/${before.revoked}`, {
      token: (await signIn(server, ada)).token,
    });
    await registerPerson(server, "late");
    const { feed_epoch } = await readFeed(
      server,
      (await signIn(server, ada)).token,
    );
    return { first, second, feed_epoch };
  });
  const receipts = await receiptsOf(data);
  migrateFurther(databaseOf(data));
  return { ...before, ...since, copy, receipts };
}

Deno.test("after an upgrade the program from before goes back to its copy, no receipt is contradicted, and the newer database is kept", async () => {
  await withRoom(async (room) => {
    const { data } = placesIn(room);
    const world = await makeUpgraded(data);
    const newest = world.receipts.at(-1);
    assert(newest !== undefined);
    const copied = await hashFileOf(world.copy);
    const ended = await rollBack(data, "--yes", "--json");
    assert.equal(ended.status, 0, ended.stderr);
    const answer = JSON.parse(ended.stdout);
    assert.equal(answer.newer_schema, NEWER);
    const [ofAda, ofLate] = answer.since;
    assert.deepEqual([ofAda.assets, ofAda.is_new], [2, false]);
    assert.deepEqual([ofLate.assets, ofLate.is_new], [0, true]);
    assert.deepEqual([answer.lost_count, answer.links_revoked], [0, 1]);
    assert.deepEqual(answer.live_links, []);
    assert(answer.receipts_above > readReceipt(newest).receipt_seq + 999_999);
    assert.deepEqual(await hashFileOf(world.copy), copied);
    const kept = new DatabaseSync(answer.kept, { readOnly: true });
    assert.equal(
      kept.prepare("pragma user_version").get()?.user_version,
      NEWER,
    );
    kept.close();

    await withServer(data, async (server) => {
      await expectProblem(
        await server.send("GET", "/v1/auth/profile", {
          token: world.ada.token,
        }),
        "error.auth.token_invalid",
      );
      const ada = await signIn(server, world.ada);
      assert.notEqual(
        (await readFeed(server, ada.token)).feed_epoch,
        world.feed_epoch,
      );
      const isDurable = async (asset: typeof world.kept) =>
        (await verifyOne(server, ada, asset.assetId, hashesOf(asset), {
          deep: true,
        })).durable;
      assert.equal(await isDurable(world.kept), true);
      assert.equal(await isDurable(world.first), false);
      assert.equal((await viewShare(server, world.share)).status, 200);
      assert.notEqual((await viewShare(server, world.revoked)).status, 200);
      await createAsset(server, ada, "first");
      assert.equal(await isDurable(world.first), true);

      const published = await publishedBy(server);
      assert.equal(published.keys.length, 3);
      const chain = await receiptsOf(data);
      const verdict = await verifyReceiptChain(chain, published);
      assert(verdict.ok && verdict.count === chain.length);
      const bySeq = new Map(
        chain.map((body) => [readReceipt(body).receipt_seq, body]),
      );
      for (const body of world.receipts) {
        assert((await verifyReceipt(body, published)).ok);
        const same = bySeq.get(readReceipt(body).receipt_seq);
        if (same === undefined) continue;
        assert.deepEqual(receiptHash(same), receiptHash(body));
      }
    });
    const faults = await faultsOf(data);
    assert.deepEqual(
      faults.filter((one) => !one.startsWith("blob_file_unknown ")),
      [],
    );
    assert.equal(faults.length, hashesOf(world.second).length);
  });
});

Deno.test("without --yes rollback says who loses what, and changes nothing, also while a server runs", async () => {
  await withRoom(async (room) => {
    const { data } = placesIn(room);
    await makeUpgraded(data);
    const before = await hashFileOf(databaseOf(data));
    const keys = await hashFileOf(`${data}/keys/attestation.json`);
    const names = await namesIn(`${data}/db`);
    expectRefused(
      await rollBack(data),
      /would go back to how it was at \S+Z, without everything since \(ada\S*: 2 photos, the account late\S*\); nothing was changed: .* --yes/,
    );
    const lock = await lockFile(`${data}/lock`);
    expectRefused(await rollBack(data, "--yes"), /in use by another server/);
    lock?.close();
    assert.deepEqual(await hashFileOf(databaseOf(data)), before);
    assert.deepEqual(
      await hashFileOf(`${data}/keys/attestation.json`),
      keys,
    );
    assert.deepEqual(
      (await namesIn(`${data}/db`)).filter((name) => !/-(wal|shm)$/.test(name)),
      names,
    );
    const served = await runProgram(["check", "--data-dir", data]);
    assert.match(served.stderr + served.stdout, /strongroom rollback/);
  });
});

Deno.test("an upgrade over two releases is gone back on at once, and a file that went since is named", async () => {
  await withRoom(async (room) => {
    const { data } = placesIn(room);
    const kept = await withServer(data, async (server) => {
      const ada = await registerWriter(server, "ada");
      return await createAsset(server, ada, "kept");
    });
    await copyBefore(data);
    migrateFurther(databaseOf(data));
    await copyBefore(data, NEWER + 1);
    const sqlite = new DatabaseSync(databaseOf(data));
    sqlite.exec(`drop table share; pragma user_version = ${NEWER + 1}`);
    sqlite.close();
    const [hash] = hashesOf(kept);
    assert(hash !== undefined);
    await Deno.remove(
      `${data}/blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`,
    );
    const ended = await rollBack(data, "--yes", "--json");
    assert.equal(ended.status, 0, ended.stderr);
    const answer = JSON.parse(ended.stdout);
    // Without that table this program cannot tell what came since.
    assert.equal(answer.since, null);
    assert.deepEqual(
      answer.lost.map((one: { hash: string }) => one.hash),
      [hash],
    );
    await withServer(data, () => Promise.resolve());
  });
});

Deno.test("rollback refuses what is no upgrade of this program's, and a copy that is not there or damaged", async () => {
  await withRoom(async (room) => {
    const { data } = placesIn(room);
    expectRefused(await rollBack(data, "--yes"), /contains no database/);
    await withServer(data, () => Promise.resolve());
    expectRefused(
      await rollBack(data, "--yes"),
      /which is this program's: install the release from before/,
    );
    migrateFurther(databaseOf(data));
    expectRefused(
      await rollBack(data, "--yes"),
      /no copy of schema \d+ was left .* is not there\): restore a backup/,
    );
    const copy = `${databaseOf(data)}.before-${NEWER}`;
    await Deno.writeTextFile(copy, "x".repeat(4_096));
    expectRefused(await rollBack(data, "--yes"), /no copy of schema/);
  });
});

Deno.test("a database that is damaged by an upgrade is gone back on too", async () => {
  await withRoom(async (room) => {
    const { data } = placesIn(room);
    const world = await makeUpgraded(data);
    const path = databaseOf(data);
    const bytes = await Deno.readFile(path);
    bytes.fill(0xff, 8_192);
    await Deno.writeFile(path, bytes);
    const ended = await rollBack(data, "--yes", "--json");
    assert.equal(ended.status, 0, ended.stderr);
    const answer = JSON.parse(ended.stdout);
    assert.equal(answer.since, null);
    assert.equal(answer.live_links.length, 2);
    await withServer(data, async (server) => {
      const ada = await signIn(server, world.ada);
      await createAsset(server, ada, "first");
      const published = await publishedBy(server);
      for (const body of [...world.receipts, ...await receiptsOf(data)]) {
        assert((await verifyReceipt(body, published)).ok);
      }
    });
  });
});
