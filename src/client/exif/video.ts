/**
 * Reading the facts of videos: MP4, QuickTime and 3GP.
 *
 * @module
 */
import { type Box, boxesIn, boxOf, contentOf } from "./boxes.ts";
import {
  cameraOf,
  instantOf,
  type MediaFacts,
  placeOf,
  takenOf,
} from "./facts.ts";
import { codeAt, type MediaReader, viewOf } from "./reading.ts";

/** Seconds from 1904, the epoch of videos, to 1970. */
const TO_UNIX_S = 2_082_844_800;

/** Reads the facts of a video. */
export async function readVideo(reader: MediaReader): Promise<MediaFacts> {
  const moov = await boxOf(reader, { at: 0, end: reader.size }, "moov");
  if (moov === undefined) return {};
  const header = await boxOf(reader, moov, "mvhd");
  const clock: ReturnType<typeof clockOf> = header === undefined
    ? {}
    : clockOf(await contentOf(reader, header));
  const said = await keysOf(reader, moov);
  const apple = (name: string) => said.get(`com.apple.quicktime.${name}`);
  const written = apple("creationdate");
  const taken = takenOf(written, written?.slice(19));
  // The header's time is UTC (ISO 14496-12), and nothing tells the zone.
  const isUtc = taken.takenAt === undefined && clock.takenAt !== undefined;
  const camera = cameraOf({ make: apple("make"), model: apple("model") });
  const place = isoPlace(
    apple("location.ISO6709") ?? await placeText(reader, moov),
  );
  const contentIdentifier = apple("content.identifier");
  return {
    ...clock,
    ...taken,
    ...(isUtc ? { takenIsUtc: true } : {}),
    ...await videoExtent(reader, moov),
    ...(camera === undefined ? {} : { camera }),
    ...(place === undefined ? {} : { place }),
    ...(contentIdentifier === undefined ? {} : { contentIdentifier }),
  };
}

function clockOf(view: DataView): Pick<MediaFacts, "takenAt" | "durationMs"> {
  const wide = view.getUint8(0) === 1;
  if (view.byteLength < (wide ? 32 : 20)) return {};
  const made = wide ? Number(view.getBigUint64(4)) : view.getUint32(4);
  const scale = view.getUint32(wide ? 20 : 12);
  const length = wide ? Number(view.getBigUint64(24)) : view.getUint32(16);
  const takenAt = made === 0 ? undefined : instantOf((made - TO_UNIX_S) * 1000);
  const durationMs = scale === 0 ? 0 : Math.round(length / scale * 1000);
  return {
    // The time is zero, or the camera counts from 1970: both are useless.
    ...(takenAt === undefined || made < TO_UNIX_S ? {} : { takenAt }),
    ...(durationMs > 0 && Number.isSafeInteger(durationMs)
      ? { durationMs }
      : {}),
  };
}

async function videoExtent(
  reader: MediaReader,
  moov: Box,
): Promise<Pick<MediaFacts, "width" | "height">> {
  for await (const track of boxesIn(reader, moov.at, moov.end)) {
    if (track.type !== "trak") continue;
    const header = await boxOf(reader, track, "tkhd");
    if (header === undefined) continue;
    const view = await contentOf(reader, header);
    const matrix = view.getUint8(0) === 1 ? 52 : 40;
    if (view.byteLength < matrix + 44) continue;
    const width = Math.round(view.getUint32(matrix + 36) / 65_536);
    const height = Math.round(view.getUint32(matrix + 40) / 65_536);
    if (width === 0 || height === 0) continue;
    // The first number of the matrix is 0 if the video lies on its side.
    const turned = view.getInt32(matrix) === 0;
    return turned ? { width: height, height: width } : { width, height };
  }
  return {};
}

/** Apple's names and values (`moov/meta` with `keys` and `ilst`). */
async function keysOf(
  reader: MediaReader,
  moov: Box,
): Promise<ReadonlyMap<string, string>> {
  const said = new Map<string, string>();
  const meta = await boxOf(reader, moov, "meta");
  if (meta === undefined) return said;
  const [keys, list] = [
    await boxOf(reader, meta, "keys"),
    await boxOf(reader, meta, "ilst"),
  ];
  if (keys === undefined || list === undefined) return said;
  const names: string[] = [];
  for await (const { at, end } of boxesIn(reader, keys.at + 8, keys.end)) {
    const view = await reader.view(at, Math.min(end - at, 256));
    names.push(codeAt(view, 0, view.byteLength));
  }
  for await (const item of boxesIn(reader, list.at, list.end)) {
    const head = await reader.view(item.at - 4, 4);
    const name = names[head.getUint32(0) - 1];
    const data = await boxOf(reader, item, "data");
    if (name === undefined || data === undefined) continue;
    const length = Math.min(data.end - data.at, 1_024);
    const view = await reader.bytes(data.at, length);
    // A type (1 is UTF-8) and a language precede the text.
    if (length < 8 || viewOf(view).getUint32(0) !== 1) continue;
    said.set(name, new TextDecoder().decode(view.subarray(8)));
  }
  return said;
}

/** The place as Android writes it: `moov/udta/©xyz`. */
async function placeText(
  reader: MediaReader,
  moov: Box,
): Promise<string | undefined> {
  const box = await boxOf(reader, moov, "udta", "\u00a9xyz");
  if (box === undefined || box.end - box.at < 5) return undefined;
  const view = await reader.view(
    box.at + 4,
    Math.min(box.end - box.at - 4, 64),
  );
  return codeAt(view, 0, view.byteLength);
}

const ISO_6709 =
  /^([+-]\d{2}(?:\.\d+)?)([+-]\d{3}(?:\.\d+)?)([+-]\d+(?:\.\d+)?)?/;

function isoPlace(text: string | undefined) {
  const [, latitude, longitude, altitude] = ISO_6709.exec(text ?? "") ?? [];
  if (latitude === undefined || longitude === undefined) return undefined;
  return placeOf(
    Number(latitude),
    Number(longitude),
    altitude === undefined ? undefined : Number(altitude),
  );
}
