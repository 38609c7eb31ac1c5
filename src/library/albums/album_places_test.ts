import assert from "node:assert/strict";
import {
  emptyState,
  type LibraryState,
  mergeStates,
} from "../../client/documents/state.ts";
import { inAlbumOrder } from "./album_order.ts";
import {
  albumPlaceIn,
  idsAfter,
  type Placed,
  withAlbumMoved,
  withFirstPlaces,
} from "./album_places.ts";

type Settings = LibraryState["settings"];
const NONE: Settings = {};

/** Albums of which the first one was changed last. */
const ALBUMS = albumsOf("abcdef");

function albumsOf(letters: string): readonly Placed[] {
  return [...letters].map((id, at) => ({
    id,
    title: id,
    count: 1,
    changed: 100 - at,
    taken: {},
    favourite: id === "e",
  }));
}

function shown(settings: Settings, albums = ALBUMS): string {
  const placed = albums.map((album) => ({
    ...album,
    place: albumPlaceIn(settings, album.id),
  }));
  return inAlbumOrder(placed, "hand").map(({ id }) => id).join("");
}

Deno.test("sorting by hand begins with what was seen, and a move goes exactly where it was put", () => {
  const first = withFirstPlaces(NONE, [..."fdbaec"], 1);
  assert.equal(shown(first), "fdbaec");
  assert.equal(withFirstPlaces(first, [..."abcdef"], 2), first);
  const moves: readonly [string, Parameters<typeof idsAfter>[2], string][] = [
    ["c", { before: "f" }, "cfdbae"],
    ["c", { after: "e" }, "fdbaec"],
    ["a", { before: "d" }, "fadbec"],
    ["f", { after: "b" }, "adbfec"],
    ["e", { before: "a" }, "eadbfc"],
  ];
  let settings = first;
  for (const [id, beside, want] of moves) {
    settings = withAlbumMoved(settings, ALBUMS, id, beside, 3);
    assert.equal(shown(settings), want);
  }
  // What goes nowhere changes nothing, and costs no request's worth of state.
  for (
    const [id, beside] of [
      ["c", { after: "f" }],
      ["c", { after: "c" }],
      ["c", { before: "gone" }],
      ["gone", { before: "c" }],
    ] as const
  ) {
    assert.equal(
      withAlbumMoved(settings, ALBUMS, id, beside, 4),
      settings,
    );
  }
});

Deno.test("any album can be moved next to any other, whichever of them have places", () => {
  // Those with a place in every possible mixture.
  for (let mixture = 0; mixture < 2 ** ALBUMS.length; mixture++) {
    const some = ALBUMS.filter((_, at) => mixture & (1 << at));
    const start = withFirstPlaces(NONE, some.map(({ id }) => id).reverse(), 1);
    const before = [...shown(start)];
    for (const { id } of ALBUMS) {
      for (const other of before) {
        for (const beside of [{ before: other }, { after: other }]) {
          const want = (idsAfter(before, id, beside) ?? before).join("");
          const moved = withAlbumMoved(start, ALBUMS, id, beside, 2);
          assert.equal(shown(moved), want);
        }
      }
    }
  }
});

Deno.test("a new album comes first until it is moved, and takes no place from others", () => {
  const placed = withFirstPlaces(NONE, [..."cba"], 1);
  assert.equal(shown(placed), "defcba");
  const moved = withAlbumMoved(placed, ALBUMS, "e", { after: "b" }, 2);
  assert.equal(shown(moved), "dfcbea");
  const changed = Object.keys(moved).filter((name) =>
    moved[name] !== placed[name]
  );
  assert.deepEqual(changed, ["album-place/e"]);
});

Deno.test("moves between the same two albums never run out of room", () => {
  let settings = withFirstPlaces(NONE, [..."afebcd"], 1);
  for (let at = 0; at < 500; at++) {
    const [id, other] = at % 2 === 0 ? ["e", "f"] : ["f", "e"];
    settings = withAlbumMoved(settings, ALBUMS, id, { after: "a" }, at);
    assert.equal(shown(settings), `a${id}${other}bcd`, `${at}`);
  }
});

Deno.test("two devices that move different albums both keep their moves", () => {
  const start = withFirstPlaces(NONE, [..."abcdef"], 1);
  const state = (settings: Settings) => ({ ...emptyState(), settings });
  const phone = withAlbumMoved(start, ALBUMS, "f", { before: "a" }, 1_000);
  const laptop = withAlbumMoved(start, ALBUMS, "b", { after: "d" }, 2_000);
  const both = mergeStates(state(phone), state(laptop));
  assert.equal(shown(both.settings), "facdbe");
  assert.deepEqual(mergeStates(state(laptop), state(phone)), both);
  // Two that they put into the same gap are between the same two, in one order.
  const here = withAlbumMoved(start, ALBUMS, "f", { after: "a" }, 1_000);
  const there = withAlbumMoved(start, ALBUMS, "e", { after: "a" }, 1_000);
  const merged = mergeStates(state(here), state(there)).settings;
  assert.equal(shown(merged), "aefbcd");
  assert.equal(
    shown(withAlbumMoved(merged, ALBUMS, "c", { after: "e" }, 2_000)),
    "aecfbd",
  );
});

Deno.test("a place that is no number is ignored", () => {
  const at = "2026-01-01T00:00:00Z";
  for (const value of ["1", null, NaN, Infinity, [], {}, undefined, true]) {
    const settings = { "album-place/a": { value, at } };
    assert.equal(albumPlaceIn(settings, "a"), undefined);
  }
  assert.equal(
    albumPlaceIn({ "album-place/a": { value: 1, at, removed: true } }, "a"),
    undefined,
  );
  // Numbers that leave no room next to them are renewed.
  const far = {
    "album-place/a": { value: -Number.MAX_VALUE, at },
    "album-place/b": { value: Number.MAX_VALUE, at },
  };
  const two = albumsOf("abc");
  assert.equal(shown(far, two), "cab");
  for (const other of ["a", "b"]) {
    const moved = withAlbumMoved(far, two, "c", { after: other }, 2_000);
    assert.equal(shown(moved, two), other === "a" ? "acb" : "abc");
  }
});
