/**
 * What an open library knows of its rows beside their metadata, for a search.
 *
 * @module
 */
import type { PlaceNames } from "../places/place_names.ts";
import type { Library } from "./library.ts";
import type { MoreKnown } from "./search.ts";

/**
 * What an open library knows of its rows, for queries; with names of places
 * where they are there.
 */
export function knownOf(
  { albums, collections, flags, index }: Library,
  now: number,
  names?: PlaceNames,
): MoreKnown {
  const titles = new Map<string, string>();
  for (const { id, title } of albums.list()) {
    titles.set(id, title?.normalize("NFC").toLowerCase() ?? "");
  }
  const of = new Map<string, string>();
  for (const { title, assets } of collections.list()) {
    const lower = title.normalize("NFC").toLowerCase();
    for (const id of assets) of.set(id, `${of.get(id) ?? ""}\n${lower}`);
  }
  // What is found of a photo with copies in albums may be the one in the library.
  const ofCopies = new Map<string, string>();
  for (const { album = "", metadata } of titles.size > 0 ? index.rows() : []) {
    const title = titles.get(album) ?? "";
    if (title === "" || metadata === undefined) continue;
    const known = ofCopies.get(metadata.sha256) ?? "";
    if (!known.split("\n").includes(title)) {
      ofCopies.set(metadata.sha256, `${known}\n${title}`);
    }
  }
  return {
    now: localTimeAt(now),
    isFavourite: (row) => flags.of(row).favourite,
    isHidden: (row) => flags.of(row).hidden,
    told({ id, metadata }) {
      const albums = ofCopies.get(metadata?.sha256 ?? "") ?? "";
      const place = metadata?.place && names?.textOf(metadata.place);
      return `${albums}${of.get(id) ?? ""}${place ? `\n${place}` : ""}`;
    },
  };
}

/** The local time of this device, as if it were UTC (ms). */
function localTimeAt(ms: number): number {
  return ms - new Date(ms).getTimezoneOffset() * 60_000;
}
