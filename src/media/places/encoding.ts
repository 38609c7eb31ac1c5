/**
 * The bytes of a gazetteer: columns of towns, then their names. All numbers are
 * little-endian.
 *
 * | Bytes      | What                                                      |
 * |------------|-----------------------------------------------------------|
 * | 4          | number of towns, n                                        |
 * | 2 n        | latitudes, hundredths of a degree, signed                 |
 * | 2 n        | longitudes, the same                                      |
 * | n          | people: tenths of the base-2 logarithm, rounded           |
 * | n          | countries: places in the list of codes                    |
 * | the rest   | UTF-8 lines: the codes, separated by blanks; then a name each |
 *
 * A hundredth of a degree is 1.1 km, and the number of people tells only how
 * far a town reaches.
 *
 * @module
 */
import { DocumentError } from "../../client/documents/fields.ts";

/** A town of a gazetteer. */
export interface Town {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Degrees north. */
  readonly latitude: number;
  /** Degrees east. */
  readonly longitude: number;
  /** People who live there, roughly. */
  readonly population: number;
}

/** The columns of towns, in one order. */
export interface TownColumns {
  readonly latitudes: Int16Array;
  readonly longitudes: Int16Array;
  readonly sizes: Uint8Array;
  readonly countries: Uint8Array;
  readonly codes: readonly string[];
  readonly names: readonly string[];
}

const HEAD_BYTES = 4;
/** Bytes of a town in the columns. */
const TOWN_BYTES = 6;
const HUNDREDTHS = 100;
const TENTHS = 10;

/** Encodes towns. Throws RangeError for more than 256 countries. */
export function encodeGazetteer(
  towns: readonly Town[],
): Uint8Array<ArrayBuffer> {
  const codes = [...new Set(towns.map(({ country }) => country))].toSorted();
  if (codes.length > 256) throw new RangeError("too many countries");
  // A search in the list at each comparison would take seconds.
  const codeOf = new Map(codes.map((code, at) => [code, at]));
  // Neighbours next to each other compress best.
  const sorted = towns.toSorted((a, b) =>
    (codeOf.get(a.country) ?? 0) - (codeOf.get(b.country) ?? 0) ||
    a.latitude - b.latitude || a.longitude - b.longitude
  );
  const count = sorted.length;
  const lines = [codes.join(" "), ...sorted.map(({ name }) => name)];
  const text = new TextEncoder().encode(lines.join("\n"));
  const bytes = new Uint8Array(HEAD_BYTES + count * TOWN_BYTES + text.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, count, true);
  for (const [at, town] of sorted.entries()) {
    const hundredths = (degrees: number) => Math.round(degrees * HUNDREDTHS);
    const latitudes = HEAD_BYTES + at * 2;
    view.setInt16(latitudes, hundredths(town.latitude), true);
    view.setInt16(latitudes + count * 2, hundredths(town.longitude), true);
    const size = Math.log2(Math.max(1, town.population)) * TENTHS;
    bytes[HEAD_BYTES + count * 4 + at] = Math.min(255, Math.round(size));
    bytes[HEAD_BYTES + count * 5 + at] = codeOf.get(town.country) ?? 0;
  }
  bytes.set(text, HEAD_BYTES + count * TOWN_BYTES);
  return bytes;
}

/**
 * Reads the columns of a gazetteer. Throws {@link DocumentError} for any other
 * bytes.
 */
export function decodeGazetteer(bytes: Uint8Array): TownColumns {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length < HEAD_BYTES ? 0 : view.getUint32(0, true);
  const text = HEAD_BYTES + count * TOWN_BYTES;
  if (count === 0 || text > bytes.length) {
    throw new DocumentError("gazetteer: cut off");
  }
  const numbers = (from: number) =>
    Int16Array.from(
      { length: count },
      (_, at) => view.getInt16(from + at * 2, true),
    );
  const column = (from: number) => bytes.slice(from, from + count);
  const [codes = "", ...names] = new TextDecoder().decode(bytes.subarray(text))
    .split("\n");
  if (names.length !== count) throw new DocumentError("gazetteer: names");
  return {
    latitudes: numbers(HEAD_BYTES),
    longitudes: numbers(HEAD_BYTES + count * 2),
    sizes: column(HEAD_BYTES + count * 4),
    countries: column(HEAD_BYTES + count * 5),
    codes: codes.split(" "),
    names,
  };
}

/** A town of the columns. */
export function townAt(columns: TownColumns, at: number): Town {
  const { latitudes, longitudes, sizes, countries, codes, names } = columns;
  return {
    name: names[at] ?? "",
    country: codes[countries[at] ?? 0] ?? "",
    latitude: (latitudes[at] ?? 0) / HUNDREDTHS,
    longitude: (longitudes[at] ?? 0) / HUNDREDTHS,
    population: Math.round(2 ** ((sizes[at] ?? 0) / TENTHS)),
  };
}
