/**
 * Reading EXIF (CIPA DC-008) in the structure of TIFF 6.0: directories of tags,
 * of which about twenty are used.
 *
 * @module
 */
import { type Dates, type Taken, takenAt, takenOf } from "./dates.ts";
import {
  cameraOf,
  captionOf,
  exposureOf,
  type MediaFacts,
  placeOf,
  ratingOf,
} from "./facts.ts";
import { codeAt, viewOf } from "./reading.ts";

/** Most entries read of a directory, which has a few dozen. */
export const MAX_ENTRIES = 1_024;
const MAX_TEXT_BYTES = 1_024;

/** Bytes of a value, by the number of its type. */
export const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

/**
 * What follows the byte order in TIFF itself, and in its kin: two of Olympus
 * and OM System, one of Panasonic and Leica.
 */
const MAGICS: readonly number[] = [42, 0x4f52, 0x5352, 0x55];
/** Most directories below the first one whose sides are looked at. */
export const MAX_BELOW = 8;

/** The tags that are read. */
export const TAG = {
  subfile: 0x00fe,
  width: 0x0100,
  height: 0x0101,
  description: 0x010e,
  make: 0x010f,
  model: 0x0110,
  orientation: 0x0112,
  modified: 0x0132,
  xmp: 0x02bc,
  iptc: 0x83bb,
  below: 0x014a,
  rating: 0x4746,
  exif: 0x8769,
  gps: 0x8825,
  exposureTime: 0x829a,
  fNumber: 0x829d,
  sensitivity: 0x8827,
  original: 0x9003,
  digitized: 0x9004,
  offset: 0x9010,
  offsetOriginal: 0x9011,
  offsetDigitized: 0x9012,
  focalLength: 0x920a,
  subSecond: 0x9290,
  subSecondOriginal: 0x9291,
  subSecondDigitized: 0x9292,
  pixelWidth: 0xa002,
  pixelHeight: 0xa003,
  lens: 0xa434,
} as const;

/** The note of the camera's maker, whose form only the maker knows. */
const MAKER_NOTE = 0x927c;
/** Begins Apple's; a directory with the high byte first follows at 14. */
const APPLE_NOTE = "Apple iOS\0\0\x01MM";
/** The id that both halves of a live photo have, in Apple's note. */
const APPLE_CONTENT_ID = 0x0011;

const GPS = {
  latitudeRef: 1,
  latitude: 2,
  longitudeRef: 3,
  longitude: 4,
  altitudeRef: 5,
  altitude: 6,
  time: 7,
  date: 29,
} as const;

interface Entry {
  readonly type: number;
  readonly count: number;
  /** Offset of its values from the beginning of the structure. */
  readonly at: number;
}
type Directory = ReadonlyMap<number, Entry>;

/** The facts in a structure, with the sides of its picture as it is stored. */
export type TiffFacts = Omit<MediaFacts, "takenAt"> & {
  readonly dates: Dates;
  readonly rawWidth?: number;
  readonly rawHeight?: number;
};

/** A TIFF structure. Reading a malformed one may throw a RangeError. */
export class Tiff {
  private constructor(
    private readonly view: DataView,
    private readonly little: boolean,
  ) {}

  /** Undefined unless the bytes begin like a TIFF structure. */
  static open(bytes: Uint8Array): Tiff | undefined {
    if (bytes.length < 8) return undefined;
    const view = viewOf(bytes);
    const order = view.getUint16(0);
    if (order !== 0x4949 && order !== 0x4d4d) return undefined;
    const little = order === 0x4949;
    return MAGICS.includes(view.getUint16(2, little))
      ? new Tiff(view, little)
      : undefined;
  }

  /** The XMP packet of a picture in TIFF (XMP part 3). */
  xmp(): string | undefined {
    const bytes = this.#bytes(TAG.xmp, [1, 7]);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  }

  /** The IPTC of a picture in TIFF, which some declare as numbers. */
  iptc(): Uint8Array | undefined {
    return this.#bytes(TAG.iptc, [1, 4, 7]);
  }

  #bytes(tag: number, types: readonly number[]): Uint8Array | undefined {
    const entry = this.#directory(this.#u32(4)).get(tag);
    if (entry === undefined || !types.includes(entry.type)) return undefined;
    const at = this.view.byteOffset + entry.at;
    const length = entry.count * (TYPE_BYTES[entry.type] ?? 0);
    return new Uint8Array(this.view.buffer, at, length);
  }

  /** The facts in its directories. */
  facts(): TiffFacts {
    const main = this.#directory(this.#u32(4));
    const exif = this.#below(main, TAG.exif);
    return this.#factsOf(main, exif, this.#below(main, TAG.gps));
  }

  /** The facts of a structure whose first directory is one of another's. */
  factsAs(which: "exif" | "gps"): TiffFacts {
    const first = this.#directory(this.#u32(4));
    const none: Directory = new Map();
    return which === "exif"
      ? this.#factsOf(none, first, none)
      : this.#factsOf(none, none, first);
  }

  #factsOf(main: Directory, exif: Directory, gps: Directory): TiffFacts {
    const camera = cameraOf({
      make: this.#text(main.get(TAG.make)),
      model: this.#text(main.get(TAG.model)),
      lens: this.#text(exif.get(TAG.lens)),
    });
    const exposure = exposureOf({
      seconds: this.#rational(exif.get(TAG.exposureTime)),
      aperture: this.#rational(exif.get(TAG.fNumber)),
      iso: this.#number(exif.get(TAG.sensitivity)),
      focalLength: this.#rational(exif.get(TAG.focalLength)),
    });
    const place = this.#place(gps);
    const caption = captionOf(this.#text(main.get(TAG.description)));
    const rating = ratingOf(this.#number(main.get(TAG.rating)));
    const orientation = this.#number(main.get(TAG.orientation));
    const contentIdentifier = this.#appleContentId(exif.get(MAKER_NOTE));
    const [mainWidth, mainHeight] = this.#sides(main);
    const rawWidth = this.#number(exif.get(TAG.pixelWidth)) ?? mainWidth;
    const rawHeight = this.#number(exif.get(TAG.pixelHeight)) ?? mainHeight;
    return {
      dates: this.#dates(main, exif, gps),
      ...(camera === undefined ? {} : { camera }),
      ...(exposure === undefined ? {} : { exposure }),
      ...(place === undefined ? {} : { place }),
      ...(caption === undefined ? {} : { caption }),
      ...(rating === undefined ? {} : { rating }),
      ...(contentIdentifier === undefined ? {} : { contentIdentifier }),
      ...(orientation !== undefined && orientation >= 1 && orientation <= 8
        ? { orientation }
        : {}),
      ...(rawWidth === undefined ? {} : { rawWidth }),
      ...(rawHeight === undefined ? {} : { rawHeight }),
    };
  }

  #appleContentId(note: Entry | undefined): string | undefined {
    const head = APPLE_NOTE.length;
    if (note === undefined || note.count < head + 2) return undefined;
    if (codeAt(this.view, note.at, head) !== APPLE_NOTE) return undefined;
    const { byteOffset, buffer } = this.view;
    const bytes = new Uint8Array(buffer, byteOffset + note.at, note.count);
    // Its places count from its beginning.
    const own = new Tiff(viewOf(bytes), false);
    return own.#text(own.#directory(head).get(APPLE_CONTENT_ID));
  }

  /**
   * The sides of the picture. The first directory of a raw file is mostly that
   * of its thumbnail, and says so; the largest one below it has the picture.
   */
  #sides(main: Directory): readonly [number | undefined, number | undefined] {
    const sidesOf = (directory: Directory) =>
      [
        this.#number(directory.get(TAG.width)),
        this.#number(directory.get(TAG.height)),
      ] as const;
    let sides = sidesOf(main);
    const isSmall = ((this.#number(main.get(TAG.subfile)) ?? 0) & 1) === 1;
    const below = main.get(TAG.below);
    if (!isSmall || below?.type !== 4) return sides;
    for (let n = 0; n < Math.min(below.count, MAX_BELOW); n++) {
      const [width, height] = sidesOf(
        this.#directory(this.#u32(below.at + 4 * n)),
      );
      const area = (sides[0] ?? 0) * (sides[1] ?? 0);
      if ((width ?? 0) * (height ?? 0) > area) sides = [width, height];
    }
    return sides;
  }

  #dates(main: Directory, exif: Directory, gps: Directory): Dates {
    const either = this.#text(exif.get(TAG.offset));
    const taken = (
      time: Entry | undefined,
      offset: number,
      subSecond: number,
    ) =>
      takenOf(
        this.#text(time),
        this.#text(exif.get(offset)) ?? either,
        this.#text(exif.get(subSecond)),
      );
    return {
      original: taken(
        exif.get(TAG.original),
        TAG.offsetOriginal,
        TAG.subSecondOriginal,
      ),
      digitized: taken(
        exif.get(TAG.digitized),
        TAG.offsetDigitized,
        TAG.subSecondDigitized,
      ),
      gps: this.#satellites(gps),
      modified: taken(main.get(TAG.modified), TAG.offset, TAG.subSecond),
    };
  }

  /** The time of the satellites, which is UTC. */
  #satellites(gps: Directory): Taken {
    const [, ...date] = /^(\d{4})[:/. -](\d\d?)[:/. -](\d\d?)$/
      .exec(this.#text(gps.get(GPS.date)) ?? "") ?? [];
    const [year = NaN, month = NaN, day = NaN] = date.map(Number);
    const [hour = NaN, minute = 0, second = 0] =
      this.#rationals(gps.get(GPS.time), 3) ?? [];
    const whole = Math.trunc(second);
    const ms = Math.trunc((second - whole) * 1_000);
    const taken = takenAt(
      [year, month, day],
      [hour, minute, whole, ms],
      undefined,
    );
    return taken.takenAt === undefined ? {} : { ...taken, takenIsUtc: true };
  }

  #place(gps: Directory) {
    const side = (ref: number, degrees: number, negative: string) => {
      const parts = this.#rationals(gps.get(degrees), 3);
      if (parts === undefined) return undefined;
      const [whole = NaN, minutes = 0, seconds = 0] = parts;
      const sum = whole + minutes / 60 + seconds / 3600;
      const sign = this.#text(gps.get(ref))?.toUpperCase();
      return sign === negative ? -sum : sum;
    };
    const height = this.#rational(gps.get(GPS.altitude));
    const below = this.#number(gps.get(GPS.altitudeRef)) === 1;
    return placeOf(
      side(GPS.latitudeRef, GPS.latitude, "S"),
      side(GPS.longitudeRef, GPS.longitude, "W"),
      height === undefined ? undefined : below ? -height : height,
    );
  }

  #below(directory: Directory, tag: number): Directory {
    const at = this.#number(directory.get(tag));
    return at === undefined ? new Map() : this.#directory(at);
  }

  #directory(at: number): Directory {
    const entries = new Map<number, Entry>();
    if (at < 8 || at + 2 > this.view.byteLength) return entries;
    const count = Math.min(this.#u16(at), MAX_ENTRIES);
    for (let n = 0; n < count; n++) {
      const entry = at + 2 + 12 * n;
      if (entry + 12 > this.view.byteLength) break;
      const type = this.#u16(entry + 2);
      const values = this.#u32(entry + 4);
      const bytes = (TYPE_BYTES[type] ?? 0) * values;
      if (bytes === 0) continue;
      const where = bytes <= 4 ? entry + 8 : this.#u32(entry + 8);
      if (where + bytes > this.view.byteLength) continue;
      entries.set(this.#u16(entry), { type, count: values, at: where });
    }
    return entries;
  }

  #number(entry: Entry | undefined): number | undefined {
    if (entry === undefined) return undefined;
    if (entry.type === 1) return this.view.getUint8(entry.at);
    if (entry.type === 3) return this.#u16(entry.at);
    return entry.type === 4 ? this.#u32(entry.at) : undefined;
  }

  #text(entry: Entry | undefined): string | undefined {
    if (entry === undefined || (entry.type !== 2 && entry.type !== 7)) {
      return undefined;
    }
    const length = Math.min(entry.count, MAX_TEXT_BYTES);
    const bytes = new Uint8Array(
      this.view.buffer,
      this.view.byteOffset + entry.at,
      length,
    );
    const [text = ""] = new TextDecoder().decode(bytes)
      // Some cameras write a NUL between the day and the time.
      .replace(/^(\d{4}.\d\d.\d\d)\0(?=\d\d:)/, "$1 ").split("\0");
    return text.trim() === "" ? undefined : text.trim();
  }

  #rational(entry: Entry | undefined): number | undefined {
    return this.#rationals(entry, 1)?.[0];
  }

  #rationals(entry: Entry | undefined, most: number): number[] | undefined {
    if (entry?.type !== 5 || entry.count < 1) return undefined;
    const values = Array.from(
      { length: Math.min(entry.count, most) },
      (_, n) => this.#u32(entry.at + 8 * n) / this.#u32(entry.at + 8 * n + 4),
    );
    return values.every(Number.isFinite) ? values : undefined;
  }

  #u16(at: number): number {
    return this.view.getUint16(at, this.little);
  }

  #u32(at: number): number {
    return this.view.getUint32(at, this.little);
  }
}
