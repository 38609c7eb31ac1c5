/**
 * Albums of another server that have moved: to another address of that server,
 * or to another album (protocol/albums-abroad.md#moving).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  acceptAbroad,
  followAbroad,
  inviteAbroad,
  joinedAbroad,
  keepGiven,
  leaveAbroad,
  pickupLinkOf,
  readPickup,
} from "../../src/library/abroad/abroad.ts";
import {
  type Cast,
  DAY,
  keptAbroad,
  letIn,
  phoneOf,
  seen,
  take,
  withTwoServers,
} from "../support/abroad.ts";
import {
  type AlbumGrant,
  sealGrant,
  signGrant,
} from "../../src/client/documents/album_grant.ts";
import { verifyCard } from "../../src/client/documents/contact_card.ts";
import { putAbroadIndex } from "../../src/library/abroad/abroad_shares.ts";
import type { Library } from "../../src/library/mod.ts";
import { ORIGIN } from "../support/app.ts";
import { idOf } from "../support/album_cast.ts";
import { beginLibrary, libraryOn } from "../support/library.ts";

const NEW = "https://photos.ada.example";

/** Ada's server gets another address, at which she signs in. */
async function moveServer({ ada, host, deviceOf }: Cast): Promise<Library> {
  host.app = await host.app.reopen({
    STRONGROOM_FEDERATION: "on",
    STRONGROOM_BASE_URL: NEW,
  });
  const device = deviceOf(NEW, "ada's, there");
  const library = await libraryOn(device, ada, "ada");
  await library.sync();
  return library;
}

Deno.test("an album goes on at another address of its server once its owner's programs know of it, without an invitation", async () => {
  await withTwoServers(async (cast) => {
    const { bob } = cast;
    const { albumId, id, owner } = await letIn(cast);
    await seen(bob, id);
    await bob.people.compared(owner);
    const ada = await moveServer(cast);
    assert.match((await seen(bob, id)).paused ?? "", /another address/);
    assert.equal(await keepGiven(ada), 1);
    assert.equal(await keepGiven(ada), 0);
    await take(ada, "second", albumId);

    // The owner's word alone makes no other server of it.
    cast.host.intercept = async (request, pass) => {
      const answer = await pass(request);
      if (!request.url.endsWith("/attestation-keys")) return answer;
      const published = await answer.json();
      const server_ids = published.server_ids.filter(
        ({ server_id }: { server_id: string }) => server_id !== ORIGIN,
      );
      return Response.json({ ...published, server_ids });
    };
    assert.notEqual((await followAbroad(bob, id)).paused, undefined);
    assert.deepEqual(await joinedAbroad(bob), [id]);
    cast.host.intercept = undefined;

    const album = await followAbroad(bob, id);
    const there = `${albumId}@${NEW}`;
    assert.deepEqual([album.id, album.paused], [there, undefined]);
    assert.deepEqual(await joinedAbroad(bob), [there]);
    assert.deepEqual((await seen(bob, there)).names, ["first", "second"]);
    // It is the same person, whose number was compared.
    const known = await bob.people.known(`${idOf(ada)}@${NEW}`);
    assert.ok(known.comparedAt !== undefined);
    await assert.rejects(followAbroad(bob, id), { name: "AlbumLeft" });
    cast.pass(65 * DAY);
    assert.equal(await keepGiven(ada), 1);
    assert.equal((await seen(bob, there)).paused, undefined);
  });
});

/** Writes a claim about Bob's pickup into it. */
async function say(
  { ada }: Cast,
  { member, link, by = ada }: {
    readonly member: string;
    readonly link: string;
    readonly by?: Library;
  },
  told: Pick<AlbumGrant, "album_id" | "seq" | "state" | "successor">,
): Promise<void> {
  const { vault: { session, identity } } = by;
  const contact = (await ada.abroad()).contacts.get(member);
  assert.ok(contact !== undefined);
  const card = await verifyCard(contact.card);
  const { keys } = await session.client.attestationKeys();
  const grant = await signGrant(identity.signer, {
    member,
    card_id: card.card_id,
    server_id: ORIGIN,
    owner: idOf(ada),
    owner_key: identity.signer.publicKey,
    roster_version: 1,
    amk_epoch: 0,
    roster: new Uint8Array(32),
    keys: keys.map(({ keyId }) => keyId),
    signed_at: "2026-11-01T00:00:00Z",
    ...told,
  });
  const { opaqueId, secret } = pickupLinkOf(link);
  const sealed = await sealGrant(
    grant,
    card.sealing_key,
    { member, opaqueId },
    session.platform.random,
  );
  // Under Ada's account, as her server would show it.
  await putAbroadIndex(ada, "pickup", { opaqueId, secret }, sealed, {
    n: told.seq,
  });
}

const pickupIn = (link: string) => {
  const { opaqueId, secret } = pickupLinkOf(link);
  return { opaque_id: opaqueId, secret };
};

/** What keeps Bob from going on, once his grant is revoked. */
async function afterRevoked({ ada, bob }: Cast, albumId: string, id: string) {
  const { given } = await ada.abroad();
  const [, held] = given.list().find(([one]) => one.startsWith(albumId)) ?? [];
  await ada.vault.session.account.revokeCapability(albumId, held?.jti ?? "");
  return await followAbroad(bob, id);
}

/** Ada makes another album of one, lets its member in, and signs that it moved. */
async function moves(
  cast: Cast,
  { albumId, member, link }: {
    readonly albumId: string;
    readonly member: string;
    readonly link: string;
  },
): Promise<{ readonly next: string; readonly other: string }> {
  const { id: next } = await cast.ada.albums.create({ title: "Rügen" });
  const other = await inviteAbroad(cast.ada, next, member);
  await say(cast, { member, link }, {
    album_id: albumId,
    seq: 2,
    state: "moved",
    successor: { album_id: next, pickup: pickupIn(other) },
  });
  return { next, other };
}

Deno.test("an album that its owner signed to be another one now is followed there", async () => {
  await withTwoServers(async (cast) => {
    const { ada, bob } = cast;
    const { albumId, member, link, id } = await letIn(cast);
    await seen(bob, id);
    const { next } = await moves(cast, { albumId, member, link });
    await take(ada, "second", next);
    const album = await afterRevoked(cast, albumId, id);
    assert.deepEqual([album.title, album.paused], ["Rügen", undefined]);
    assert.deepEqual(await joinedAbroad(bob), [`${next}@${ORIGIN}`]);
    assert.deepEqual((await seen(bob, album.id)).names, ["second"]);
  });
});

Deno.test("an album moves by its owner's word alone, to what they signed, and nothing of the person's changes otherwise", async () => {
  const bad = ["by eve", "another album", "another server", "to itself"];
  for (const what of bad) {
    await withTwoServers(async (cast) => {
      const { ada, bob, deviceOf } = cast;
      const { albumId, member, link, id } = await letIn(cast);
      await seen(bob, id);
      const eve = await beginLibrary(deviceOf(ORIGIN, "eve's"), "eve");
      const { id: next } = await ada.albums.create({ title: "Rügen" });
      const other = await inviteAbroad(ada, next, member);
      const by = what === "by eve" ? { by: eve } : {};
      await say(cast, { member, link, ...by }, {
        album_id: albumId,
        seq: 2,
        state: "moved",
        successor: {
          album_id: what === "another album" ? albumId : next,
          ...(what === "another server" ? { server_id: NEW } : {}),
          pickup: pickupIn(what === "to itself" ? link : other),
        },
      });
      const kept = await keptAbroad(bob);
      const album = await afterRevoked(cast, albumId, id);
      assert.notEqual(album.paused, undefined, what);
      assert.equal(album.id, id, what);
      assert.deepEqual(await joinedAbroad(bob), [id], what);
      assert.deepEqual(await keptAbroad(bob), kept, what);
    });
  }
});

Deno.test("an album that another device has left is not followed to where it has moved", async () => {
  await withTwoServers(async (cast) => {
    const { bob } = cast;
    const { albumId, member, link, id } = await letIn(cast);
    await seen(bob, id);
    await moves(cast, { albumId, member, link });
    const phone = await phoneOf(cast);
    await leaveAbroad(phone, id);
    await assert.rejects(afterRevoked(cast, albumId, id), {
      name: "AlbumLeft",
    });
    assert.deepEqual(await joinedAbroad(bob), []);
    assert.deepEqual(await joinedAbroad(phone), []);
  });
});

Deno.test("an invitation that has moved is refused to a person who is not in its album", async () => {
  await withTwoServers(async (cast) => {
    const { bob } = cast;
    const { albumId, member, link, id } = await letIn(cast);
    const { other } = await moves(cast, { albumId, member, link });
    await (await bob.abroad()).joined.put(id, undefined);
    await assert.rejects(readPickup(bob, pickupLinkOf(link)), {
      fault: "no_card_of_yours",
    });
    await acceptAbroad(bob, await readPickup(bob, pickupLinkOf(other)));
  });
});
