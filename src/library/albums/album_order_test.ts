import assert from "node:assert/strict";
import { emptyState, mergeStates } from "../../client/documents/state.ts";
import {
  type AlbumOrder,
  albumOrderIn,
  inAlbumOrder,
  inFolder,
  partsOfTitle,
  type Sorted,
  withAlbumOrder,
} from "./album_order.ts";

const album = (
  title: string,
  changed: number,
  from?: number,
  until?: number,
): Sorted => ({
  title,
  changed,
  count: title === "Empty" ? 0 : 1,
  taken: { from, until },
});

const ALBUMS = [
  album("Trip 10", 3, 100, 200),
  album("Trip 9", 1, 50, 900),
  album("Undated", 2),
  album("Ämter", 5, 400, 500),
  album("Empty", 0),
];

Deno.test("albums are sorted by name, by their photos or by their last change", () => {
  const of = (order: AlbumOrder) =>
    inAlbumOrder(ALBUMS, order).map(({ title }) => title);
  assert.deepEqual(of("name"), [
    "Ämter",
    "Empty",
    "Trip 9",
    "Trip 10",
    "Undated",
  ]);
  // What nothing is in yet was made just now.
  assert.deepEqual(of("changed"), [
    "Empty",
    "Ämter",
    "Trip 10",
    "Undated",
    "Trip 9",
  ]);
  assert.deepEqual(of("newest"), [
    "Empty",
    "Trip 9",
    "Ämter",
    "Trip 10",
    "Undated",
  ]);
  assert.deepEqual(of("oldest"), [
    "Empty",
    "Trip 9",
    "Trip 10",
    "Ämter",
    "Undated",
  ]);
});

Deno.test("favourites come before all others, in the chosen order, and so do their folders", () => {
  const albums = ["Berlin", "Trips / Rome", "Empty", "Alps", "Trips / Ghent"]
    .map((title, at) => ({
      ...album(title, at),
      favourite: ["Trips / Rome", "Berlin"].includes(title),
    }));
  const of = (order: AlbumOrder) =>
    inAlbumOrder(albums, order).map(({ title }) => title);
  assert.deepEqual(of("name"), [
    "Berlin",
    "Trips / Rome",
    "Alps",
    "Empty",
    "Trips / Ghent",
  ]);
  assert.deepEqual(of("changed"), [
    "Trips / Rome",
    "Berlin",
    "Empty",
    "Trips / Ghent",
    "Alps",
  ]);
  // By hand, a person puts favourites where they want them.
  const placed = albums.map((one, place) => ({ ...one, place }));
  assert.deepEqual(
    inAlbumOrder(placed, "hand").map(({ title }) => title),
    albums.map(({ title }) => title),
  );
  const { direct } = inFolder(inAlbumOrder(albums, "name"), ["Trips"]);
  assert.deepEqual(direct.map(({ title }) => title), [
    "Trips / Rome",
    "Trips / Ghent",
  ]);
  const more = [...albums, album("Attic / Boxes", 9)];
  const { folders } = inFolder(inAlbumOrder(more, "name"), []);
  assert.deepEqual(folders.map(({ name }) => name), ["Trips", "Attic"]);
});

Deno.test("the order that was chosen last is the one on every device", () => {
  const none = emptyState();
  assert.equal(albumOrderIn(none.settings), "changed");
  const phone = {
    ...none,
    settings: withAlbumOrder(none.settings, "name", 1_000),
  };
  const laptop = {
    ...none,
    settings: withAlbumOrder(none.settings, "oldest", 2_000),
  };
  const both = mergeStates(phone, laptop);
  assert.equal(albumOrderIn(both.settings), "oldest");
  // An order of a newer program is not known here.
  const odd = {
    "album-order": { value: "by-hand", at: "2026-01-01T00:00:00Z" },
  };
  assert.equal(albumOrderIn(odd), "changed");
});

Deno.test("a slash between spaces makes a folder, and no other does", () => {
  const cases: readonly [string, readonly string[]][] = [
    ["Trips / Italy", ["Trips", "Italy"]],
    ["Trips /  Italy / Como", ["Trips", "Italy", "Como"]],
    ["AC/DC", ["AC/DC"]],
    ["24/12", ["24/12"]],
    [" / Italy", ["Italy"]],
    [" / ", ["/"]],
    ["", [""]],
  ];
  for (const [title, parts] of cases) {
    const found = partsOfTitle(title);
    assert.deepEqual(found, parts, title);
  }
});

Deno.test("folders have what their albums' titles say, in the order of the albums", () => {
  const albums = ["Trips / Rome", "Cats", "Trips", "Trips / Alps / 2024"]
    .map((title) => ({ title }));
  const titles = (path: readonly string[]) => {
    const { folders, direct } = inFolder(albums, path);
    return [
      folders.map(({ name, all }) => `${name} (${all.length})`),
      direct.map(({ title }) => title),
    ];
  };
  assert.deepEqual(titles([]), [["Trips (2)"], ["Cats", "Trips"]]);
  assert.deepEqual(titles(["Trips"]), [["Alps (1)"], ["Trips / Rome"]]);
  assert.deepEqual(titles(["Trips", "Alps"]), [[], ["Trips / Alps / 2024"]]);
  assert.deepEqual(titles(["Nowhere"]), [[], []]);
});
