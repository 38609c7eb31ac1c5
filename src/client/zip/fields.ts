/**
 * Reading fields of a zip's entries: names, times, and sizes of ZIP64.
 *
 * @module
 */

/** The numbers that ZIP64 extends to 64 bits. */
export interface Zip64 {
  readonly size: number;
  readonly packedSize: number;
  readonly offset: number;
}

const WIDE = 0xffffffff;
const ZIP64_EXTRA = 0x0001;
const TIMES_EXTRA = 0x5455;

/** The upper half of code page 437, which encodes names that are not UTF-8. */
const CP437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
  "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/**
 * Decodes a name. UTF-8 is tried even without its flag, because many programs
 * do not set that.
 */
export function nameOf(bytes: Uint8Array, isUtf8: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal: !isUtf8, ignoreBOM: true })
      .decode(bytes);
  } catch {
    return Array.from(
      bytes,
      (byte) =>
        byte < 0x80 ? String.fromCharCode(byte) : CP437[byte - 0x80] ?? "?",
    ).join("");
  }
}

/** Why a path is not allowed in an archive; undefined if it is. */
export function hiddenWhy(path: string): string | undefined {
  const leaves = path === "" || path.length > 4_096 || path.startsWith("/") ||
    /^[a-z]:/i.test(path) || /[\\\p{Cc}]/u.test(path) ||
    path.split("/").some((part) => part === ".." || part === ".");
  return leaves ? "its name leaves the archive" : undefined;
}

/**
 * The sizes of an entry with those of ZIP64; undefined if they are impossible.
 */
export function zip64Of(short: Zip64, extra: DataView): Zip64 | undefined {
  const isWide = short.size === WIDE || short.packedSize === WIDE ||
    short.offset === WIDE;
  if (!isWide) return short;
  const field = extraOf(extra, ZIP64_EXTRA);
  if (field === undefined) return undefined;
  let at = 0;
  const widened = (value: number) => {
    if (value !== WIDE) return value;
    if (at + 8 > field.byteLength) return NaN;
    const wide = Number(field.getBigUint64(at, true));
    at += 8;
    return wide;
  };
  const size = widened(short.size);
  const packedSize = widened(short.packedSize);
  const offset = widened(short.offset);
  const whole = { size, packedSize, offset };
  return Object.values(whole).every(Number.isSafeInteger) ? whole : undefined;
}

/** When an entry was last changed, in milliseconds. */
export function timesOf(date: number, time: number, extra: DataView): number {
  const times = extraOf(extra, TIMES_EXTRA);
  if (
    times !== undefined && times.byteLength >= 5 &&
    (times.getUint8(0) & 1) === 1
  ) return times.getInt32(1, true) * 1_000;
  return Date.UTC(
    1980 + (date >>> 9),
    ((date >>> 5) & 15) - 1,
    date & 31,
    time >>> 11,
    (time >>> 5) & 63,
    (time & 31) * 2,
  );
}

function extraOf(extra: DataView, wanted: number): DataView | undefined {
  for (let at = 0; at + 4 <= extra.byteLength;) {
    const id = extra.getUint16(at, true);
    const length = extra.getUint16(at + 2, true);
    at += 4;
    if (at + length > extra.byteLength) return undefined;
    if (id === wanted) {
      return new DataView(extra.buffer, extra.byteOffset + at, length);
    }
    at += length;
  }
  return undefined;
}
