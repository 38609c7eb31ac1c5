/**
 * Reading what the exports of ente's programs tell of a file
 * (ente-io/ente, `web/apps/photos/src/services/export` and
 * `cli/pkg/model/export`). Date and place are those that ente shows, which the
 * person may have edited.
 *
 * - The desktop program writes `metadata/{file}.json`: `title`, `creationTime`
 *   and `modificationTime` with a `timestamp` in seconds, and, if they are
 *   known, `caption` and `geoData`.
 * - The command line writes `.meta/{file}.json`: `title`, `creationTime` in RFC
 *   3339, if they are known `description` and `location`, and in
 *   `info.fileNames` the files that it is about, two for a live photo. Next to
 *   them `album_meta.json` has the title of the album.
 *
 * @module
 */
import * as z from "zod/mini";
import { instantOf } from "../exif/dates.ts";
import { placeOf } from "../exif/facts.ts";
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

const diskSchema = z.object({
  title: z.string(),
  description: z.catch(z.nullish(z.string()), undefined),
  creationTime: z.string(),
  location: z.catch(
    z.nullish(z.object({ latitude: z.number(), longitude: z.number() })),
    undefined,
  ),
  info: z.object({ fileNames: z.array(z.string()) }),
});

const albumSchema = z.object({
  albumName: z.string(),
  isDeleted: z.catch(z.boolean(), false),
});

/** What the command line's export tells of files. */
interface EnteDiskFile {
  /** Their names, in the folder above. */
  readonly names: readonly string[];
  readonly facts: SidecarFacts;
}

/** Reads a file of the desktop's export; undefined if it is something else. Never throws. */
export function readEnteJson(text: string): SidecarFacts | undefined {
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const { title, creationTime, caption, geoData } = parsed.data;
  return factsOf(title, creationTime.timestamp * 1_000, caption, geoData);
}

/** Reads one of the command line's; undefined if it is something else. Never throws. */
export function readEnteDiskJson(text: string): EnteDiskFile | undefined {
  const parsed = diskSchema.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const { title, creationTime, description, location, info } = parsed.data;
  const names = info.fileNames.map((name) => name.normalize("NFC"));
  const at = Date.parse(creationTime);
  return { names, facts: factsOf(title, at, description, location) };
}

/** Reads an album's title; undefined if it is something else. Never throws. */
export function readEnteAlbum(text: string): string | undefined {
  const parsed = albumSchema.safeParse(jsonOf(text));
  if (!parsed.success || parsed.data.isDeleted) return undefined;
  return parsed.data.albumName.normalize("NFC").trim();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function factsOf(
  title: string,
  takenMs: number,
  caption: string | null | undefined,
  geo:
    | { readonly latitude: number; readonly longitude: number }
    | null
    | undefined,
): SidecarFacts {
  const takenAt = instantOf(takenMs);
  const place = placeOf(geo?.latitude, geo?.longitude);
  return {
    title: title.normalize("NFC"),
    // The exports have the moment in UTC and no offset.
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
