/**
 * Reading the JSON files of a Google Photos export, which describe photographs
 * and albums. Their content tells which is which, because their names are cut,
 * numbered and translated.
 *
 * @module
 */
import * as z from "zod/mini";
import { toRfc3339 } from "../../core/time.ts";
import type { SidecarFacts } from "./sidecar_facts.ts";

/** The kind and the content of a JSON file of an export. */
type TakeoutJson =
  | { readonly kind: "sidecar"; readonly facts: SidecarFacts }
  | { readonly kind: "album"; readonly title: string }
  | { readonly kind: "other" };

const MAX_CAPTION = 16_384;

const moment = z.object({ timestamp: z.coerce.string() });
const geo = z.object({
  latitude: z.number().check(z.gte(-90), z.lte(90)),
  longitude: z.number().check(z.gte(-180), z.lte(180)),
  altitude: z.optional(z.number()),
});

const sidecarSchema = z.object({
  title: z.string(),
  photoTakenTime: moment,
  description: z.catch(z.optional(z.string()), undefined),
  geoData: z.catch(z.optional(geo), undefined),
  geoDataExif: z.catch(z.optional(geo), undefined),
  favorited: z.catch(z.optional(z.boolean()), undefined),
  archived: z.catch(z.optional(z.boolean()), undefined),
  trashed: z.catch(z.optional(z.boolean()), undefined),
});
const named = z.object({
  title: z.string().check(z.minLength(1), z.maxLength(MAX_CAPTION)),
});
const albumSchema = z.union([
  z.pipe(
    z.object({ albumData: named }),
    z.transform(({ albumData }) => albumData),
  ),
  z.extend(named, { access: z.string() }),
  z.extend(named, { date: moment }),
  // Some albums have nothing but a title; other files have a title and more.
  z.strictObject({
    ...named.shape,
    description: z.optional(z.string()),
    location: z.optional(z.unknown()),
    geoData: z.optional(z.unknown()),
    enrichments: z.optional(z.unknown()),
    sharedAlbumComments: z.optional(z.unknown()),
  }),
]);

/** Reads a JSON file of an export. Never throws. */
export function readTakeoutJson(text: string): TakeoutJson {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: "other" };
  }
  const sidecar = sidecarSchema.safeParse(json);
  if (sidecar.success) return { kind: "sidecar", facts: factsOf(sidecar.data) };
  const album = albumSchema.safeParse(json);
  return album.success
    ? { kind: "album", title: album.data.title.normalize("NFC") }
    : { kind: "other" };
}

function factsOf(
  { title, photoTakenTime, description, ...given }: z.output<
    typeof sidecarSchema
  >,
): SidecarFacts {
  const at = Number(photoTakenTime.timestamp) * 1_000;
  const year = Number.isFinite(at) ? new Date(at).getUTCFullYear() : NaN;
  const place = [given.geoData, given.geoDataExif].find((one) =>
    // The export writes 0/0, which is in the sea off Africa, for an unknown
    // place.
    one !== undefined && (one.latitude !== 0 || one.longitude !== 0)
  );
  const { latitude = 0, longitude = 0, altitude = 0 } = place ?? {};
  return {
    title: title.normalize("NFC"),
    // The export writes 0 for an unknown time.
    ...(at !== 0 && year >= 1826 && year < 10_000
      ? { takenAt: toRfc3339(at) }
      : {}),
    ...(place === undefined ? {} : {
      place: { latitude, longitude, ...(altitude === 0 ? {} : { altitude }) },
    }),
    ...(description === undefined || description === ""
      ? {}
      : { caption: description.slice(0, MAX_CAPTION) }),
    favourite: given.favorited === true,
    archived: given.archived === true,
    trashed: given.trashed === true,
  };
}
