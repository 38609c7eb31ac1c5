/**
 * Reading the text of a few elements from an object store's XML.
 *
 * The text is looked at once, from its beginning to its end, whatever stands in
 * it: the store is not trusted with the event loop. What is not well formed ends
 * the reading. There are no document types and no entities but XML's own five.
 *
 * @module
 */
import { unescapeXml } from "../../../core/xml.ts";

/** Elements within one another; lists of a bucket have four. */
const DEPTH_MAX = 16;

/** An element that was read to its end. */
export interface XmlElement {
  readonly name: string;
  /** How many elements it stands in. */
  readonly depth: number;
  /** Its text, where it has no child elements. */
  readonly text: string | undefined;
}

/** The text of an element's first occurrence without child elements. */
export function textOf(xml: string, element: string): string | undefined {
  for (const { name, text } of new XmlScanner(xml).elements()) {
    if (name === element && text !== undefined) return text;
  }
  return undefined;
}

/**
 * The children of each occurrence of an element, by their names, as far as they
 * have text and no children of their own; of several the first. Undefined where
 * the text is not whole: something may be missing.
 */
export function childrenOf(
  xml: string,
  element: string,
): ReadonlyMap<string, string>[] | undefined {
  const scanner = new XmlScanner(xml);
  const found: ReadonlyMap<string, string>[] = [];
  // An element ends after its children; what is of no use is let go as it ends.
  const children = new Map<number, Map<string, string>>();
  for (const { name, depth, text } of scanner.elements()) {
    const own = children.get(depth + 1);
    children.delete(depth + 1);
    if (name === element) found.push(own ?? new Map());
    if (text === undefined) continue;
    const siblings = children.get(depth) ?? new Map<string, string>();
    children.set(depth, siblings);
    if (!siblings.has(name)) siblings.set(name, text);
  }
  return scanner.isWhole ? found : undefined;
}

/** Goes through a text once. */
export class XmlScanner {
  #at = 0;
  /** Characters that were looked at: never many more than there are. */
  looked = 0;
  /** Whether the text was read to its end, and everything in it had one. */
  isWhole = false;

  constructor(private readonly xml: string) {}

  /** Every element, as it ends; none any more where the text is malformed. */
  *elements(): Generator<XmlElement> {
    const open: { name: string; from: number; hasChildren: boolean }[] = [];
    let hasBegun = false;
    for (;;) {
      if (!this.#skipTo("<")) {
        this.isWhole = hasBegun && open.length === 0;
        return;
      }
      const textEnd = this.#at - 1;
      if (this.#startsWith("?")) {
        if (!this.#skipTo("?>")) return;
        continue;
      }
      if (this.#startsWith("!--")) {
        this.#at += 3;
        if (!this.#skipTo("-->")) return;
        const parent = open.at(-1);
        // What stands around a comment is no text that we look for.
        if (parent !== undefined) parent.hasChildren = true;
        continue;
      }
      if (this.#startsWith("!")) return;
      const tagStart = this.#at;
      if (!this.#skipTag()) return;
      const tag = this.xml.slice(tagStart, this.#at - 1);
      if (tag.startsWith("/")) {
        const ended = open.pop();
        if (ended?.name !== tag.slice(1).trimEnd()) return;
        yield {
          name: ended.name,
          depth: open.length,
          text: ended.hasChildren
            ? undefined
            : unescapeXml(this.xml.slice(ended.from, textEnd)),
        };
        continue;
      }
      const isEmpty = tag.endsWith("/");
      const name = /^[^\s/]*/.exec(tag)?.[0] ?? "";
      const parent = open.at(-1);
      if (parent !== undefined) parent.hasChildren = true;
      hasBegun = true;
      if (isEmpty) {
        yield { name, depth: open.length, text: "" };
        continue;
      }
      if (open.length === DEPTH_MAX) return;
      open.push({ name, from: this.#at, hasChildren: false });
    }
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
