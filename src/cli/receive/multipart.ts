/**
 * Files of a form (RFC 7578), one after another and never whole in memory.
 *
 * @module
 */
import { utf8 } from "../../core/bytes.ts";

/** A file of a form; its body is to be read before the next is asked for. */
export interface FormFile {
  readonly name: string;
  readonly body: ReadableStream<Uint8Array>;
}

/** The form is none. */
export class MalformedForm extends Error {
  override readonly name = "MalformedForm";
}

/** Bytes of a part's headers. */
const HEAD_MAX_BYTES = 16 * 1024;
/** Parts of a form, fields among them. */
const MOST_PARTS = 1_000;

/** The boundary that a media type names; undefined if it is no form's. */
export function boundaryOf(contentType: string | null): string | undefined {
  const [type = ""] = (contentType ?? "").split(";", 1);
  if (type.trim().toLowerCase() !== "multipart/form-data") return undefined;
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
      contentType ?? "",
    ) ?? [];
  return quoted ?? plain;
}

/** Yields the files of a form. Throws MalformedForm. */
export async function* filesOfForm(
  body: ReadableStream<Uint8Array>,
  boundary: string,
): AsyncGenerator<FormFile, void> {
  const source = new Source(body);
  try {
    // Whatever stands before the first boundary is nobody's.
    const first = utf8(`--${boundary}`);
    for await (const _ of source.until(first)) { /* passed over */ }
    const between = utf8(`\r\n--${boundary}`);
    for (let parts = 0;; parts++) {
      const end = await source.line();
      if (end.startsWith("--")) return;
      if (parts === MOST_PARTS) throw new MalformedForm("too many parts");
      const name = fileNameOf(await headOf(source));
      const content = source.until(between);
      if (name !== undefined && name !== "") {
        yield { name, body: ReadableStream.from(content) };
      }
      // What was not read of it.
      for await (const _ of content) { /* passed over */ }
    }
  } finally {
    await source.cancel();
  }
}

async function headOf(source: Source): Promise<string> {
  let head = "";
  for (;;) {
    const line = await source.line();
    if (line === "") return head;
    head += `${line}\n`;
    if (head.length > HEAD_MAX_BYTES) throw new MalformedForm("long headers");
  }
}

/** The name of a file, without folders that a browser may put before it. */
function fileNameOf(head: string): string | undefined {
  const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? "";
  const extended = /;\s*filename\*=utf-8''([^;\s]+)/i.exec(disposition)?.[1];
  const [, quoted, plain] =
    /;\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const given = extended === undefined
    ? (quoted ?? plain)?.replace(/%22/g, '"')
    : decoded(extended);
  return given?.split(/[/\\]/).at(-1);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Bytes that are read up to a mark. */
class Source {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #held: Uint8Array = new Uint8Array();

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }

  /** What stands before a mark; the mark is passed over. */
  async *until(mark: Uint8Array): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const at = indexOf(this.#held, mark);
      if (at >= 0) {
        const before = this.#held.subarray(0, at);
        this.#held = this.#held.subarray(at + mark.length);
        if (before.length > 0) yield before;
        return;
      }
      // The mark may have begun in what is held back.
      const sure = this.#held.length - mark.length + 1;
      if (sure > 0) {
        const before = this.#held.subarray(0, sure);
        this.#held = this.#held.subarray(sure);
        yield before;
      }
      await this.#more();
    }
  }

  /** A line without its end, and never a long one. */
  async line(): Promise<string> {
    const mark = utf8("\r\n");
    for (;;) {
      const at = indexOf(this.#held, mark);
      if (at >= 0) {
        const line = this.#held.subarray(0, at);
        this.#held = this.#held.subarray(at + mark.length);
        return new TextDecoder().decode(line);
      }
      // The last boundary may end the body without a line's end.
      if (this.#held.length === 2 && indexOf(this.#held, utf8("--")) === 0) {
        return "--";
      }
      if (this.#held.length > HEAD_MAX_BYTES) {
        throw new MalformedForm("a long line");
      }
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#reader.read();
    if (done) throw new MalformedForm("it ends early");
    const joined = new Uint8Array(this.#held.length + value.length);
    joined.set(this.#held);
    joined.set(value, this.#held.length);
    this.#held = joined;
  }
}

function indexOf(bytes: Uint8Array, mark: Uint8Array): number {
  const [first = 0] = mark;
  for (let at = bytes.indexOf(first); at >= 0;) {
    if (at + mark.length > bytes.length) return -1;
    let same = 1;
    while (same < mark.length && bytes[at + same] === mark[same]) same += 1;
    if (same === mark.length) return at;
    at = bytes.indexOf(first, at + 1);
  }
  return -1;
}
