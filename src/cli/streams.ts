/**
 * The standard streams that a command is given, standard output in bulk, and
 * files by the line.
 *
 * @module
 */
import { OperatorFault } from "../core/operator.ts";
import { isDiskFull } from "../store/failure.ts";

/** What the caller of a command gives it: a process's, or those of a test. */
export interface Streams {
  readonly stdin: Pick<
    typeof Deno.stdin,
    "isTerminal" | "read" | "readable" | "setRaw"
  >;
  readonly stdout: Output;
  readonly stderr: Output & Pick<typeof Deno.stderr, "isTerminal">;
}

type Output = Pick<typeof Deno.stdout, "writeSync">;

/** The disk is full that standard output or error is a file of. */
export class OutputFull extends OperatorFault {}

/** Writes all of the bytes, to standard output if not said. */
export function writeOut(bytes: Uint8Array, to: Output = Deno.stdout): void {
  let at = 0;
  try {
    while (at < bytes.length) at += to.writeSync(bytes.subarray(at));
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    throw new OutputFull(
      "the disk is full that standard output or error goes to: free some " +
        "space there, or send it elsewhere",
      { cause },
    );
  }
}

/** Written together, at most (characters). */
const GATHER_CHARACTERS = 64 * 1024;

/** Lines for standard output, many to a system call. */
export class OutLines {
  readonly #encoder = new TextEncoder();
  readonly #to: Output;
  #gathered = "";

  constructor(to: Output) {
    this.#to = to;
  }

  write(line: string): void {
    this.#gathered += `${line}\n`;
    if (this.#gathered.length >= GATHER_CHARACTERS) this.flush();
  }

  flush(): void {
    writeOut(this.#encoder.encode(this.#gathered), this.#to);
    this.#gathered = "";
  }
}

/** A file's bytes; `-` is standard input. */
export async function openInput(
  name: string,
  { stdin }: Streams,
): Promise<ReadableStream<Uint8Array>> {
  return name === "-" ? stdin.readable : (await Deno.open(name)).readable;
}

/** A line of a text, or that it is longer than anybody reads. */
type Line =
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
