/**
 * Reading the text of a few elements from an object store's XML.
 *
 * @module
 */

/** The text of an element's first occurrence. */
export function textOf(xml: string, element: string): string | undefined {
  const [first] = textsOf(xml, element);
  return first;
}

/** The text of each occurrence of an element without child elements. */
export function textsOf(xml: string, element: string): string[] {
  const pattern = new RegExp(
    `<${element}(?: [^>]*)?>([^<]*)</${element}>`,
    "g",
  );
  return [...xml.matchAll(pattern)].map(([, text = ""]) => unescape(text));
}

/** What stands in each occurrence of an element, with the elements in it. */
export function textsOfEach(xml: string, element: string): string[] {
  const pattern = new RegExp(
    `<${element}(?: [^>]*)?>(.*?)</${element}>`,
    "gs",
  );
  return [...xml.matchAll(pattern)].map(([, text = ""]) => text);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

function unescape(text: string): string {
  return text.replace(
    /&(?:lt|gt|quot|apos|amp);/g,
    (one) => ENTITIES[one] ?? one,
  )
    .replace(
      /&#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}));/g,
      (one, hex?: string, decimal?: string) => {
        const point = hex === undefined ? Number(decimal) : parseInt(hex, 16);
        return point <= 0x10ffff ? String.fromCodePoint(point) : one;
      },
    );
}

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
