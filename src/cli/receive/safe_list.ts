/**
 * What is proven to be in the owner's library, told to a telephone in its own
 * folder. The list comes from `verify --safe-to-delete` and is sealed to a key
 * of the telephone's password, so it opens only while the telephone speaks with
 * this program. Nothing is deleted by it.
 *
 * @module
 */
import {
  type Bytes,
  concatBytes,
  fromHex,
  fromUtf8,
  toHex,
  utf8,
} from "../../core/bytes.ts";
import { OperatorFault } from "../../core/operator.ts";
import { readTime, toRfc3339 } from "../../core/time.ts";
import { nativePrimitives } from "../../client/keys/native.ts";
import { openSealed, sealTo } from "../../client/keys/sealing.ts";
import { SAFE_LIST_MARK, sumLine } from "../person/files/sum_lines.ts";

/** A list is sealed under this label, and for its telephone alone. */
const LABEL = "strongroom-receive-safe/v1";
const HASH_BYTES = 32;
const TIME_BYTES = 8;
/** More are not kept for a telephone. */
const MOST_FILES = 500_000;
const LINE = /^\\?([0-9a-f]{64}) [ *]/;
const LOOKED_AT = /, looked at (\S+)$/;

/** Hashes of files that are proven to be kept. */
export class SafeList {
  readonly #hashes: Uint8Array;

  private constructor(
    /** When that was looked at (ms). */
    readonly lookedAt: number,
    hashes: Uint8Array,
  ) {
    this.#hashes = hashes;
  }

  /** Reads the file that `verify` writes. Throws an OperatorFault. */
  static parse(text: string): SafeList {
    const [first = "", ...lines] = text.split("\n");
    const at = readTime(LOOKED_AT.exec(first)?.[1] ?? "");
    if (!first.startsWith(SAFE_LIST_MARK) || at === undefined) {
      throw new OperatorFault(
        "this is not a list that `strongroom verify --safe-to-delete` wrote",
      );
    }
    const found = new Set(lines.flatMap((line) => LINE.exec(line)?.[1] ?? []));
    if (found.size > MOST_FILES) {
      throw new OperatorFault(`a list has at most ${MOST_FILES} files`);
    }
    const sorted = [...found].toSorted();
    const hashes = new Uint8Array(sorted.length * HASH_BYTES);
    for (const [index, hash] of sorted.entries()) {
      hashes.set(fromHex(hash) ?? new Uint8Array(), index * HASH_BYTES);
    }
    return new SafeList(at, hashes);
  }

  /** Opens a sealed list; undefined if it was changed. */
  static open(
    secretKey: Uint8Array,
    device: string,
    sealed: Uint8Array,
  ): SafeList | undefined {
    const plain = openSealed(
      secretKey,
      sealed,
      LABEL,
      utf8(device),
      nativePrimitives,
    );
    if (plain === undefined) return undefined;
    const at = new DataView(plain.buffer, plain.byteOffset).getFloat64(0);
    return new SafeList(at, plain.subarray(TIME_BYTES));
  }

  seal(
    publicKey: Uint8Array,
    device: string,
    random: (length: number) => Bytes,
  ): Bytes {
    const at = new Uint8Array(TIME_BYTES);
    new DataView(at.buffer).setFloat64(0, this.lookedAt);
    return sealTo(
      publicKey,
      concatBytes(at, this.#hashes),
      LABEL,
      utf8(device),
      random,
      nativePrimitives,
    );
  }

  /** How many files it lists. */
  get size(): number {
    return this.#hashes.length / HASH_BYTES;
  }

  /** Whether a file is listed, by its hash in hex. */
  has(sha256: string): boolean {
    let [from, to] = [0, this.size];
    while (from < to) {
      const middle = (from + to) >> 1;
      const start = middle * HASH_BYTES;
      const here = toHex(this.#hashes.subarray(start, start + HASH_BYTES));
      if (here === sha256) return true;
      if (here < sha256) from = middle + 1;
      else to = middle;
    }
    return false;
  }

  /** The file that a telephone finds, of its own files that are listed. */
  text(
    files: Iterable<{ readonly path: string; readonly sha256: string }>,
  ): string {
    const lines = [...files].filter(({ sha256 }) => this.has(sha256))
      .map(({ path, sha256 }) => sumLine(sha256, path));
    return [
      `${SAFE_LIST_MARK}${this.#looked}`,
      "# Each of these files that this phone sent is in your library: its receipts",
      "# were verified, and its bytes were read again. Nothing was deleted.",
      "# A name alone proves nothing; compare the files themselves with",
      "#   sha256sum --check --ignore-missing SAFE-TO-DELETE.txt",
      ...lines.toSorted(),
      "",
    ].join("\n");
  }

  get #looked(): string {
    return `, looked at ${toRfc3339(this.lookedAt)}`;
  }
}

/** Reads a list from a file of this machine. Throws an OperatorFault. */
export async function readSafeList(path: string): Promise<SafeList> {
  let bytes: Uint8Array;
  try {
    bytes = await Deno.readFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new OperatorFault(`there is no file ${path}`);
  }
  return SafeList.parse(fromUtf8(bytes) ?? "");
}
