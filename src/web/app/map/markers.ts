/**
 * What a map shows: photos that are close to each other as one marker, and names
 * of towns between them.
 *
 * @module
 */
import Supercluster from "supercluster";
import type { Bounds, Town } from "../../../media/places/gazetteer.ts";
import type { Points } from "../../workers/finding/place_calls.ts";

/** Photos within so many pixels are one marker. */
const RADIUS = 64;
/** Between the names of two towns (pixels). */
const APART: readonly [number, number] = [110, 34];

/** Photos that are close to each other. */
export interface Marker {
  /** Of its newest photo. */
  readonly id: string;
  readonly count: number;
  readonly latitude: number;
  readonly longitude: number;
  /** The zoom at which it falls apart; none for one photo, or one place. */
  readonly opensAt?: number;
}

interface Newest {
  readonly at: number;
}

/** The markers of a map. */
export class Markers {
  readonly #clusters: Supercluster<Newest, Newest>;

  /** From `mostZoom` on only photos of one place are one marker. */
  constructor(readonly points: Points, readonly mostZoom: number) {
    this.#clusters = new Supercluster({
      radius: RADIUS,
      maxZoom: mostZoom,
      map: ({ at }) => ({ at }),
      reduce: (of: { at: number }, { at }) => {
        of.at = Math.min(of.at, at);
      },
    });
    const { ids, latitudes, longitudes } = points;
    this.#clusters.load(ids.map((_, at) => ({
      type: "Feature",
      geometry: {
        type: "Point",
        coordinates: [longitudes[at] ?? 0, latitudes[at] ?? 0],
      },
      properties: { at },
    })));
  }

  /** The markers in a part of the earth, at a zoom. */
  within(
    { west, south, east, north }: Bounds,
    zoom: number,
  ): readonly Marker[] {
    const floor = Math.floor(zoom);
    return this.#clusters.getClusters([west, south, east, north], floor)
      .map(({ id: cluster, geometry: { coordinates }, properties }) => {
        const [longitude = 0, latitude = 0] = coordinates;
        const id = this.points.ids[properties.at] ?? "";
        const place = { id, latitude, longitude };
        if (!("cluster" in properties) || typeof cluster !== "number") {
          return { ...place, count: 1 };
        }
        const opensAt = this.#clusters.getClusterExpansionZoom(cluster);
        return {
          ...place,
          count: properties.point_count,
          ...(opensAt > this.mostZoom ? {} : { opensAt }),
        };
      });
  }

  /** How many photos are in a part of the earth. */
  count({ west, south, east, north }: Bounds): number {
    const { latitudes, longitudes } = this.points;
    let count = 0;
    for (const [at, latitude] of latitudes.entries()) {
      const longitude = longitudes[at] ?? 0;
      if (
        latitude >= south && latitude <= north && longitude >= west &&
        longitude <= east
      ) count += 1;
    }
    return count;
  }

  /** The part of the earth with all photos; undefined where there are none. */
  get bounds(): Bounds | undefined {
    const { ids, latitudes, longitudes } = this.points;
    if (ids.length === 0) return undefined;
    let [west, south, east, north] = [180, 90, -180, -90];
    for (const [at, latitude] of latitudes.entries()) {
      const longitude = longitudes[at] ?? 0;
      [west, east] = [Math.min(west, longitude), Math.max(east, longitude)];
      [south, north] = [Math.min(south, latitude), Math.max(north, latitude)];
    }
    return { west, south, east, north };
  }
}

/** Towns whose names do not lie over each other, the first ones first. */
export function apart(
  towns: readonly Town[],
  pixelOf: (town: Town) => readonly [number, number] | undefined,
): readonly Town[] {
  const taken: (readonly [number, number])[] = [];
  return towns.filter((town) => {
    const pixel = pixelOf(town);
    if (pixel === undefined) return false;
    const isFree = taken.every(([x, y]) =>
      Math.abs(x - pixel[0]) > APART[0] || Math.abs(y - pixel[1]) > APART[1]
    );
    if (isFree) taken.push(pixel);
    return isFree;
  });
}
