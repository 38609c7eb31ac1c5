/**
 * Standard output in bulk, and files by the line.
 *
 * @module
 */

/** Writes all of the bytes to standard output. */
export function writeOut(bytes: Uint8Array): void {
  let at = 0;
  while (at < bytes.length) at += Deno.stdout.writeSync(bytes.subarray(at));
}

/** Written together, at most (characters). */
const GATHER_CHARACTERS = 64 * 1024;

/** Lines for standard output, many to a system call. */
export class OutLines {
  readonly #encoder = new TextEncoder();
  #gathered = "";

  write(line: string): void {
    this.#gathered += `${line}\n`;
    if (this.#gathered.length >= GATHER_CHARACTERS) this.flush();
  }

  flush(): void {
    writeOut(this.#encoder.encode(this.#gathered));
    this.#gathered = "";
  }
}

/** A file's bytes; `-` is standard input. */
export async function openInput(
  name: string,
): Promise<ReadableStream<Uint8Array>> {
  return name === "-" ? Deno.stdin.readable : (await Deno.open(name)).readable;
}

/** A line of a text, or that it is longer than anybody reads. */
export type Line =
  | { readonly text: string; readonly ended: boolean }
  | "too long";

/**
 * The lines of a stream, without their ends, of at most so many bytes each: a
 * longer one is told of and ends it, so memory stays bounded whatever comes.
 * `ended` says whether a line feed followed.
 */
export async function* linesOf(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const take = (last: Uint8Array) => {
    const text = held.map((one) => decoder.decode(one, { stream: true }))
      .join("") + decoder.decode(last);
    held = [];
    heldBytes = 0;
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  };
  for await (const chunk of stream) {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, from);
      const piece = chunk.subarray(from, end === -1 ? chunk.length : end);
      if (heldBytes + piece.length > maxBytes) return yield "too long";
      if (end === -1) {
        held.push(piece);
        heldBytes += piece.length;
        break;
      }
      yield { text: take(piece), ended: true };
      from = end + 1;
    }
  }
  if (heldBytes > 0) yield { text: take(new Uint8Array()), ended: false };
}
