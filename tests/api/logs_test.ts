/**
 * The public logs, as anybody reads them (protocol/logs.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { concatBytes, fromHex, toHex, utf8 } from "../../src/core/bytes.ts";
import type { BlobHash, UploadId, UserId } from "../../src/core/ids.ts";
import {
  consistencyNodes,
  leafHash,
  makeProof,
  verifyConsistency,
} from "../../src/crypto/logs/merkle.ts";
import { sha256 } from "../../src/crypto/sha256.ts";
import { rotateKey } from "../../src/features/keys/keys.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { keysPath, logPath } from "../../src/store/data_paths.ts";
import { provisionAlbum, publishRoster } from "../support/albums.ts";
import {
  ORIGIN,
  type TestApp,
  withTestApp,
  yieldToEventLoop,
} from "../support/app.ts";
import { uploadNamed } from "../support/custody.ts";
import { expectJson, type Json } from "../support/expect.ts";
import { hashOf, registerWriter } from "../support/people.ts";
import {
  issueReceipts as issue,
  type Name,
  readCheckpoint,
  readEntries,
  readLog,
  readPath,
} from "../support/public_logs.ts";

/** The leaves that the receipts in the database make. */
async function leavesOf(app: TestApp): Promise<string[]> {
  const rows = await app.app.db.selectFrom("receipt").select("body")
    .orderBy("receipt_seq").execute();
  return rows.map(({ body }) => toHex(leafHash(sha256(body))));
}

Deno.test("nothing is served before the first checkpoint, and after it every receipt is in the tree", async () => {
  await withTestApp(async (app) => {
    assert.equal(await readCheckpoint(app, "custody"), undefined);
    assert.equal(await readPath(app, "/log/custody/tile/0/000.p/1"), undefined);
    const ada = await registerWriter(app, "ada");
    await uploadNamed(app, ada, "one");
    await app.advanceLogs();
    const log = await readLog(app, "custody");
    assert.equal(log.origin, `127.0.0.1:8470/custody/${app.app.logs?.gen}`);
    assert.equal(log.size, 1);
    assert.deepEqual(log.leaves, await leavesOf(app));
  });
});

Deno.test("a log grows past full tiles, each checkpoint follows the one before, and a start goes on with it", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    let before;
    let opened = app;
    for (const count of [3, 252, 1, 1, 300]) {
      await issue(opened, ada, count);
      await opened.advanceLogs();
      const log = await readLog(opened, "custody");
      assert.deepEqual(log.leaves, await leavesOf(opened));
      if (before !== undefined) {
        const leaves = log.leaves.map((hex) => fromHex(hex) ?? log.root);
        const proof = makeProof(
          consistencyNodes(before.size, log.size),
          ({ level, index }) =>
            foldAll(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)),
        );
        assert(verifyConsistency(proof, before, log));
      }
      before = log;
      opened = await opened.reopen();
      // What was recorded is served again, before anything is signed.
      const again = await readLog(opened, "custody");
      assert.equal(again.note, log.note);
    }
    assert.equal(before?.size, 557);
  });
});

function foldAll(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  assert(only !== undefined);
  if (leaves.length === 1) return only;
  const half = leaves.length / 2;
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  const one = Uint8Array.of(1);
  return sha256(concatBytes(one, foldAll(left), foldAll(right)));
}

Deno.test("nothing new, nothing signed", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await uploadNamed(app, ada, "one");
    await app.advanceLogs();
    const notes = [
      await readCheckpoint(app, "custody"),
      await readCheckpoint(app, "keys"),
    ];
    app.clock.advance(60_000);
    await app.advanceLogs();
    assert.deepEqual([
      await readCheckpoint(app, "custody"),
      await readCheckpoint(app, "keys"),
    ], notes);
  });
});

Deno.test("a checkpoint covers no more than is committed: a receipt whose upload fails is in none", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await issue(app, ada, 2);
    const order = {
      ownerId: ada.userId as UserId,
      uploadId: app.app.newId<UploadId>(),
      assetId: null,
      blobRole: "original" as const,
      ciphertextHash: hashOf("x") as BlobHash,
      size: 1,
      envelopeHash: null,
    };
    // The round begins while the transaction is open, which is then undone.
    let round: Promise<void> | undefined;
    const failed = app.app.receipts.issue(order, async () => {
      round = app.advanceLogs();
      await yieldToEventLoop();
      throw new Error("undone");
    });
    await assert.rejects(failed, /undone/);
    await round;
    assert.equal((await readLog(app, "custody")).size, 2);
  });
});

Deno.test("the keys log names the web app, each directory and each roster, and no person", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const album = await provisionAlbum(app, ada, "trip");
    await publishRoster(app, ada, album, 1, []);
    await app.advanceLogs();
    const log = await readLog(app, "keys");
    const entries = await readEntries(app, log);
    const db = app.app.db;
    const { body_hash: directory } = await db.selectFrom("directory")
      .select("body_hash").executeTakeFirstOrThrow();
    const { body_hash: held } = await db.selectFrom("roster")
      .select("body_hash").executeTakeFirstOrThrow();
    assert.deepEqual(entries.map((entry) => entry.map(shown)), [
      [3, shown(entries[0][1])],
      [
        1,
        toHex(sha256(utf8(ada.userId))),
        1,
        directory,
        ada.signer.keyId,
      ],
      [
        2,
        toHex(sha256(utf8(`service-log-album/v1\0${album}`))),
        1,
        held,
      ],
    ]);
    // The web app is named again only once it is another.
    const reopened = await app.reopen();
    await reopened.advanceLogs();
    assert.equal((await readLog(reopened, "keys")).note, log.note);
  });
});

function shown(item: Json): Json {
  return item instanceof Uint8Array ? toHex(item) : item;
}

Deno.test("a receipt has its index once a checkpoint covers it, and says so to its owner", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    await issue(app, bob, 2);
    await issue(app, ada, 1);
    const indexes = async () => {
      const answer = await expectJson(
        await app.send("GET", "/v1/receipts?include=index", {
          token: ada.token,
        }),
        200,
      );
      return answer.receipts.map(({ log_index, receipt_seq }: Json) => [
        receipt_seq,
        log_index,
      ]);
    };
    assert.deepEqual(await indexes(), [[3, undefined]]);
    await app.advanceLogs();
    assert.deepEqual(await indexes(), [[3, 2]]);
    // As a restore leaves it: the numbers go on somewhere else.
    await app.app.db.updateTable("server").set({ receipt_seq_floor: 5_000 })
      .execute();
    await issue(app, ada, 2);
    await app.advanceLogs();
    assert.deepEqual(await indexes(), [[3, 2], [5001, 3], [5002, 4]]);
    const { leaves } = await readLog(app, "custody");
    assert.deepEqual(leaves, await leavesOf(app));
  });
});

Deno.test("partial tiles of every width that was signed are there, and none that was not", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await issue(app, ada, 258);
    await app.advanceLogs();
    await issue(app, ada, 1);
    const tile = (path: string) => readPath(app, `/log/custody/tile/${path}`);
    const full = await tile("0/000");
    assert.equal(full?.length, 8192);
    assert.deepEqual(await tile("0/000.p/255"), full.subarray(0, 255 * 32));
    assert.equal((await tile("0/001.p/2"))?.length, 64);
    assert.equal((await tile("0/001.p/1"))?.length, 32);
    assert.equal((await tile("1/000.p/1"))?.length, 32);
    for (
      const path of [
        // Committed, and not signed.
        "0/001.p/3",
        "0/001",
        "1/000",
        "1/000.p/2",
        "2/000.p/1",
        "63/000",
        "0/002.p/1",
        "64/000",
        "0/0",
        "0/000.p/0",
        "0/000.p/256",
        "0/x000/001",
        "0/x001/x001/x001/001",
        "0/x001/001.p/3/4/5",
        "entries/000",
        "entries/000.p/1",
        "-1/000",
        "data/000",
      ]
    ) assert.equal(await tile(path), undefined, path);
  });
});

Deno.test("full tiles can be cached forever, checkpoints are revalidated, and anyone can read them", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await issue(app, ada, 257);
    await app.advanceLogs();
    const headersOf = async (path: string) => {
      const response = await app.send("GET", path, {
        protocol: null,
        headers: { Origin: "https://elsewhere.example" },
      });
      await response.body?.cancel();
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("Access-Control-Allow-Origin"), "*");
      return [
        response.headers.get("Content-Type"),
        response.headers.get("Cache-Control"),
      ];
    };
    assert.deepEqual(await headersOf("/log/custody/checkpoint"), [
      "text/plain; charset=utf-8",
      "no-cache",
    ]);
    assert.deepEqual(await headersOf("/log/custody/tile/0/000"), [
      "application/octet-stream",
      "public, max-age=31536000, immutable, no-transform",
    ]);
    assert.deepEqual(await headersOf("/log/custody/tile/0/001.p/1"), [
      "application/octet-stream",
      "public, max-age=3600, no-transform",
    ]);
    const head = await app.send("HEAD", "/log/custody/tile/0/000");
    assert.equal(head.headers.get("Content-Length"), "8192");
    assert.equal((await head.bytes()).length, 0);
    // A tile of another life of the log is not to be mistaken for this one's.
    const { gen } = app.app.logs ?? {};
    await headersOf(`/log/custody/tile/0/000?gen=${gen}`);
    const other = await readPath(app, "/log/custody/tile/0/000?gen=another");
    assert.equal(other, undefined);
  });
});

Deno.test("STRONGROOM_LOGS=off serves neither log, and turned on again they have everything", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await issue(app, ada, 2);
    await app.advanceLogs();
    for (const name of ["custody", "keys"] as Name[]) {
      assert.equal(await readCheckpoint(app, name), undefined);
    }
    const on = await app.reopen({ STRONGROOM_LOGS: "on" });
    await on.advanceLogs();
    assert.equal((await readLog(on, "custody")).size, 2);
    assert.equal((await readLog(on, "keys")).size, 2);
  }, { settings: { STRONGROOM_LOGS: "off" } });
});

Deno.test("lost or damaged tiles are made again from the database", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await issue(app, ada, 513);
    await app.advanceLogs();
    const log = await readLog(app, "custody");
    const place = `${logPath(app.dataDir)}/custody/1/tile/0`;
    for (
      const spoil of [
        () => Deno.remove(`${place}/000`),
        () => Deno.writeFile(`${place}/001`, new Uint8Array(8192)),
        () => Deno.writeFile(`${place}/000`, new Uint8Array(5)),
        () => Deno.remove(logPath(app.dataDir), { recursive: true }),
      ]
    ) {
      await spoil();
      app = await app.reopen();
      assert.equal((await readLog(app, "custody")).note, log.note);
    }
  });
});

Deno.test("a database that lost what was signed signs nothing else, and says so", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await issue(app, ada, 3);
    await app.advanceLogs();
    await app.app.db.updateTable("receipt").set({ receipt_hash: hashOf("y") })
      .where("receipt_seq", "=", 2).execute();
    const again = await app.reopen();
    await assert.rejects(again.advanceLogs(), /was signed with 3 entries/);
    assert.equal(await readCheckpoint(again, "custody"), undefined);
    // The other log goes on.
    assert.notEqual(await readCheckpoint(again, "keys"), undefined);
  });
});

Deno.test("a rotated key of the logs signs the next checkpoint, and the one before vouches for it", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await issue(app, ada, 1);
    await app.advanceLogs();
    const { platform, db } = app.app;
    const place = { files: denoFiles, directory: keysPath(app.dataDir) };
    const rotator = {
      now: () => app.clock.now,
      random: platform.random,
      serverId: ORIGIN,
    };
    await rotateKey(db, place, "log", rotator);
    await issue(app, ada, 1);
    await app.advanceLogs();
    assert.equal((await readLog(app, "custody")).size, 2);
    assert.equal(app.app.secrets.logKeys.length, 2);
  });
});
