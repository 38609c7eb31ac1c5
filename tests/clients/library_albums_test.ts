/**
 * An album of several people, from the invitation to a new epoch, between their
 * own devices and a server that may not be trusted.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  adoptMasterKey,
  IdentityChanged,
  type Library,
  openLibrary,
  PHRASE_LABEL,
  recoverVault,
} from "../../src/client/library/mod.ts";
import { signDirectory } from "../../src/client/directory.ts";
import { openIdentity } from "../../src/client/identity.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { seededRandom } from "../support/app.ts";
import { beginLibrary, deviceOf, enter } from "../support/library.ts";
import { idOf, invite, seen, take, withCast } from "../support/album_cast.ts";

Deno.test("an album goes from the invitation to a new epoch, and who was shut out reads nothing that came after", async () => {
  await withCast(async ({ wire, ada, bob, eve }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await take(ada, "before", id);
    await invite(id, ada, "bob");
    await invite(id, ada, "eve", "viewer");

    assert.deepEqual(await seen(bob, id), ["before"]);
    assert.equal(bob.albums.get(id)?.title, "Summer");
    assert.equal(bob.albums.get(id)?.role, "contributor");
    assert.deepEqual(await seen(eve, id), ["before"]);
    await take(bob, "of bob", id);
    await assert.rejects(take(eve, "of eve", id));
    assert.deepEqual(await seen(ada, id), ["before", "of bob"]);

    const album = await ada.albums.remove(id, idOf(eve));
    assert.equal(album.epoch, 1);
    await take(ada, "after", id);
    assert.deepEqual(await seen(bob, id), ["after", "before", "of bob"]);
    await take(bob, "of bob again", id);
    assert.deepEqual(await seen(eve, id), []);
    assert.equal(eve.albums.get(id), undefined);

    // Twice more, and somebody new reads what was made under every key.
    await invite(id, ada, "eve");
    await ada.albums.remove(id, idOf(eve));
    await ada.albums.describe(id, { title: "Summer and autumn" });
    await take(ada, "last", id);
    const zoe = await beginLibrary(deviceOf(wire, "zoe's"), "zoe");
    await invite(id, ada, "zoe", "viewer");
    const all = ["after", "before", "last", "of bob", "of bob again"];
    assert.deepEqual(await seen(zoe, id), all);
    assert.equal(zoe.albums.get(id)?.title, "Summer and autumn");

    // So does the owner's new device.
    const phrase = "grandmother's apple cake";
    await ada.vault.escrow({ label: PHRASE_LABEL, passphrase: phrase });
    const phone = deviceOf(wire, "ada's phone");
    const vault = await recoverVault(await enter(phone, "ada"), phrase);
    const other = await openLibrary(vault, phone.store);
    assert.deepEqual(await seen(other, id), all);

    await bob.albums.leave(id);
    await ada.sync();
    assert.equal(bob.albums.get(id), undefined);
  });
});

Deno.test("who leaves an album is off its next roster, whatever that is for, and comes back with an invitation alone", async () => {
  await withCast(async ({ ada, bob, eve }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await take(ada, "before", id);
    await invite(id, ada, "bob");
    await invite(id, ada, "eve");
    assert.deepEqual(await seen(bob, id), ["before"]);
    const membersOf = (library: Library) =>
      library.albums.get(id)?.members.map(({ userId }) => userId);

    // The owner's program hears of it, and signs a roster without them.
    await ada.sync();
    await bob.albums.leave(id);
    await ada.sync();
    assert.deepEqual(membersOf(ada), [idOf(ada), idOf(eve)]);
    assert.equal(ada.albums.get(id)?.epoch, 1);
    await eve.sync();
    assert.deepEqual(membersOf(eve), [idOf(ada), idOf(eve)]);
    await ada.albums.remove(id, idOf(eve));
    await take(ada, "after", id);
    assert.deepEqual(await seen(bob, id), []);
    assert.equal(bob.albums.get(id), undefined);

    await invite(id, ada, "bob");
    assert.deepEqual(await seen(bob, id), ["after", "before"]);

    // It has not heard of it yet, and asks before it signs.
    await ada.sync();
    await bob.albums.leave(id);
    await invite(id, ada, "eve");
    assert.deepEqual(membersOf(ada), [idOf(ada), idOf(eve)]);
    assert.deepEqual(await seen(bob, id), []);
  });
});

Deno.test("who leaves is noticed although the feed told of an own roster before the server had answered", async () => {
  await withCast(async ({ wire, ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await ada.sync();
    wire.intercept = async (request, pass) => {
      const answer = await pass(request);
      if (request.method === "PUT" && request.url.endsWith("/roster")) {
        wire.intercept = undefined;
        // The app's round of the feed goes on meanwhile.
        await ada.sync();
      }
      return answer;
    };
    await invite(id, ada, "bob");
    assert.equal(wire.intercept, undefined);
    assert.deepEqual(await seen(bob, id), []);
    await ada.sync();
    await bob.albums.leave(id);
    await ada.sync();
    assert.deepEqual(
      ada.albums.get(id)?.members.map(({ userId }) => userId),
      [idOf(ada)],
    );
  });
});

Deno.test("an album that somebody left stays away from all their devices although its owner's program cannot know of it", async () => {
  await withCast(async ({ wire, ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    const winter = await ada.albums.create({ title: "Winter" });
    await take(ada, "before", id);
    for (const one of [id, winter.id]) await invite(one, ada, "bob");
    const phone = deviceOf(wire, "bob's phone");
    const masterKey = bob.vault.session.masterKey() ?? new Uint8Array();
    const vault = await adoptMasterKey(await enter(phone, "bob"), masterKey);
    const other = await openLibrary(vault, phone.store);
    assert.deepEqual(await seen(bob, id), ["before"]);
    assert.deepEqual(await seen(other, id), ["before"]);

    await bob.albums.leave(id);
    // The server finds bob for ada: they are in another of her albums.
    await invite(id, ada, "eve");
    for (const device of [bob, other]) {
      assert.deepEqual(await seen(device, id), []);
      assert.equal(device.albums.get(id), undefined);
      assert.equal(device.albums.get(winter.id)?.title, "Winter");
    }
    await ada.albums.remove(id, idOf(bob));
    await invite(id, ada, "bob");
    assert.deepEqual(await seen(bob, id), ["before"]);
    assert.deepEqual(await seen(other, id), ["before"]);
  });
});

Deno.test("two people's safety numbers agree, and another identity is sealed to only once the person decided", async () => {
  await withCast(async ({ wire, ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    const known = await ada.people.known(idOf(bob));
    const theirs = await bob.people.known(idOf(ada));
    assert.equal(known.safetyNumber, theirs.safetyNumber);
    assert.match(known.safetyNumber, /^(\d{5} ){11}\d{5}$/);
    await ada.people.compared(idOf(bob));
    assert.ok((await ada.people.known(idOf(bob))).comparedAt !== undefined);

    // A server that puts an identity of its own in bob's place.
    const random = seededRandom("the server's");
    const liar = await openIdentity(new Uint8Array(random(32)));
    const directory = await signDirectory(liar.signer, {
      directory_version: 9,
      sealing_key: await liar.sealing.publicKey(),
      devices: [],
      signed_at: "2026-11-21T12:00:00Z",
    });
    wire.intercept = (request) =>
      request.url.endsWith(`/users/${idOf(bob)}/directory`)
        ? Promise.resolve(
          new Response(directory, {
            headers: {
              "X-Service-Identity-Key": toBase64(liar.signer.publicKey),
            },
          }),
        )
        : undefined;
    await assert.rejects(invite(id, ada, "bob"), (error) => {
      assert.ok(error instanceof IdentityChanged);
      assert.equal(error.pinned, bob.vault.identity.signer.keyId);
      assert.equal(error.shown, liar.signer.keyId);
      return true;
    });
    assert.equal(ada.albums.get(id)?.members.length, 1);
    // A new device of ada's does not fall for it either.
    const phone = deviceOf(wire, "ada's phone");
    const masterKey = ada.vault.session.masterKey() ?? new Uint8Array();
    const session = await enter(phone, "ada");
    const vault = await adoptMasterKey(session, masterKey);
    const other = await openLibrary(vault, phone.store);
    await assert.rejects(other.people.known(idOf(bob)), IdentityChanged);
    await assert.rejects(
      ada.people.believe(idOf(bob), known.keyId),
      IdentityChanged,
    );
    await ada.people.believe(idOf(bob), liar.signer.keyId);
    await invite(id, ada, "bob");
    assert.equal(ada.albums.get(id)?.members.length, 2);
    assert.equal(
      (await ada.people.known(idOf(bob))).comparedAt,
      undefined,
    );
  });
});

Deno.test("a roster of before, and one that its owner did not sign, are not believed", async () => {
  await withCast(async ({ wire, ada, bob, eve }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await invite(id, ada, "eve");
    assert.deepEqual(await seen(bob, id), []);
    const { account } = bob.vault.session;
    const before = await account.roster(id);
    await ada.albums.remove(id, idOf(eve));

    // Whoever was shut out is put back in, to bob's eyes.
    const answer = (bytes: Uint8Array<ArrayBuffer>): void => {
      wire.intercept = (request) =>
        request.url.endsWith(`/${id}/roster`)
          ? Promise.resolve(new Response(bytes))
          : undefined;
    };
    answer(before);
    await take(bob, "still seen", id);
    await bob.sync();
    assert.match(bob.albums.get(id)?.fault ?? "", /older list of members/);
    assert.equal(bob.albums.get(id)?.members.length, 3);
    await assert.rejects(take(bob, "of bob", id), /older list of members/);
    assert.deepEqual(
      bob.list().map(({ metadata }) => metadata?.name),
      ["still seen.jpg"],
    );
    wire.intercept = undefined;
    const honest = await account.roster(id);
    honest[honest.length - 1] = 1 ^ (honest[honest.length - 1] ?? 0);
    answer(honest);
    await bob.sync();
    assert.match(bob.albums.get(id)?.fault ?? "", /not signed/);
    await assert.rejects(take(bob, "of bob", id));

    wire.intercept = undefined;
    await ada.albums.describe(id, { title: "Autumn" });
    await take(ada, "after", id);
    assert.deepEqual(await seen(bob, id), ["after", "still seen"]);
    assert.deepEqual(
      bob.albums.get(id)?.members.map(({ userId }) => userId).sort(),
      [idOf(ada), idOf(bob)].sort(),
    );
  });
});
