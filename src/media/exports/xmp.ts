/**
 * Reading the XMP sidecar of a photograph (ISO 16684-1). immich writes
 * `dc:description`, `tiff:ImageDescription`, `xmp:Rating`,
 * `exif:DateTimeOriginal`, `photoshop:DateCreated`, `exif:GPSLatitude` and
 * `exif:GPSLongitude` (docs.immich.app/features/xmp-sidecars); osxphotos and
 * Apple Photos `dc:description`, `dc:title`, `photoshop:DateCreated` and the
 * place (osxphotos, `templates/xmp_sidecar.mako`).
 *
 * The reader supports only the XML that these need: it follows no references,
 * knows no entity declarations, and refuses a document with a type declaration.
 *
 * @module
 */
import { type Taken, takenOf, withOffset } from "../exif/dates.ts";
import { keywordsOf, placeOf } from "../exif/facts.ts";
import type { Place } from "../../client/documents/metadata.ts";
import { attributesOf, unescapeXml, XmlScanner } from "../../core/xml.ts";
import { RDF, XMP_NAMESPACES } from "./xmp_writer.ts";

/** The facts that a sidecar states; others are absent. */
interface XmpFacts extends Taken {
  readonly place?: Place;
  readonly caption?: string;
  /** Stars, 0 to 5; -1 means rejected. */
  readonly rating?: number;
  readonly keywords?: readonly string[];
  /** Whether it is in the archive, which only this program's sidecars state. */
  readonly archived?: true;
}

/** Namespaces of what is read, some of which are never written. */
const NAMESPACES = {
  ...XMP_NAMESPACES,
  digiKam: "http://www.digikam.org/ns/1.0/",
  lr: "http://ns.adobe.com/lightroom/1.0/",
} as const;

/** Longest sidecar that is read (bytes); longer files are ignored. */
const XMP_MAX_BYTES = 16 * 1024 * 1024;
/** Bounds of what is read of a packet. */
export const XMP_LIMITS = { depth: 32, elements: 200_000 };
const MAX_ATTRIBUTES = 256;
/** Most prefixes known at once, with those of the parent elements. */
const MAX_PREFIXES = 256;
const MAX_CAPTION = 16_384;
const XML = "http://www.w3.org/XML/1998/namespace";

/** Reads a sidecar; undefined if the text is no XMP. Never throws. */
export function readXmp(text: string): XmpFacts | undefined {
  if (text.length > XMP_MAX_BYTES) return undefined;
  const lists = new Map<string, string[]>();
  const said = propertiesOf(text, lists);
  if (said === undefined) return undefined;
  const listed = (prefix: Prefix, name: string) =>
    lists.get(NAMESPACES[prefix] + name) ?? [];
  // A search for a country finds what has only a town of it as a plain keyword.
  const keywords = keywordsOf([
    ...listed("dc", "subject"),
    ...listed("lr", "hierarchicalSubject").flatMap((path) => path.split("|")),
    ...listed("digiKam", "TagsList").flatMap((path) => path.split("/")),
  ]);
  const first = (...names: readonly (readonly [Prefix, string])[]) =>
    names.map(([prefix, name]) => said.get(NAMESPACES[prefix] + name))
      .find((value) => value !== undefined && value !== "");
  const place = placeOf(
    coordinateOf(first(["exif", "GPSLatitude"]), "N", "S"),
    coordinateOf(first(["exif", "GPSLongitude"]), "E", "W"),
    altitudeOf(first(["exif", "GPSAltitude"]), first(["exif", ABOVE])),
  );
  const caption = first(
    ["dc", "description"],
    ["tiff", "ImageDescription"],
    ["dc", "title"],
  );
  const rating = Number(first(["xmp", "Rating"]) ?? NaN);
  const dates = [
    first(["exif", "DateTimeOriginal"]),
    first(["photoshop", "DateCreated"]),
    first(["xmp", "CreateDate"]),
    first(["exif", "DateTimeDigitized"]),
  ].map((text) => takenOf(text)).filter(({ takenAt }) => takenAt !== undefined);
  const [earliest] = dates;
  const date = earliest === undefined ? undefined : withOffset(earliest, dates);
  return {
    ...date,
    ...(place === undefined ? {} : { place }),
    ...(caption === undefined
      ? {}
      : { caption: [...caption].slice(0, MAX_CAPTION).join("") }),
    ...(Number.isInteger(rating) && rating >= -1 && rating <= 5
      ? { rating }
      : {}),
    ...(keywords === undefined ? {} : { keywords }),
    ...(first(["strongroom", "Archived"]) === "True" ? { archived: true } : {}),
  };
}

/**
 * The simple properties of a packet, by their namespace followed by their name;
 * undefined if it is no XMP. Never throws.
 */
export function xmpProperties(
  text: string,
): ReadonlyMap<string, string> | undefined {
  return text.length > XMP_MAX_BYTES
    ? undefined
    : propertiesOf(text, new Map());
}

type Prefix = keyof typeof NAMESPACES;
const ABOVE = "GPSAltitudeRef";

/** An element whose end was not read yet. */
interface Open {
  readonly uri: string;
  readonly local: string;
  /** Namespaces by their prefixes, with those of its parents. */
  readonly prefixes: ReadonlyMap<string, string>;
  /** The language, if the element is an item of a list. */
  readonly language: string | undefined;
  text: string;
  /** The value so far, if the element is a property. */
  value: string | undefined;
}

/** Most items of lists that are kept. */
const MAX_ITEMS = 1_024;

/**
 * The simple properties by namespace and name; undefined if the text is no XMP.
 * The items of lists are added to `lists` in the same way.
 */
function propertiesOf(
  text: string,
  lists: Map<string, string[]>,
): Map<string, string> | undefined {
  const said = new Map<string, string>();
  const open: Open[] = [];
  let [items, isRdf] = [0, false];
  const say = (key: string, value: string) => {
    if (!said.has(key) && value.trim() !== "") said.set(key, value.trim());
  };
  const close = (element: Open) => {
    const parent = open.at(-1);
    if (element.uri === RDF && element.local === "li") {
      // The item of the default language wins, otherwise the first one.
      const property = open.at(-2);
      if (property === undefined) return;
      if (items++ < MAX_ITEMS) {
        const key = property.uri + property.local;
        lists.set(key, lists.get(key) ?? []);
        lists.get(key)?.push(element.text);
      }
      const isDefault = element.language === "x-default";
      if (isDefault || property.value === undefined) {
        property.value = element.text;
      }
    } else if (parent?.uri === RDF && parent.local === "Description") {
      say(element.uri + element.local, element.value ?? element.text);
    }
  };
  const scanner = new XmlScanner(text, XMP_LIMITS);
  for (const part of scanner.parts()) {
    const inside = open.at(-1);
    if (part.kind === "open") {
      const opened = opening(part, inside?.prefixes ?? new Map());
      if (opened === undefined) return undefined;
      const { element, attributes } = opened;
      isRdf ||= element.uri === RDF && element.local === "RDF";
      if (element.uri === RDF && element.local === "Description") {
        for (const { uri, local, value } of attributes) say(uri + local, value);
      }
      open.push(element);
    } else if (part.kind === "close") {
      open.pop();
      if (inside !== undefined) close(inside);
    } else if (inside !== undefined && part.kind === "cdata") {
      inside.text += part.text.slice(0, 4 * MAX_CAPTION);
    } else if (inside !== undefined && part.kind === "text") {
      if (inside.text.length > 4 * MAX_CAPTION) continue;
      inside.text += unescapeXml(part.raw);
    }
  }
  return isRdf && scanner.isWhole ? said : undefined;
}

/** Resolves the names of a tag; undefined if it is malformed. */
function opening(
  tag: { readonly name: string; readonly attributes: string },
  outer: ReadonlyMap<string, string>,
) {
  const given = attributesOf(tag.attributes, MAX_ATTRIBUTES);
  if (given === undefined) return undefined;
  const declared = given.filter(({ name }) => name.startsWith("xmlns:"))
    .map(({ name, value }) => [name.slice("xmlns:".length), value] as const);
  const prefixes = declared.length === 0
    ? outer
    : new Map([...outer, ...declared]);
  if (prefixes.size > MAX_PREFIXES) return undefined;
  const resolve = (name: string) => {
    const colon = name.indexOf(":");
    const prefix = name.slice(0, Math.max(0, colon));
    const uri = prefix === "xml" ? XML : prefixes.get(prefix) ?? "";
    return { uri, local: name.slice(colon + 1) };
  };
  const attributes = given.map(({ name, value }) => ({
    ...resolve(name),
    value,
  }));
  const element: Open = {
    ...resolve(tag.name),
    prefixes,
    language: attributes.find(({ uri, local }) =>
      uri === XML && local === "lang"
    )?.value,
    text: "",
    value: undefined,
  };
  return { element, attributes };
}

/** Degrees, minutes and seconds, with commas, spaces or their signs between. */
const COORDINATE =
  /^(\d{1,3}(?:\.\d{1,20})?)(?:[,°\s]{1,3}(\d{1,2}(?:\.\d{1,20})?))?(?:[,'′\s]{1,3}(\d{1,2}(?:\.\d{1,20})?))?[,°'"′″\s]{0,3}$/;

/**
 * Reads `47,30.5N`, `47,30,15N`, degrees with a fraction, and what people
 * write: `N47 30.5` and `47° 30′ 15″ N`.
 */
function coordinateOf(
  text: string | undefined,
  positive: string,
  negative: string,
): number | undefined {
  if (text === undefined || text.length > 100) return undefined;
  if (/^-?\d{1,3}(\.\d{1,20})?$/.test(text)) return Number(text);
  const first = /^[A-Za-z]/.test(text);
  const half = text.at(first ? 0 : -1)?.toUpperCase();
  if (half !== positive && half !== negative) return undefined;
  const bare = (first ? text.slice(1) : text.slice(0, -1)).trim();
  const [, degrees, minutes = "0", seconds = "0"] = COORDINATE.exec(bare) ?? [];
  if (degrees === undefined) return undefined;
  const size = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3_600;
  return half === negative ? -size : size;
}

/**
 * Reads metres, written as a fraction; a `reference` of `1` means below the
 * sea.
 */
function altitudeOf(
  text: string | undefined,
  reference: string | undefined,
): number | undefined {
  const [, over, under = "1"] =
    /^(\d{1,12}(?:\.\d{1,12})?)(?:\/(\d{1,12}))?$/.exec(text ?? "") ?? [];
  if (over === undefined || Number(under) === 0) return undefined;
  const metres = Number(over) / Number(under);
  return reference === "1" ? -metres : metres;
}
