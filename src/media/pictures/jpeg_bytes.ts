/**
 * The bytes of a JPEG as its decoder takes them, of which a piece is held at a
 * time.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { MalformedMedia, type Turns } from "../exif/reading.ts";

const PIECE_BYTES = 1024 * 1024;
/**
 * The most that is read between two looks at what is left: ten blocks of 64
 * coefficients, each of at most 32 bits, and each byte of them escaped.
 */
const MOST_AT_ONCE_BYTES = 8 * 1024;

/** A file from its beginning to its end, byte by byte. */
export class JpegBytes {
  #held: Bytes = new Uint8Array();
  /** Where the next byte is in what is held. */
  #at = 0;
  /** Where what is held ends in the file. */
  #end = 0;
  /** So many bytes of a scan were asked for beyond its end. */
  #beyond = 0;

  constructor(
    private readonly source: PlainSource,
    private readonly turns: Turns,
  ) {}

  /** Undefined where enough is held for what follows. */
  ready(): Promise<void> | undefined {
    if (this.#beyond > MOST_AT_ONCE_BYTES) {
      throw new MalformedMedia("a scan ends too soon");
    }
    return this.#held.length - this.#at >= MOST_AT_ONCE_BYTES ||
        this.#end === this.source.size
      ? undefined
      : this.#fill();
  }

  async #fill(): Promise<void> {
    const turn = this.turns.after(PIECE_BYTES);
    if (turn !== undefined) await turn;
    const rest = this.#held.subarray(this.#at);
    const length = Math.min(PIECE_BYTES, this.source.size - this.#end);
    const read = await this.source.read(this.#end, length);
    if (read.length < length) throw new MalformedMedia("it is shorter now");
    const held = new Uint8Array(rest.length + length);
    held.set(rest);
    held.set(read, rest.length);
    [this.#held, this.#at] = [held, 0];
    this.#end += length;
  }

  /** The next byte of a scan; 0 beyond its end. */
  next(): number {
    const byte = this.#held[this.#at];
    if (byte === undefined) {
      this.#beyond++;
      return 0;
    }
    if (byte !== 0xff) {
      this.#at++;
      return byte;
    }
    if (this.#held[this.#at + 1] === 0) {
      this.#at += 2;
      return byte;
    }
    // A marker: the scan is over, and what it lacks is 0.
    this.#beyond++;
    return 0;
  }

  /** The next marker, wherever it is; undefined at the end of the file. */
  async marker(): Promise<number | undefined> {
    this.#beyond = 0;
    for (;;) {
      const more = this.ready();
      if (more !== undefined) await more;
      const found = this.#held.indexOf(0xff, this.#at);
      if (found === -1 || found + 1 >= this.#held.length) {
        if (this.#end === this.source.size) return undefined;
        this.#at = found === -1 ? this.#held.length : found;
        await this.#fill();
        continue;
      }
      const marker = this.#held[found + 1] ?? 0;
      const isNone = marker === 0 || (marker >= 0xd0 && marker <= 0xd7);
      this.#at = marker === 0xff ? found + 1 : found + 2;
      if (marker !== 0xff && !isNone) return marker;
    }
  }

  /** What is in the segment after a marker. */
  async segment(): Promise<Bytes> {
    while (this.#held.length - this.#at < 65_537) {
      if (this.#end === this.source.size) break;
      await this.#fill();
    }
    const [high, low] = this.#held.subarray(this.#at, this.#at + 2);
    const length = (high ?? 0) << 8 | (low ?? 0);
    const segment = this.#held.slice(this.#at + 2, this.#at + length);
    if (length < 2 || segment.length < length - 2) {
      throw new MalformedMedia("it says it has what it has not");
    }
    this.#at += length;
    return segment;
  }

  /** Goes behind the next marker at which a decoder begins again. */
  async toRestart(): Promise<void> {
    this.#beyond = 0;
    const more = this.ready();
    if (more !== undefined) await more;
    const [escape, marker = 0] = this.#held.subarray(this.#at, this.#at + 2);
    const isThere = escape === 0xff && marker >= 0xd0 && marker <= 0xd7;
    if (isThere) {
      this.#at += 2;
      return;
    }
    // It is a few bytes on where the scan is damaged.
    for (let at = this.#at; at + 1 < this.#held.length; at++) {
      const next = this.#held[at + 1] ?? 0;
      if (this.#held[at] !== 0xff || next === 0 || next === 0xff) continue;
      if (next < 0xd0 || next > 0xd7) break;
      this.#at = at + 2;
      return;
    }
    throw new MalformedMedia("a scan ends too soon");
  }
}
