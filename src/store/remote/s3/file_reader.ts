/**
 * Reading files that are sent to an object store, whole or in parts, with a
 * bound on the bytes in memory.
 *
 * @module
 */
import type { Files, StoredFile } from "../../files/files.ts";

const MIB = 1024 * 1024;
/** Bound on the bytes of files in memory; a single file is always allowed. */
const ROOM_BYTES = 64 * MIB;
const PART_BYTES = 16 * MIB;
/** Most parts of an object; stores accept ten thousand. */
const PARTS_MAX = 9_000;

export class FileReader {
  #used = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly files: Files) {}

  /** Reads a whole file and passes its bytes to `work`. */
  async withWhole<T>(
    path: string,
    size: number,
    work: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>,
  ): Promise<T> {
    return await this.#withRoom(size, async () => {
      const file = await this.#open(path);
      try {
        return await work(await readFull(file, size));
      } finally {
        file.close();
      }
    });
  }

  /**
   * Yields a file part by part; each part counts as in memory until the next is
   * asked for.
   */
  async *parts(
    path: string,
    size: number,
    visit: (bytes: Uint8Array) => void,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
    const least = Math.ceil(size / PARTS_MAX / MIB) * MIB;
    const partBytes = Math.max(PART_BYTES, least);
    const file = await this.#open(path);
    try {
      for (let at = 0; at < size; at += partBytes) {
        const length = Math.min(partBytes, size - at);
        await this.#take(length);
        try {
          const bytes = await readFull(file, length);
          visit(bytes);
          yield bytes;
        } finally {
          this.#give(length);
        }
      }
    } finally {
      file.close();
    }
  }

  async #open(path: string): Promise<StoredFile> {
    const file = await this.files.open(path, "read");
    if (file === undefined) throw new Error(`missing ${path}`);
    return file;
  }

  async #withRoom<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    await this.#take(bytes);
    try {
      return await work();
    } finally {
      this.#give(bytes);
    }
  }

  async #take(bytes: number): Promise<void> {
    while (this.#used > 0 && this.#used + bytes > ROOM_BYTES) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#used += bytes;
  }

  #give(bytes: number): void {
    this.#used -= bytes;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

async function readFull(
  file: StoredFile,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let at = 0;
  while (at < length) {
    const read = await file.read(bytes.subarray(at));
    if (read === null) throw new Error("a file ended early");
    at += read;
  }
  return bytes;
}
