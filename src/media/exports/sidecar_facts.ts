/**
 * Combining the facts of a sidecar with those of its file.
 *
 * @module
 */
import { readTime } from "../../core/time.ts";
import type { Metadata, Place } from "../../client/documents/metadata.ts";

/**
 * The facts that a sidecar states about a photograph or video; others are
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
  readonly rating?: number;
  readonly keywords?: readonly string[];
  readonly favourite: boolean;
  readonly archived: boolean;
  readonly trashed: boolean;
  readonly hidden?: boolean;
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
  const { rating, keywords, hidden } = facts;
  const isPlaced = place !== undefined &&
    (about.place === undefined || isEdited === true);
  return {
    ...about,
    ...takenBy(about, facts),
    ...(isPlaced ? { place } : {}),
    ...(caption === undefined ? {} : { caption }),
    ...(rating === undefined ? {} : { rating }),
    ...(keywords === undefined ? {} : { keywords }),
    ...(favourite ? { favourite } : {}),
    ...(archived ? { archived } : {}),
    ...(hidden ? { hidden } : {}),
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
  const { place, caption, rating, keywords } = next;
  const { favourite, archived, hidden } = next;
  const isTold = metadata.taken_source !== "person" && isNews(metadata, next);
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
    ...(metadata.rating === undefined && rating !== undefined
      ? { rating }
      : {}),
    ...(metadata.keywords === undefined && keywords !== undefined
      ? { keywords }
      : {}),
    ...(metadata.favourite === undefined && favourite ? { favourite } : {}),
    ...(metadata.archived === undefined && archived ? { archived } : {}),
    ...(metadata.hidden === undefined && hidden ? { hidden } : {}),
  };
  return Object.keys(added).length === 0 ? undefined : added;
}

/**
 * Whether a date is to be told. Of two sidecars of the same bytes the earlier
 * one stays, so that they do not take turns.
 */
function isNews(before: About, next: About): boolean {
  const isSame = next.taken_at === before.taken_at;
  if (before.taken_source !== "sidecar" || before.taken_at === undefined) {
    return !isSame || next.taken_offset !== before.taken_offset;
  }
  if (next.taken_at === undefined) return false;
  return isSame
    ? before.taken_offset === undefined && next.taken_offset !== undefined
    : (readTime(next.taken_at) ?? 0) < (readTime(before.taken_at) ?? 0);
}

/** Dates are corrected by whole minutes; videos have their end or beginning. */
const INEXACT_MS = 30_000;

/**
 * Whether a sidecar in UTC has another date than its file, by more than a zone
 * explains: a person corrected it in Google Photos.
 */
export function isCorrected(
  { taken_at, taken_source }: Pick<About, "taken_at" | "taken_source">,
  { takenAt, takenOffset, isEdited }: SidecarFacts,
): boolean {
  const [file, told] = [readTime(taken_at), readTime(takenAt)];
  if (taken_source !== "exif" || isEdited || takenOffset !== undefined) {
    return false;
  }
  if (file === undefined || told === undefined) return false;
  const ahead = Math.abs(file - told);
  const rest = ahead % QUARTER_MS;
  return ahead > FARTHEST_MS + INEXACT_MS ||
    Math.min(rest, QUARTER_MS - rest) > INEXACT_MS;
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
  const ahead = (readTime(taken_at) ?? 0) - (readTime(takenAt) ?? 0);
  const isUtc = isEdited ? takenOffset === 0 : takenOffset === undefined;
  if (isUtc && taken_offset === undefined) {
    // The camera states no offset and the sidecar is in UTC, so their
    // difference is the offset.
    const quarters = Math.round(ahead / QUARTER_MS);
    const isZone = Math.abs(ahead) <= FARTHEST_MS &&
      Math.abs(ahead - quarters * QUARTER_MS) <= TOLERANCE_MS;
    if (isZone) return { taken_at: takenAt, taken_offset: quarters * 15 };
  }
  if (!isEdited) {
    if (!isCorrected(about, facts)) return {};
    // The sidecar knows no zone, and where it was taken is as it was.
    return {
      ...told,
      ...(taken_offset === undefined ? {} : { taken_offset }),
    };
  }
  // Compares local times if the sidecar has no offset, otherwise moments.
  const isSame = takenOffset === undefined
    ? Math.abs(ahead + (taken_offset ?? 0) * MINUTE_MS) <= TOLERANCE_MS
    : Math.abs(ahead) <= TOLERANCE_MS &&
      (takenOffset === taken_offset || takenOffset === 0);
  return isSame ? {} : told;
}
