import assert from "node:assert/strict";
import {
  emptyState,
  type LibraryState,
  mergeStates,
} from "../../client/documents/state.ts";
import { openFavouriteAlbums } from "./favourite_albums.ts";
import type { SharedState } from "../vault/shared_state.ts";

/** A state of one device, in memory, and how often it was changed. */
function stateInMemory(before: LibraryState = emptyState()) {
  let held = before;
  let changes = 0;
  const state: SharedState = {
    get held() {
      return held;
    },
    get shown() {
      return held;
    },
    fresh: true,
    known: true,
    read: () => Promise.resolve(held),
    change(change) {
      changes++;
      return Promise.resolve(held = change(held));
    },
    note: (change) => state.change(change),
  };
  return { state, changes: () => changes };
}

const idsOf = (albums: readonly { id: string }[]) => albums.map(({ id }) => id);

Deno.test("favourite albums come first, and all others keep their order", async () => {
  const albums = [{ id: "c" }, { id: "a" }, { id: "d" }, { id: "b" }];
  const favourites = openFavouriteAlbums(stateInMemory().state, () => 1_000);
  assert.deepEqual(idsOf(favourites.first(albums)), ["c", "a", "d", "b"]);
  await favourites.change("b", true);
  await favourites.change("a", true);
  assert.deepEqual(idsOf(favourites.first(albums)), ["a", "b", "c", "d"]);
  await favourites.change("a", false);
  assert.deepEqual(idsOf(favourites.first(albums)), ["b", "c", "a", "d"]);
});

Deno.test("another device learns which albums are favourites, and the last word counts even if its clock is behind", async () => {
  const laptop = stateInMemory();
  await openFavouriteAlbums(laptop.state, () => 5_000).change("a", true);
  const phone = stateInMemory(mergeStates(emptyState(), laptop.state.held));
  const onPhone = openFavouriteAlbums(phone.state, () => 1_000);
  assert(onPhone.has("a"));
  await onPhone.change("a", false);
  const both = mergeStates(laptop.state.held, phone.state.held);
  assert(
    !openFavouriteAlbums(stateInMemory(both).state, () => 9_000).has("a"),
  );
});

Deno.test("marking a favourite again changes nothing", async () => {
  const { state, changes } = stateInMemory();
  const favourites = openFavouriteAlbums(state, () => 1_000);
  await favourites.change("a", true);
  await favourites.change("a", true);
  assert.equal(changes(), 1);
});
