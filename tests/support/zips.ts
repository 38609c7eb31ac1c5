/**
 * Zips byte by byte, so that a test can write what no program would.
 *
 * @module
 */
import { crc32 } from "node:zlib";
import { deflateRawSync } from "node:zlib";

/** A file for a zip. */
export interface ZipFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isStored?: boolean;
  /** What its directory says instead of the truth. */
  readonly lie?: {
    readonly size?: number;
    readonly packedSize?: number;
    readonly crc?: number;
    readonly flags?: number;
    readonly method?: number;
    /** Points to the header of an earlier file. */
    readonly sameAs?: number;
  };
}

/** Makes a zip. */
export function zipOf(
  files: readonly ZipFile[],
  { isWide = false }: { readonly isWide?: boolean } = {},
): Uint8Array<ArrayBuffer> {
  const out: Uint8Array[] = [];
  let at = 0;
  const put = (bytes: Uint8Array) => {
    out.push(bytes);
    at += bytes.length;
  };
  const central: Uint8Array[] = [];
  const offsets: number[] = [];
  for (const { name, bytes, isStored = false, lie = {} } of files) {
    const called = new TextEncoder().encode(name);
    const packed = isStored ? bytes : new Uint8Array(deflateRawSync(bytes));
    const method = lie.method ?? (isStored ? 0 : 8);
    const flags = lie.flags ?? 0x800;
    const offset = lie.sameAs === undefined ? at : offsets[lie.sameAs] ?? 0;
    offsets.push(offset);
    const crc = lie.crc ?? crc32(bytes);
    const size = lie.size ?? bytes.length;
    const packedSize = lie.packedSize ?? packed.length;
    if (lie.sameAs === undefined) {
      put(fields([
        [4, 0x04034b50],
        [2, 20],
        [2, flags],
        [2, method],
        [4, 0],
        [4, crc],
        [4, packedSize],
        [4, size],
        [2, called.length],
        [2, 0],
      ]));
      put(called);
      put(packed);
    }
    const extra = isWide
      ? fields([[2, 1], [2, 24], [8, size], [8, packedSize], [8, offset]])
      : new Uint8Array();
    central.push(
      fields([
        [4, 0x02014b50],
        [2, 20],
        [2, 20],
        [2, flags],
        [2, method],
        [2, 0],
        [2, ((2024 - 1980) << 9) | (6 << 5) | 30],
        [4, crc],
        [4, isWide ? 0xffffffff : packedSize],
        [4, isWide ? 0xffffffff : size],
        [2, called.length],
        [2, extra.length],
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, isWide ? 0xffffffff : offset],
      ]),
      called,
      extra,
    );
  }
  const start = at;
  for (const bytes of central) put(bytes);
  const size = at - start;
  const count = files.length;
  if (isWide) {
    const end = at;
    put(fields([
      [4, 0x06064b50],
      [8, 44],
      [2, 45],
      [2, 45],
      [4, 0],
      [4, 0],
      [8, count],
      [8, count],
      [8, size],
      [8, start],
    ]));
    put(fields([[4, 0x07064b50], [4, 0], [8, end], [4, 1]]));
  }
  put(fields([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, isWide ? 0xffff : count],
    [2, isWide ? 0xffff : count],
    [4, isWide ? 0xffffffff : size],
    [4, isWide ? 0xffffffff : start],
    [2, 0],
  ]));
  const whole = new Uint8Array(at);
  let into = 0;
  for (const bytes of out) {
    whole.set(bytes, into);
    into += bytes.length;
  }
  return whole;
}

function fields(all: readonly (readonly [number, number])[]): Uint8Array {
  return Uint8Array.from(all.flatMap(([length, value]) => {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
    return [...bytes.subarray(0, length)];
  }));
}
