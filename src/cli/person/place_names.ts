/**
 * Names of the places of photos, from the gazetteer that the program carries.
 *
 * @module
 */
import { openAppFiles } from "../../assets/app_files.ts";
import { Gazetteer } from "../../media/places/gazetteer.ts";
import { PlaceNames } from "../../library/finding/place_names.ts";
import type { Row } from "../../library/mod.ts";

/**
 * The names of the places of rows; undefined where no row has one, so that the
 * gazetteer is not read in vain.
 */
export async function placeNamesFor(
  rows: readonly Row[],
): Promise<PlaceNames | undefined> {
  const isPlaced = rows.some(({ metadata }) => metadata?.place !== undefined);
  if (!isPlaced) return undefined;
  const app = openAppFiles();
  const file = app.get(`/app/${app.build}/towns.bin`);
  if (file === undefined) throw new Error("the app has no gazetteer");
  return new PlaceNames(new Gazetteer(await file.plain.bytes()));
}
