/**
 * Shared albums whose photos a person sees in the timeline, together with their
 * own. The choice is a setting in the account's state
 * (protocol/client-cryptography.md#state-slots), so all devices of the account
 * follow it and no other member of the album knows it.
 *
 * @module
 */
import {
  changedAt,
  type LibraryState,
  present,
} from "../../client/documents/state.ts";
import type { Library } from "../library.ts";
import { isShown, type Row } from "../rows/rows.ts";
import { IN_TIMELINE } from "../vault/shared_state.ts";

type Settings = LibraryState["settings"];

/** The ids of the albums that the timeline shows, too. */
export function timelineAlbums(settings: Settings): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [name, { value }] of present(settings)) {
    if (name.startsWith(IN_TIMELINE) && value === true) {
      ids.add(name.slice(IN_TIMELINE.length));
    }
  }
  return ids;
}

/** The settings with an album in the timeline, or no longer. */
export function withTimelineAlbum(
  settings: Settings,
  albumId: string,
  isIn: boolean,
  now: number,
): Settings {
  const name = `${IN_TIMELINE}${albumId}`;
  if ((settings[name]?.value === true) === isIn) return settings;
  const at = changedAt(settings[name], now);
  return { ...settings, [name]: { value: isIn ? true : null, at } };
}

/**
 * Makes the test whether one timeline shows another person's photo: each
 * person's once, and not where this account has the same file itself, hidden or
 * not. Rows have to be asked about in the timeline's order.
 */
export function othersIn(
  { albums, index, people, state, vault }: Pick<
    Library,
    "albums" | "index" | "people" | "state" | "vault"
  >,
): (row: Row) => boolean {
  const { userId } = vault.session;
  const chosen = timelineAlbums(state.held.settings);
  const isChosen = new Set(
    [...chosen].filter((id) => albums.get(id)?.tombstoned === false),
  );
  const shown = new Set<string>();
  return (row) => {
    const { album, metadata, owner } = row;
    if (owner === userId || !isShown(row)) return false;
    if (!isChosen.has(album ?? "") || people.isBlocked(owner)) return false;
    const sha256 = metadata?.sha256 ?? "";
    const isOwn = index.allByPlaintext(sha256).some((one) =>
      one.owner === userId && one.state === "live"
    );
    // The hash is its owner's word, and hides no one else's photo.
    const file = `${owner} ${sha256}`;
    if (isOwn || shown.has(file)) return false;
    shown.add(file);
    return true;
  };
}
