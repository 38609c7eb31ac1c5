/**
 * What a device believes of albums when the server lies: it answers with its
 * own rosters, old ones, or none.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  adoptMasterKey,
  type Library,
  openLibrary,
} from "../../src/library/mod.ts";
import { claimInForce } from "../../src/library/trust/trust_rules.ts";
import {
  type AlbumCast,
  idOf,
  invite,
  seen,
  take,
  withCast,
} from "../support/album_cast.ts";
import { forgeRoster, invent, lieAbout } from "../support/liar.ts";
import {
  accepting,
  beginLibrary,
  deviceOf,
  enter,
  libraryOn,
} from "../support/library.ts";
import { uuidOf } from "../support/people.ts";

type Name = "ada" | "bob" | "eve";

/** Ada's album with Bob and Eve, with a photo in it; Bob compared numbers. */
async function withAlbum(
  test: (cast: AlbumCast & { readonly id: string }) => Promise<void>,
) {
  await withCast(async (cast) => {
    const { ada, bob, eve } = cast;
    const { id } = await ada.albums.create({ title: "Summer" });
    await take(ada, "before", id);
    await invite(id, ada, "bob");
    await invite(id, ada, "eve");
    for (const one of [ada, bob, eve]) {
      assert.deepEqual(await seen(one, id), ["before"]);
    }
    await bob.people.compared(idOf(ada));
    await test({ ...cast, id });
  });
}

/** The photos that a person's program shows of an album, without a request. */
const shownOf = (library: Library, id: string) =>
  library.list().filter((row) => row.album === id)
    .map(({ metadata }) => metadata?.name.replace(".jpg", "")).sort();

for (
  const [victim, role, who] of [
    ["bob", "contributor", "a member who compared"],
    ["eve", "contributor", "a member who did not compare"],
    ["ada", "contributor", "the owner, listed as contributor,"],
    ["ada", "viewer", "the owner, listed as viewer,"],
    ["ada", "owner", "the owner"],
  ] as [Name, string, string][]
) {
  Deno.test(`${who} encrypts nothing to a key of an owner that the server invented`, async () => {
    await withAlbum(async (cast) => {
      const { ada, id, reopen, wire } = cast;
      const library = cast[victim];
      // Under an account of its own, and in the owner's name.
      for (const userId of [uuidOf("nobody"), idOf(ada)]) {
        const liar = await invent(victim, userId);
        const { bytes, roster } = await forgeRoster(liar, id, [library]);
        const { roster_version, amk_epoch } = roster;
        await ada.albums.describe(id, { title: `not for ${userId}` });
        lieAbout(wire, id, {
          entry: { role, roster_version, amk_epoch },
          roster: bytes,
          liars: [liar],
        });
        await library.sync();
        // What was seen holds when the program is started again.
        for (const program of [library, await reopen(library)]) {
          const album = program.albums.get(id);
          const fault = userId === idOf(ada) ? /not signed/ : /another owner/;
          assert.match(album?.fault ?? "", fault);
          assert.equal(album?.owner, idOf(ada));
          const isOwn = victim === "ada";
          assert.equal(album.role, isOwn ? "owner" : "contributor");
          await assert.rejects(take(program, "secret", id), fault);
          await assert.rejects(invite(id, program, "eve"));
          assert.deepEqual(shownOf(program, id), ["before"]);
        }
        wire.intercept = undefined;
        await library.sync();
        assert.equal(library.albums.get(id)?.fault, undefined);
      }
      await take(library, "after", id);
      assert.deepEqual(await seen(ada, id), ["after", "before"]);
    });
  });
}

Deno.test("a new device of the owner's takes no own album from a stranger, whether it knows it or not", async () => {
  await withAlbum(async ({ ada, id, wire }) => {
    const liar = await invent("newcomer's", uuidOf("nobody"));
    for (const name of ["phone", "tablet"]) {
      const forgotten = name === "tablet";
      const device = deviceOf(wire, `ada's ${name}`);
      const session = await enter(device, "ada");
      const masterKey = ada.vault.session.masterKey() ?? new Uint8Array();
      const vault = await adoptMasterKey(session, masterKey);
      const phone = await openLibrary(vault, device.store);
      const { bytes, roster } = await forgeRoster(liar, id, [phone]);
      const { roster_version, amk_epoch } = roster;
      lieAbout(wire, id, {
        entry: { role: "contributor", roster_version, amk_epoch },
        roster: bytes,
        liars: [liar],
        // As if no device of the account had ever noted anything.
        noSlots: forgotten,
      });
      await phone.sync();
      assert.match(phone.albums.get(id)?.fault ?? "", /another owner/);
      assert.equal(phone.albums.get(id)?.role, "owner");
      await assert.rejects(take(phone, "secret", id));
      wire.intercept = undefined;
      assert.deepEqual(await seen(phone, id), ["before"]);
    }
  });
});

Deno.test("a roster of another album, a listing twice and one without the owner's album change nothing", async () => {
  await withAlbum(async ({ ada, bob, id, wire }) => {
    const winter = await ada.albums.create({ title: "Winter" });
    await invite(winter.id, ada, "bob");
    await bob.sync();
    const other = await ada.vault.session.account.roster(winter.id);
    await ada.albums.describe(id, { title: "Autumn" });
    lieAbout(wire, id, { roster: other });
    await bob.sync();
    assert.match(bob.albums.get(id)?.fault ?? "", /another album/);
    await assert.rejects(take(bob, "secret", id));
    assert.deepEqual(shownOf(bob, id), ["before"]);
    // The other albums go on.
    await take(bob, "of winter", winter.id);
    assert.deepEqual(await seen(ada, winter.id), ["of winter"]);

    lieAbout(wire, id, { absent: true });
    await ada.albums.describe(winter.id, { title: "Spring" });
    await ada.albums.refresh();
    assert.match(ada.albums.get(id)?.fault ?? "", /no longer shows/);
    assert.deepEqual(shownOf(ada, id), ["before"]);

    lieAbout(wire, id, { again: { role: "owner", roster_version: 1 } });
    await bob.albums.refresh();
    assert.match(bob.albums.get(id)?.fault ?? "", /older list of members/);
    wire.intercept = undefined;
    for (const one of [ada, bob]) {
      assert.deepEqual(await seen(one, id), ["before"]);
      assert.equal(one.albums.get(id)?.title, "Autumn");
      assert.equal(one.albums.get(id)?.fault, undefined);
    }
  });
});

Deno.test("of two lists of members of one number that the owner's devices published, the owner's next sync makes one", async () => {
  await withAlbum(async ({ ada, bob, eve, id, wire, reopen }) => {
    const device = deviceOf(wire, "ada's phone");
    const phone = await libraryOn(device, ada, "ada");
    await phone.sync();
    await ada.sync();
    const versionOf = ({ trust }: Library) =>
      claimInForce(trust.record.albums[id])?.roster_version;
    const version = versionOf(ada) ?? NaN;
    // The server accepts what the one device publishes, and shows it to no one.
    wire.intercept = (request) =>
      request.method === "PUT" && request.url.endsWith(`/${id}/roster`)
        ? Promise.resolve(
          Response.json({
            album_id: id,
            roster_version: version + 1,
            amk_epoch: 0,
            member_count: 3,
            replayed: false,
          }),
        )
        : undefined;
    await ada.albums.describe(id, { title: "Of the laptop" });
    wire.intercept = undefined;
    await phone.albums.describe(id, { title: "Of the phone" });
    for (const one of [ada, phone]) {
      assert.equal(versionOf(one), version + 1);
    }
    await phone.sync();
    for (const one of [ada, ada, phone, phone]) await one.sync();

    for (const one of [ada, phone, await reopen(ada)]) {
      const { fault, title, members } = one.albums.get(id) ?? {};
      assert.equal(fault, undefined);
      assert.equal(versionOf(one), version + 2);
      assert.equal(title, "Of the laptop");
      assert.deepEqual(
        members?.map(({ userId }) => userId).toSorted(),
        [ada, bob, eve].map(idOf).toSorted(),
      );
    }
    await take(ada, "after", id);
    for (const one of [phone, bob, eve]) {
      assert.deepEqual(await seen(one, id), ["after", "before"]);
    }
  });
});

Deno.test("an id that is taken, whatever the list says, becomes no new album", async () => {
  await withAlbum(async ({ ada, bob, id, reopen, wire }) => {
    lieAbout(wire, id, { absent: true });
    const made = await (await reopen(ada)).albums.create({ title: "Winter" });
    assert.notEqual(made.id, id);
    // A device that knows of none asks, and heeds the answer.
    const device = deviceOf(wire, "ada's phone");
    const session = await enter(device, "ada");
    const masterKey = ada.vault.session.masterKey() ?? new Uint8Array();
    const vault = await adoptMasterKey(session, masterKey);
    const phone = await openLibrary(vault, device.store);
    const spring = await phone.albums.create({ title: "Spring" });
    assert.ok(![id, made.id].includes(spring.id));
    wire.intercept = undefined;
    await bob.sync();
    assert.equal(bob.albums.get(id)?.title, "Summer");
    assert.equal(bob.albums.get(id)?.members.length, 3);
  });
});

Deno.test("who was removed reads nothing new with a roster of before: after hiding, leaving, forgetting, on any device", async () => {
  await withAlbum(async ({ ada, bob, eve, id, reopen, wire }) => {
    const old = await bob.vault.session.account.roster(id);
    await ada.albums.remove(id, idOf(eve));
    await take(ada, "without eve", id);
    assert.deepEqual(await seen(bob, id), ["before", "without eve"]);
    // An epoch that would make an invitation of it.
    const entry = { role: "contributor", roster_version: 3, amk_epoch: 9 };
    const lied = async (program: Library) => {
      lieAbout(wire, id, { entry, roster: old });
      await program.sync();
      await program.albums.refresh();
      wire.intercept = undefined;
      assert.match(program.albums.get(id)?.fault ?? "", /older list/);
      await assert.rejects(take(program, "secret", id), /older list/);
    };
    // The album is hidden once: the list leaves it out.
    lieAbout(wire, id, { absent: true });
    await bob.albums.refresh();
    assert.equal(bob.albums.get(id), undefined);
    await lied(bob);
    const again = await reopen(bob);
    await lied(again);
    // Another device of the same account, which never saw the album.
    const device = deviceOf(wire, "bob's phone");
    const session = await enter(device, "bob");
    const masterKey = bob.vault.session.masterKey() ?? new Uint8Array();
    const vault = await adoptMasterKey(session, masterKey);
    await lied(await openLibrary(vault, device.store));
    // And after leaving.
    assert.deepEqual(await seen(again, id), ["before", "without eve"]);
    await again.albums.leave(id);
    await ada.sync();
    await invite(id, ada, "bob");
    lieAbout(wire, id, { entry, roster: old });
    await again.sync();
    await again.albums.refresh();
    assert.deepEqual(again.albums.invitations(), []);
    await assert.rejects(again.albums.accept(id), /no invitation/);
    wire.intercept = undefined;
    assert.deepEqual(await seen(accepting(again), id), [
      "before",
      "without eve",
    ]);
  });
});

for (const how of ["removed", "made a viewer"]) {
  Deno.test(`who is ${how} adds nothing to what others see, and what was seen before stays`, async () => {
    await withAlbum(async ({ ada, bob, eve, id, wire }) => {
      await take(eve, "of eve", id);
      assert.deepEqual(await seen(bob, id), ["before", "of eve"]);
      // The server holds it back until Eve may not add any more.
      const late = (await take(eve, "late", id)).row;
      if (how === "removed") await ada.albums.remove(id, idOf(eve));
      else await ada.albums.invite(id, idOf(eve), "viewer");
      assert.deepEqual(await seen(bob, id), ["before", "of eve"]);
      const [row] = bob.unopened();
      assert.equal(row?.id, late.id);
      assert.match(row?.fault ?? "", /may not add/);

      // A new member sees what contributors of earlier keys made.
      const zoe = await beginLibrary(deviceOf(wire, "zoe's"), "zoe");
      await invite(id, ada, "zoe");
      const theirs = how === "removed"
        ? ["before", "late", "of eve"]
        : ["before"];
      assert.deepEqual(await seen(zoe, id), theirs);
      // May she add again, it is believed.
      await invite(id, ada, "eve");
      wire.app.clock.now += 24 * 60 * 60 * 1_000;
      assert.deepEqual(await seen(bob, id), ["before", "late", "of eve"]);
    });
  });
}
