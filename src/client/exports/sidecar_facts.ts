/**
 * Combining the facts of a sidecar with those of its file.
 *
 * @module
 */
import type { Metadata, Place } from "../metadata.ts";

/**
 * The facts that a sidecar states about a photograph or film; others are
 * absent.
 */
export interface SidecarFacts {
  /** The file's name before the export cut and numbered it. */
  readonly title: string;
  /** RFC 3339 in UTC. */
  readonly takenAt?: string;
  /** Offset of local time, in minutes east of UTC. */
  readonly takenOffset?: number;
  readonly place?: Place;
  readonly caption?: string;
  readonly favourite: boolean;
  readonly archived: boolean;
  readonly trashed: boolean;
  /**
   * Its date and place may have been edited by a person, so they precede the
   * file's.
   */
  readonly isEdited?: true;
}

type About = Omit<Metadata, "size" | "sha256" | "derivatives">;
type Taken = Pick<About, "taken_at" | "taken_offset" | "taken_source">;

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const FARTHEST_MS = 14 * 60 * MINUTE_MS;
const TOLERANCE_MS = 2_000;

/**
 * Adds a sidecar's facts to a file's metadata. The file's own facts come first,
 * then the sidecar's, then those of the file's name and disk. A sidecar with
 * edited facts comes before the file.
 */
export function withSidecar(about: About, facts: SidecarFacts): About {
  const { place, caption, favourite, archived, isEdited } = facts;
  const isPlaced = place !== undefined &&
    (about.place === undefined || isEdited === true);
  return {
    ...about,
    ...takenBy(about, facts),
    ...(isPlaced ? { place } : {}),
    ...(caption === undefined ? {} : { caption }),
    ...(favourite ? { favourite } : {}),
    ...(archived ? { hidden: true } : {}),
  };
}

/**
 * The facts of a sidecar that are new for an asset; undefined if there are
 * none. Values that a person has set are never replaced.
 */
export function addedBy(
  metadata: Metadata,
  facts: SidecarFacts,
): Partial<About> | undefined {
  const next = withSidecar(metadata, facts);
  const { place, caption, favourite, hidden } = next;
  const isTold = metadata.taken_source !== "person" &&
    (next.taken_at !== metadata.taken_at ||
      next.taken_offset !== metadata.taken_offset);
  const added: Partial<About> = {
    ...(isTold
      ? {
        taken_at: next.taken_at,
        taken_offset: next.taken_offset,
        taken_source: next.taken_source,
      }
      : {}),
    ...(metadata.place === undefined && place !== undefined ? { place } : {}),
    ...((metadata.caption ?? "") === "" && caption !== undefined
      ? { caption }
      : {}),
    ...(metadata.favourite === undefined && favourite ? { favourite } : {}),
    ...(metadata.hidden === undefined && hidden ? { hidden } : {}),
  };
  return Object.keys(added).length === 0 ? undefined : added;
}

function takenBy(about: About, facts: SidecarFacts): Taken {
  const { taken_at, taken_offset, taken_source } = about;
  const { takenAt, takenOffset, isEdited } = facts;
  if (takenAt === undefined) return {};
  const told: Taken = {
    taken_at: takenAt,
    taken_source: "sidecar",
    ...(takenOffset === undefined ? {} : { taken_offset: takenOffset }),
  };
  if (taken_source !== "exif" || taken_at === undefined) return told;
  const ahead = Date.parse(taken_at) - Date.parse(takenAt);
  const isUtc = isEdited ? takenOffset === 0 : takenOffset === undefined;
  if (isUtc && taken_offset === undefined) {
    // The camera states no offset and the sidecar is in UTC, so their
    // difference is the offset.
    const quarters = Math.round(ahead / QUARTER_MS);
    const isZone = Math.abs(ahead) <= FARTHEST_MS &&
      Math.abs(ahead - quarters * QUARTER_MS) <= TOLERANCE_MS;
    if (isZone) return { taken_at: takenAt, taken_offset: quarters * 15 };
  }
  if (!isEdited) return {};
  // Compares local times if the sidecar has no offset, otherwise moments.
  const isSame = takenOffset === undefined
    ? Math.abs(ahead + (taken_offset ?? 0) * MINUTE_MS) <= TOLERANCE_MS
    : Math.abs(ahead) <= TOLERANCE_MS &&
      (takenOffset === taken_offset || takenOffset === 0);
  return isSame ? {} : told;
}
