/**
 * A small map with streets, as a test makes it: a .pmtiles file (version 3) of
 * vector tiles with the layers of Protomaps' basemap, written by hand so that
 * the app's reader meets another implementation.
 *
 * @module
 */
import { gzipSync } from "node:zlib";

/** A place on the earth (degrees). */
interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Deepest tiles of the maps of tests. */
const MOST_ZOOM = 14;
/** Coordinates within a tile are from 0 to this. */
const EXTENT = 4096;

/** The tiles around a place, at every zoom: land, a lake, streets, names. */
export function mapAround(place: Place, town = "Testville"): Uint8Array {
  const tiles = new Map<number, Uint8Array>();
  for (let z = 0; z <= MOST_ZOOM; z++) {
    const [column, row] = tileOf(place, z);
    for (let x = column - 1; x <= column + 1; x++) {
      for (let y = row - 1; y <= row + 1; y++) {
        if (Math.min(x, y) < 0 || Math.max(x, y) >= 2 ** z) continue;
        const isOfPlace = x === column && y === row;
        const layers = [...ground(), ...streets(z)];
        if (isOfPlace) layers.push(nameOf(town));
        tiles.set(tileId(z, x, y), gzipSync(joined(layers)));
      }
    }
  }
  return archive(tiles, place);
}

function tileOf({ latitude, longitude }: Place, z: number): [number, number] {
  const radians = latitude * Math.PI / 180;
  const north = Math.asinh(Math.tan(radians)) / Math.PI;
  return [
    Math.floor((longitude + 180) / 360 * 2 ** z),
    Math.floor((1 - north) / 2 * 2 ** z),
  ];
}

/** The place of a tile on Hilbert's curve, after all tiles of lower zooms. */
function tileId(z: number, x: number, y: number): number {
  let id = (4 ** z - 1) / 3;
  for (let side = 2 ** z / 2; side >= 1; side /= 2) {
    const right = (x & side) > 0 ? 1 : 0;
    const below = (y & side) > 0 ? 1 : 0;
    id += side * side * ((3 * right) ^ below);
    if (below === 1) continue;
    if (right === 1) [x, y] = [side * 2 - 1 - x, side * 2 - 1 - y];
    [x, y] = [y, x];
  }
  return id;
}

/** Of water, as tiles have it: in its colour no land lies there. */
function ground(): Uint8Array[] {
  return [
    layer("earth", [area({ kind: "earth" }, [0, 0, EXTENT, EXTENT])]),
    layer("landuse", [area({ kind: "park" }, [2200, 2200, 3400, 3400])]),
    layer("water", [area({ kind: "lake" }, [300, 300, 1500, 3600])]),
  ];
}

function streets(z: number): Uint8Array[] {
  if (z < 8) return [];
  const road = (name: string, kind: string, points: readonly Point[]) =>
    feature({ kind, name }, 2, lineOf(points));
  return [
    layer("roads", [
      road("Long Road", "highway", [[0, 1800], [2000, 2000], [4096, 1800]]),
      road("High Street", "major_road", [[2100, 0], [2100, 4096]]),
      road("Low Street", "minor_road", [[1800, 900], [4096, 900]]),
      road("Mill Lane", "minor_road", [[1800, 3000], [4096, 3100]]),
      road("", "path", [[2300, 2300], [3300, 3300]]),
      road("", "rail", [[0, 3900], [4096, 3700]]),
    ]),
    layer("buildings", [
      area({ kind: "building" }, [2400, 1100, 2900, 1500]),
      area({ kind: "building" }, [3100, 1100, 3500, 1400]),
    ]),
  ];
}

function nameOf(town: string): Uint8Array {
  return layer("places", [
    feature(
      { kind: "locality", kind_detail: "town", name: town },
      1,
      [command(1, 1), zigzag(2700), zigzag(700)],
    ),
  ]);
}

type Point = readonly [x: number, y: number];
type Tags = Readonly<Record<string, string>>;
interface Feature {
  readonly tags: Tags;
  readonly type: 1 | 2 | 3;
  readonly geometry: readonly number[];
}

function feature(
  tags: Tags,
  type: Feature["type"],
  geometry: readonly number[],
): Feature {
  return { tags, type, geometry };
}

function area(
  tags: Tags,
  [left, top, right, bottom]: readonly [number, number, number, number],
): Feature {
  const corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
  return feature(tags, 3, [
    ...lineOf(corners.map(([x = 0, y = 0]) => [x, y])),
    command(7, 1),
  ]);
}

function lineOf(points: readonly Point[]): number[] {
  let [fromX, fromY] = [0, 0];
  return points.flatMap(([x, y], at) => {
    const step = [zigzag(x - fromX), zigzag(y - fromY)];
    [fromX, fromY] = [x, y];
    if (at === 0) return [command(1, 1), ...step];
    return at === 1 ? [command(2, points.length - 1), ...step] : step;
  });
}

const command = (id: number, count: number) => id | count << 3;
const zigzag = (value: number) => value < 0 ? -2 * value - 1 : 2 * value;

/** A layer of a tile, as a field of it (Mapbox Vector Tile 2.1, section 4). */
function layer(name: string, features: readonly Feature[]): Uint8Array {
  const keys = [...new Set(features.flatMap(({ tags }) => Object.keys(tags)))];
  const values = [
    ...new Set(features.flatMap(({ tags }) => Object.values(tags))),
  ];
  return field(
    3,
    joined([
      number(15, 2),
      field(1, text(name)),
      ...features.map(({ tags, type, geometry }) => {
        const places = Object.entries(tags).flatMap(([key, value]) => [
          keys.indexOf(key),
          values.indexOf(value),
        ]);
        return field(
          2,
          joined([
            field(2, numbers(places)),
            number(3, type),
            field(4, numbers(geometry)),
          ]),
        );
      }),
      ...keys.map((key) => field(3, text(key))),
      ...values.map((value) => field(4, field(1, text(value)))),
      number(5, EXTENT),
    ]),
  );
}

const text = (of: string) => new TextEncoder().encode(of);
const numbers = (of: readonly number[]) => joined(of.map(varint));
const number = (id: number, value: number) =>
  joined([varint(id << 3), varint(value)]);
const field = (id: number, bytes: Uint8Array) =>
  joined([varint(id << 3 | 2), varint(bytes.length), bytes]);

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) {
    bytes.push(value % 128 | 128);
  }
  return new Uint8Array([...bytes, value]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const HEADER_BYTES = 127;

/** The file: a header, one directory, nothing about it, the tiles. */
function archive(
  tiles: ReadonlyMap<number, Uint8Array>,
  { latitude, longitude }: Place,
): Uint8Array<ArrayBuffer> {
  const sorted = [...tiles].sort(([a], [b]) => a - b);
  let [last, offset] = [0, 0];
  const offsets = sorted.map(([, { length }]) => {
    offset += length;
    return offset - length + 1;
  });
  const directory = gzipSync(joined([
    varint(sorted.length),
    ...sorted.map(([id]) => {
      const step = id - last;
      last = id;
      return varint(step);
    }),
    ...sorted.map(() => varint(1)),
    ...sorted.map(([, { length }]) => varint(length)),
    ...offsets.map(varint),
  ]));
  const about = gzipSync(text("{}"));
  const data = HEADER_BYTES + directory.length + about.length;
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  [..."PMTiles"].forEach((letter, at) =>
    header.setUint8(at, letter.charCodeAt(0))
  );
  header.setUint8(7, 3);
  [
    HEADER_BYTES,
    directory.length,
    HEADER_BYTES + directory.length,
    about.length,
    data,
    0,
    data,
    offset,
    sorted.length,
    sorted.length,
    sorted.length,
  ].forEach((value, at) =>
    header.setBigUint64(8 + at * 8, BigInt(value), true)
  );
  // Clustered, its directory and its tiles compressed by gzip, vector tiles.
  [1, 2, 2, 1, 0, MOST_ZOOM].forEach((value, at) =>
    header.setUint8(96 + at, value)
  );
  const corners = [longitude - 1, latitude - 1, longitude + 1, latitude + 1];
  corners.forEach((degrees, at) =>
    header.setInt32(102 + at * 4, Math.round(degrees * 1e7), true)
  );
  return joined([
    new Uint8Array(header.buffer),
    directory,
    about,
    ...sorted.map(([, tile]) => tile),
  ]);
}
