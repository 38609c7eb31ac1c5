/**
 * Lists of photos as they cross to the page: columns in typed arrays, so that
 * 50,000 of them are handed over without being copied one by one.
 *
 * @module
 */

/** Which photos a list has. */
export type ListSource =
  | { readonly kind: "library" }
  | { readonly kind: "favourites" }
  | { readonly kind: "hidden" }
  | { readonly kind: "album"; readonly id: string }
  | { readonly kind: "collection"; readonly id: string }
  | { readonly kind: "search"; readonly q: string }
  | { readonly kind: "trash" };

/** What something is; its number stands in {@link ListColumns.kind}. */
export const PHOTO_KINDS = ["photo", "live", "film", "sound", "file"] as const;
export type PhotoKind = typeof PHOTO_KINDS[number];

/** What stands in {@link ListColumns.flags}, one bit each. */
export const FLAGS = {
  favourite: 1,
  hidden: 2,
  /** One's own, not another member's of an album. */
  mine: 4,
  /** There is a small picture of it. */
  picture: 8,
  screenshot: 16,
  /** Its extent is known. */
  extent: 32,
} as const;
export type Flag = keyof typeof FLAGS;

/** Bytes of a photo's place in {@link ListColumns.hashes}. */
export const HASH_STRIDE = 32;

/** The columns of a list, in the order it is shown in. */
export interface ListColumns {
  /** Grows with every change; a list of the same revision is the same. */
  readonly revision: number;
  readonly count: number;
  /** 16 bytes each. */
  readonly ids: Uint8Array<ArrayBuffer>;
  /** When it was taken: the clock there, in milliseconds as if it were UTC. */
  readonly taken: Float64Array<ArrayBuffer>;
  /** Width by height; 1 where it is not known. */
  readonly ratio: Float32Array<ArrayBuffer>;
  /** Index into {@link PHOTO_KINDS}. */
  readonly kind: Uint8Array<ArrayBuffer>;
  /** Bits of {@link FLAGS}. */
  readonly flags: Uint8Array<ArrayBuffer>;
  /** Index into the library's `CUSTODY_STATES`. */
  readonly custody: Uint8Array<ArrayBuffer>;
  /** Milliseconds of a film; 0 where it has none. */
  readonly duration: Uint32Array<ArrayBuffer>;
  /** Thumbhashes: the length, then the bytes. Length 0: there is none. */
  readonly hashes: Uint8Array<ArrayBuffer>;
  /** In the trash: when it ends for good, in milliseconds; else empty. */
  readonly ends: Float64Array<ArrayBuffer>;
  /** Names of what has no picture, by place in the list. */
  readonly names: ReadonlyMap<number, string>;
}

/** The buffers to hand over with a list. */
export function buffersOf(columns: ListColumns): ArrayBuffer[] {
  const { ids, taken, ratio, kind, flags, custody, duration, hashes, ends } =
    columns;
  return [ids, taken, ratio, kind, flags, custody, duration, hashes, ends]
    .map(({ buffer }) => buffer);
}

/** A small picture, or why there is none. */
export interface Thumbnail {
  readonly id: string;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly mime?: string;
  /**
   * `none`: there never was one; `later`: it could not be fetched now;
   * `damaged`: what came is not what was kept.
   */
  readonly missing?: "none" | "later" | "damaged";
}

/** What is known of one photo; no key is in it. */
export interface PhotoInfo {
  readonly id: string;
  readonly state: "live" | "deleted" | "withheld" | "missing";
  readonly kind: PhotoKind;
  readonly name: string;
  readonly mime: string;
  /** Bytes of the original. */
  readonly size: number;
  /** SHA-256 of the original, in hex. */
  readonly sha256: string;
  /** The clock there, in milliseconds as if it were UTC. */
  readonly taken: number;
  /** Where that is from: `exif`, `sidecar`, `name`, `mtime`, `person`. */
  readonly takenSource?: string;
  /** Minutes that the clock there was ahead of UTC. */
  readonly takenOffset?: number;
  /** When the server took it in: RFC 3339. */
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
  readonly path?: string;
  readonly favourite: boolean;
  readonly hidden: boolean;
  readonly mine: boolean;
  readonly owner: string;
  /** The album that it lies in; absent for the library itself. */
  readonly album?: string;
  /** What there is beside the original: `thumbnail`, `preview`, `motion`, … */
  readonly derivatives: readonly {
    readonly kind: string;
    readonly mime: string;
    readonly width?: number;
    readonly height?: number;
    readonly size?: number;
  }[];
  readonly custody: string;
  /** When custody became that: RFC 3339. */
  readonly custodyAt?: string;
}
