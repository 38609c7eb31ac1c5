/**
 * What a new device of an account knows of what the others verified, and what
 * it says where it cannot know.
 *
 * @module
 */
import assert from "node:assert/strict";
import { IdentityChanged, PHRASE_LABEL } from "../../src/library/mod.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { type AlbumCast, idOf, withCast } from "../support/album_cast.ts";
import { fileOf } from "../support/library.ts";
import { invent, lieAbout } from "../support/liar.ts";
import { joined, PHRASE, recovered } from "../support/new_devices.ts";
import { ciphertext, uuidOf } from "../support/people.ts";

const NO_ALBUM = uuidOf("no album");

async function withCompared(test: (cast: AlbumCast) => Promise<void>) {
  await withCast(async (cast) => {
    const { ada, bob } = cast;
    await ada.vault.escrow({ label: PHRASE_LABEL, passphrase: PHRASE });
    await ada.people.compared(idOf(bob));
    await ada.sync();
    await test(cast);
  });
}

Deno.test("a device that another one enrolled keeps what that one compared, although the server hides it", async () => {
  await withCompared(async (cast) => {
    const { bob, wire } = cast;
    const liar = await invent("phone's", idOf(bob));
    lieAbout(wire, NO_ALBUM, { liars: [liar], noSlots: true });
    const phone = await joined(cast, "ada's phone");
    await phone.sync();
    assert.equal(phone.trust.status, "whole");
    await assert.rejects(phone.people.known(idOf(bob)), IdentityChanged);
    wire.intercept = undefined;
    assert.ok((await phone.people.known(idOf(bob))).comparedAt !== undefined);
  });
});

Deno.test("a damaged record of trust is told, and stored again by a device that has one", async () => {
  await withCompared(async (cast) => {
    const { ada, bob, reopen, wire } = cast;
    const { account } = ada.vault.session;
    const { etag } = await account.slot("trust");
    await account.putSlot("trust", new Uint8Array(400).fill(7), etag);

    // Who came by words alone may know less than was there.
    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    assert.equal(tablet.trust.damage, "unreadable");
    assert.equal((await account.slot("trust")).bytes[0], 7);

    const again = await reopen(ada);
    await again.trust.read();
    assert.equal(again.trust.damage, "unreadable");
    await again.sync();
    assert.equal(again.trust.damage, "stored_again");
    assert.ok((await again.people.known(idOf(bob))).comparedAt !== undefined);
    const later = await reopen(ada);
    await later.sync();
    assert.equal(later.trust.damage, undefined);

    const liar = await invent("tablet's", idOf(bob));
    lieAbout(wire, NO_ALBUM, { liars: [liar] });
    await tablet.sync();
    assert.equal(tablet.trust.damage, undefined);
    await assert.rejects(tablet.people.known(idOf(bob)), IdentityChanged);
  });
});

Deno.test("a new device believes no attestation keys but those that another one pinned", async () => {
  await withCompared(async (cast) => {
    const { ada, wire } = cast;
    await ada.take(fileOf("one.jpg", ciphertext("one", 1_000)));
    await ada.sync();
    assert.equal(Object.keys(ada.trust.server.keys).length, 1);
    const { identity } = await invent("server's", uuidOf("a server"));
    const { keyId, publicKey } = identity.signer;
    wire.intercept = (request, pass) =>
      new URL(request.url).pathname.endsWith("attestation-keys")
        ? pass(request).then(async (answer) => {
          const said = await answer.json();
          const [key] = said.keys;
          const keys = [{ ...key, key_id: keyId, public: toBase64(publicKey) }];
          return Response.json({ ...said, keys });
        })
        : undefined;
    const phone = await joined(cast, "ada's phone");
    const photo = fileOf("two.jpg", ciphertext("two", 1_000));
    await assert.rejects(phone.take(photo), { fault: "keys_replaced" });
    wire.intercept = undefined;
    await phone.take(photo);
  });
});

Deno.test("a device that came by words says so until another one has confirmed it", async () => {
  await withCompared(async (cast) => {
    const { ada, bob, wire } = cast;
    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    assert.equal(tablet.trust.status, "unconfirmed");
    assert.ok((await tablet.people.known(idOf(bob))).comparedAt !== undefined);
    // Another device that joined so confirms no one.
    const other = await recovered(cast, "ada's other tablet");
    await other.sync();
    await tablet.sync();
    assert.equal(tablet.trust.status, "unconfirmed");

    await ada.sync();
    for (const one of [tablet, other]) {
      await one.sync();
      assert.equal(one.trust.status, "whole");
    }
    assert.equal(wire.intercept, undefined);
  });
});

Deno.test("where no device was ever enrolled, a new one still knows that the server hides what the others wrote", async () => {
  await withCompared(async (cast) => {
    const { wire } = cast;
    lieAbout(wire, NO_ALBUM, { liars: [], noSlots: true });
    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    assert.equal(tablet.trust.status, "behind");
    wire.intercept = undefined;
    await tablet.trust.read();
    assert.notEqual(tablet.trust.status, "behind");
  });
});

Deno.test("a session that is not fresh writes its slots without asking for a password, and the next sign-in has the directory count them", async () => {
  await withCompared(async (cast) => {
    const { ada, wire } = cast;
    const counter = () => ada.trust.record.directory?.state_counter ?? 0;
    const before = counter();
    wire.app.clock.now += 6 * 60_000;
    const { row } = await ada.take(fileOf("gone", new Uint8Array([1, 2, 3])));
    await ada.trash(row.id);
    await ada.sync();
    assert.equal(counter(), before);
    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    const seen = tablet.trust.record.directory?.state_counter ?? 0;
    assert.ok(seen > before + 1, `${seen}`);
  });
});

Deno.test("a device to which the server hides what the signed directory names pins no one until another device or the person confirms it", async () => {
  await withCompared(async (cast) => {
    const { ada, bob, wire } = cast;
    // The directory counts what its publisher knew.
    await joined(cast, "ada's phone");
    await ada.sync();
    const liar = await invent("tablet's", idOf(bob));
    lieAbout(wire, NO_ALBUM, { liars: [liar], noSlots: true });
    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    assert.equal(tablet.trust.status, "behind");
    await assert.rejects(tablet.people.known(idOf(bob)), /other devices know/);
    assert.deepEqual(tablet.trust.record.people, {});
    // What it writes itself makes up for nothing.
    for (let i = 0; i < 8; i++) await tablet.trust.settle();
    assert.equal(tablet.trust.status, "behind");

    const again = await recovered(cast, "ada's other tablet");
    await again.sync();
    assert.equal(again.trust.status, "behind");
    // What the person decides of the library says nothing of other people.
    await again.trust.goOn("library");
    assert.equal(again.trust.status, "behind");
    // All other devices are lost, and the person decides.
    await again.trust.goOn();
    assert.equal(again.trust.status, "unconfirmed");

    wire.intercept = undefined;
    await ada.sync();
    await tablet.trust.read();
    await tablet.sync();
    assert.ok((await tablet.people.known(idOf(bob))).comparedAt !== undefined);
    assert.notEqual(tablet.trust.status, "behind");
  });
});
