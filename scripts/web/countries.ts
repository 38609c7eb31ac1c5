/**
 * The countries of the earth that the map is drawn of: Natural Earth's at
 * 1 : 50 million (public domain), as the package `world-atlas` has them.
 *
 * @module
 */
import countries from "world-atlas/countries-50m.json" with { type: "json" };

/** TopoJSON. */
export const COUNTRIES = JSON.stringify(countries);
