/**
 * Reading XML that others wrote: what object stores answer, what phones ask of
 * `receive`, and what programs say of a photo (XMP).
 *
 * The scanner looks at each character once and holds to bounds. It knows the
 * five entities of XML and numeric characters, declares no others, and refuses a
 * document type, which could.
 *
 * @module
 */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** At most eight characters are looked at behind each `&`. */
const REFERENCE =
  /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g;

/** Reads a text; a reference to what is no character stays as it is. */
export function unescapeXml(text: string): string {
  return text.replace(
    REFERENCE,
    (whole, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = decimal === undefined
        ? parseInt(hex ?? "", 16)
        : Number(decimal);
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : whole;
    },
  );
}

/** A text as it stands in an element or a quoted attribute. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Bounds of a document; past them it counts as malformed. */
interface XmlLimits {
  /** Elements within one another. */
  readonly depth: number;
  readonly elements: number;
}

/** A piece of a document. An empty element has its `close` too. */
export type XmlPart =
  | {
    readonly kind: "open";
    readonly name: string;
    /** What follows the name in the tag: see `attributesOf`. */
    readonly attributes: string;
  }
  | { readonly kind: "close"; readonly name: string }
  /** Characters between tags, whose references `unescapeXml` reads. */
  | { readonly kind: "text"; readonly raw: string }
  | { readonly kind: "cdata"; readonly text: string }
  /** A comment or a processing instruction. */
  | { readonly kind: "aside" };

const NAME = /^[^\s=/>"'<]+/;

/** Goes through a text once. */
export class XmlScanner {
  #at = 0;
  /** Characters that were looked at: never many more than there are. */
  looked = 0;
  /** Whether the text was read to its end, and everything in it had one. */
  isWhole = false;

  constructor(
    private readonly xml: string,
    private readonly limits: XmlLimits,
  ) {}

  /** The parts in their order, up to the first that is malformed. */
  *parts(): Generator<XmlPart, void> {
    const open: string[] = [];
    let elements = 0;
    for (;;) {
      const from = this.#at;
      const hasTag = this.#skipTo("<");
      const to = hasTag ? this.#at - 1 : this.#at;
      if (to > from) yield { kind: "text", raw: this.xml.slice(from, to) };
      if (!hasTag) {
        this.isWhole = elements > 0 && open.length === 0;
        return;
      }
      this.looked += 1;
      const kind = this.xml[this.#at];
      if (kind === "?") {
        if (!this.#skipTo("?>")) return;
        yield { kind: "aside" };
        continue;
      }
      if (kind === "!") {
        const part = this.#declaration();
        if (part === undefined) return;
        if (part.kind === "cdata" && open.length === 0) return;
        yield part;
        continue;
      }
      const tagStart = this.#at;
      if (!this.#skipTag()) return;
      const tag = this.xml.slice(tagStart, this.#at - 1);
      if (kind === "/") {
        const name = open.pop();
        if (name === undefined || name !== tag.slice(1).trim()) return;
        yield { kind: "close", name };
        continue;
      }
      const [name] = NAME.exec(tag) ?? [];
      elements += 1;
      const { depth, elements: most } = this.limits;
      if (name === undefined || elements > most || open.length >= depth) return;
      const isEmpty = tag.endsWith("/");
      const attributes = tag.slice(name.length, isEmpty ? -1 : undefined);
      yield { kind: "open", name, attributes };
      if (isEmpty) yield { kind: "close", name };
      else open.push(name);
    }
  }

  /** What begins with `<!`; undefined for a document type and all the rest. */
  #declaration(): XmlPart | undefined {
    const from = this.#at;
    if (this.#startsWith("!--")) {
      this.#at = from + 3;
      return this.#skipTo("-->") ? { kind: "aside" } : undefined;
    }
    if (!this.#startsWith("![CDATA[")) return undefined;
    this.#at = from + 8;
    return this.#skipTo("]]>")
      ? { kind: "cdata", text: this.xml.slice(from + 8, this.#at - 3) }
      : undefined;
  }

  #startsWith(text: string): boolean {
    this.looked += text.length;
    return this.xml.startsWith(text, this.#at);
  }

  /** Goes on behind the next occurrence; false, and to the end, without one. */
  #skipTo(text: string): boolean {
    const found = this.xml.indexOf(text, this.#at);
    const next = found < 0 ? this.xml.length : found + text.length;
    this.looked += next - this.#at;
    this.#at = next;
    return found >= 0;
  }

  /** Goes on behind the end of a tag, whose attributes may have any text. */
  #skipTag(): boolean {
    for (; this.#at < this.xml.length;) {
      const character = this.xml[this.#at];
      this.#at += 1;
      this.looked += 1;
      if (character === ">") return true;
      if (character === "<") return false;
      if (character === '"' || character === "'") {
        if (!this.#skipTo(character)) return false;
      }
    }
    return false;
  }
}

/** An attribute of a tag, with its references read. */
interface XmlAttribute {
  readonly name: string;
  readonly value: string;
}

const ATTRIBUTE = /\s+([^\s=/>"'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;

/**
 * The attributes of a tag, from what follows its name; undefined if they are
 * malformed or more than `most`.
 */
export function attributesOf(
  text: string,
  most: number,
): readonly XmlAttribute[] | undefined {
  const found: XmlAttribute[] = [];
  let end = 0;
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const attribute = ATTRIBUTE.exec(text);
    if (attribute === null) break;
    const [whole, name = "", double, single] = attribute;
    if (found.length >= most) return undefined;
    found.push({ name, value: unescapeXml(double ?? single ?? "") });
    end += whole.length;
  }
  return text.slice(end).trim() === "" ? found : undefined;
}
