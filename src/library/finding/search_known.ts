/**
 * What an open library knows of its rows besides their metadata, for a search.
 *
 * @module
 */
import { plainText } from "../../media/plain_text.ts";
import type { PlaceNames } from "./place_names.ts";
import type { Library } from "../library.ts";
import { Vocabulary } from "../base/mistyped.ts";
import type { Row } from "../rows/rows.ts";
import type { MoreKnown } from "./search.ts";

/** Who is in photos, as far as they have names. */
interface PeopleInPhotos {
  readonly names: readonly string[];
  /** Those in a photo, one a line, as `plainText` has them. */
  readonly of: (row: Row) => string;
}

/**
 * What an open library knows of its rows, for queries; with names of places and
 * of people in photos where they are there.
 */
export function knownOf(
  library: Library,
  now: number,
  names?: PlaceNames,
  inPhotos?: PeopleInPhotos,
): MoreKnown {
  const { albums, collections, flags, index } = library;
  const titles = new Map<string, string>();
  for (const { id, title } of albums.list()) {
    titles.set(id, plainText(title ?? ""));
  }
  const owners = new Map(
    [...contributorsOf(library)].map(([id, name]) =>
      [id, plainText(name)] as const
    ),
  );
  const of = new Map<string, string>();
  for (const { title, assets } of collections.list()) {
    const lower = plainText(title);
    for (const id of assets) of.set(id, `${of.get(id) ?? ""}\n${lower}`);
  }
  // What is found of a photo with copies in albums may be the one in the
  // library.
  const ofCopies = new Map<string, string>();
  for (const { album = "", metadata } of titles.size > 0 ? index.rows() : []) {
    const title = titles.get(album) ?? "";
    if (title === "" || metadata === undefined) continue;
    const known = ofCopies.get(metadata.sha256) ?? "";
    if (!known.split("\n").includes(title)) {
      ofCopies.set(metadata.sha256, `${known}\n${title}`);
    }
  }
  const together = joiner();
  return {
    now: localTimeAt(now),
    vocabulary: vocabularyOf(index),
    people: new Set(
      [...owners.values(), ...(inPhotos?.names.map(plainText) ?? [])]
        .flatMap((name) => name.split(/\s+/)).filter((word) => word !== ""),
    ),
    ...(names === undefined
      ? {}
      : { around: (name) => names.gazetteer.around(name) }),
    isFavourite: (row) => flags.of(row).favourite,
    isHidden: (row) => flags.of(row).hidden,
    isArchived: (row) => flags.of(row).archived,
    told(row) {
      const { id, metadata, owner } = row;
      const own = of.get(id) ?? "";
      const albums = ofCopies.get(metadata?.sha256 ?? "") ?? "";
      const place = metadata?.place && names?.textOf(metadata.place);
      const added = owners.get(owner) ?? "";
      const seen = inPhotos?.of(row) ?? "";
      const name = added === "" || seen === ""
        ? added + seen
        : `${added}\n${seen}`;
      return together(`${albums}${own}`, place ?? "", name);
    },
  };
}

/**
 * Joins texts as lines, the same ones to the same string: a search asks it of
 * each row, and looks up what it knows of the text.
 */
function joiner(): (albums: string, place: string, name: string) => string {
  const held = new Map<string, Map<string, string>>();
  return (albums, place, name) => {
    const first = name === "" ? albums : `${albums}\n${name}`;
    if (place === "") return first;
    let of = held.get(first);
    if (of === undefined) {
      of = new Map();
      held.set(first, of);
    }
    let all = of.get(place);
    if (all === undefined) {
      all = `${first}\n${place}`;
      of.set(place, all);
    }
    return all;
  };
}

/**
 * What other people who have photos here are called, by their ids: by the
 * account itself, or else by the owners of the albums.
 */
export function contributorsOf(
  { albums, index, people, vault }: Library,
): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (const { info } of albums.list()) {
    for (const [member, name] of Object.entries(info?.names ?? {})) {
      members.set(member, name);
    }
  }
  const found = new Map<string, string>();
  const seen = new Set([vault.session.userId]);
  for (const { owner } of index.rows()) {
    if (seen.has(owner)) continue;
    seen.add(owner);
    const name = people.nameOf(owner) || members.get(owner);
    if (name) found.set(owner, name);
  }
  return found;
}

/**
 * The words of a library from the searches before. Those of deleted photos stay
 * until it is opened again: they find nothing.
 */
export function vocabularyOf(index: Library["index"]): Vocabulary {
  let words = held.get(index);
  if (words === undefined) {
    words = new Vocabulary();
    held.set(index, words);
  }
  return words;
}
const held = new WeakMap<Library["index"], Vocabulary>();

/** The local time of this device, as if it were UTC (ms). */
function localTimeAt(ms: number): number {
  return ms - new Date(ms).getTimezoneOffset() * 60_000;
}
