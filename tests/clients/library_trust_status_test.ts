/**
 * What a new device of an account knows of what the others verified, and what it
 * says where it cannot know.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  adoptJoined,
  enrollDevice,
  IdentityChanged,
  joinAccount,
  type Library,
  openLibrary,
  PHRASE_LABEL,
  recoverVault,
} from "../../src/client/library/mod.ts";
import { toBase64 } from "../../src/core/bytes.ts";
import { type AlbumCast, idOf, withCast } from "../support/album_cast.ts";
import { deviceOf, enter, fileOf } from "../support/library.ts";
import { invent, lieAbout } from "../support/liar.ts";
import { ciphertext, uuidOf } from "../support/people.ts";

const PHRASE = "grandmother's apple cake";
const NO_ALBUM = uuidOf("no album");

/** A pause of a turn: both sides of an enrollment wait for each other. */
const wait = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Another device that joins by the link that the first one shows. */
async function joined(
  { wire, ada }: Pick<AlbumCast, "wire" | "ada">,
  name: string,
): Promise<Library> {
  const device = deviceOf(wire, name);
  let link: Promise<Library> | undefined;
  const join = async (shown: string): Promise<Library> => {
    const { entrance } = device;
    const platform = { ...device.platform, wait };
    const all = await joinAccount(platform, {
      link: shown,
      device: entrance.device,
      compare: () => Promise.resolve(false),
    });
    const session = await enter(
      { ...device, entrance: { ...entrance, device: all.device } },
      "ada",
    );
    const vault = await adoptJoined(session, all);
    return await openLibrary(vault, device.store);
  };
  const { session } = ada.vault;
  const platform = { ...session.platform, wait };
  await enrollDevice({ ...ada.vault, session: { ...session, platform } }, {
    trust: ada.trust,
    show: (shown) => {
      link = join(shown.link);
    },
    compare: () => Promise.resolve(false),
  });
  assert.ok(link !== undefined);
  return await link;
}

/** Another device, of which the words are all that is known. */
async function recovered(
  { wire }: Pick<AlbumCast, "wire">,
  name: string,
): Promise<Library> {
  const device = deviceOf(wire, name);
  const vault = await recoverVault(await enter(device, "ada"), PHRASE);
  return await openLibrary(vault, device.store);
}

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
    // Another one that came so confirms nobody.
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

Deno.test("a device to which the server hides what the signed directory speaks of pins nobody, until another one or the person says so", async () => {
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
