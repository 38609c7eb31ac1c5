/**
 * An owner who gives the members of one roster different keys: at most one of
 * them takes it (protocol/client-cryptography.md#album-key).
 *
 * @module
 */
import assert from "node:assert/strict";
import { openAlbum } from "../../src/client/documents/album_keys.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import type { Library } from "../../src/library/mod.ts";
import {
  amkCommitment,
  sealMember,
  signRoster,
  verifyRoster,
} from "../../src/client/documents/roster.ts";
import { seededRandom } from "../support/app.ts";
import { idOf, invite, seen, take, withCast } from "../support/album_cast.ts";

Deno.test("one roster with two keys is refused by one of its members at least", async () => {
  const random = seededRandom("two keys");
  const identityOf = () => openIdentity(new Uint8Array(random(32)));
  const [owner, one, other] = [
    await identityOf(),
    await identityOf(),
    await identityOf(),
  ];
  const keys = [new Uint8Array(random(32)), new Uint8Array(random(32))];
  const of = { albumId: owner.albumId(2), amkEpoch: 0 };
  const ids = ["a", "b"].map((last) =>
    `0198c5f0-0000-7000-8000-00000000000${last}`
  );
  const members = await Promise.all(
    [one, other].map(async (who, at) =>
      sealMember(
        keys[at] ?? random(32),
        await who.sealing.publicKey(),
        { ...of, member: ids[at] ?? "", role: "viewer" },
        random,
      )
    ),
  );
  const commitments = [...keys, random(32)].map((amk) =>
    amkCommitment(new Uint8Array(amk), of)
  );
  for (const [at, amk_commitment] of commitments.entries()) {
    const bytes = await signRoster(owner.signer, {
      album_id: of.albumId,
      owner: "0198c5f0-0000-7000-8000-00000000000c",
      roster_version: 1,
      amk_epoch: 0,
      amk_commitment,
      members,
      signed_at: "2026-11-01T00:00:00Z",
    });
    const roster = await verifyRoster(bytes, owner.signer.publicKey);
    for (const [i, who] of [one, other].entries()) {
      const opening = openAlbum(roster, ids[i] ?? "", who.sealing);
      if (i === at) assert.deepEqual((await opening)?.keys.get(0), keys[i]);
      else await assert.rejects(opening, { name: "DocumentError" });
    }
  }
});

Deno.test("a member who was given another key than the others is told so, and takes nothing by it", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await take(ada, "before", id);
    await invite(id, ada, "bob");
    assert.deepEqual(await seen(bob, id), ["before"]);
    const random = seededRandom("another key");
    const { roster_version: version = 0 } =
      (await ada.vault.session.account.albums())
        .find((one) => one.album_id === id) ?? {};
    const of = { albumId: id, amkEpoch: 0 };
    const [[, amk] = []] = [...(await ada.albums.keysOf(id)).entries()];
    assert(amk !== undefined);
    const members = await Promise.all([
      { who: ada, key: amk.amk, role: "contributor" as const },
      { who: bob, key: new Uint8Array(random(32)), role: "viewer" as const },
    ].map(async ({ who, key, role }) =>
      sealMember(
        key,
        await who.vault.identity.sealing.publicKey(),
        { ...of, member: idOf(who), role },
        random,
      )
    ));
    const bytes = await signRoster(ada.vault.identity.signer, {
      album_id: id,
      owner: idOf(ada),
      roster_version: version + 1,
      amk_epoch: 0,
      amk_commitment: amkCommitment(amk.amk, of),
      members,
      signed_at: "2026-11-21T12:00:00Z",
    });
    await ada.vault.session.account.publishRoster(id, bytes);
    await bob.sync();
    assert.match(bob.albums.get(id)?.fault ?? "", /commits to another key/);
    const kept = await bob.albums.keysOf(id);
    assert.deepEqual(kept, [amk]);
  });
});

Deno.test("a member to whose key the owner did not encrypt is told so, whether it opens or not", async () => {
  await withCast(async ({ ada, bob, eve }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await seen(bob, id);
    const random = seededRandom("another sealing key");
    const [amk] = await ada.albums.keysOf(id);
    assert(amk !== undefined);
    const of = { albumId: id, amkEpoch: 0 };
    const entryOf = async (who: Library, key: Library) =>
      sealMember(
        amk.amk,
        await key.vault.identity.sealing.publicKey(),
        { ...of, member: idOf(who), role: "contributor" },
        random,
      );
    const own = await entryOf(bob, bob);
    const other = await entryOf(bob, eve);
    const entries = [other, { ...own, sealed_to: other.sealed_to }];
    for (const [at, entry] of entries.entries()) {
      const bytes = await signRoster(ada.vault.identity.signer, {
        album_id: id,
        owner: idOf(ada),
        roster_version: 3 + at,
        amk_epoch: 0,
        amk_commitment: amkCommitment(amk.amk, of),
        members: [await entryOf(ada, ada), entry],
        signed_at: "2026-11-21T12:00:00Z",
      });
      await ada.vault.session.account.publishRoster(id, bytes);
      await bob.sync();
      assert.match(
        bob.albums.get(id)?.fault ?? "",
        /encrypted for another key than yours/,
      );
    }
  });
});
