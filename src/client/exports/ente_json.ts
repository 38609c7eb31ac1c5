/**
 * Reading the `metadata/{file}.json` of an export of ente's desktop program:
 * `title`, `creationTime` and `modificationTime` with a `timestamp` in seconds,
 * and, if they are known, `caption` and `geoData` (ente-io/ente,
 * `web/apps/photos/src/services/export`). Date and place are those that ente
 * shows, which the person may have edited.
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

/** Reads the file; undefined if it is something else. Never throws. */
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
    // The export has the moment in UTC and no offset.
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
