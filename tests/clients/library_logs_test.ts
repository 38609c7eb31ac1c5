/**
 * What a client checks of the server's public logs, and what it says of a
 * server that lies there (protocol/logs.md#what-a-client-checks).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Library,
  openLibrary,
  recoverVault,
} from "../../src/library/mod.ts";
import { WORDS_LABEL } from "../../src/client/documents/recovery.ts";
import { newRecoveryWords } from "../../src/client/keys/recovery_words.ts";
import type { UserId } from "../../src/core/ids.ts";
import { utf8 } from "../../src/core/bytes.ts";
import {
  readLogEvidence,
  verifyLogEvidence,
} from "../../src/crypto/logs/log_evidence.ts";
import { sha256, sha256Hex } from "../../src/crypto/sha256.ts";
import {
  formatCheckpoint,
  formatNote,
  parseCheckpoint,
  parseNote,
  signNoteHybrid,
} from "../../src/crypto/logs/signed_note.ts";
import { appendEntry, directoryEntry } from "../../src/features/log/entries.ts";
import { forkLife } from "../../src/features/log/life.ts";
import { lastLife } from "../../src/features/log/store.ts";
import { transaction } from "../../src/store/sqlite/database.ts";
import { ORIGIN, type TestApp, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  fileOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { ciphertext } from "../support/people.ts";
import { runProgram } from "../support/program.ts";
import { issueReceipts } from "../support/public_logs.ts";
import { copyDatabase, setBack } from "../support/set_back.ts";
import { withWitnesses } from "../support/witnessed.ts";

async function take(library: Library, name: string) {
  return (await library.take(fileOf(name, ciphertext(name, 500)))).row.id;
}

/** Has the server answer one path with other bytes. */
function answering(wire: Wire, path: string, text: string | undefined) {
  wire.intercept = (request, pass) => {
    if (new URL(request.url).pathname !== path) return undefined;
    return text === undefined
      ? pass(new Request(`${request.url}?gen=none`, request))
      : Promise.resolve(new Response(text));
  };
}

async function noteOf(wire: Wire, name: "custody" | "keys"): Promise<string> {
  const url = `${ORIGIN}/log/${name}/checkpoint`;
  const response = await wire.app.fetch(new Request(url), {
    clientAddress: "192.0.2.1",
  });
  assert.equal(response.status, 200);
  return await response.text();
}

/** A checkpoint of the same size and another root, signed by the server. */
async function forged({ app }: TestApp, note: string): Promise<string> {
  const head = parseCheckpoint(parseNote(note)?.text ?? "");
  assert(head !== undefined);
  const text = formatCheckpoint({ ...head, root: sha256(utf8("other")) });
  const signer = app.secrets.attestationKeys.at(-1)?.signer;
  assert(signer !== undefined);
  const signature = await signNoteHybrid(signer, head.origin, text);
  return formatNote({ text, signatures: [signature] });
}

const kindsOf = (report: { findings: readonly { kind: string }[] }) =>
  report.findings.map(({ kind }) => kind);

Deno.test("a checkpoint counts as witnessed once as many of the person's witnesses cosigned as they asked for", async () => {
  await withWitnesses(2, async ({ app, silence, policy, advance }) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await take(library, "a.jpg");
    await advance();
    const before = await library.logs.check();
    assert.deepEqual(before.logs.map(({ isWitnessed }) => isWitnessed), [
      false,
      false,
    ]);
    await library.logs.choose(await policy(2));
    const report = await library.logs.check();
    for (const log of report.logs) {
      assert(log.isWitnessed, log.origin);
      assert.deepEqual(log.witnesses.map(({ name }) => name), ["w0", "w1"]);
    }
    // One of them is gone: one signature is not enough for both.
    silence(1);
    await take(library, "b.jpg");
    await advance();
    const alone = await library.logs.check();
    const custody = alone.logs.find(({ name }) => name === "custody");
    assert.deepEqual(custody?.witnesses.map(({ name }) => name), ["w0"]);
    assert.equal(custody?.isWitnessed, false);
    await library.logs.choose(await policy(1));
    assert((await library.logs.check()).logs.every((one) => one.isWitnessed));
    assert.deepEqual(kindsOf(alone), []);
  });
});

Deno.test("every change of the account's keys is known by the device that made it", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await app.advanceLogs();
    await library.logs.check();
    await library.albums.create({ title: "Walks" });
    await app.advanceLogs();
    const { own, findings } = await library.logs.check();
    assert.deepEqual(findings, []);
    assert(own.length >= 3);
    assert(own.every(({ isOurs }) => isOurs));
    const album = own.at(-1);
    assert.equal(album?.what, "roster");
    assert.equal(album?.by, library.vault.session.device.device_id);
  });
});

Deno.test("a new account that looks before the log has its keys is not told that they are a stranger's", async () => {
  await withTestApp(async (app) => {
    await app.advanceLogs();
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    assert.deepEqual((await library.logs.check()).own, []);
    await app.advanceLogs();
    const { own, findings } = await library.logs.check();
    assert.deepEqual(findings, []);
    assert(own.length > 0 && own.every(({ isOurs }) => isOurs));
  });
});

Deno.test("a directory that the server adds for the account is told, on every device", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await app.advanceLogs();
    assert.deepEqual(kindsOf(await library.logs.check()), []);
    await transaction(app.app.db, (tx) =>
      appendEntry(
        tx,
        directoryEntry(
          library.vault.session.userId as UserId,
          2,
          sha256Hex(utf8("a device of the server's")),
          null,
        ),
      ));
    await app.advanceLogs();
    const report = await library.logs.check();
    assert.deepEqual(kindsOf(report), ["not_ours"]);
    assert(!report.own.at(-1)?.isOurs);
    // It stays told after the program is started again, until it is answered.
    const [finding] = library.logs.findings();
    assert(finding !== undefined);
    await library.logs.answer(finding.id);
    assert.deepEqual(library.logs.findings(), []);
  });
});

Deno.test("two trees of one size are kept as evidence that anybody verifies", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await take(library, "a.jpg");
    await app.advanceLogs();
    await library.logs.check();
    const other = await forged(app, await noteOf(wire, "custody"));
    answering(wire, "/log/custody/checkpoint", other);
    assert.deepEqual(kindsOf(await library.logs.check()), ["contradiction"]);
    await proves(library);
  });
});

Deno.test("a tree that does not go on from the one that was seen is evidence, too", async () => {
  for (const photos of [2, 3, 4]) {
    await withTestApp(async (app) => {
      const wire = wireTo(app);
      const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
      for (let at = 0; at < photos; at++) await take(library, `${at}.jpg`);
      await app.advanceLogs();
      // What this device alone is shown.
      const other = await forged(app, await noteOf(wire, "custody"));
      answering(wire, "/log/custody/checkpoint", other);
      await library.logs.check({ receipts: "none" });
      wire.intercept = undefined;
      await take(library, "late.jpg");
      await app.advanceLogs();
      assert.deepEqual(kindsOf(await library.logs.check()), ["contradiction"]);
      await proves(library);
    });
  }
});

/** The evidence holds under the server's keys, and under no others. */
async function proves(library: Library) {
  const file = library.logs.findings().find((one) => one.file)?.file ?? "";
  const read = readLogEvidence(file);
  assert(read !== undefined, "there is no evidence");
  const keys = await library.custody.keys();
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, file);
    const pin = keys.keys[0]?.keyId ?? "";
    const said = await runProgram([
      "receipts",
      "verify",
      path,
      "--pinned",
      pin,
    ]);
    assert.equal(said.status, 0, said.stderr);
    assert.match(said.stdout, /two trees of .* that contradict each other/);
  } finally {
    await Deno.remove(path);
  }
  assert.equal((await verifyLogEvidence(read.evidence, keys)).ok, true);
  const none = { ...keys, keys: [] };
  assert.equal((await verifyLogEvidence(read.evidence, none)).ok, false);
  const [first] = read.evidence.notes;
  const same = { notes: [first, first] as const };
  assert.equal((await verifyLogEvidence(same, keys)).ok, false);
}

Deno.test("a log that goes back, or away, is told", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await take(library, "a.jpg");
    await app.advanceLogs();
    const old = await noteOf(wire, "custody");
    await take(library, "b.jpg");
    await app.advanceLogs();
    await library.logs.check();
    answering(wire, "/log/custody/checkpoint", old);
    const back = await library.logs.check();
    assert.deepEqual(kindsOf(back), ["went_back"]);
    assert.equal(back.isWitnessed, false);
    answering(wire, "/log/custody/checkpoint", undefined);
    assert.deepEqual(kindsOf(await library.logs.check()).sort(), [
      "gone",
      "went_back",
    ]);
  });
});

Deno.test("a server that went back and goes on under the same name is caught, with what it signed itself", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await take(library, "a.jpg");
    await app.advanceLogs();
    const copy = await copyDatabase(app);
    await take(library, "b.jpg");
    await app.advanceLogs();
    await library.logs.check();
    wire.app = await setBack(app, copy);
    await issueReceipts(wire.app, library.vault.session, 4);
    await wire.app.advanceLogs();
    const report = await library.logs.check({ receipts: "none" });
    assert.deepEqual(kindsOf(report), ["contradiction"]);
    await proves(library);
  }, { blobs: "directory" });
});

Deno.test("a log that starts over is followed if it names the one before, and reported if it does not", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await take(library, "a.jpg");
    await app.advanceLogs();
    await library.logs.check();
    const fork = async (isSaid: boolean) => {
      const { db } = wire.app.app;
      const life = await lastLife(db);
      assert(life !== undefined);
      const now = wire.app.clock.now;
      const next = await forkLife(db, life, { reason: "a restore", now });
      if (!isSaid) {
        await db.updateTable("log_life")
          .set({ reason: "nothing" })
          .where("life", "=", next.life)
          .execute();
        // Without the last two entries, which name the logs before.
        const last = await db.selectFrom("log_entry").select("entry_seq")
          .orderBy("entry_seq", "desc").limit(2).execute();
        await db.deleteFrom("log_entry")
          .where("entry_seq", "in", last.map(({ entry_seq }) => entry_seq))
          .execute();
      }
      wire.app = await wire.app.reopen();
      await take(library, `${next.life}.jpg`);
      await wire.app.advanceLogs();
    };
    await fork(true);
    const followed = await library.logs.check({ receipts: "all" });
    assert.deepEqual(kindsOf(followed), []);
    assert.equal(followed.restarted.length, 2);
    assert(followed.own.every(({ isOurs }) => isOurs));
    assert.deepEqual((await library.logs.check()).restarted, []);
    await fork(false);
    const told = await library.logs.check();
    assert.deepEqual(kindsOf(told), ["begun_anew", "begun_anew"]);
    for (const { id } of library.logs.findings()) await library.logs.answer(id);
    await library.logs.check();
    assert.deepEqual(library.logs.findings(), []);
  });
});

Deno.test("receipts that are held are found in the log, all of them on demand", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    for (let at = 0; at < 4; at++) await take(library, `${at}.jpg`);
    await app.advanceLogs();
    const held = await library.custody.held();
    const { receipts, findings } = await library.logs.check({
      receipts: "all",
    });
    assert.equal(receipts, held.length);
    assert.deepEqual(findings, []);
    assert((await library.logs.check()).receipts > 0);
    // The server says that one of them stands where another one does.
    wire.intercept = async (request, pass) => {
      const response = await pass(request);
      if (new URL(request.url).pathname !== "/v1/receipts") return response;
      const page = await response.json();
      for (const one of page.receipts) one.log_index = 0;
      return Response.json(page, { headers: response.headers });
    };
    const lied = await library.logs.check({ receipts: "all" });
    assert(kindsOf(lied).includes("receipt_missing"));
  });
});

Deno.test("an entry that is not of the signed tree is no entry", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await app.advanceLogs();
    wire.intercept = async (request, pass) => {
      const response = await pass(request);
      const { pathname } = new URL(request.url);
      if (!pathname.includes("/log/keys/tile/entries/")) return response;
      const bytes = await response.bytes();
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      return new Response(bytes, { headers: response.headers });
    };
    assert.deepEqual(kindsOf(await library.logs.check()), ["wrong_tiles"]);
    wire.intercept = undefined;
    assert.deepEqual(kindsOf(await library.logs.check()), []);
  });
});

Deno.test("whatever a server answers about its logs, the check ends, tells it, and is well once the server is", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    await take(library, "a.jpg");
    await app.advanceLogs();
    assert.deepEqual(kindsOf(await library.logs.check()), []);
    await take(library, "b.jpg");
    await app.advanceLogs();
    const paths = [
      "/log/keys/checkpoint",
      "/log/custody/checkpoint",
      "/v1/state/published",
      "/v1/receipts",
    ];
    for (const path of paths) {
      for (const body of ["", "nonsense", "{}", "\n\n\n"]) {
        answering(wire, path, body);
        const { findings } = await library.logs.check();
        assert.notDeepEqual(findings, [], `${path} ${JSON.stringify(body)}`);
        wire.intercept = undefined;
        const after = await library.logs.check();
        assert.deepEqual(after.findings, [], path);
      }
    }
  });
});

Deno.test("a person's directory that is in no log freezes sharing with them", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const ben = await beginLibrary(deviceOf(wire, "ben"), "ben");
    const { userId } = ben.vault.session;
    const album = await ada.albums.create({ title: "Walks" });
    await ada.albums.invite(album.id, userId, "viewer");
    await app.advanceLogs();
    assert.deepEqual(kindsOf(await ada.logs.check()), []);
    await ada.people.sealingKeyOf(userId);
    // Everybody else is shown another directory of the same version.
    await transaction(app.app.db, (tx) =>
      appendEntry(
        tx,
        directoryEntry(
          userId as UserId,
          1,
          sha256Hex(utf8("another")),
          null,
        ),
      ));
    await app.advanceLogs();
    assert.deepEqual(kindsOf(await ada.logs.check()), ["other_directory"]);
    await assert.rejects(ada.people.sealingKeyOf(userId), /public log/);
  });
});

Deno.test("a device that came by words alone is confirmed by as many witnesses as the policy wants", async () => {
  await withWitnesses(2, async ({ app, policy, advance }) => {
    const wire = wireTo(app);
    const library = await beginLibrary(deviceOf(wire, "laptop"), "ada");
    const words = newRecoveryWords(library.vault.session.platform.random);
    await library.vault.escrow({ label: WORDS_LABEL, passphrase: words });
    await advance();
    const device = deviceOf(wire, "phone");
    const vault = await recoverVault(await enter(device, "ada"), words);
    const phone = await openLibrary(vault, device.store);
    await phone.sync();
    assert.equal(phone.trust.status, "unconfirmed");
    await advance();
    await phone.logs.check();
    assert.equal(phone.trust.status, "unconfirmed");
    await phone.logs.choose(await policy(2));
    // The directory that counts this choice has to be in the log.
    await advance();
    const report = await phone.logs.check();
    assert.deepEqual(kindsOf(report), []);
    assert.equal(phone.trust.status, "whole");
  });
});
