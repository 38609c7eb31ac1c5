/**
 * Albums that fill themselves with photos of people, and the vault's calls
 * about them.
 *
 * @module
 */
import {
  fillAlbum,
  fillRules,
  sinceOf,
  wantedBy,
  withFillRule,
} from "../../../library/albums/filling.ts";
import { rootOf, sureFiles } from "../../../library/finding/faces_groups.ts";
import type { PlaceNames } from "../../../library/finding/place_names.ts";
import {
  ApiProblem,
  DocumentError,
  type Library,
  type Row,
} from "../../../library/mod.ts";
import { sleep } from "../../browser.ts";
import { facesOf, isOn, personIn } from "../finding/faces_loader.ts";
import { fileOfRow } from "../finding/file_of_row.ts";
import { placeNames } from "../finding/place_names.ts";
import type { VaultContext } from "../vault/context.ts";

/** Adds what the rules name to their albums, once. */
export async function followRules(context: VaultContext): Promise<void> {
  const library = context.opened();
  let added = 0;
  for (const [albumId, rule] of fillRules(library.state.held.settings)) {
    const files = await filesWith(library, rule.persons);
    // Without a connection a later round adds what places name.
    const names = (rule.places ?? []).length === 0
      ? undefined
      : await placeNames().catch(() => undefined);
    if (names !== undefined) await lookUp(names, library.index.rows());
    const facts = {
      isOfPersons: (row: Row) => files.has(fileOfRow(row) ?? ""),
      placesOf: (row: Row) => placesOf(names, row),
    };
    try {
      added += await fillAlbum(
        library,
        albumId,
        wantedBy(rule, facts),
      );
    } catch (error) {
      // The account is full, or the album is closed to it at this moment: a
      // later round tries it again.
      const own = error instanceof ApiProblem || error instanceof DocumentError;
      if (!own) throw error;
    }
  }
  if (added > 0) context.changed();
}

/** Looks the places of rows up; the vault answers pages meanwhile. */
async function lookUp(names: PlaceNames, rows: Iterable<Row>): Promise<void> {
  const places = [...rows].flatMap(({ metadata }) => metadata?.place ?? []);
  await names.lookUp(places, () => sleep(0));
}

function placesOf(
  names: PlaceNames | undefined,
  { metadata }: Row,
): readonly string[] {
  const place = metadata?.place;
  return place === undefined ? [] : names?.codesOf(place) ?? [];
}

/** The files in which people with names are recognised for certain. */
async function filesWith(
  library: Library,
  persons: readonly string[],
): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  // Without faces no one is recognised.
  if (persons.length === 0 || !isOn(library)) return files;
  const faces = await facesOf(library);
  for (const id of persons) {
    const person = personIn(faces, id);
    const { name } = faces.choiceOf(person?.id ?? id);
    // Whoever has no name was never looked at by a person.
    if (person === undefined || name === undefined) continue;
    for (const file of sureFiles(person)) files.add(file);
  }
  return files;
}

/** What an album gets by itself. */
export interface AlbumFilling {
  readonly persons: readonly string[];
  /** As {@link PlaceChoice.place}. */
  readonly places: readonly string[];
  /** Everything new of the person's own. */
  readonly isAll: boolean;
  /** Only what was taken on this day or later, `YYYY-MM-DD`. */
  readonly from?: string | undefined;
}

/** A place that an album can get the photos of. */
export interface PlaceChoice {
  /** As a rule names it. */
  readonly place: string;
  /** The country's code. */
  readonly country: string;
  /** As it is called here; absent for the country. */
  readonly town?: string;
}

/** The calls of the group `filling`. */
export function fillingCalls(context: VaultContext) {
  return {
    /** What an album gets by itself. */
    async of(albumId: string): Promise<AlbumFilling> {
      const library = context.opened();
      const rule = fillRules(library.state.held.settings).get(albumId);
      const { places = [], from } = rule ?? {};
      const isAll = rule?.since !== undefined;
      // They stay chosen while looking for faces is off.
      const filling = { persons: rule?.persons ?? [], places, isAll, from };
      if (rule === undefined || !isOn(library)) return filling;
      const { choices } = await facesOf(library);
      const persons = rule.persons.map((id) => rootOf(id, choices));
      return { ...filling, persons: [...new Set(persons)] };
    },
    /** The places of the photos of the library, those of most photos first. */
    async places(): Promise<readonly PlaceChoice[]> {
      const rows = context.view().rowsOf({ kind: "library" });
      const counts = new Map<string, number>();
      const choices = new Map<string, PlaceChoice>();
      if (rows.every(([{ metadata }]) => metadata?.place === undefined)) {
        return [];
      }
      const names = await placeNames();
      await lookUp(names, rows.map(([row]) => row));
      for (const [row] of rows) {
        const [country, town] = placesOf(names, row);
        const place = row.metadata?.place;
        if (country === undefined || town === undefined || !place) continue;
        for (const one of [country, town]) {
          counts.set(one, (counts.get(one) ?? 0) + 1);
        }
        if (choices.has(town)) continue;
        choices.set(country, { place: country, country });
        const name = names.townOf(place)?.name ?? "";
        choices.set(town, { place: town, country, town: name });
      }
      const rank = ({ place }: PlaceChoice) => counts.get(place) ?? 0;
      return [...choices.values()].toSorted((a, b) => rank(b) - rank(a));
    },
    /**
     * Chooses it; everything new is that from now on, or from a day on. Photos
     * that are there stay.
     */
    async choose(
      albumId: string,
      { persons, places, isAll, from }: AlbumFilling,
    ): Promise<void> {
      const { state } = context.opened();
      const now = context.platform.now();
      await state.change(({ settings, ...held }) => {
        const before = fillRules(settings).get(albumId);
        const rule = {
          persons,
          ...(places.length === 0 ? {} : { places }),
          ...(isAll ? { since: sinceOf(before, from, now) } : {}),
          ...(from === undefined ? {} : { from }),
        };
        return {
          ...held,
          settings: withFillRule(settings, albumId, rule, now),
        };
      });
      await followRules(context);
      context.changed();
    },
  };
}
