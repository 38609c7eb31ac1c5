/**
 * Lists of photos on the page: their columns, their addresses, and following
 * the library's changes.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { toHex } from "../../core/bytes.ts";
import {
  type Flag,
  FLAGS,
  HASH_STRIDE,
  type ListColumns,
  type ListSource,
  type Noun,
  nounOf,
  PHOTO_KINDS,
  type PhotoKind,
} from "../workers/library/photo_lists.ts";
import { picturesCame } from "./first_pictures.ts";
import { dayOf } from "./grid/days.ts";
import { paced } from "./latest_call.ts";
import { href, type Route } from "./routes.ts";
import { revision, vault } from "./vault.ts";

export type {
  ListSource,
  Noun,
  PhotoInfo,
  PhotoKind,
} from "../workers/library/photo_lists.ts";

const MANY = 64;
/** Bytes from which on photos share a heading in the list of the largest. */
const SIZE_STEPS = [2 ** 30, 100 * 2 ** 20, 10 * 2 ** 20, 2 ** 20, 0];

/** The photos of a list, in its order. */
export class PhotoList {
  #places: Map<string, number> | undefined;
  #asked = 0;
  #held: Map<number, readonly string[]> | undefined;
  #tiles: Map<string, number> | undefined;

  constructor(readonly columns: ListColumns) {}

  get length(): number {
    return this.columns.count;
  }

  /** The id of the photo at a position; throws a RangeError past the end. */
  idAt(at: number): string {
    if (at < 0 || at >= this.length) throw new RangeError(`no photo ${at}`);
    return idIn(this.columns.ids, at);
  }

  /** Number of photos behind the one at a position, in its stack. */
  behindAt(at: number): number {
    return this.columns.stack[at] ?? 0;
  }

  /** The ids of photos from a position on, each with those behind it. */
  wholeIds(from = 0, to = this.length): string[] {
    const ids: string[] = [];
    for (let at = from; at < to; at++) {
      ids.push(this.idAt(at), ...this.#stacks.get(at) ?? []);
    }
    return ids;
  }

  /** The position of a photo, or of the one that it is behind; -1 if neither. */
  tileOf(id: string): number {
    const at = this.indexOf(id);
    if (at >= 0) return at;
    if (this.#tiles === undefined) {
      this.#tiles = new Map();
      for (const [tile, ids] of this.#stacks) {
        for (const one of ids) this.#tiles.set(one, tile);
      }
    }
    return this.#tiles.get(id) ?? -1;
  }

  /** The ids of those behind others, by the positions of these. */
  get #stacks(): ReadonlyMap<number, readonly string[]> {
    if (this.#held === undefined) {
      this.#held = new Map();
      let next = 0;
      for (const [at, n] of this.columns.stack.entries()) {
        if (n === 0) continue;
        const { behind } = this.columns;
        this.#held.set(
          at,
          Array.from({ length: n }, () => idIn(behind, next++)),
        );
      }
    }
    return this.#held;
  }

  /** The position of a photo; -1 if it is not in the list. */
  indexOf(id: string): number {
    // For a few lookups, scanning the bytes is cheaper than building a map.
    if (this.#places === undefined && ++this.#asked > MANY) {
      this.#places = new Map();
      for (let at = 0; at < this.length; at++) {
        this.#places.set(this.idAt(at), at);
      }
    }
    if (this.#places !== undefined) return this.#places.get(id) ?? -1;
    const { ids } = this.columns;
    const hex = id.replaceAll("-", "");
    const bytes = Array.from(
      { length: 16 },
      (_, i) => Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16),
    );
    const [first] = bytes;
    for (let at = 0; at < ids.length; at += 16) {
      if (ids[at] !== first) continue;
      if (bytes.every((byte, i) => ids[at + i] === byte)) return at / 16;
    }
    return -1;
  }

  /** The local time at which it was taken, as if it were UTC (ms). */
  takenAt(at: number): number {
    return this.columns.taken[at] ?? 0;
  }

  /** Its bytes, in the list of the largest. */
  sizeAt(at: number): number | undefined {
    return this.columns.sizes[at];
  }

  /**
   * The days since 1970 under which it is shown; in the list of the largest, a
   * number for all of about its size, each of a year of its own.
   */
  dayAt(at: number): number {
    const size = this.sizeAt(at);
    return size === undefined
      ? dayOf(this.takenAt(at))
      : 400 * (SIZE_STEPS.findIndex((step) => size >= step) + 1);
  }

  /** Width by height. */
  ratioAt(at: number): number {
    return this.columns.ratio[at] ?? 1;
  }

  kindAt(at: number): PhotoKind {
    return PHOTO_KINDS[this.columns.kind[at] ?? 0] ?? "photo";
  }

  /** What photos of it are counted as; without ids, all of them. */
  noun(ids?: readonly string[]): Noun {
    const kinds = ids === undefined
      ? this.columns.kind
      : ids.map((id) => this.columns.kind[this.tileOf(id)] ?? 0);
    return nounOf(
      [...new Set(kinds)].map((kind) => PHOTO_KINDS[kind] ?? "file"),
    );
  }

  is(at: number, flag: Flag): boolean {
    return ((this.columns.flags[at] ?? 0) & FLAGS[flag]) !== 0;
  }

  /** Duration of a video (ms); 0 if it has none. */
  durationAt(at: number): number {
    return this.columns.duration[at] ?? 0;
  }

  /**
   * The name of whoever added a photo of someone else, empty if it is not known;
   * undefined for one's own, and where the list is not to tell.
   */
  whoseAt(at: number): string | undefined {
    const { owners, whose } = this.columns;
    return owners[(whose[at] ?? 0) - 1];
  }

  /** Its thumbhash, if it has one. */
  hashAt(at: number): Uint8Array | undefined {
    const { hashes } = this.columns;
    const start = at * HASH_STRIDE;
    const length = hashes[start] ?? 0;
    if (length === 0) return undefined;
    return hashes.subarray(start + 1, start + 1 + length);
  }

  /**
   * For a photo in the trash: when it is deleted for ever, if that is known.
   */
  endAt(at: number): number | undefined {
    const end = this.columns.ends[at];
    return end === undefined || Number.isNaN(end) ? undefined : end;
  }
}

function idIn(ids: Uint8Array, at: number): string {
  const hex = toHex(ids.subarray(at * 16, at * 16 + 16));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${
    hex.slice(16, 20)
  }-${hex.slice(20)}`;
}

/** Where a press on the photo at a position leads: a stack opens first. */
export function hrefAt(
  list: PhotoList,
  source: ListSource,
  at: number,
): string {
  const id = list.idAt(at);
  return list.behindAt(at) > 0
    ? listHref({ kind: "stack", id, from: listHref(source).slice(1) })
    : listHref(source, id);
}

/** The list of a route; undefined if the route is not of a list. */
export function sourceOf({ path, query }: Route): ListSource | undefined {
  const [kind, id] = path;
  switch (kind) {
    case undefined:
    case "photos":
      return { kind: "library", withOthers: true };
    case "favourites":
    case "archive":
    case "hidden":
    case "largest":
    case "recent":
    case "trash":
      return { kind };
    case "album":
    case "collection":
    case "abroad":
    case "memory":
    case "person":
      return id === undefined ? undefined : { kind, id };
    case "stack": {
      const from = query.get("from");
      if (id === undefined) return undefined;
      return from === null ? { kind, id } : { kind, id, from };
    }
    case "search":
      return { kind, q: query.get("q") ?? "" };
    case "area": {
      const album = query.get("album");
      const bounds = id ?? "";
      return album === null ? { kind, bounds } : { kind, bounds, album };
    }
    default:
      return undefined;
  }
}

/** The photo that a route shows large: `#/album/…/photo/<id>`. */
export function photoOf({ path }: Route): string | undefined {
  const at = path.indexOf("photo");
  return at < 0 ? undefined : path[at + 1];
}

/** The address of a list, and of a photo in it. */
export function listHref(source: ListSource, photoId?: string): string {
  const photo = photoId === undefined ? [] : ["photo", photoId];
  switch (source.kind) {
    case "library":
      return href("photos", ...photo);
    case "album":
    case "collection":
    case "abroad":
    case "memory":
    case "person":
      return href(source.kind, source.id, ...photo);
    case "stack": {
      const { kind, id, from } = source;
      const to = href(kind, id, ...photo);
      return from === undefined ? to : `${to}?${new URLSearchParams({ from })}`;
    }
    case "search":
      return `${href(source.kind, ...photo)}?${new URLSearchParams({
        q: source.q,
      })}`;
    case "area": {
      const { album } = source;
      const to = href("area", source.bounds, ...photo);
      return album === undefined
        ? to
        : `${to}?${new URLSearchParams({ album })}`;
    }
    default:
      return href(source.kind, ...photo);
  }
}

/**
 * The photos of a list, updated with the library; undefined until they are
 * loaded.
 */
export function useList(source: ListSource): PhotoList | undefined {
  const [list, setList] = useState<PhotoList>();
  const held = useRef<{ key: string; revision?: number }>({ key: "" });
  const looking = useRef(() => {});
  const withOthers = source.kind === "library" && source.withOthers === true;
  const key = `${listHref(source)}${withOthers ? "+" : ""}`;
  const seen = revision.value;
  useEffect(() => {
    let gone = false;
    held.current = { key };
    looking.current = paced(async () => {
      if (gone) return;
      const columns = await vault().photos.list(source, held.current.revision);
      if (gone || columns === undefined) return;
      if (columns.count === 0) picturesCame();
      held.current = { key, revision: columns.revision };
      setList(new PhotoList(columns));
    });
    return () => {
      gone = true;
    };
  }, [key]);
  // What changes while it is being looked at is looked at afterwards, too.
  useEffect(() => looking.current(), [key, seen]);
  return held.current.key === key && held.current.revision !== undefined
    ? list
    : undefined;
}
