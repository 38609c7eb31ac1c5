/**
 * Searching, which is loaded with the first search.
 *
 * @module
 */
import type { Library, Row } from "../../../library/mod.ts";
import type { Looking } from "../../../library/finding/finder_options.ts";
import { searched } from "../../../library/finding/search.ts";
import { readAhead } from "../../../library/finding/search_facts.ts";
import {
  knownOf,
  vocabularyOf,
} from "../../../library/finding/search_known.ts";
import { sleep } from "../../browser.ts";
import { heldFaces, isOn as areFacesOn, namedIn } from "./faces_loader.ts";
import { fileOfRow } from "./file_of_row.ts";
import { thingNames } from "../../../library/finding/thing_names.ts";
import { namesFor } from "./place_names.ts";
import { pictureText, things } from "./findings_loader.ts";

const readBefore = new WeakSet<Library>();

/**
 * Reads what the first search would, once for each library, a few photos at a
 * time: other calls have their turn between them.
 */
export async function readForFirstSearch(library: Library): Promise<void> {
  if (readBefore.has(library)) return;
  readBefore.add(library);
  const { index } = library;
  // The names by which faces, things and words are found.
  const hasFindings = areFacesOn(library) ||
    [things, pictureText].some(({ choice }) => choice(library).isOn);
  await readAhead(
    [...index.rows()],
    vocabularyOf(index),
    () => sleep(0),
    hasFindings ? fileOfRow : undefined,
  );
}

/**
 * Those of the rows that a query finds, in their order. By their places they
 * are found once the names are here, and `onNames` was called.
 */
export function searchIn<T extends readonly [row: Row, ...unknown[]]>(
  library: Library,
  rows: readonly T[],
  query: string,
  onNames: () => void,
): readonly T[] {
  const { platform } = library.vault.session;
  const names = namesFor(library.index.rows(), onNames);
  const faces = heldFaces(library, onNames);
  const inPhotos = faces && namedIn(faces);
  const known = knownOf(
    library,
    platform.now(),
    names,
    inPhotos && {
      names: inPhotos.names,
      of: (row) => inPhotos.byFile.get(fileOfRow(row) ?? "") ?? "",
    },
  );
  const read = pictureText.held(library, onNames);
  const seen = things.held(library, onNames);
  const of = <T>(found: Looking<T> | undefined, row: Row) =>
    found?.of(fileOfRow(row) ?? "");
  return searched(rows, ([row]) => row, query, {
    ...known,
    ...(read === undefined ? {} : { words: (row) => of(read, row) ?? "" }),
    ...(seen === undefined
      ? {}
      : { things: (row) => thingNames(of(seen, row)) }),
  });
}
