/**
 * The places of albums and private collections that a person sorts by hand.
 * Each has its own setting in the account's state
 * (protocol/client-cryptography.md#state-slots), so two devices that move
 * different albums at the same time both keep their moves. Places are numbers
 * of any size, and most moves change only one of them.
 *
 * @module
 */
import { changedAt, type LibraryState } from "../../client/documents/state.ts";
import { inAlbumOrder, type Sorted } from "./album_order.ts";
import type { SharedState } from "../vault/shared_state.ts";

type Settings = LibraryState["settings"];

/** An album or a collection that has a place. */
export interface Placed extends Sorted {
  readonly id: string;
}

/** Where an album is to be: directly before or after another. */
export type Beside =
  | { readonly before: string }
  | { readonly after: string };

const SETTING = "album-place/";

/**
 * The place of an album or a collection; undefined for one that no one moved
 * and that is newer than the order.
 */
export function albumPlaceIn(
  settings: Settings,
  id: string,
): number | undefined {
  const said = settings[`${SETTING}${id}`];
  const value = said?.removed === true ? undefined : said?.value;
  return typeof value === "number" && Number.isFinite(value)
    ? value
    : undefined;
}

/**
 * The settings with a place for each album, in the order given, so that sorting
 * by hand begins with what the person saw. Unchanged if one has a place
 * already.
 */
export function withFirstPlaces(
  settings: Settings,
  ids: readonly string[],
  now: number,
): Settings {
  return ids.some((id) => albumPlaceIn(settings, id) !== undefined)
    ? settings
    : withPlaces(settings, ids.map((id, at) => [id, at]), now);
}

/**
 * The settings after a move. `albums` are all that there are, in any order; a
 * move next to itself, or next to an album that is not there, changes nothing.
 */
export function withAlbumMoved(
  settings: Settings,
  albums: readonly Placed[],
  id: string,
  beside: Beside,
  now: number,
): Settings {
  const before = inAlbumOrder(
    albums.map((album) => ({
      ...album,
      place: albumPlaceIn(settings, album.id),
    })),
    "hand",
  ).map((album) => album.id);
  const ids = idsAfter(before, id, beside);
  if (ids === undefined) return settings;
  return withPlaces(settings, placesFor(settings, ids, id), now);
}

/** Gives an album the place of the collection that it was made of, if any. */
export async function keepAlbumPlace(
  state: SharedState,
  collectionId: string,
  albumId: string,
  now: number,
): Promise<void> {
  const place = albumPlaceIn(state.held.settings, collectionId);
  if (place === undefined) return;
  await state.change((held) => ({
    ...held,
    settings: withPlaces(held.settings, [[albumId, place]], now),
  }));
}

/** A list with one of its items elsewhere; undefined if nothing changes. */
export function idsAfter(
  ids: readonly string[],
  id: string,
  beside: Beside,
): readonly string[] | undefined {
  const others = ids.filter((one) => one !== id);
  const isBefore = "before" in beside;
  const at = others.indexOf(isBefore ? beside.before : beside.after);
  if (at === -1 || others.length === ids.length) return undefined;
  const moved = others.toSpliced(isBefore ? at : at + 1, 0, id);
  return moved.every((one, index) => one === ids[index]) ? undefined : moved;
}

/** The places that make `ids` the order, after `id` was moved in it. */
function placesFor(
  settings: Settings,
  ids: readonly string[],
  id: string,
): readonly (readonly [id: string, place: number])[] {
  const at = ids.indexOf(id);
  const placeAt = (index: number) => {
    const one = ids[index];
    return one === undefined ? undefined : albumPlaceIn(settings, one);
  };
  // Albums without a place come first: those after the moved one need theirs.
  let next = at + 1;
  while (next < ids.length && placeAt(next) === undefined) next++;
  const [low, high] = [placeAt(at - 1), placeAt(next)];
  const run = ids.slice(at, next);
  const places = low === undefined
    ? run.map((_, index) => (high ?? 0) - (run.length - index))
    : high === undefined
    ? run.map((_, index) => low + index + 1)
    : run.map((_, index) =>
      low + (high - low) * ((index + 1) / (run.length + 1))
    );
  const line = [low ?? -Infinity, ...places, high ?? Infinity];
  const isRising = line.every((place, index) =>
    index === 0 || place > (line[index - 1] ?? NaN)
  );
  // Between two numbers that are nearly equal there is no room for another.
  return isRising
    ? run.map((one, index) => [one, places[index] ?? 0])
    : ids.map((one, index) => [one, index]);
}

function withPlaces(
  settings: Settings,
  places: readonly (readonly [id: string, place: number])[],
  now: number,
): Settings {
  const entries = places
    .filter(([id, place]) => albumPlaceIn(settings, id) !== place)
    .map(([id, value]) => {
      const name = `${SETTING}${id}`;
      return [name, { value, at: changedAt(settings[name], now) }] as const;
    });
  return entries.length === 0
    ? settings
    : { ...settings, ...Object.fromEntries(entries) };
}
