/**
 * Albums with members of other servers, of whom a program has no contact card
 * (protocol/client-cryptography.md#members-of-other-servers).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Library,
  memoryStore,
  NoCard,
  openLibrary,
} from "../../src/library/mod.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import {
  sealMember,
  signRoster,
  verifyRoster,
} from "../../src/client/documents/roster.ts";
import { seededRandom } from "../support/app.ts";
import { idOf, invite, seen, take, withCast } from "../support/album_cast.ts";

const random = seededRandom("members abroad");
const MEMBER =
  "7f1f4d2c-1b52-4c1e-9a3e-0b5a1f6d7e80@https://photos.zoe.example";
const OTHER = "0c9f4d2c-1b52-4c1e-9a3e-0b5a1f6d7e80@https://photos.zoe.example";

const rosterOf = async ({ vault }: Library, albumId: string) =>
  await verifyRoster(
    await vault.session.account.roster(albumId),
    vault.identity.signer.publicKey,
  );

/** Puts members abroad on the roster, as a program with their cards does. */
async function admit(
  owner: Library,
  albumId: string,
  { members, role = "viewer" }: {
    readonly members: readonly string[];
    readonly role?: "viewer" | "contributor";
  },
): Promise<void> {
  const { vault: { session, identity }, albums } = owner;
  const { sealing } = await openIdentity(new Uint8Array(random(32)));
  const held = await rosterOf(owner, albumId);
  const { amk } = await albums.newestOf(albumId);
  const { amk_epoch: amkEpoch } = held;
  const admitted = await Promise.all(
    members.map(async (member) =>
      await sealMember(
        amk,
        await sealing.publicKey(),
        { albumId, amkEpoch, member, role },
        random,
      )
    ),
  );
  const bytes = await signRoster(identity.signer, {
    ...held,
    roster_version: held.roster_version + 1,
    members: [...held.members, ...admitted],
  });
  await session.account.publishRoster(albumId, bytes);
  await owner.sync();
}

const entryOf = async (owner: Library, albumId: string, member = MEMBER) =>
  (await rosterOf(owner, albumId)).members
    .find((one) => one.member === member);

Deno.test("the next roster of the same epoch copies the entry of a member abroad byte for byte", async () => {
  await withCast(async ({ ada, eve }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await admit(ada, id, { members: [MEMBER] });
    const before = await entryOf(ada, id);
    assert.ok(before !== undefined);

    await ada.albums.describe(id, { title: "Autumn" });
    assert.deepEqual(await entryOf(ada, id), before);
    await invite(id, ada, "bob");
    await invite(id, ada, "bob", "viewer");
    assert.deepEqual(await entryOf(ada, id), before);
    // So does a device that never saw the roster of before.
    const device = await openLibrary(ada.vault, memoryStore());
    await device.sync();
    await device.albums.describe(id, { title: "Winter" });
    assert.deepEqual(await entryOf(ada, id), before);
    assert.equal((await rosterOf(ada, id)).amk_epoch, 0);

    await ada.sync();
    await take(ada, "snow", id);
    await invite(id, ada, "eve");
    assert.deepEqual(await seen(eve, id), ["snow"]);
  });
});

Deno.test("without the card of a member abroad no epoch begins while they stay, and they are named", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await invite(id, ada, "bob");
    await admit(ada, id, { members: [MEMBER, OTHER] });
    const before = await entryOf(ada, id);

    await assert.rejects(ada.albums.remove(id, idOf(bob)), (error) => {
      assert.ok(error instanceof NoCard);
      assert.deepEqual(error.members, [MEMBER, OTHER]);
      return true;
    });
    assert.equal((await rosterOf(ada, id)).amk_epoch, 0);
    // Who leaves keeps the owner from nothing.
    await seen(bob, id);
    await bob.albums.leave(id);
    await ada.sync();
    await ada.albums.describe(id, { title: "Autumn" });
    assert.deepEqual(await entryOf(ada, id), before);

    // That roster named them again, with the key that they had.
    await bob.sync();
    assert.equal(bob.albums.get(id), undefined);

    await assert.rejects(ada.albums.remove(id, MEMBER), NoCard);
    await ada.albums.remove(id, MEMBER, OTHER);
    const after = await rosterOf(ada, id);
    assert.equal(after.amk_epoch, 1);
    assert.equal(
      after.members.some(({ member }) => member.includes("@")),
      false,
    );
    await ada.albums.describe(id, { title: "Winter" });
    assert.deepEqual(
      (await rosterOf(ada, id)).members.map((one) => one.member),
      [idOf(ada)],
    );
  });
});

Deno.test("people abroad are not invited without a card or as contributors, and readers take them as viewers", async () => {
  await withCast(async ({ ada }) => {
    const { id } = await ada.albums.create({ title: "Summer" });
    await assert.rejects(ada.albums.invite(id, MEMBER, "viewer"), NoCard);
    await assert.rejects(
      ada.albums.invite(id, MEMBER, "contributor"),
      /can see the album, and not add/,
    );
    await admit(ada, id, { members: [MEMBER], role: "contributor" });
    const member = ada.albums.get(id)?.members
      .find(({ userId }) => userId === MEMBER);
    assert.equal(member?.role, "viewer");
    await ada.albums.describe(id, { title: "Autumn" });
    assert.equal((await entryOf(ada, id))?.role, "viewer");
  });
});
