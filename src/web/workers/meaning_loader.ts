/**
 * What an open library's pictures show, which is loaded when it is first
 * needed.
 *
 * @module
 */
import {
  forgetMeanings,
  keyOfBlob,
  type Meanings,
  openMeanings,
} from "../../client/library/meaning.ts";
import { lookingChoice } from "../../client/library/looking_choice.ts";
import type { Library, Row } from "../../client/library/mod.ts";
import { readServed, type ServedModels } from "../../core/meaning.ts";
import { browserFetch } from "../browser.ts";
import { FLAGS } from "./photo_lists.ts";
import { smallPictureOf } from "./small_picture.ts";

/** A row with its flags. */
type Flagged = readonly [row: Row, flags: number];

/** The models of the server with what was found by them. */
export interface Opened {
  readonly models: ServedModels;
  readonly era: number;
  readonly meanings: Meanings;
}

/** What is held of a library. */
interface Held {
  opening?: Promise<Opened | undefined>;
  era?: number;
  /** The pictures that a text was found to be like, the most alike first. */
  found?: { readonly q: string; readonly places: ReadonlyMap<string, number> };
}

const libraries = new WeakMap<Library, Held>();

function heldOf(library: Library): Held {
  let held = libraries.get(library);
  if (held === undefined) libraries.set(library, held = {});
  return held;
}

/** Whether the person wants it. */
export function isOn({ state }: Library): boolean {
  return lookingChoice(state.held.settings, "meaning").isOn;
}

/** The models that the server has; undefined if it has none. */
export async function servedModels(): Promise<ServedModels | undefined> {
  const response = await browserFetch("/app/models.json", {});
  return response.ok
    ? readServed(JSON.parse(await response.text()))
    : undefined;
}

/** Everything that is needed; undefined if it is off, or there are no models. */
export async function openedOf(library: Library): Promise<Opened | undefined> {
  const held = heldOf(library);
  const { isOn, era } = lookingChoice(library.state.held.settings, "meaning");
  if (held.era !== era) {
    delete held.found;
    delete held.opening;
    held.era = era;
  }
  held.opening ??= (isOn ? open(library, era) : forgotten(library)).catch(
    (error) => {
      delete held.opening;
      throw error;
    },
  );
  return await held.opening;
}

async function open(
  { store }: Library,
  era: number,
): Promise<Opened | undefined> {
  const models = await servedModels();
  return models && {
    models,
    era,
    meanings: await openMeanings(store, models, era),
  };
}

async function forgotten({ store }: Library): Promise<undefined> {
  await forgetMeanings(store);
}

/** Finds the pictures that are like the vector of a text. */
export async function findLike(
  library: Library,
  q: string,
  vector: ArrayLike<number>,
): Promise<void> {
  const opened = await openedOf(library);
  const found = opened?.meanings.find(vector) ?? [];
  const places = new Map(found.map(({ key }, place) => [key, place]));
  heldOf(library).found = { q, places };
}

/** Those of the rows that a text was found to be like, the most alike first. */
export function rowsLike(
  library: Library,
  rows: readonly Flagged[],
  q: string,
): readonly Flagged[] {
  const { found } = heldOf(library);
  if (found?.q !== q) return [];
  const placed = rows.flatMap((one) => {
    const [row, flags] = one;
    if ((flags & FLAGS.hidden) !== 0) return [];
    const picture = smallPictureOf(row);
    const place = picture && found.places.get(keyOfBlob(picture.hash));
    return place === undefined ? [] : [{ one, place }];
  });
  return placed.toSorted((a, b) => a.place - b.place).map(({ one }) => one);
}
