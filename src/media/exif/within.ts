/**
 * What the file of a photo has in addition to its picture: the short video of a
 * motion photo, and how a panorama is spread around the viewer.
 *
 * The video is behind the picture in the same file. It is found where Google's
 * cameras say it (Motion Photo format 1.0, and `MicroVideoOffset` before that:
 * developer.android.com/media/platform/motion-photo-format), in the box `mpvd`
 * of a HEIC (there as well), or in the trailer of Samsung's cameras (ExifTool,
 * `Samsung.pm`). All of these are claims: only a place where a video begins
 * counts, and it ends with its last box.
 *
 * @module
 */
import { attributesOf, unescapeXml, XmlScanner } from "../../core/xml.ts";
import { XMP_LIMITS, xmpProperties } from "../exports/xmp.ts";
import type { PlainSource } from "../../client/stream/sealed_source.ts";
import { boxesIn } from "./boxes.ts";
import { findInJpeg } from "./segments.ts";
import { codeAt, MediaReader, readWithin, viewOf } from "./reading.ts";

/** A part of a file: from `at`, before `end` (bytes). */
interface Span {
  readonly at: number;
  readonly end: number;
}

/**
 * The part of a whole sphere that an equirectangular picture shows. `left`,
 * `top`, `width` and `height` are shares of the sphere's 360 by 180 degrees;
 * `heading` is where to look at first, in degrees from the middle of the
 * sphere.
 */
export interface Sphere {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly heading: number;
  /** Upwards (degrees). */
  readonly pitch: number;
}

/** What is inside; a part that the file does not have is absent. */
export interface Within {
  readonly video?: Span;
  readonly sphere?: Sphere;
}

const CAMERA = "http://ns.google.com/photos/1.0/camera/";
const PANORAMA = "http://ns.google.com/photos/1.0/panorama/";

/** Boxes at the top of an MP4; others are behind the video. */
const VIDEO_BOXES: ReadonlySet<string> = new Set([
  "ftyp",
  "moov",
  "mdat",
  "moof",
  "mfra",
  "sidx",
  "styp",
  "free",
  "skip",
  "wide",
  "udta",
  "uuid",
  "meta",
]);

/** Most items that a container names; cameras write two or three. */
const MAX_ITEMS = 16;
/** Most attributes of one, and characters of a text in it. */
const MAX_ATTRIBUTES = 256;
const MAX_TEXT = 64;
/** Most blocks of Samsung's trailer; cameras write a dozen. */
const MAX_BLOCKS = 128;
/** The block with the video. */
const SAMSUNG_VIDEO = 0x0a30;

/**
 * Looks for what is inside a JPEG, HEIC or AVIF. Reads headers alone, and
 * nothing of the video itself.
 */
export async function lookWithin(source: PlainSource): Promise<Within> {
  return await readWithin(source, look) ?? {};
}

async function look(source: PlainSource): Promise<Within> {
  const reader = new MediaReader(source);
  // Each place is another program's claim: one that makes no sense costs no
  // other.
  const attempted = async <T>(read: () => Promise<T | undefined>) =>
    await read().catch(() => undefined);
  const isJpeg =
    await attempted(async () =>
      (await reader.view(0, 2)).getUint16(0) === 0xffd8
    ) ?? false;
  const xmp = isJpeg
    ? await attempted(async () => (await findInJpeg(reader)).xmp)
    : undefined;
  const told = xmp === undefined ? undefined : xmpProperties(xmp);
  const sphere = told === undefined ? undefined : sphereOf(told);
  const places = [
    () =>
      told === undefined || xmp === undefined
        ? undefined
        : googlesPlace(told, xmp, source.size),
    () => isJpeg ? undefined : boxedPlace(reader),
    () => samsungsPlace(reader),
  ];
  for (const place of places) {
    const video = await attempted(async () => {
      const span = await place();
      return span === undefined ? undefined : await videoIn(reader, span);
    });
    if (video !== undefined) {
      return { video, ...(sphere === undefined ? {} : { sphere }) };
    }
  }
  return sphere === undefined ? {} : { sphere };
}

/** The video that begins at a place; undefined if none does. */
async function videoIn(
  reader: MediaReader,
  { at, end }: Span,
): Promise<Span | undefined> {
  const isInside = Number.isSafeInteger(at) && at > 0 && at + 16 <= end &&
    end <= reader.size;
  if (!isInside) return undefined;
  const seen = new Set<string>();
  let last = at;
  for await (const box of boxesIn(reader, at, end)) {
    if (!VIDEO_BOXES.has(box.type)) break;
    if (last === at && box.type !== "ftyp") return undefined;
    seen.add(box.type);
    last = box.end;
  }
  return seen.has("moov") && seen.has("mdat") ? { at, end: last } : undefined;
}

/** Where the XMP of Google's cameras says that the video is. */
function googlesPlace(
  told: ReadonlyMap<string, string>,
  xmp: string,
  size: number,
): Span | undefined {
  if (told.get(`${CAMERA}MotionPhoto`) === "1") {
    // The items are in the order of the file. The last one ends with it.
    const items = itemsIn(xmp);
    const first = items.findIndex(({ semantic }) => semantic === "MotionPhoto");
    const behind = items.slice(first).reduce(
      (sum, { bytes }) => sum + bytes,
      0,
    );
    if (first > 0) return { at: size - behind, end: size };
  }
  if (told.get(`${CAMERA}MicroVideo`) !== "1") return undefined;
  const offset = wholeNumber(told.get(`${CAMERA}MicroVideoOffset`));
  return offset === undefined ? undefined : { at: size - offset, end: size };
}

/**
 * The items of a container's directory, in its order. Writers put what is said
 * of an item into attributes or into elements.
 */
function itemsIn(xmp: string) {
  const items: Map<string, string>[] = [];
  const open: string[] = [];
  for (const part of new XmlScanner(xmp, XMP_LIMITS).parts()) {
    const said = open.includes("Item") ? items.at(-1) : undefined;
    if (part.kind === "open") {
      const name = localOf(part.name);
      open.push(name);
      if (name !== "Item") continue;
      if (items.length === MAX_ITEMS) break;
      items.push(
        new Map(
          attributesOf(part.attributes, MAX_ATTRIBUTES)
            ?.map(({ name, value }) => [localOf(name), value]),
        ),
      );
    } else if (part.kind === "close") {
      open.pop();
    } else if (part.kind === "text") {
      const name = open.at(-1);
      if (name === undefined || said === undefined || said.has(name)) continue;
      said.set(name, unescapeXml(part.raw.slice(0, MAX_TEXT)));
    }
  }
  return items.map((said) => ({
    semantic: said.get("Semantic")?.trim(),
    bytes: (wholeNumber(said.get("Length")?.trim()) ?? 0) +
      (wholeNumber(said.get("Padding")?.trim()) ?? 0),
  }));
}

/** A name without the prefix of its namespace. */
function localOf(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text)
    ? Number(text)
    : undefined;
}

/** The content of the box with the video, in a HEIC or AVIF. */
async function boxedPlace(reader: MediaReader): Promise<Span | undefined> {
  for await (const box of boxesIn(reader, 0, reader.size)) {
    if (box.type === "mpvd") return box;
  }
  return undefined;
}

/**
 * Where Samsung's trailer says that the video is. The file ends with `SEFT`, in
 * front of it the length of a directory that begins with `SEFH`. Its entries of
 * twelve bytes say how far in front of it each block begins, and its length. A
 * block has its type, the length of its name and the name in front of its data.
 */
async function samsungsPlace(reader: MediaReader): Promise<Span | undefined> {
  const { size } = reader;
  if (size < 32) return undefined;
  const tail = await reader.view(size - 8, 8);
  if (codeAt(tail, 4) !== "SEFT") return undefined;
  const length = tail.getUint32(0, true);
  const directory = size - 8 - length;
  if (length < 12 || length > 12 * (1 + MAX_BLOCKS)) return undefined;
  const bytes = (await reader.bytes(directory, length)).slice();
  const view = viewOf(bytes);
  if (codeAt(view, 0) !== "SEFH") return undefined;
  const blocks = Math.min(view.getUint32(8, true), (length - 12) / 12);
  for (let at = 12; at + 12 <= 12 + 12 * blocks; at += 12) {
    if (view.getUint16(at + 2, true) !== SAMSUNG_VIDEO) continue;
    const from = directory - view.getUint32(at + 4, true);
    const end = from + view.getUint32(at + 8, true);
    if (from < 0 || end > directory) continue;
    const head = await reader.view(from, 8);
    return { at: from + 8 + head.getUint32(4, true), end };
  }
  return undefined;
}

/** How an equirectangular picture is spread; undefined for another one. */
function sphereOf(told: ReadonlyMap<string, string>): Sphere | undefined {
  const said = (name: string) => told.get(PANORAMA + name);
  const number = (name: string) => {
    const value = Number(said(name) ?? NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  const isSphere =
    said("ProjectionType")?.toLowerCase() === "equirectangular" &&
    said("UsePanoramaViewer")?.toLowerCase() !== "false";
  if (!isSphere) return undefined;
  const [fullWidth, fullHeight, width, height] = [
    number("FullPanoWidthPixels"),
    number("FullPanoHeightPixels"),
    number("CroppedAreaImageWidthPixels"),
    number("CroppedAreaImageHeightPixels"),
  ];
  const part = { left: 0, top: 0, width: 1, height: 1 };
  // Cameras that show the whole sphere may leave its sides out.
  if (fullWidth && fullHeight && width && height) {
    part.left = (number("CroppedAreaLeftPixels") ?? 0) / fullWidth;
    part.top = (number("CroppedAreaTopPixels") ?? 0) / fullHeight;
    part.width = width / fullWidth;
    part.height = height / fullHeight;
  }
  const isPart = part.left >= 0 && part.top >= 0 && part.width > 0 &&
    part.height > 0 && part.left + part.width <= 1.001 &&
    part.top + part.height <= 1.001;
  if (!isPart) return undefined;
  const heading = number("InitialViewHeadingDegrees");
  return {
    ...part,
    heading: heading === undefined
      ? 360 * (part.left + part.width / 2 - 0.5)
      : (heading - (number("PoseHeadingDegrees") ?? 0)) % 360,
    pitch: Math.max(
      -90,
      Math.min(90, number("InitialViewPitchDegrees") ?? 0),
    ),
  };
}
