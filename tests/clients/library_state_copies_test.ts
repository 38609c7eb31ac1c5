/**
 * A server that gives a new device an older version of the account's state:
 * what was hidden since then shows there, and must not get out of it.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Library,
  memoryStore,
  openLibrary,
  PHRASE_LABEL,
  UnconfirmedState,
} from "../../src/library/mod.ts";
import { albumOfCollection } from "../../src/library/albums/collection_album.ts";
import { type AlbumCast, photo, withCast } from "../support/album_cast.ts";
import { fileOf, type Wire } from "../support/library.ts";
import { joined, PHRASE, recovered } from "../support/new_devices.ts";
import { copyDatabase, setBack } from "../support/set_back.ts";

/** Ada's frame shows two photos; then she hides one of them. */
interface Hidden extends AlbumCast {
  /** The photo that stays in the frame, and the one that is hidden. */
  readonly cat: string;
  readonly dog: string;
  readonly frame: string;
  readonly collection: string;
  /** The slots before the photo was hidden. */
  readonly yesterday: Slots;
}

type Slots = Readonly<
  Record<"library" | "trust", Uint8Array<ArrayBuffer>>
>;

async function withHidden(test: (cast: Hidden) => Promise<void>) {
  await withCast(async (cast) => {
    const { ada } = cast;
    await ada.vault.escrow({ label: PHRASE_LABEL, passphrase: PHRASE });
    const take = async (name: string) =>
      (await ada.take(fileOf(`${name}.jpg`, photo(name)))).row.id;
    const [cat, dog] = [await take("cat"), await take("dog")];
    // As in any account that hides photos at all.
    await ada.flags.change([await take("bird")], { hidden: true });
    const { id: collection } = await ada.collections.create("Best", [cat, dog]);
    const { opaqueId: frame } = await ada.share({
      assetIds: [cat, dog],
      follows: `collection/${collection}`,
    });
    await ada.sync();
    const { account } = ada.vault.session;
    const { bytes: library } = await account.slot("library");
    const { bytes: trust } = await account.slot("trust");
    const yesterday = { library, trust };
    await ada.flags.change([dog], { hidden: true });
    assert.equal(await ada.keepShareAt(frame, [cat]), true);
    await ada.sync();
    await test({ ...cast, cat, dog, frame, collection, yesterday });
  });
}

/** Shows these slots to everybody, and takes what is written to them. */
function showOlder(wire: Wire, older: Partial<Slots>): void {
  const shown = new Map(Object.entries(older));
  let writes = 0;
  wire.intercept = (request) => {
    const slot = new URL(request.url).pathname.split("/v1/state/")[1] ?? "";
    const bytes = shown.get(slot);
    if (bytes === undefined) return undefined;
    const answer = async () => {
      if (request.method === "PUT") {
        shown.set(slot, new Uint8Array(await request.arrayBuffer()));
        writes += 1;
      }
      const headers = { ETag: `"${writes}"` };
      return request.method === "PUT"
        ? new Response(null, { status: 204, headers })
        : new Response(bytes, { headers });
    };
    return answer();
  };
}

function hides(library: Library, id: string): boolean {
  const row = library.index.get(id);
  assert.ok(row !== undefined);
  return library.flags.of(row).hidden;
}

async function namesIn(library: Library, frame: string): Promise<string[]> {
  const { items } = await library.shareContents(frame);
  return items.map(({ name }) => name).sort();
}

/** As a device does when it is started again: it sees what the slot lacks. */
async function tellTrust({ trust }: Library): Promise<void> {
  await trust.read();
  await trust.settle();
}

/** Asserts that a device puts nothing into a link that it does not see picked. */
async function expectHeldBack(
  device: Library,
  { ada, cat, dog, frame, collection }: Hidden,
) {
  assert.equal(await device.keepShareAt(frame, [cat, dog]), false);
  assert.deepEqual(await namesIn(device, frame), ["cat.jpg"]);
  await assert.rejects(
    device.share({ assetIds: [cat, dog], follows: "favourites" }),
    UnconfirmedState,
  );
  await assert.rejects(
    albumOfCollection(device, collection, {}, () => 0),
    UnconfirmedState,
  );
  await ada.sync();
  assert.equal((await ada.shares()).length, 1);
}

Deno.test("an enrolled device to which the server gives an older state refuses it, says so, and puts no hidden photo into a frame", async () => {
  await withHidden(async (cast) => {
    const { wire, yesterday, frame, cat, dog } = cast;
    showOlder(wire, yesterday);
    const phone = await joined(cast, "ada's phone");
    await phone.sync();
    assert.equal(hides(phone, dog), false);
    assert.equal(phone.trust.library, "behind");
    await expectHeldBack(phone, cast);
    // What it writes itself makes up for nothing.
    for (let i = 0; i < 8; i++) {
      await phone.flags.change([cat], { favourite: i % 2 === 0 });
      await phone.sync();
    }
    assert.equal(phone.trust.library, "behind");
    await expectHeldBack(phone, cast);

    wire.intercept = undefined;
    await phone.sync();
    assert.equal(phone.trust.library, "whole");
    assert.equal(hides(phone, dog), true);
    await phone.flags.change([dog], { hidden: false });
    assert.equal(await phone.keepShareAt(frame, [cat, dog]), true);
    assert.deepEqual(await namesIn(phone, frame), ["cat.jpg", "dog.jpg"]);
  });
});

Deno.test("an enrolled device that gets the right state goes on at once", async () => {
  await withHidden(async (cast) => {
    const phone = await joined(cast, "ada's phone");
    await phone.sync();
    assert.equal(phone.trust.library, "whole");
    assert.equal(hides(phone, cast.dog), true);
    assert.equal(await phone.keepShareAt(cast.frame, []), true);
    assert.equal(await phone.keepShareAt(cast.frame, [cast.cat]), true);
    const { opaqueId } = await phone.share({
      assetIds: [cast.cat],
      follows: "favourites",
    });
    assert.ok(opaqueId.length > 0);
  });
});

Deno.test("a device that came by words adds nothing to a frame until another one vouches for its state, and takes out what is hidden", async () => {
  await withHidden(async (cast) => {
    const { ada, wire, yesterday, frame, dog } = cast;
    showOlder(wire, yesterday);
    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    assert.equal(hides(tablet, dog), false);
    assert.equal(tablet.trust.library, "unconfirmed");
    await expectHeldBack(tablet, cast);

    // Another device that joined so vouches for no one.
    const other = await recovered(cast, "ada's other tablet");
    await other.sync();
    await tablet.sync();
    assert.equal(tablet.trust.library, "unconfirmed");

    // The one that vouches says what there is to know.
    wire.intercept = undefined;
    await tellTrust(tablet);
    await ada.sync();
    showOlder(wire, { library: yesterday.library });
    await tablet.sync();
    assert.equal(tablet.trust.library, "behind");
    await expectHeldBack(tablet, cast);

    wire.intercept = undefined;
    await tablet.sync();
    assert.equal(tablet.trust.library, "whole");
    assert.equal(hides(tablet, dog), true);

    // A photo that an unconfirmed device hides leaves the frame.
    const third = await recovered(cast, "ada's third tablet");
    await third.sync();
    assert.equal(third.trust.library, "unconfirmed");
    assert.equal(await third.keepShareAt(frame, []), true);
    assert.deepEqual(await namesIn(third, frame), []);
  });
});

Deno.test("a device that came by words shares lists of an account that never hid a photo, until one is hidden", async () => {
  await withCast(async ({ ada, ...cast }) => {
    await ada.vault.escrow({ label: PHRASE_LABEL, passphrase: PHRASE });
    const { row: cat } = await ada.take(fileOf("cat.jpg", photo("cat")));
    const { row: dog } = await ada.take(fileOf("dog.jpg", photo("dog")));
    const best = await ada.collections.create("Best", [cat.id]);
    await ada.sync();
    const { bytes: library } = await ada.vault.session.account.slot("library");

    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    assert.equal(tablet.trust.library, "unconfirmed");
    assert.equal(tablet.trust.mayMissHidden, false);
    const list = { assetIds: [cat.id], follows: "favourites" };
    const { opaqueId } = await tablet.share(list);
    assert.equal(await tablet.keepShareAt(opaqueId, [cat.id, dog.id]), true);
    await albumOfCollection(tablet, best.id, {}, () => 0);

    // That a photo is hidden is known where the state is shown as it was
    // before.
    await ada.flags.change([dog.id], { hidden: true });
    await ada.sync();
    showOlder(cast.wire, { library });
    const phone = await recovered(cast, "ada's phone");
    await phone.sync();
    assert.equal(hides(phone, dog.id), false);
    assert.equal(phone.trust.mayMissHidden, true);
    await assert.rejects(phone.share(list), UnconfirmedState);
    await phone.trust.goOn("library");
    assert.equal(phone.trust.mayMissHidden, false);
    await phone.share(list);
  });
});

Deno.test("witnesses vouch for no state: it may have changed since the directory that they saw", async () => {
  await withHidden(async (cast) => {
    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    const { device_id } = tablet.vault.session.device;
    await tablet.trust.change((record) => {
      const at = "2026-11-21T12:00:00Z";
      const before = record.devices[device_id];
      const confirmed = { confirmed_by: "witnesses", confirmed_at: at };
      const entry = { came: "words" as const, at, ...before, ...confirmed };
      return { ...record, devices: { ...record.devices, [device_id]: entry } };
    });
    assert.equal(tablet.trust.status, "whole");
    assert.equal(tablet.trust.library, "unconfirmed");
  });
});

Deno.test("a mark that is set on a device in doubt undoes no hiding that it was not shown", async () => {
  await withHidden(async (cast) => {
    const { ada, wire, yesterday, cat, dog, reopen } = cast;
    showOlder(wire, yesterday);
    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    wire.app.clock.now += 60_000;
    await tablet.flags.change([cat, dog], { favourite: true });
    const row = tablet.index.get(dog);
    assert.ok(row !== undefined);
    assert.equal(tablet.flags.of(row).favourite, true);
    await tablet.flags.change([cat], { hidden: true });

    // Another device merges what the tablet wrote.
    const again = await reopen(ada);
    await again.state.read();
    assert.equal(hides(again, dog), true);
    wire.intercept = undefined;
    await again.state.change((held) => held);
    await ada.state.read();
    for (const id of [cat, dog]) assert.equal(hides(ada, id), true);
    const marked = ada.index.get(cat);
    assert.ok(marked !== undefined);
    assert.equal(ada.flags.of(marked).favourite, true);
  });
});

Deno.test("what an unconfirmed device enrolls is unconfirmed too", async () => {
  await withHidden(async (cast) => {
    const { ada, wire, yesterday } = cast;
    showOlder(wire, yesterday);
    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    const phone = await joined({ ...cast, ada: tablet }, "ada's phone");
    await phone.sync();
    assert.equal(phone.trust.library, "unconfirmed");
    await expectHeldBack(phone, cast);

    wire.intercept = undefined;
    for (const device of [tablet, phone]) await tellTrust(device);
    await ada.sync();
    for (const device of [tablet, phone]) {
      await device.sync();
      assert.equal(device.trust.library, "whole");
      assert.equal(hides(device, cast.dog), true);
    }
  });
});

Deno.test("a device that lost what it had stored needs another one again", async () => {
  await withHidden(async (cast) => {
    const { ada, reopen } = cast;
    const same = await reopen(ada);
    await same.sync();
    assert.equal(same.trust.library, "whole");
    // As if the browser had emptied this storage, and not that of the keys.
    const emptied = await openLibrary(ada.vault, memoryStore());
    await emptied.sync();
    assert.equal(emptied.trust.library, "unconfirmed");
    await same.sync();
    await emptied.sync();
    assert.equal(emptied.trust.library, "whole");
  });
});

Deno.test("without any other device, the person decides, once and for every device after it", async () => {
  await withHidden(async (cast) => {
    const { wire, yesterday, frame, cat, dog } = cast;
    const phone = await joined(cast, "ada's phone");
    await phone.sync();
    // The server lost a day of the state, and the devices that knew it are
    // lost.
    showOlder(wire, { library: yesterday.library });
    const tablet = await recovered(cast, "ada's tablet");
    await tablet.sync();
    assert.equal(tablet.trust.library, "behind");
    // What the person decides of other people says nothing of the library.
    await tablet.trust.goOn("people");
    assert.equal(tablet.trust.library, "behind");
    await tablet.trust.goOn();
    assert.equal(tablet.trust.library, "whole");
    assert.equal(await tablet.keepShareAt(frame, [cat, dog]), true);
    await tablet.sync();

    const laptop = await joined({ ...cast, ada: tablet }, "ada's laptop");
    await laptop.sync();
    assert.equal(laptop.trust.library, "whole");
    const other = await recovered(cast, "ada's other tablet");
    for (const device of [other, tablet, other]) await device.sync();
    assert.equal(other.trust.library, "whole");
  });
});

Deno.test("devices that change the state at the same time hold no new one up", async () => {
  await withHidden(async (cast) => {
    const { ada, cat, dog } = cast;
    const phone = await joined(cast, "ada's phone");
    await phone.sync();
    await Promise.all([
      ...[1, 2, 3].map(() => ada.flags.change([cat], { favourite: true })),
      ...[1, 2, 3].map(() => phone.flags.change([dog], { archived: true })),
    ]);
    for (const device of [ada, phone, ada]) await device.sync();
    for (const by of [ada, phone]) {
      const next = await joined({ ...cast, ada: by }, `by ${by === ada}`);
      await next.sync();
      assert.equal(next.trust.library, "whole");
    }
    for (const device of [ada, phone]) {
      assert.equal(device.trust.library, "whole");
    }
  });
});

Deno.test("a database that is set back a day holds no device up once one that knew more was there", async () => {
  await withHidden(async (cast) => {
    const { app, wire, ada, dog, reopen } = cast;
    const copy = await copyDatabase(app);
    await ada.flags.change([dog], { archived: true });
    await ada.sync();
    wire.app = await setBack(app, copy);
    const again = await reopen(ada);
    const phone = await joined({ ...cast, ada: again }, "ada's phone");
    await phone.sync();
    assert.equal(phone.trust.library, "behind");
    wire.app.clock.now += 2 * 86_400_000;
    await again.sync();
    await phone.sync();
    assert.equal(phone.trust.library, "whole");
    assert.equal(hides(phone, dog), true);
  });
});
