/**
 * Names of places in the vault. The gazetteer is fetched from this server when
 * the first place is to be named; which places, no one is told.
 *
 * @module
 */
import type { Row } from "../../../library/mod.ts";
import { Gazetteer, type Position } from "../../../media/places/gazetteer.ts";
import { otherNames, townName } from "../../../media/places/exonyms.ts";
import { PlaceNames } from "../../../library/finding/place_names.ts";
import { spoken } from "../vault/spoken.ts";
import { browserFetch, sleep } from "../../browser.ts";

/** The file next to this script. */
const TOWNS = "towns.bin";

let loading: Promise<PlaceNames> | undefined;

/** The names of places; rejects where they cannot be fetched now. */
export function placeNames(): Promise<PlaceNames> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<PlaceNames> {
  const response = await browserFetch(
    new URL(TOWNS, import.meta.url).href,
    {},
  );
  if (!response.ok) throw new Error("the names of places cannot be fetched");
  const bytes = new Uint8Array(await response.arrayBuffer());
  return new PlaceNames(
    new Gazetteer(bytes, otherNames),
    otherNames,
    (town) => townName(town, spoken.language),
  );
}

let ready: PlaceNames | undefined;
let coming: Promise<void> | undefined;

/**
 * The names of the places of rows. Undefined where no row has a place, and
 * until the gazetteer is here and all are looked up, which no one waits for:
 * `onReady` is called then. Without a connection the next call tries again.
 */
export function namesFor(
  rows: Iterable<Row>,
  onReady: () => void,
): PlaceNames | undefined {
  if (ready !== undefined || coming !== undefined) return ready;
  const places: Position[] = [];
  for (const { metadata } of rows) {
    if (metadata?.place !== undefined) places.push(metadata.place);
  }
  if (places.length === 0) return undefined;
  coming = lookUp(places).then(onReady, () => {
    coming = undefined;
  });
  return undefined;
}

async function lookUp(places: readonly Position[]): Promise<void> {
  const names = await placeNames();
  await names.lookUp(places, () => sleep(0));
  ready = names;
}
