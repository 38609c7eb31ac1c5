/**
 * Reading the text of a few elements from an object store's XML.
 *
 * The scanner looks at the text once, whatever stands in it: the store is not
 * trusted with the event loop. What is not well formed ends the reading.
 *
 * @module
 */
import { unescapeXml, XmlScanner } from "../../../core/xml.ts";

/** Lists of a bucket have four elements within one another, and 1,000 objects. */
const LIMITS = { depth: 16, elements: 200_000 };

/** An element that was read to its end. */
interface XmlElement {
  readonly name: string;
  /** How many elements it stands in. */
  readonly depth: number;
  /** Its text, where it has no child elements. */
  readonly text: string | undefined;
}

/** The text of an element's first occurrence without child elements. */
export function textOf(xml: string, element: string): string | undefined {
  for (const { name, text } of elementsOf(new XmlScanner(xml, LIMITS))) {
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
  const scanner = new XmlScanner(xml, LIMITS);
  const found: ReadonlyMap<string, string>[] = [];
  // An element ends after its children; what is of no use is let go as it ends.
  const children = new Map<number, Map<string, string>>();
  for (const { name, depth, text } of elementsOf(scanner)) {
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

/** Every element, as it ends; none any more where the text is malformed. */
function* elementsOf(scanner: XmlScanner): Generator<XmlElement> {
  const open: { raw: string; hasChildren: boolean }[] = [];
  for (const part of scanner.parts()) {
    const inside = open.at(-1);
    if (part.kind === "open") {
      if (inside !== undefined) inside.hasChildren = true;
      open.push({ raw: "", hasChildren: false });
    } else if (part.kind === "close") {
      open.pop();
      const hasChildren = inside?.hasChildren ?? true;
      yield {
        name: part.name,
        depth: open.length,
        text: hasChildren ? undefined : unescapeXml(inside?.raw ?? ""),
      };
    } else if (part.kind === "text") {
      if (inside !== undefined) inside.raw = part.raw;
    } else if (part.kind === "aside") {
      // What stands around a comment is no text that we look for.
      if (inside !== undefined) inside.hasChildren = true;
    } else {
      // No store writes such a section, so the list is not whole.
      return;
    }
  }
}
