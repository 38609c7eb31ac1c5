/**
 * The vault's calls about places: names, where photos are, and saying where one
 * was taken.
 *
 * @module
 */
import type {
  Bounds,
  Position,
  Town,
} from "../../../media/places/gazetteer.ts";
import { Moved } from "../../../client/stream/threads/thread_messages.ts";
import type { VaultContext } from "../vault/context.ts";
import type { Noun } from "../library/photo_lists.ts";
import { nounOfRows } from "../library/photo_table.ts";
import { placeNames } from "./place_names.ts";

/** Towns that a name may mean. */
const MOST_NAMED = 6;

/** Places of photos, newest photos first. */
export interface Points {
  readonly ids: readonly string[];
  /** Degrees north, and east. */
  readonly latitudes: Float32Array<ArrayBuffer>;
  readonly longitudes: Float32Array<ArrayBuffer>;
  /** What they are counted as. */
  readonly noun: Noun;
}

/** The calls of the group `places`. */
export function placeCalls(context: VaultContext) {
  return {
    /** The town that a place is in or near; undefined where there is none. */
    async town(place: Position): Promise<Town | undefined> {
      return (await placeNames()).townOf(place);
    },
    /** The places of the photos of the library, or of an album. */
    points(album?: string): Moved<Points> {
      const source = album === undefined
        ? { kind: "library" as const }
        : { kind: "album" as const, id: album };
      const rows = context.view().rowsOf(source).map(([row]) => row)
        .filter(({ metadata }) => metadata?.place !== undefined);
      const degrees = (of: "latitude" | "longitude") =>
        Float32Array.from(rows, ({ metadata }) => metadata?.place?.[of] ?? 0);
      const points = {
        ids: rows.map(({ id }) => id),
        latitudes: degrees("latitude"),
        longitudes: degrees("longitude"),
        noun: nounOfRows(rows),
      };
      return new Moved(points, [
        points.latitudes.buffer,
        points.longitudes.buffer,
      ]);
    },
    /** The largest towns of a part of the earth. */
    async largest(bounds: Bounds, most: number): Promise<readonly Town[]> {
      const names = await placeNames();
      return names.gazetteer.largestIn(bounds, most)
        .map((town) => names.shown(town));
    },
    /** Towns whose names begin like a text, the largest first. */
    async named(text: string): Promise<readonly Town[]> {
      const names = await placeNames();
      return names.gazetteer.named(text, MOST_NAMED)
        .map((town) => names.shown(town));
    },
    /** Says where a photo was taken. */
    async set(id: string, place: Position): Promise<void> {
      await context.opened().amend(id, { about: { place } });
      context.changed();
    },
  };
}
