/**
 * What a sidecar adds to what a file says of itself.
 *
 * @module
 */
import type { Metadata } from "../metadata.ts";
import type { TakeoutFacts } from "./takeout_json.ts";

type About = Omit<Metadata, "size" | "sha256" | "derivatives">;

const QUARTER_MS = 15 * 60_000;
const FARTHEST_MS = 14 * 60 * 60_000;
const TOLERANCE_MS = 2_000;

/** The file's own word first, then the sidecar's, then its name's and disk's. */
export function withSidecar(about: About, facts: TakeoutFacts): About {
  const { place, caption, favourite, archived } = facts;
  return {
    ...about,
    ...takenBy(about, facts),
    ...(about.place === undefined && place !== undefined ? { place } : {}),
    ...(caption === undefined ? {} : { caption }),
    ...(favourite ? { favourite } : {}),
    ...(archived ? { hidden: true } : {}),
  };
}

function takenBy(
  { taken_at, taken_offset, taken_source }: About,
  { takenAt }: TakeoutFacts,
): Pick<About, "taken_at" | "taken_offset" | "taken_source"> {
  if (takenAt === undefined) return {};
  if (taken_source !== "exif" || taken_at === undefined) {
    return { taken_at: takenAt, taken_source: "sidecar" };
  }
  if (taken_offset !== undefined) return {};
  // A camera without a zone and a sidecar in UTC: between them lies the zone.
  const ahead = Date.parse(taken_at) - Date.parse(takenAt);
  const quarters = Math.round(ahead / QUARTER_MS);
  const isZone = Math.abs(ahead) <= FARTHEST_MS &&
    Math.abs(ahead - quarters * QUARTER_MS) <= TOLERANCE_MS;
  return isZone ? { taken_at: takenAt, taken_offset: quarters * 15 } : {};
}
