/**
 * Albums that fill themselves: what the devices of an account add, and what they
 * never do.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  fillAlbum,
  type FillFacts,
  type FillRule,
  fillRules,
  sinceOf,
  wantedBy,
  withFillRule,
} from "../../src/library/albums/filling.ts";
import { sureFiles } from "../../src/library/finding/faces_groups.ts";
import type { Library, Row } from "../../src/library/mod.ts";
import { fileOf } from "../support/library.ts";
import { idOf, invite, photo, take, withCast } from "../support/album_cast.ts";
import { withTwoDevices } from "../support/library_sharing.ts";

const all = () => true;

/** Takes photos into a library. */
async function add(library: Library, ...names: readonly string[]) {
  const ids: string[] = [];
  for (const name of names) {
    ids.push((await library.take(fileOf(`${name}.jpg`, photo(name)))).row.id);
  }
  return ids;
}

/** The names of the photos of an album. */
function inAlbum(library: Library, albumId: string): string[] {
  return library.list().filter(({ album }) => album === albumId)
    .map(({ metadata }) => metadata?.name.replace(".jpg", "") ?? "").sort();
}

/** Makes an album that has a rule. */
async function filled(library: Library): Promise<string> {
  const { id } = await library.albums.create({ title: "Mia" });
  const now = Date.now();
  await library.state.change((held) => ({
    ...held,
    settings: withFillRule(held.settings, id, { persons: ["aa"] }, now),
  }));
  return id;
}

Deno.test("an album gets the photos that are wanted, once, and none that is hidden, archived or not wanted", async () => {
  await withTwoDevices(async ({ laptop, phone }) => {
    const id = await filled(laptop);
    const [, , hidden, archived] = await add(
      laptop,
      "one",
      "two",
      "hidden",
      "archived",
      "other",
    );
    assert(hidden !== undefined && archived !== undefined);
    await laptop.flags.change([hidden], { hidden: true });
    await laptop.flags.change([archived], { archived: true });
    const isWanted = ({ metadata }: Row) => metadata?.name !== "other.jpg";
    assert.equal(await fillAlbum(laptop, id, isWanted), 2);
    assert.equal(await fillAlbum(laptop, id, isWanted), 0);
    assert.deepEqual(inAlbum(laptop, id), ["one", "two"]);
    await phone.sync();
    assert.deepEqual(
      [...fillRules(phone.state.held.settings)],
      [[id, { persons: ["aa"] }]],
    );
    assert.equal(await fillAlbum(phone, id, isWanted), 0);
  });
});

Deno.test("a rule that cannot be read, or names nothing, is ignored", () => {
  const at = "2026-06-01T10:00:00Z";
  const since = "2026-06-02T00:00:00Z";
  const ruled = (
    value: unknown,
  ) => [...fillRules({ "fill-album/x": { value, at } }).values()];
  const none = [null, 5, [], {}, { persons: [] }, { persons: 1 }, {
    persons: [],
    since: "soon",
  }];
  for (const value of none) assert.deepEqual(ruled(value), []);
  assert.deepEqual(ruled({ persons: ["aa"] }), [{ persons: ["aa"] }]);
  assert.deepEqual(ruled({ since }), [{ persons: [], since }]);
  assert.deepEqual(
    withFillRule({}, "x", { persons: [] }, Date.parse(at))["fill-album/x"]
      ?.value,
    null,
  );
});

Deno.test("a rule of more people or places than devices read is refused, as a full list is", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => `${n}`);
  const written = (
    rule: FillRule,
  ) => [...fillRules(withFillRule({}, "x", rule, 0)).values()];
  const most = { persons: many(100), places: many(100) };
  assert.deepEqual(written(most), [most]);
  const refused = { code: "error.account.limit_reached" };
  assert.throws(() => written({ persons: many(101) }), refused);
  assert.throws(() => written({ persons: [], places: many(101) }), refused);
});

Deno.test("what was taken out by hand no device adds again, however it went", async () => {
  await withTwoDevices(async ({ laptop, phone }) => {
    const id = await filled(laptop);
    await add(laptop, "one", "two", "three");
    await fillAlbum(laptop, id, all);
    const copy = (name: string) =>
      laptop.list().find(({ album, metadata }) =>
        album === id && metadata?.name === `${name}.jpg`
      )?.id ?? "";
    // At once for ever, because the library has it.
    await laptop.takeOutOf([copy("one")]);
    assert.equal(laptop.index.get(copy("one")), undefined);
    // By way of the trash, and out of that.
    const two = copy("two");
    await laptop.trash(two);
    assert.equal(await fillAlbum(laptop, id, all), 0);
    await laptop.purge(two);
    assert.equal(await fillAlbum(laptop, id, all), 0);
    await phone.sync();
    assert.equal(await fillAlbum(phone, id, all), 0);
    assert.deepEqual(inAlbum(phone, id), ["three"]);
  });
});

Deno.test("what was deleted no device adds, whatever the server says or shows, until the person restores it", async () => {
  await withTwoDevices(async ({ laptop, phone }) => {
    const id = await filled(laptop);
    const [shown = "", said = ""] = await add(laptop, "shown", "said");
    const before = laptop.index.get(shown);
    assert(before !== undefined);
    await laptop.trash(shown);
    laptop.index.put(before);
    await laptop.trash(said);
    // No device of the account noted that it restores it.
    await laptop.vault.session.account.restoreAsset(said);
    await laptop.sync();
    assert.equal(laptop.index.get(said)?.state, "live");
    assert(laptop.deletions.isSaidRestored(said));
    assert.equal(await fillAlbum(laptop, id, all), 0);
    await phone.sync();
    assert.equal(await fillAlbum(phone, id, all), 0);
    await laptop.restore(said);
    assert(!laptop.deletions.isSaidRestored(said));
    assert.equal(await fillAlbum(laptop, id, all), 1);
    assert.deepEqual(inAlbum(laptop, id), ["said"]);
  });
});

Deno.test("what someone else put into the album is there, and is not tried again", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Mia" });
    await invite(id, ada, "bob");
    await bob.sync();
    await bob.albums.accept(id);
    await take(ada, "one", id);
    await bob.sync();
    await add(bob, "one", "two");
    const tried: string[] = [];
    const counted = {
      ...bob,
      copyInto(assetId: string, albumId: string) {
        tried.push(bob.index.get(assetId)?.metadata?.name ?? "");
        return bob.copyInto(assetId, albumId);
      },
    };
    assert.equal(await fillAlbum(counted, id, all), 1);
    assert.equal(await fillAlbum(counted, id, all), 0);
    assert.deepEqual(tried, ["two.jpg"]);
  });
});

Deno.test("a photo that cannot be copied holds up no other, and is tried ever more seldom", async () => {
  await withCast(async ({ app, wire, ada }) => {
    const id = await filled(ada);
    const [bad = ""] = await add(ada, "bad", ..."abcdefgh");
    let refused = 0;
    wire.intercept = async (request, pass) => {
      const body = await request.clone().text();
      const copied = `"copies":"${bad}"`;
      if (!body.includes(copied)) return await pass(request);
      refused += 1;
      const none = body.replaceAll(copied, `"copies":"${crypto.randomUUID()}"`);
      return await pass(new Request(request, { body: none }));
    };
    assert.equal(await fillAlbum(ada, id, all), 8);
    assert(refused > 0);
    const each = refused;
    assert.equal(await fillAlbum(ada, id, all), 0);
    assert.equal(refused, each);
    // After a minute, then after two.
    for (const times of [2, 2, 3]) {
      app.clock.now += 60_000;
      assert.equal(await fillAlbum(ada, id, all), 0);
      assert.equal(refused, times * each);
    }
    wire.intercept = undefined;
    app.clock.now += 240_000;
    assert.equal(await fillAlbum(ada, id, all), 1);
  });
});

Deno.test("what was taken out has room for so many photos, as long as the rule stands", async () => {
  await withTwoDevices(async ({ laptop, phone }) => {
    const id = await filled(laptop);
    const outs = ({ state }: Library) =>
      Object.keys(state.held.settings).filter((name) =>
        name.startsWith(`fill-out/${id}/`)
      ).length;
    await add(laptop, "one", "two");
    await fillAlbum(laptop, id, all);
    const [one, two] = laptop.list().filter(({ album }) => album === id);
    assert(one !== undefined && two !== undefined);
    // The server says so: no one took it out.
    for (const state of ["missing", "withheld"] as const) {
      laptop.index.put({ ...one, state });
      await fillAlbum(laptop, id, all);
      assert.equal(outs(laptop), 0);
    }
    laptop.index.put(one);
    const at = "2026-06-01T10:00:00Z";
    const full = Array.from({ length: 2_000 }, (_, n) => [
      `fill-out/${id}/${n.toString(16).padStart(16, "0")}`,
      { value: true, at },
    ]);
    await laptop.state.change((held) => ({
      ...held,
      settings: { ...held.settings, ...Object.fromEntries(full) },
    }));
    await laptop.takeOutOf([one.id]);
    assert.equal(outs(laptop), 2_000);
    await add(laptop, "three");
    assert.equal(await fillAlbum(laptop, id, all), 0);
    await phone.sync();
    assert.equal(outs(phone), 2_000);
    // Without its rule nothing is kept, and no device brings it back.
    await laptop.state.change((held) => ({
      ...held,
      settings: withFillRule(held.settings, id, { persons: [] }, Date.now()),
    }));
    assert.equal(outs(laptop), 0);
    await phone.state.change((held) => held);
    await laptop.state.read();
    assert.deepEqual([outs(phone), outs(laptop)], [0, 0]);
  });
});

Deno.test("two devices that add a photo at the same moment leave one of it", async () => {
  await withTwoDevices(async ({ laptop, phone }) => {
    const id = await filled(laptop);
    await add(laptop, "one");
    await phone.sync();
    await Promise.all([
      fillAlbum(laptop, id, all),
      fillAlbum(phone, id, all),
    ]);
    for (const device of [laptop, phone, laptop, phone]) await device.sync();
    assert.deepEqual(inAlbum(laptop, id), ["one"]);
    assert.deepEqual(inAlbum(phone, id), ["one"]);
  });
});

Deno.test("a device in doubt adds nothing, nor one that may only look", async () => {
  await withCast(async ({ ada, bob }) => {
    const { id } = await ada.albums.create({ title: "Mia" });
    await invite(id, ada, "bob", "viewer");
    await bob.sync();
    await bob.albums.accept(id);
    await add(bob, "of bob");
    assert.equal(await fillAlbum(bob, id, all), 0);
    await ada.albums.invite(id, idOf(bob), "contributor");
    await bob.sync();
    const { trust } = bob;
    // One that does not know yet what is hidden.
    const doubted = {
      ...bob,
      trust: {
        ...trust,
        fresh: true,
        library: "unconfirmed" as const,
        mayMissHidden: true,
      },
    };
    assert.equal(await fillAlbum(doubted, id, all), 0);
    assert.equal(await fillAlbum(bob, id, all), 1);
  });
});

Deno.test("a face far from the others of its person, or that may be none, adds no photo", () => {
  const vector = (value: number) => new Int8Array(128).fill(value);
  const face = (file: string, value: number, sure = 0.95) => ({
    id: `${file}.0`,
    file,
    box: { x: 0, y: 0, width: 1, height: 1 },
    sure,
    group: "00".repeat(8),
    vector: vector(value),
  });
  const faces = [
    ...Array.from({ length: 20 }, (_, at) => face(`near ${at}`, 10)),
    face("far", 22),
    face("blurred", 10, 0.5),
  ];
  const files = sureFiles({ id: "00".repeat(8), faces });
  assert.equal(files.size, 20);
  assert(!files.has("far") && !files.has("blurred"));
});

Deno.test("a rule names photos by people, by place or as new, and of these only those from its day on, in their own time zone", () => {
  const row = (at: string, taken: string, offset: number): Row => ({
    id: crypto.randomUUID(),
    owner: "me",
    head: "",
    seq: 1,
    state: "live",
    at,
    blobs: [],
    epoch: 0,
    chunk_size: 65_536,
    custody: "unverified",
    metadata: {
      name: "a.jpg",
      mime: "image/jpeg",
      size: 1,
      sha256: "00".repeat(32),
      derivatives: [],
      taken_at: taken,
      taken_offset: offset,
    },
  });
  const old = row("2026-07-01T10:00:00Z", "2024-05-31T21:00:00Z", 180);
  const late = row("2026-05-01T10:00:00Z", "2024-05-31T21:00:00Z", 60);
  const wanted = (rule: FillRule, one: Row, of: Partial<FillFacts> = {}) =>
    wantedBy(rule, {
      isOfPersons: () => false,
      placesOf: () => [],
      ...of,
    })(one);
  const lisbon = { placesOf: () => ["PT", "PT Lisbon"] };
  const none = { persons: [] };
  assert(wanted({ ...none, places: ["PT"] }, old, lisbon));
  assert(wanted({ ...none, places: ["ES", "PT Lisbon"] }, old, lisbon));
  assert(!wanted({ ...none, places: ["PT Porto"] }, old, lisbon));
  assert(!wanted({ ...none, places: [] }, old, lisbon));
  assert(wanted({ persons: ["aa"] }, old, { isOfPersons: () => true }));
  // Local midnight has passed for the one, not for the other.
  const from = { places: ["PT"], persons: [], from: "2024-06-01" };
  assert(wanted(from, old, lisbon));
  assert(!wanted(from, late, lisbon));
  const since = { ...none, since: "2026-06-01T00:00:00Z" };
  assert(wanted(since, old));
  assert(!wanted(since, late));
});

Deno.test("everything new is that from now on, or from a chosen day on, until another is chosen", () => {
  const now = Date.parse("2026-06-10T10:00:00Z");
  const later = now + 1_000;
  const since = sinceOf(undefined, undefined, now);
  assert.equal(Date.parse(since), now);
  const rule = { persons: [], since };
  assert.equal(sinceOf(rule, undefined, later), since);
  // Everything of that day, wherever it began first.
  const from = sinceOf(rule, "2026-06-01", later);
  assert.equal(from, "2026-05-31T10:00:00.000Z");
  const dated = { ...rule, since: from, from: "2026-06-01" };
  assert.equal(sinceOf(dated, "2026-06-01", later), from);
  assert.equal(Date.parse(sinceOf(dated, undefined, later)), later);
});

Deno.test("a rule whose day cannot be read is ignored, and its places are bounded", () => {
  const at = "2026-06-01T10:00:00Z";
  const places = Array.from({ length: 101 }, (_, n) => `PT ${n}`);
  const ruled = (value: unknown) => [
    ...fillRules({ "fill-album/x": { value, at } }).values(),
  ];
  assert.deepEqual(ruled({ persons: ["aa"], from: "soon" }), []);
  assert.deepEqual(ruled({ places: 5 }), []);
  const [rule] = ruled({ places, from: "2026-06-01" });
  assert.equal(rule?.places?.length, 100);
  assert.equal(rule?.from, "2026-06-01");
});
