/**
 * What an export of ente's desktop program says of a file, in
 * `metadata/{file}.json`: `title`, `creationTime` and `modificationTime` with a
 * `timestamp` in seconds, and where they are known `caption` and `geoData`
 * (ente-io/ente, `web/apps/photos/src/services/export`). The date and place are
 * those that the person sees there, edited ones too.
 *
 * @module
 */
import * as z from "zod/mini";
import { instantOf, placeOf } from "../exif/facts.ts";
import type { SidecarFacts } from "./sidecar_facts.ts";

const MAX_CAPTION = 16_384;

const schema = z.object({
  title: z.string(),
  creationTime: z.object({ timestamp: z.number() }),
  caption: z.catch(z.nullish(z.string()), undefined),
  geoData: z.catch(
    z.nullish(z.object({ latitude: z.number(), longitude: z.number() })),
    undefined,
  ),
});

/** Reads it; undefined where it is something else. Never throws. */
export function readEnteJson(text: string): SidecarFacts | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) return undefined;
  const { title, creationTime, caption, geoData } = parsed.data;
  const takenAt = instantOf(creationTime.timestamp * 1_000);
  const place = placeOf(geoData?.latitude, geoData?.longitude);
  return {
    title: title.normalize("NFC"),
    // The moment, in UTC: nobody says where the clock was.
    ...(takenAt === undefined ? {} : { takenAt, takenOffset: 0 }),
    ...(place === undefined ? {} : { place }),
    ...(caption
      ? { caption: [...caption].slice(0, MAX_CAPTION).join("") }
      : {}),
    favourite: false,
    archived: false,
    trashed: false,
    isEdited: true,
  };
}
