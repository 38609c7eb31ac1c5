/**
 * A server that puts an identity of its own into the keys log, and what
 * everybody is told of it (protocol/logs.md#what-a-client-checks).
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64 } from "../../src/core/bytes.ts";
import type { UserId } from "../../src/core/ids.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { signDirectory } from "../../src/client/documents/directory.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import {
  type Library,
  openLibrary,
  PHRASE_LABEL,
  recoverVault,
} from "../../src/library/mod.ts";
import { appendEntry, directoryEntry } from "../../src/features/log/entries.ts";
import { forkLife } from "../../src/features/log/life.ts";
import { lastLife } from "../../src/features/log/store.ts";
import { transaction } from "../../src/store/sqlite/database.ts";
import { ORIGIN, type TestApp, withTestApp } from "../support/app.ts";
import { beginLibrary, deviceOf, enter, wireTo } from "../support/library.ts";

/** A directory of an identity that the server made for an account. */
async function forge(app: TestApp, victim: Library) {
  const { signer, sealing } = await openIdentity(new Uint8Array(32).fill(66));
  const { userId } = victim.vault.session;
  const bytes = await signDirectory(signer, {
    ...FORGED,
    user_id: userId,
    server_id: ORIGIN,
    sealing_key: await sealing.publicKey(),
  });
  await transaction(app.app.db, (tx) =>
    appendEntry(
      tx,
      directoryEntry(userId as UserId, 2, sha256Hex(bytes), signer.keyId),
    ));
  await app.advanceLogs();
  return { bytes, signer };
}

const FORGED = {
  directory_version: 2,
  devices: [],
  signed_at: "2026-11-01T00:00:00Z",
};

const kindsOf = (report: { findings: readonly { kind: string }[] }) =>
  report.findings.map(({ kind }) => kind);

Deno.test("an identity of the server's own in the log before the first check is told, and nothing is sealed to it", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const bob = await beginLibrary(deviceOf(wire, "bob's"), "bob");
    const bobId = bob.vault.session.userId;
    const { bytes, signer } = await forge(app, bob);
    assert.deepEqual(kindsOf(await bob.logs.check()), ["not_ours"]);
    assert.deepEqual(kindsOf(await bob.logs.check()), ["not_ours"]);
    const other = wireTo(app);
    const ada = await beginLibrary(deviceOf(other, "ada's"), "ada");
    other.intercept = (request, pass) => {
      if (!request.url.endsWith(`/v1/users/${bobId}/directory`)) {
        return undefined;
      }
      return pass(request).then((real) => {
        const headers = new Headers(real.headers);
        headers.set("X-Service-Identity-Key", toBase64(signer.publicKey));
        headers.set("ETag", `"${sha256Hex(bytes)}"`);
        return new Response(bytes, { headers });
      });
    };
    const { id } = await ada.albums.create({ title: "Secret" });
    await assert.rejects(ada.albums.invite(id, bobId, "viewer"), {
      name: "DocumentError",
      message: /is not .*in its public log: nothing is shared with them/,
    });
    assert.deepEqual(kindsOf(await ada.logs.check()), ["other_directory"]);
  });
});

for (const hides of [false, true]) {
  Deno.test(`an identity of the server's own is told to the laptop after a phone signed in from which the trust record was ${hides ? "hidden" : "not hidden"}`, async () => {
    await withTestApp(async (app) => {
      const wire = wireTo(app);
      const laptop = await beginLibrary(deviceOf(wire, "laptop"), "ada");
      const passphrase = "grandmother's apple cake";
      await laptop.vault.escrow({ label: PHRASE_LABEL, passphrase });
      await app.advanceLogs();
      assert.deepEqual(kindsOf(await laptop.logs.check()), []);
      await laptop.sync();
      await forge(app, laptop);
      const away = wireTo(app);
      if (hides) {
        away.intercept = (request, pass) => {
          const { pathname } = new URL(request.url);
          if (request.method !== "GET" || pathname !== "/v1/state/trust") {
            return undefined;
          }
          return pass(
            new Request(request.url.replace("/trust", "/nothing"), request),
          );
        };
      }
      const phone = deviceOf(away, "phone");
      const vault = await recoverVault(await enter(phone, "ada"), passphrase);
      const other = await openLibrary(vault, phone.store);
      await other.sync();
      assert.deepEqual(kindsOf(await other.logs.check()), ["not_ours"]);
      assert.deepEqual(kindsOf(await laptop.logs.check()), ["not_ours"]);
    });
  });
}

Deno.test("a restore that never was does not take an entry back", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const bob = await beginLibrary(deviceOf(wire, "bob's"), "bob");
    await app.advanceLogs();
    assert.deepEqual(kindsOf(await bob.logs.check()), []);
    const { bytes } = await forge(app, bob);
    const { db } = wire.app.app;
    const digest = sha256Hex(bytes);
    const entries = await db.selectFrom("log_entry").selectAll().execute();
    const forged = entries.find(({ entry }) =>
      new Uint8Array(entry).toHex().includes(digest)
    );
    await db.deleteFrom("log_entry")
      .where("entry_seq", "=", forged?.entry_seq ?? 0).execute();
    const life = await lastLife(db);
    assert(life !== undefined);
    const now = wire.app.clock.now;
    await forkLife(db, life, { reason: "a restore", now });
    wire.app = await wire.app.reopen();
    await wire.app.advanceLogs().catch(() => {});
    const report = await bob.logs.check();
    assert.notDeepEqual(kindsOf(report), []);
    assert.deepEqual(report.restarted, []);
  });
});

Deno.test("an entry that was seen, and that a restore lost, is told", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const bob = await beginLibrary(deviceOf(wire, "bob's"), "bob");
    await app.advanceLogs();
    assert.deepEqual(kindsOf(await bob.logs.check()), []);
    const { db } = app.app;
    // What a backup of this moment has.
    const checkpoint = await db.selectFrom("log_checkpoint").selectAll()
      .where("log", "=", "keys").executeTakeFirstOrThrow();
    const { id } = await bob.albums.create({ title: "Summer" });
    await app.advanceLogs();
    assert.deepEqual(kindsOf(await bob.logs.check()), []);
    const { last } = bob.logs;
    const lost = last?.own.filter(({ index }) => index >= checkpoint.size) ??
      [];
    assert(lost.some(({ what }) => what === "roster"), id);
    // The server goes back to it.
    const entries = await db.selectFrom("log_entry").selectAll()
      .orderBy("entry_seq").execute();
    for (const { entry_seq } of entries.slice(checkpoint.size)) {
      await db.deleteFrom("log_entry").where("entry_seq", "=", entry_seq)
        .execute();
    }
    await db.deleteFrom("log_checkpoint")
      .where("origin", "=", checkpoint.origin).execute();
    await db.insertInto("log_checkpoint").values(checkpoint).execute();
    const life = await lastLife(db);
    assert(life !== undefined);
    await forkLife(db, life, { reason: "a restore", now: app.clock.now });
    wire.app = await wire.app.reopen();
    await wire.app.advanceLogs();
    const report = await bob.logs.check();
    // It names the log before, and repeats it as far as the backup went.
    assert.equal(report.restarted.length, 1);
    const told = lost.map(({ sha256 }) => `entry_lost ${sha256}`).sort();
    const idsOf = ({ findings }: typeof report) =>
      findings.map(({ id }) => id).sort();
    assert.deepEqual(idsOf(report), told);
    assert.match(report.findings[0]?.detail ?? "", /a restore lost it$/);
    // It stays told until the person says that they know.
    assert.deepEqual(idsOf(await bob.logs.check()), told);
    for (const { id } of bob.logs.findings()) await bob.logs.answer(id);
    assert.deepEqual(bob.logs.findings(), []);
  });
});
