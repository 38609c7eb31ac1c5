/**
 * The library in columns: a place for each row, which is updated when the row
 * changes, and the places in the order of the timeline. Lists are made from
 * this table.
 *
 * @module
 */
import { fromHex } from "../../../core/bytes.ts";
import {
  compareNewest,
  CUSTODY_STATES,
  isApart,
  type Row,
  takenAt,
} from "../../../library/rows/rows.ts";
import { isTooLarge } from "../../../media/exif/extent.ts";
import { MOST_ITSELF_BYTES } from "../../../library/adding/drawn_itself.ts";
import { hasVideo, isSphere } from "../../../library/rows/embedded_media.ts";
import type { PhotoFlags } from "../../../library/showing/flags.ts";
import { hintsAtStack } from "../../../library/showing/stack_hints.ts";
import { isScreenshotName } from "../../../library/showing/screenshots.ts";
import {
  FLAGS,
  HASH_STRIDE,
  kindOfMime,
  type ListColumns,
  type Noun,
  nounOf,
  PHOTO_KINDS,
  type PhotoKind,
} from "./photo_lists.ts";

/** The owners of photos of others in a list. */
export interface Whose {
  /** Their names as far as they are known; empty for others. */
  readonly names: readonly string[];
  /** The place of a row's owner among the names, from 1; 0 for one's own. */
  readonly of: (row: Row) => number;
}

/** What the table needs besides the rows. */
export interface TableOptions {
  readonly userId: string;
  readonly thoughtOf: (row: Row) => ReturnType<PhotoFlags["of"]>;
}

const NO_EXTENT = 1;
const DRAWN = /^image\/(jpeg|png|webp|gif|avif|bmp)$/;

/** A row with its flags. */
export type Flagged = readonly [row: Row, flags: number];

/** The kind of a row. */
export function kindOf({ metadata }: Row): PhotoKind {
  const kind = kindOfMime(metadata?.mime ?? "");
  if (kind !== "photo" || metadata === undefined) return kind;
  if (hasVideo(metadata)) return "live";
  return isSphere(metadata) ? "sphere" : kind;
}

/** What rows are counted as together. */
export function nounOfRows(rows: readonly Row[]): Noun {
  return nounOf(rows.map(kindOf));
}

/** The blob that a tile shows; undefined if there is no small one. */
export function pictureOf(row: Row): "thumbnail" | "original" | undefined {
  const { metadata } = row;
  if (metadata === undefined) return undefined;
  const { derivatives, mime, size } = metadata;
  if (derivatives.some(({ kind }) => kind === "thumbnail")) return "thumbnail";
  return DRAWN.test(mime) && size <= MOST_ITSELF_BYTES ? "original" : undefined;
}

/** Whether a row is a screenshot, judged by its name and folder. */
function isScreenshot({ metadata }: Row): boolean {
  return metadata !== undefined &&
    isScreenshotName(`${metadata.path ?? ""}/${metadata.name}`);
}

/** The flags of a row. */
export function flagsOf(
  row: Row,
  { userId, thoughtOf }: TableOptions,
): number {
  const { metadata } = row;
  const { favourite, hidden, archived } = thoughtOf(row);
  const has = (flag: keyof typeof FLAGS, is: boolean) => is ? FLAGS[flag] : 0;
  return has("favourite", favourite) |
    has("hidden", hidden) |
    has("archived", archived) |
    has("mine", row.owner === userId) |
    has("picture", pictureOf(row) !== undefined) |
    has("screenshot", isScreenshot(row)) |
    has("extent", metadata?.width !== undefined);
}

/** The rows of a library as columns. */
export class PhotoTable {
  /** For each place: the row, and the time to sort by. */
  #rows: (Row | undefined)[] = [];
  #taken = new Float64Array(1_024);
  #flags = new Uint8Array(1_024);
  readonly #placeOf = new Map<string, number>();
  readonly #free: number[] = [];
  /** The places, newest photos first. */
  #order = new Uint32Array(0);
  readonly #changed = new Set<string>();
  #hintsAtStacks = false;

  constructor(
    readonly get: (assetId: string) => Row | undefined,
    readonly options: TableOptions,
  ) {}

  /**
   * Notes that a row was put or removed; the next list takes that into account.
   */
  touch(assetId: string): void {
    this.#changed.add(assetId);
  }

  /** Whether any row was here that may make a stack. */
  get hintsAtStacks(): boolean {
    this.#settle();
    return this.#hintsAtStacks;
  }

  /** The flags of a row. */
  flagsOf(assetId: string): number {
    return this.#flags[this.#placeOf.get(assetId) ?? -1] ?? 0;
  }

  /** All rows, newest first, with their flags. */
  *rows(): Generator<[row: Row, flags: number]> {
    this.#settle();
    for (const place of this.#order) {
      const row = this.#rows[place];
      if (row !== undefined) yield [row, this.#flags[place] ?? 0];
    }
  }

  /** Updates the order for the rows that were touched. */
  #settle(): void {
    if (this.#changed.size === 0) return;
    const gone = new Set<number>();
    const come: number[] = [];
    for (const id of this.#changed) {
      const before = this.#placeOf.get(id);
      const found = this.get(id);
      const row = found !== undefined && isApart(found) ? undefined : found;
      if (before !== undefined) gone.add(before);
      if (row === undefined) this.#forget(id, before);
      else come.push(this.#write(row, before));
    }
    this.#changed.clear();
    const later = (a: number, b: number) =>
      compareNewest(
        { at: this.#taken[a] ?? 0, row: this.#rows[a] },
        { at: this.#taken[b] ?? 0, row: this.#rows[b] },
      );
    come.sort(later);
    const order = new Uint32Array(this.#placeOf.size);
    let [at, next] = [0, 0];
    for (const place of this.#order) {
      if (gone.has(place)) continue;
      for (
        let one = come[next];
        one !== undefined && later(one, place) < 0;
        one = come[++next]
      ) order[at++] = one;
      order[at++] = place;
    }
    for (; next < come.length; next++) order[at++] = come[next] ?? 0;
    this.#order = order;
    // Places of removed rows are free only now, because the old order used
    // them.
    for (const place of gone) {
      if (this.#rows[place] === undefined) this.#free.push(place);
    }
  }

  #forget(id: string, place: number | undefined): void {
    if (place === undefined) return;
    this.#placeOf.delete(id);
    this.#rows[place] = undefined;
  }

  #write(row: Row, before: number | undefined): number {
    const place = before ?? this.#free.pop() ?? this.#rows.length;
    this.#rows[place] = row;
    this.#placeOf.set(row.id, place);
    if (place >= this.#taken.length) {
      const taken = new Float64Array(place * 2);
      taken.set(this.#taken);
      this.#taken = taken;
      const flags = new Uint8Array(place * 2);
      flags.set(this.#flags);
      this.#flags = flags;
    }
    this.#taken[place] = localTime(row);
    this.#flags[place] = flagsOf(row, this.options);
    this.#hintsAtStacks ||= hintsAtStack(row);
    return place;
  }
}

/** The local time at which it was taken, as if it were UTC. */
export function localTime(row: Row): number {
  const offset = row.metadata?.taken_offset;
  return takenAt(row) + (offset === undefined ? 0 : offset * 60_000);
}

/** The columns of rows, in their order. */
export function columnsOf(
  rows: readonly Flagged[],
  revision: number,
  { ends, sizes, times = localTime, behind = new Map(), whose }: {
    readonly ends?: ((assetId: string) => number) | undefined;
    /** The times by which they are in days; default: when they were taken. */
    readonly times?: ((row: Row) => number) | undefined;
    readonly sizes?: ((row: Row) => number) | undefined;
    /** The others of a stack, by the one that is among the rows. */
    readonly behind?: ReadonlyMap<Flagged, readonly Flagged[]>;
    readonly whose?: Whose | undefined;
  } = {},
): ListColumns {
  const count = rows.length;
  const names = new Map<number, string>();
  const large = new Set<number>();
  const others = [...behind.values()].flat();
  const columns = {
    revision,
    count,
    ids: new Uint8Array(count * 16),
    taken: new Float64Array(count),
    ratio: new Float32Array(count),
    kind: new Uint8Array(count),
    flags: new Uint8Array(count),
    custody: new Uint8Array(count),
    duration: new Uint32Array(count),
    hashes: new Uint8Array(count * HASH_STRIDE),
    ends: new Float64Array(ends === undefined ? 0 : count),
    sizes: new Float64Array(sizes === undefined ? 0 : count),
    stack: new Uint16Array(others.length === 0 ? 0 : count),
    behind: new Uint8Array(others.length * 16),
    whose: new Uint8Array(whose === undefined ? 0 : count),
    owners: whose?.names ?? [],
    names,
    large,
  };
  let put = 0;
  for (const [at, flagged] of rows.entries()) {
    const [row, flags] = flagged;
    const { metadata } = row;
    writeId(columns.ids, at, row);
    for (const [other] of behind.get(flagged) ?? []) {
      columns.stack[at] = (columns.stack[at] ?? 0) + 1;
      writeId(columns.behind, put++, other);
    }
    columns.taken[at] = times(row);
    columns.ratio[at] = ratioOf(row);
    columns.kind[at] = PHOTO_KINDS.indexOf(kindOf(row));
    columns.flags[at] = flags;
    columns.custody[at] = CUSTODY_STATES.indexOf(row.custody);
    columns.duration[at] = metadata?.duration_ms ?? 0;
    const hash = metadata?.thumbhash;
    if (hash !== undefined && hash.length < HASH_STRIDE) {
      columns.hashes[at * HASH_STRIDE] = hash.length;
      columns.hashes.set(hash, at * HASH_STRIDE + 1);
    }
    if (ends !== undefined) columns.ends[at] = ends(row.id);
    if (whose !== undefined) columns.whose[at] = whose.of(row);
    if (sizes !== undefined) columns.sizes[at] = sizes(row);
    // An original may turn out to be no picture: its name is shown then.
    if ((flags & FLAGS.picture) === 0 || pictureOf(row) === "original") {
      names.set(at, metadata?.name ?? "");
      if (metadata?.mime.startsWith("image/") && isTooLarge(metadata)) {
        large.add(at);
      }
    }
  }
  return columns;
}

function writeId(ids: Uint8Array, at: number, { id }: Row): void {
  const bytes = fromHex(id.replaceAll("-", ""));
  if (bytes !== undefined) ids.set(bytes, at * 16);
}

function ratioOf({ metadata }: Row): number {
  const { width, height } = metadata ?? {};
  if (width === undefined || height === undefined) return NO_EXTENT;
  return width > 0 && height > 0 ? width / height : NO_EXTENT;
}
