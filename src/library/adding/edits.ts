/**
 * Changing what is said of one photo or of hundreds at once: when they were
 * taken and where, their caption, rating and keywords.
 *
 * @module
 */
import { readTime } from "../../core/time.ts";
import type { Metadata } from "../../client/documents/metadata.ts";

/** What to do with the time at which photos were taken. */
export type TakenEdit =
  /** The same local time for all, as if it were UTC (ms). */
  | { readonly kind: "set"; readonly local: number }
  /** Later by minutes, or earlier by negative ones. */
  | { readonly kind: "shift"; readonly minutes: number }
  /** The same clock, in a zone of so many minutes east of UTC. */
  | { readonly kind: "zone"; readonly offset: number };

/** Changes for photos; what is absent stays as it is. */
export interface Edits {
  readonly taken?: TakenEdit | undefined;
  /**
   * Where all were taken. It is never removed: the file of a photo with a place
   * may contain one, and links leave it out for that reason.
   */
  readonly place?:
    | { readonly latitude: number; readonly longitude: number }
    | undefined;
  /** An empty one removes it. */
  readonly caption?: string | undefined;
  /** Stars, 1 to 5; 0 removes it. */
  readonly rating?: number | undefined;
  readonly added?: readonly string[] | undefined;
  readonly removed?: readonly string[] | undefined;
}

type About = Partial<Omit<Metadata, "size" | "sha256" | "derivatives">>;

const MINUTE_MS = 60_000;
/** Dates that forms and calendars of all kinds can show (ms). */
const [FIRST, LAST] = [Date.UTC(1826, 0, 1), Date.UTC(9998, 11, 31)];
/**
 * Keywords of one photo, and the length of one
 * (protocol/client-cryptography.md#metadata).
 */
const [MOST_KEYWORDS, LONGEST_KEYWORD] = [256, 255];

/**
 * The fields of metadata that edits change, undefined for one that is removed;
 * undefined if nothing changes.
 */
export function editedAbout(
  metadata: Metadata,
  edits: Edits,
): About | undefined {
  const { caption, rating } = edits;
  const about: About = {
    ...takenOf(metadata, edits.taken),
    ...placeOf(metadata, edits.place),
    ...(caption !== undefined && caption !== (metadata.caption ?? "")
      ? { caption: caption === "" ? undefined : caption }
      : {}),
    ...(rating !== undefined && rating !== (metadata.rating ?? 0)
      ? { rating: rating === 0 ? undefined : rating }
      : {}),
    ...keywordsOf(metadata, edits),
  };
  return Object.keys(about).length === 0 ? undefined : about;
}

function takenOf(
  { taken_at, taken_offset }: Metadata,
  edit: TakenEdit | undefined,
): About {
  if (edit === undefined) return {};
  const before = taken_at === undefined ? undefined : readTime(taken_at);
  const zone = (taken_offset ?? 0) * MINUTE_MS;
  const at = edit.kind === "set"
    ? edit.local - zone
    // No one knows where a photo without a date is to be shifted to.
    : before === undefined
    ? undefined
    : edit.kind === "shift"
    ? before + edit.minutes * MINUTE_MS
    : before + zone - edit.offset * MINUTE_MS;
  if (at === undefined || at < FIRST || at > LAST) return {};
  const offset = edit.kind === "zone" ? edit.offset : taken_offset;
  if (at === before && offset === taken_offset) return {};
  return {
    taken_at: new Date(at).toISOString(),
    taken_offset: offset,
    taken_source: "person",
  };
}

function placeOf({ place: before }: Metadata, place: Edits["place"]): About {
  if (place === undefined) return {};
  const { latitude, longitude } = place;
  const isSame = before?.latitude === latitude &&
    before.longitude === longitude;
  // The altitude was that of the other place.
  return isSame ? {} : { place: { latitude, longitude } };
}

function keywordsOf(
  { keywords = [] }: Metadata,
  { added = [], removed = [] }: Edits,
): About {
  const gone = new Set(removed);
  const next = [...new Set([...keywords, ...added])]
    .filter((one) => !gone.has(one)).slice(0, MOST_KEYWORDS);
  const isSame = next.length === keywords.length &&
    next.every((one, at) => one === keywords[at]);
  if (isSame) return {};
  return { keywords: next.length === 0 ? undefined : next };
}

/** The keywords that a person typed, with commas between. */
export function keywordsIn(typed: string): readonly string[] {
  const all = typed.split(/[,;\n]/).map((one) =>
    one.trim().replace(/^#/, "").slice(0, LONGEST_KEYWORD)
  );
  return [...new Set(all)].filter((one) => one !== "");
}

/**
 * The minutes of a shift such as `3`, `-1:30` or `+0,5`, in hours; undefined
 * for any other text.
 */
export function shiftIn(typed: string): number | undefined {
  const text = typed.trim().replace("−", "-").replace(",", ".");
  const [, sign, hours = "", minutes] =
    /^([+-]?)(\d{1,6}(?:\.\d+)?)(?::([0-5]\d))?$/
      .exec(text) ?? [];
  if (sign === undefined || (minutes !== undefined && hours.includes("."))) {
    return undefined;
  }
  const sum = Math.round(Number(hours) * 60) + Number(minutes ?? 0);
  return sign === "-" ? -sum : sum;
}
