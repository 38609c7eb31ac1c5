/**
 * Stacks: photos of one moment that a list shows as one tile. A stack is a
 * burst, or a photo with its raw file. Names tell them as phones and cameras
 * give them; a time alone never does.
 *
 * @module
 */
import { isRawType } from "../../media/raw_types.ts";
import {
  changedAt,
  type LibraryState,
  present,
  type Setting,
} from "../../client/documents/state.ts";
import type { Row } from "../rows/rows.ts";
import { hintsAtBurst } from "./stack_hints.ts";

/** What of a row decides where it belongs. */
type Stackable = Pick<Row, "id" | "owner" | "album" | "metadata">;

/** What a name says of a burst. */
interface Named {
  /** Equal for all of a burst. */
  readonly group: string;
  /** The phone chose it as the best one. */
  readonly isCover: boolean;
}

/** The names of bursts; each has the group, and whether it is the cover. */
const NAMES: readonly RegExp[] = [
  // Google's camera and Sony's: `00001IMG_00001_BURST20190807123456789_COVER`.
  /^.*_(?<group>burst\d{14,20})(?<cover>_cover)?$/,
  // Huawei's and older ones: `IMG_20190807_123456_BURST002`.
  /^(?<group>.+_burst)\d{1,4}(?<cover>_cover)?$/,
  // Pixel: `PXL_20240807_123456789.RAW-02.ORIGINAL`, of several files always.
  /^(?<group>pxl_\d{8}_\d{9}\.[a-z_]+-)\d{1,3}(?:\.mp)?(?:(?<cover>\.cover)|\.original)?$/,
];

/** A name without its ending, and in one case. */
function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return (dot > 0 ? name.slice(0, dot) : name).toLowerCase();
}

/** What a name says of a burst; undefined for any other. */
export function burstOf(name: string): Named | undefined {
  // Nearly all names are others, and there are tens of thousands.
  if (!hintsAtBurst(name)) return undefined;
  const stem = stemOf(name);
  for (const pattern of NAMES) {
    const { group, cover } = pattern.exec(stem)?.groups ?? {};
    if (group !== undefined) return { group, isCover: cover !== undefined };
  }
  return undefined;
}

/** What is known of a row, which never changes. */
interface Known {
  readonly kind: "burst" | "raw" | "photo" | "other";
  readonly isCover: boolean;
  /** When it was taken, without the fraction; empty if it does not say. */
  readonly second: string;
  /** Made when it is first needed. */
  key?: string;
}

const known = new WeakMap<Stackable, Known>();

function knownOf(row: Stackable): Known {
  const held = known.get(row);
  if (held !== undefined) return held;
  const { name = "", mime = "", taken_at: taken } = row.metadata ?? {};
  const burst = mime.startsWith("image/") ? burstOf(name) : undefined;
  const made: Known = {
    kind: burst !== undefined
      ? "burst"
      : isRawType(mime)
      ? "raw"
      : mime.startsWith("image/")
      ? "photo"
      : "other",
    isCover: burst?.isCover ?? false,
    // All are UTC in one form: to read 50,000 of them would take a moment.
    second: taken?.slice(0, "2024-06-30T12:05:06".length) ?? "",
  };
  known.set(row, made);
  return made;
}

/**
 * The same for all rows of a stack, which are of one person, in one album and
 * in one folder. A raw file and its photo were taken in the same second:
 * cameras write the fraction into one of the two only. Undefined for a row that
 * belongs to no stack.
 */
function keyOf(row: Stackable, libraryAlbumId: string): string | undefined {
  const told = knownOf(row);
  if (told.kind === "other") return undefined;
  if (told.key !== undefined) return told.key;
  const { owner, album = libraryAlbumId, metadata } = row;
  const { name = "", path = "" } = metadata ?? {};
  const within = told.kind === "burst"
    ? burstOf(name)?.group
    : told.second === ""
    ? undefined
    : `${stemOf(name)}\n${told.second}`;
  if (within === undefined) return undefined;
  told.key = `${owner}\n${album}\n${path}\n${within}`;
  return told.key;
}

/** A list in which each stack is one tile. */
export interface Stacked<T> {
  /** One of each stack, and all others, in the order of the list. */
  readonly tiles: readonly T[];
  /** By a tile: the others of its stack, in the order of the list. */
  readonly behind: ReadonlyMap<T, readonly T[]>;
}

/**
 * Puts the stacks of a list together. Each is where the one is that stands for
 * it: the phone's choice of a burst, else the earliest; of a photo with its raw
 * file the photo.
 */
export function stacked<T>(
  items: readonly T[],
  rowOf: (item: T) => Stackable,
  libraryAlbumId: string,
): Stacked<T> {
  const groups = new Map<string, T[]>();
  // Most photos have no raw file: what is cheap to compare tells so first.
  const seconds = new Set<string>();
  for (const item of items) {
    const row = rowOf(item);
    const { kind, second } = knownOf(row);
    if (kind !== "raw" && kind !== "burst") continue;
    const key = keyOf(row, libraryAlbumId);
    if (key !== undefined) groups.set(key, []);
    if (kind === "raw") seconds.add(second);
  }
  if (groups.size === 0) return { tiles: items, behind: new Map() };
  for (const item of items) {
    const row = rowOf(item);
    const { kind, second } = knownOf(row);
    if (kind === "photo" && !seconds.has(second)) continue;
    const key = keyOf(row, libraryAlbumId);
    if (key !== undefined) groups.get(key)?.push(item);
  }
  const behind = new Map<T, readonly T[]>();
  const hidden = new Set<T>();
  for (const group of groups.values()) {
    if (!isStack(group.map(rowOf))) continue;
    const cover = coverOf(group, rowOf);
    const others = group.filter((item) => item !== cover);
    behind.set(cover, others);
    for (const item of others) hidden.add(item);
  }
  return { tiles: items.filter((item) => !hidden.has(item)), behind };
}

/** Whether rows with one key are a stack. Raw files alone are not. */
function isStack(rows: readonly Stackable[]): boolean {
  const [first] = rows;
  if (first === undefined || rows.length < 2) return false;
  return knownOf(first).kind === "burst" ||
    (rows.some((row) => knownOf(row).kind === "raw") &&
      rows.some((row) => knownOf(row).kind === "photo"));
}

function coverOf<T>(
  group: readonly T[],
  rowOf: (item: T) => Stackable,
): T {
  const nameOf = (item: T) => rowOf(item).metadata?.name ?? "";
  return group.reduce((best, item) => {
    const by = rank(rowOf(item)) - rank(rowOf(best)) ||
      (nameOf(item) < nameOf(best) ? -1 : 1);
    return by < 0 ? item : best;
  });
}

function rank(row: Stackable): number {
  if (knownOf(row).isCover) return 0;
  return isRawType(row.metadata?.mime ?? "") ? 2 : 1;
}

/** All of a list that are of the same stack as a row, in its order. */
export function stackOf<T>(
  items: readonly T[],
  rowOf: (item: T) => Stackable,
  row: Stackable,
  libraryAlbumId: string,
): readonly T[] {
  const key = keyOf(row, libraryAlbumId);
  return items.filter((item) => {
    const one = rowOf(item);
    return one.id === row.id ||
      (key !== undefined && keyOf(one, libraryAlbumId) === key);
  });
}

const OFF = "stacks-off";

/** Whether a person wants stacks; every device of theirs knows it. */
export function wantsStacks(settings: LibraryState["settings"]): boolean {
  return present(settings)
    .every(([name, { value }]) => name !== OFF || value !== true);
}

/** The settings with stacks on or off. */
export function withStacks(
  settings: LibraryState["settings"],
  isOn: boolean,
  now: number,
): LibraryState["settings"] {
  const entry: Setting = { value: !isOn, at: changedAt(settings[OFF], now) };
  return { ...settings, [OFF]: entry };
}
