/**
 * Directories of TIFF 6.0 anywhere in a file: of plain TIFF pictures, and of
 * the raw formats of cameras that are based on it.
 *
 * @module
 */
import { type MediaReader, viewOf } from "../exif/reading.ts";

/** Most entries read of a directory, which has a few dozen. */
const MAX_ENTRIES = 1_024;
/** Bytes of a value, by the number of its type; 13 is an offset. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

/** TIFF itself, Olympus and OM System (two of them), Panasonic and Leica. */
const MAGICS: ReadonlySet<number> = new Set([42, 0x4f52, 0x5352, 0x55]);

/** An entry of a directory. */
interface Field {
  readonly type: number;
  readonly count: number;
  /** Offset of its values in the file. */
  readonly at: number;
}

/** A directory, and where the next one of its chain is; 0 for none. */
export interface Directory {
  readonly fields: ReadonlyMap<number, Field>;
  readonly next: number;
}

/** The directories of a structure that begins anywhere in a file. */
export class Directories {
  private constructor(
    private readonly reader: MediaReader,
    /** Offsets count from here. */
    private readonly base: number,
    readonly little: boolean,
    /** Where the first directory is. */
    readonly first: number,
  ) {}

  /** Undefined unless a structure begins there. Throws MalformedMedia. */
  static async open(
    reader: MediaReader,
    base = 0,
  ): Promise<Directories | undefined> {
    const head = await reader.view(base, 8);
    const order = head.getUint16(0);
    if (order !== 0x4949 && order !== 0x4d4d) return undefined;
    const little = order === 0x4949;
    if (!MAGICS.has(head.getUint16(2, little))) return undefined;
    return new Directories(reader, base, little, head.getUint32(4, little));
  }

  /** The same, but offsets count from elsewhere, as in a camera's own notes. */
  from(base: number): Directories {
    return new Directories(this.reader, base, this.little, this.first);
  }

  /** The directory at an offset. Throws MalformedMedia. */
  async at(offset: number): Promise<Directory> {
    const start = this.base + offset;
    const count = Math.min(
      (await this.reader.view(start, 2)).getUint16(0, this.little),
      MAX_ENTRIES,
    );
    const length = 2 + 12 * count;
    // Copied, because the reader's next read replaces its piece.
    const bytes = (await this.reader.bytes(start, length)).slice();
    const view = viewOf(bytes);
    const fields = new Map<number, Field>();
    for (let at = 2; at + 12 <= length; at += 12) {
      const type = view.getUint16(at + 2, this.little);
      const values = view.getUint32(at + 4, this.little);
      const size = (TYPE_BYTES[type] ?? 0) * values;
      if (size === 0) continue;
      const where = size <= 4
        ? start + at + 8
        : this.base + view.getUint32(at + 8, this.little);
      if (where + size > this.reader.size) continue;
      fields.set(view.getUint16(at, this.little), {
        type,
        count: values,
        at: where,
      });
    }
    const isLast = start + length + 4 > this.reader.size;
    const next = isLast
      ? 0
      : (await this.reader.view(start + length, 4)).getUint32(0, this.little);
    return { fields, next };
  }

  /** The first values of a field of whole numbers; none for another type. */
  async numbers(
    field: Field | undefined,
    most: number,
  ): Promise<readonly number[]> {
    if (field === undefined) return [];
    const size = TYPE_BYTES[field.type] ?? 0;
    const isWhole = [1, 3, 4, 7, 13].includes(field.type);
    if (!isWhole) return [];
    const count = Math.min(field.count, most);
    const view = await this.reader.view(field.at, size * count);
    return Array.from(
      { length: count },
      (_, n) =>
        size === 1
          ? view.getUint8(n)
          : size === 2
          ? view.getUint16(2 * n, this.little)
          : view.getUint32(4 * n, this.little),
    );
  }

  /** The only value of a field; undefined if it has none or more. */
  async number(field: Field | undefined): Promise<number | undefined> {
    if (field?.count !== 1) return undefined;
    const [value] = await this.numbers(field, 1);
    return value;
  }
}
