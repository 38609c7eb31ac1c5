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
  memoryStore,
  openLibrary,
  PHRASE_LABEL,
  recoverVault,
  Unsealable,
} from "../../src/library/mod.ts";
import { signDirectory } from "../../src/client/documents/directory.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import {
  sealAlbumInfo,
  sealHistory,
} from "../../src/client/documents/album_keys.ts";
import {
  amkCommitment,
  sealMember,
  signRoster,
} from "../../src/client/documents/roster.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { ORIGIN, seededRandom } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  enter,
  libraryOn,
} from "../support/library.ts";
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

    // Twice more, and a new member reads what was made under every key.
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

Deno.test("an album that a member left stays away from all their devices although its owner's program cannot know of it", async () => {
  await withCast(async ({ wire, ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    const winter = await ada.albums.create({ title: "Winter" });
    await take(ada, "before", id);
    for (const one of [id, winter.id]) await invite(one, ada, "bob");
    const phone = deviceOf(wire, "bob's phone");
    const other = await libraryOn(phone, bob, "bob");
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
      user_id: idOf(bob),
      server_id: ORIGIN,
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

Deno.test("a member for whom nothing can be encrypted is left out of the next roster and named, and keeps the owner from nothing", async () => {
  const kinds = [
    "no point of ML-KEM",
    "an unsigned directory",
    "a point of small order",
  ] as const;
  for (const kind of kinds) {
    await withCast(async ({ ada, bob, eve, reopen }) => {
      const { id } = await ada.albums.create({ title: "Summer" });
      await take(ada, "before", id);
      await invite(id, ada, "bob");
      await invite(id, ada, "eve");
      await seen(bob, id);
      await seen(eve, id);
      await ada.sync();
      const { identity: { signer, sealing }, session } = eve.vault;
      const bad = new Uint8Array(await sealing.publicKey());
      if (kind === "a point of small order") bad.fill(0, 1_184);
      // Every coefficient above the modulus.
      else bad.fill(0xff, 0, 1_184);
      const bytes = await signDirectory(signer, {
        user_id: idOf(eve),
        server_id: ORIGIN,
        directory_version: 50,
        sealing_key: kind === "an unsigned directory"
          ? await sealing.publicKey()
          : bad,
        devices: [],
        signed_at: "2026-11-01T00:00:00Z",
      });
      if (kind === "an unsigned directory") {
        bytes.set([1 ^ (bytes.at(-1) ?? 0)], bytes.length - 1);
      }
      await session.recently(() =>
        session.account.publishDirectory(bytes, signer.publicKey)
      );
      const before = ada.albums.get(id)?.epoch ?? 0;
      // A new device has not pinned anybody itself.
      const isNew = kind === "a point of small order";
      const device = isNew ? await openLibrary(ada.vault, memoryStore()) : ada;
      if (!isNew) await bob.albums.leave(id);
      await device.sync();
      if (isNew) await device.albums.remove(id, idOf(bob));
      const again = isNew ? device : await reopen(ada);
      await again.sync();
      const album = again.albums.get(id);
      assert.deepEqual(
        album?.members.map(({ userId }) => userId),
        [idOf(ada)],
        kind,
      );
      // They know the key of before.
      assert.ok((album?.epoch ?? 0) > before);
      assert.deepEqual(device.albums.get(id)?.leftOut, [idOf(eve)]);
      // It is known until they are in again.
      assert.deepEqual(album?.leftOut, [idOf(eve)]);
      await again.albums.describe(id, { title: "Summer, ours" });
      // A person who could not read it is not invited.
      await assert.rejects(invite(id, again, "eve"), Unsealable);
      assert.deepEqual(again.albums.get(id)?.leftOut, [idOf(eve)]);
      const mended = await signDirectory(signer, {
        user_id: idOf(eve),
        server_id: ORIGIN,
        directory_version: 51,
        sealing_key: await sealing.publicKey(),
        devices: [],
        signed_at: "2026-11-02T00:00:00Z",
      });
      await session.recently(() =>
        session.account.publishDirectory(mended, signer.publicKey)
      );
      await invite(id, again, "eve");
      assert.deepEqual(again.albums.get(id)?.leftOut, []);
    });
  }
});

Deno.test("an album that has no room for another key says so, and goes on with the keys that it has", async () => {
  await withCast(async ({ ada, bob, eve }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await take(ada, "first", id);
    await invite(id, ada, "bob");
    await invite(id, ada, "eve");
    await seen(bob, id);
    await seen(eve, id);
    const [first] = await ada.albums.keysOf(id);
    assert.ok(first !== undefined);
    const random = seededRandom("keys of an old album");
    const before = new Map([[0, new Uint8Array(first.amk)]]);
    const of = (amkEpoch: number) => ({ albumId: id, amkEpoch });
    const key = new Uint8Array(random(32));
    const sealed = () => sealHistory(key, of(before.size), before, random);
    const fill = () => before.set(before.size, new Uint8Array(random(32)));
    while (before.size < 1_700) fill();
    assert.ok(sealed().length < 65_536);
    try {
      for (;;) {
        sealed();
        fill();
      }
    } catch {
      before.delete(before.size - 1);
    }
    const members = await Promise.all(
      [ada, bob, eve].map(async (who) =>
        sealMember(
          key,
          await who.vault.identity.sealing.publicKey(),
          { ...of(before.size), member: idOf(who), role: "contributor" },
          random,
        )
      ),
    );
    const { account } = ada.vault.session;
    const { signer } = ada.vault.identity;
    const bytes = await signRoster(signer, {
      album_id: id,
      owner: idOf(ada),
      roster_version: 10,
      amk_epoch: before.size,
      amk_commitment: amkCommitment(key, of(before.size)),
      members,
      sealed_history: sealed(),
      sealed_info: sealAlbumInfo(
        key,
        of(before.size),
        { title: "Summer" },
        random,
      ),
      signed_at: "2026-11-21T12:00:00Z",
    });
    await account.publishRoster(id, bytes);
    await ada.sync();
    assert.equal(ada.albums.get(id)?.fault, undefined);
    await assert.rejects(ada.albums.remove(id, idOf(eve)), {
      name: "DocumentError",
      message: /cannot change its key again.*Make a new album/,
    });
    assert.equal(ada.albums.get(id)?.members.length, 3);
    // A member who leaves is on the list as before, and nothing is blocked.
    await eve.albums.leave(id);
    await ada.sync();
    await ada.albums.describe(id, { title: "Summer, still" });
    await take(ada, "last", id);
    assert.deepEqual(await seen(bob, id), ["first", "last"]);
    assert.equal(bob.albums.get(id)?.title, "Summer, still");
  });
});
