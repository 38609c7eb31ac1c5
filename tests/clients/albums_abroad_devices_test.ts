/**
 * Albums of other servers on several devices, next to programs that are newer,
 * and with ids that are the reader's own (protocol/albums-abroad.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Library,
  memoryStore,
  openLibrary,
} from "../../src/library/mod.ts";
import {
  acceptAbroad,
  addContact,
  followAbroad,
  inviteAbroad,
  joinedAbroad,
  keepGiven,
  leaveAbroad,
  makeCard,
  pickupLinkOf,
  readPickup,
  removeAbroad,
} from "../../src/library/abroad/abroad.ts";
import { fromHex, fromUtf8, toHex, utf8 } from "../../src/core/bytes.ts";
import { toRfc3339 } from "../../src/core/time.ts";
import { openSlot, sealSlot } from "../../src/client/documents/state.ts";
import { SPACES, type Store } from "../../src/library/base/store.ts";
import {
  type Cast,
  DAY,
  letIn,
  phoneOf,
  seen,
  take,
  withTwoServers,
} from "../support/abroad.ts";
import { photo } from "../support/album_cast.ts";
import { ORIGIN } from "../support/app.ts";
import { libraryOn, wholeOf } from "../support/library.ts";

/** Ada's second device. */
async function adasPhone({ ada, deviceOf }: Cast): Promise<Library> {
  const phone = deviceOf(ORIGIN, "ada's phone");
  const other = await libraryOn(phone, ada, "ada");
  await other.sync();
  return other;
}

/** What a device has, but for albums abroad and what is remembered of them. */
async function ownOf(store: Store): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const space of SPACES) {
    for (const { key, value } of await store.list(space)) {
      const isAbroad = space === "program" && key.startsWith("abroad/");
      const isRemembered = space === "pins" &&
        ["abroad", "trust", "trust_record"].includes(key);
      if (!isAbroad && !isRemembered) all.set(`${space}/${key}`, toHex(value));
    }
  }
  return all;
}

/** A program of Ada's that gives albums and photos the ids that it likes. */
async function choosing(
  { ada }: Cast,
  ids: { readonly album: string; readonly photo: string },
): Promise<Library> {
  const { session, identity } = ada.vault;
  let last = 0;
  let chosen = fromHex(ids.photo.replaceAll("-", ""));
  const random = (length: number) => {
    // A journal draws a seed, and then the photo's id.
    const isId = last === 32 && length === 16 && library.albums.get(ids.album);
    last = length;
    if (!isId || chosen === undefined) return session.platform.random(length);
    const bytes = chosen;
    chosen = undefined;
    return bytes;
  };
  const platform = { ...session.platform, random };
  const library = await openLibrary({
    ...ada.vault,
    identity: {
      ...identity,
      albumId: (index) => index === 2 ? ids.album : identity.albumId(index),
    },
    session: { ...session, platform },
  }, memoryStore());
  await library.sync();
  return library;
}

Deno.test("an album of another server whose ids are the reader's own leaves their library as it is, byte for byte", async () => {
  await withTwoServers(async (cast) => {
    const { bob, bobsDevice } = cast;
    const { id: album } = await bob.albums.create({ title: "Bob's own" });
    const { row } = await take(bob, "bob's own", album);
    const card = await makeCard(bob);
    await bob.sync();

    const evil = await choosing(cast, { album, photo: row.id });
    const { id: albumId } = await evil.albums.create({ title: "Bornholm" });
    const taken = await take(evil, "evil", albumId);
    assert.deepEqual([albumId, taken.row.id], [album, row.id]);
    const { member } = await addContact(evil, card.card);
    const link = pickupLinkOf(await inviteAbroad(evil, albumId, member));
    const before = await ownOf(bobsDevice.store);
    const read = await readPickup(bob, link);
    await acceptAbroad(bob, read);
    const album1 = await followAbroad(bob, read.id);
    assert.equal(album1.rows[0]?.id, row.id);
    assert.deepEqual(
      await wholeOf(album1.reading.read(row.id)),
      photo("evil"),
    );
    const unchanged = async () => {
      assert.deepEqual(await ownOf(bobsDevice.store), before);
      const restarted = await openLibrary(bob.vault, bobsDevice.store);
      for (const library of [bob, restarted]) {
        assert.equal(library.albums.get(album)?.title, "Bob's own");
        assert.deepEqual(
          await wholeOf(library.read(row.id)),
          photo("bob's own"),
        );
      }
    };
    await unchanged();
    // Neither what its owner deletes nor leaving it takes anything away.
    await evil.vault.session.account.deleteAsset(row.id);
    assert.deepEqual((await seen(bob, read.id)).names, []);
    await unchanged();
    await leaveAbroad(bob, read.id);
    await unchanged();
    await bob.sync();
    assert.deepEqual(bob.list().map(({ id }) => id), [row.id]);
  });
});

Deno.test("two devices on each side invite, read, refresh, remove and let in again as one", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, pass } = cast;
    const [hers, his] = [await adasPhone(cast), await phoneOf(cast)];
    const { id: albumId } = await ada.albums.create({ title: "Bornholm" });
    await take(ada, "first", albumId);
    // One device makes the card and the other accepts by it; one reads the
    // card and the other invites.
    const { member } = await addContact(ada, (await makeCard(bob)).link);
    await hers.sync();
    const link = await inviteAbroad(hers, albumId, member);
    const read = await readPickup(his, pickupLinkOf(link));
    await acceptAbroad(his, read);
    await bob.sync();
    assert.deepEqual(await joinedAbroad(bob), [read.id]);
    const bothSee = async (names: readonly string[], paused?: string) => {
      for (const one of [bob, his]) {
        assert.deepEqual(await seen(one, read.id), { names, paused });
      }
    };
    await bothSee(["first"]);
    // Two devices that refresh one token get one successor.
    const tokenOf = async (library: Library) =>
      (await library.abroad()).joined.get(read.id)?.token;
    const before = await tokenOf(bob);
    pass(DAY * 0.6);
    await bothSee(["first"]);
    assert.notEqual(await tokenOf(bob), before);
    assert.equal(await tokenOf(his), await tokenOf(bob));

    assert.equal(await keepGiven(ada), 0);
    pass(65 * DAY);
    assert.equal(await keepGiven(hers), 1);
    assert.equal(await keepGiven(ada), 0);
    await bothSee(["first"]);

    await ada.sync();
    await removeAbroad(ada, albumId, member);
    assert.equal(await keepGiven(hers), 0);
    await bothSee(["first"], "its owner ended it");
    await hers.sync();
    assert.equal(await inviteAbroad(hers, albumId, member), link);
    await take(hers, "second", albumId);
    await bothSee(["first", "second"]);
  });
});

/** Changes what is in a slot, as a program that is newer would. */
async function asNewer(
  { vault: { session, identity } }: Library,
  slot: string,
  change: (state: Record<string, unknown>) => void,
): Promise<void> {
  const { account, platform } = session;
  const key = identity.stateKey(slot);
  const { bytes, etag } = await account.slot(slot);
  const state = JSON.parse(fromUtf8(await openSlot(bytes, key)) ?? "");
  change(state);
  const changed = utf8(JSON.stringify(state));
  const sealed = await sealSlot(changed, key, platform.random);
  await account.putSlot(slot, sealed, etag);
}

async function stateOf(
  { vault: { session, identity } }: Library,
  slot: string,
) {
  const { bytes } = await session.account.slot(slot);
  const plain = await openSlot(bytes, identity.stateKey(slot));
  return JSON.parse(fromUtf8(plain) ?? "");
}

Deno.test("what a newer program wrote next to albums of other servers stays, whatever this one changes", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob, pass } = cast;
    const { albumId, member, id } = await letIn(cast);
    await seen(bob, id);
    const more = { newer: { of: "a later release" } };
    const touched = (entry: { at: string }) =>
      Object.assign(entry, more, {
        at: toRfc3339(Date.parse(entry.at) + 1),
      });
    await asNewer(bob, "abroad", (state) => {
      Object.assign(state, more);
      touched(Object(state["joined"])[id]);
    });
    await asNewer(bob, "trust", (record) => {
      const server = Object(record["abroad"])[ORIGIN];
      for (const one of [record, server, server.albums[albumId]]) {
        Object.assign(one, more);
      }
    });
    await asNewer(ada, "abroad", (state) => {
      Object.assign(state, more);
      touched(Object(state["given"])[`${albumId}/${member}`]);
      touched(Object(state["contacts"])[member]);
    });
    // A token that was refreshed, a grant that was given again, a roster.
    pass(DAY * 0.6);
    assert.equal((await seen(bob, id)).paused, undefined);
    pass(65 * DAY);
    assert.equal(await keepGiven(ada), 1);
    await ada.albums.describe(albumId, { title: "Rügen" });
    assert.equal((await seen(bob, id)).paused, undefined);
    await makeCard(bob);

    const { newer } = more;
    const abroad = await stateOf(bob, "abroad");
    assert.deepEqual([abroad.newer, abroad.joined[id].newer], [newer, newer]);
    assert.equal(
      abroad.joined[id].token,
      (await bob.abroad()).joined.get(id)?.token,
    );
    const trust = await stateOf(bob, "trust");
    const server = trust.abroad[ORIGIN];
    for (const one of [trust, server, server.albums[albumId]]) {
      assert.deepEqual(one.newer, newer);
    }
    const { given, contacts, ...rest } = await stateOf(ada, "abroad");
    assert.deepEqual(rest.newer, newer);
    assert.deepEqual(contacts[member].newer, newer);
    assert.deepEqual(given[`${albumId}/${member}`].newer, newer);
    assert.equal(given[`${albumId}/${member}`].seq, 2);
  });
});
