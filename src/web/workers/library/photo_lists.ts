/**
 * Lists of photos in the form in which the page gets them: columns in typed
 * arrays, so that 50,000 photos are handed over without copying.
 *
 * @module
 */
import type { PhotoEdit } from "../../../client/documents/metadata.ts";

/** The source of a list: which photos it has. */
export type ListSource =
  | {
    readonly kind: "library";
    /** With photos of others, from albums that the person chose for that. */
    readonly withOthers?: true;
  }
  | { readonly kind: "favourites" }
  | { readonly kind: "hidden" }
  | { readonly kind: "archive" }
  | { readonly kind: "largest" }
  | { readonly kind: "recent" }
  | { readonly kind: "album"; readonly id: string }
  | { readonly kind: "collection"; readonly id: string }
  /** An album of another server, `<album_id>@<server_id>`. */
  | { readonly kind: "abroad"; readonly id: string }
  | { readonly kind: "memory"; readonly id: string }
  | {
    /** All photos of the stack that this one is of. */
    readonly kind: "stack";
    readonly id: string;
    /** The address of the list that it was opened in. */
    readonly from?: string;
  }
  | { readonly kind: "person"; readonly id: string }
  | { readonly kind: "search"; readonly q: string }
  | {
    readonly kind: "area";
    /** Degrees: `west,south,east,north`. */
    readonly bounds: string;
    /** Of this album alone. */
    readonly album?: string;
  }
  | { readonly kind: "trash" };

/** The kinds of photos; {@link ListColumns.kind} has their numbers. */
export const PHOTO_KINDS = [
  "photo",
  "live",
  "video",
  "sound",
  "file",
  "sphere",
] as const;
export type PhotoKind = typeof PHOTO_KINDS[number];

/** Whether files of a kind are pictures. */
export function isPhotoKind(kind: PhotoKind): boolean {
  return kind === "photo" || kind === "live" || kind === "sphere";
}

/** What photos of one kind are counted as; `item` if there are several. */
export type Noun = "photo" | "video" | "file" | "item";

/** The kind of a file, as far as its type tells. */
export function kindOfMime(mime: string): PhotoKind {
  if (mime.startsWith("video/")) return "video";
  if (mime.startsWith("audio/")) return "sound";
  return mime.startsWith("image/") ? "photo" : "file";
}

/** What photos of these kinds are counted as together. */
export function nounOf(kinds: Iterable<PhotoKind>): Noun {
  const nouns = new Set<Noun>();
  for (const kind of kinds) {
    nouns.add(
      kind === "video" ? kind : isPhotoKind(kind) ? "photo" : "file",
    );
  }
  const [noun = "photo"] = nouns;
  return nouns.size > 1 ? "item" : noun;
}

/** The bits of {@link ListColumns.flags}. */
export const FLAGS = {
  favourite: 1,
  hidden: 2,
  /** The person's own, not another member's. */
  mine: 4,
  /** It has a small picture. */
  picture: 8,
  screenshot: 16,
  /** Its width and height are known. */
  extent: 32,
  /** In the list of an album of the person's own. */
  ownAlbum: 64,
  archived: 128,
} as const;
export type Flag = keyof typeof FLAGS;

/** Bytes of each photo in {@link ListColumns.hashes}. */
export const HASH_STRIDE = 32;

/** The columns of a list, in the order in which it is shown. */
export interface ListColumns {
  /** Grows with every change; lists with the same revision are equal. */
  readonly revision: number;
  readonly count: number;
  /** 16 bytes each. */
  readonly ids: Uint8Array<ArrayBuffer>;
  /**
   * The local time at which it was taken, as if it were UTC (ms); in the list of
   * what was added last, the time at which it was added.
   */
  readonly taken: Float64Array<ArrayBuffer>;
  /** Width divided by height; 1 if it is not known. */
  readonly ratio: Float32Array<ArrayBuffer>;
  /** Index into {@link PHOTO_KINDS}. */
  readonly kind: Uint8Array<ArrayBuffer>;
  /** Bits of {@link FLAGS}. */
  readonly flags: Uint8Array<ArrayBuffer>;
  /** Index into the library's `CUSTODY_STATES`. */
  readonly custody: Uint8Array<ArrayBuffer>;
  /** Duration of a video (ms); 0 if it has none. */
  readonly duration: Uint32Array<ArrayBuffer>;
  /** Thumbhashes: the length, then the bytes; a length of 0 means none. */
  readonly hashes: Uint8Array<ArrayBuffer>;
  /**
   * For the trash: when each photo is deleted for ever (ms); otherwise empty.
   */
  readonly ends: Float64Array<ArrayBuffer>;
  /** For the list of the largest: bytes of each; otherwise empty. */
  readonly sizes: Float64Array<ArrayBuffer>;
  /**
   * How many photos are behind each in its stack; empty if there are no stacks.
   */
  readonly stack: Uint16Array<ArrayBuffer>;
  /** Ids of those behind, 16 bytes each, in the order of their stacks. */
  readonly behind: Uint8Array<ArrayBuffer>;
  /**
   * Whose each is: its place in {@link owners}, from 1, and 0 for the person's
   * own; empty if the list is not to tell.
   */
  readonly whose: Uint8Array<ArrayBuffer>;
  /** Names of people; empty for those whose name is not known yet. */
  readonly owners: readonly string[];
  /** Names of photos without a picture, by their positions. */
  readonly names: ReadonlyMap<number, string>;
  /** Which of these are pictures that are too large for one. */
  readonly large: ReadonlySet<number>;
}

/** The buffers to hand over with a list. */
export function buffersOf(columns: ListColumns): ArrayBuffer[] {
  const { ids, taken, ratio, kind, flags, custody, duration, hashes } = columns;
  const { ends, sizes, stack, behind, whose } = columns;
  const all = [ids, taken, ratio, kind, flags, custody, duration, hashes];
  return [...all, ends, sizes, stack, behind, whose].map(({ buffer }) =>
    buffer
  );
}

/** A small picture, or why there is none. */
export interface Thumbnail {
  readonly id: string;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly mime?: string;
  /**
   * `none`: there is no small picture; `later`: it could not be fetched now;
   * `damaged`: it is not what was stored.
   */
  readonly missing?: "none" | "later" | "damaged";
}

/** The facts about one photo, without keys. */
export interface PhotoInfo {
  readonly id: string;
  readonly state: "live" | "deleted" | "withheld" | "missing" | "removed";
  readonly kind: PhotoKind;
  readonly name: string;
  readonly mime: string;
  /** Bytes of the original. */
  readonly size: number;
  /** SHA-256 of the original, in hex. */
  readonly sha256: string;
  /** The local time at which it was taken, as if it were UTC (ms). */
  readonly taken: number;
  /** The source of that time: `exif`, `sidecar`, `name`, `mtime`, `person`. */
  readonly takenSource?: string;
  /** Offset of the local time, in minutes east of UTC. */
  readonly takenOffset?: number;
  /** When the server stored it: RFC 3339. */
  readonly addedAt: string;
  readonly width?: number;
  readonly height?: number;
  readonly durationMs?: number;
  readonly place?: {
    readonly latitude: number;
    readonly longitude: number;
    readonly altitude?: number | undefined;
  };
  readonly camera?: {
    readonly make?: string | undefined;
    readonly model?: string | undefined;
    readonly lens?: string | undefined;
  };
  readonly caption?: string;
  /** How it was edited; the small pictures show that. */
  readonly edit?: PhotoEdit;
  /** Stars, 1 to 5; -1 means rejected. */
  readonly rating?: number;
  readonly keywords?: readonly string[];
  readonly path?: string;
  readonly favourite: boolean;
  readonly hidden: boolean;
  readonly mine: boolean;
  readonly owner: string;
  /** Its album; absent for the library itself. */
  readonly album?: string;
  /** Its server, if that is another one: `photos.example`. */
  readonly host?: string;
  /** The derivatives: `thumbnail`, `preview`, `motion`, … */
  readonly derivatives: readonly {
    readonly kind: string;
    readonly mime: string;
    readonly width?: number;
    readonly height?: number;
    readonly size?: number;
  }[];
  readonly custody: string;
  /** When the custody state was set: RFC 3339. */
  readonly custodyAt?: string;
}
