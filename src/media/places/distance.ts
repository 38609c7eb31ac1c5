/**
 * Places on the earth, and how far apart they are.
 *
 * @module
 */

/** Where something is, in degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

const EARTH_KM = 6_371;
/** Kilometres around a place that belong to it. */
const NEAR_KM = 25;

/** The distance on a sphere (haversine formula). */
export function distanceKm(a: Position, b: Position): number {
  const radians = (degrees: number) => degrees * Math.PI / 180;
  const half = (from: number, to: number) =>
    Math.sin(radians(to - from) / 2) ** 2;
  const chord = half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) *
      half(a.longitude, b.longitude);
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Whether two places are those of one town and what is around it. */
export function isNear(one: Position, other: Position): boolean {
  return distanceKm(one, other) <= NEAR_KM;
}
