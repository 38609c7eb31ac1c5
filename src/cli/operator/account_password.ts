/**
 * A new password for `strongroom account create`: from a terminal, where it is
 * asked for twice and not shown, or from standard input.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { secretLine } from "../../core/secret_line.ts";
import { type Streams, writeOut } from "../streams.ts";

/** More than any password has (bytes). */
const MAX_BYTES = 16 * 1024;

/** The first line of standard input, which has no other. */
export async function passwordFromInput({ stdin }: Streams): Promise<string> {
  const bytes: number[] = [];
  const piece = new Uint8Array(4096);
  for (;;) {
    const length = await stdin.read(piece);
    if (length === null) break;
    bytes.push(...piece.subarray(0, length));
    if (bytes.length > MAX_BYTES) throw unfit("it is too long");
  }
  const text = decode(Uint8Array.from(bytes)).replace(/\r?\n$/, "");
  if (text.includes("\n")) throw unfit("it has more than one line");
  return secretLine(text, "standard input");
}

/** Asks on the terminal, twice; refuses without a terminal. */
export async function passwordFromTerminal(streams: Streams): Promise<string> {
  const { stdin } = streams;
  if (!stdin.isTerminal()) {
    throw new OperatorFault(
      "there is no terminal to ask for the password: give it on standard " +
        "input, with --password-stdin",
    );
  }
  const typed = new TypedLines(undefined, streams);
  stdin.setRaw(true);
  try {
    const password = await typed.ask("Password: ");
    if (await typed.ask("Once more: ") === password) return password;
  } finally {
    stdin.setRaw(false);
  }
  throw new OperatorFault(
    "the two passwords differ, so nothing was done: run this again",
  );
}

const [INTERRUPT, END, BACKSPACE, LINE_FEED, RETURN, DELETE] = [
  0x03,
  0x04,
  0x08,
  0x0a,
  0x0d,
  0x7f,
];

/** Lines as they are typed into a terminal that is in raw mode. */
export class TypedLines {
  /** `nothing` is the message if the person breaks off. */
  constructor(
    private readonly nothing = "no password was given, so nothing was done",
    private readonly streams: Streams,
  ) {}

  /** What was read and belongs to the next line. */
  #ahead: number[] = [];

  /** A line; it is shown as it is typed only if that is asked for. */
  async ask(
    question: string,
    { shown = false }: { readonly shown?: boolean } = {},
  ): Promise<string> {
    this.#write(question);
    const line: number[] = [];
    for (;;) {
      const byte = await this.#next();
      if (byte === undefined || byte === INTERRUPT || byte === END) {
        this.#write("\n");
        throw new OperatorFault(this.nothing);
      }
      if (byte === RETURN || byte === LINE_FEED) break;
      if (byte === BACKSPACE || byte === DELETE) {
        if (shown && line.length > 0) this.#write("\b \b");
        eraseLast(line);
        continue;
      }
      if (line.push(byte) > MAX_BYTES) throw unfit("it is too long");
      if (shown) writeOut(Uint8Array.of(byte), this.streams.stderr);
    }
    this.#write("\n");
    return decode(Uint8Array.from(line));
  }

  async #next(): Promise<number | undefined> {
    if (this.#ahead.length === 0) {
      const piece = new Uint8Array(1024);
      const length = await this.streams.stdin.read(piece);
      this.#ahead = [...piece.subarray(0, length ?? 0)];
    }
    return this.#ahead.shift();
  }

  #write(text: string): void {
    writeOut(new TextEncoder().encode(text), this.streams.stderr);
  }
}

/** Takes back a character: its bytes after the first begin with 10 (UTF-8). */
function eraseLast(line: number[]): void {
  let byte = line.pop();
  while (byte !== undefined && (byte & 0xc0) === 0x80) byte = line.pop();
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes);
  } catch {
    throw unfit("it is not UTF-8");
  }
}

function unfit(why: string): OperatorFault {
  return new OperatorFault(
    `the password cannot be read (${why}): give it as one line of text`,
  );
}
