/**
 * Searching, which is loaded when somebody searches.
 *
 * @module
 */
import type { Library, Row } from "../../client/library/mod.ts";
import { searched } from "../../client/library/search.ts";
import { knownOf } from "../../client/library/search_known.ts";
import { heldFaces, namedIn } from "./faces_loader.ts";
import { fileOfRow } from "./file_of_row.ts";
import { namesFor } from "./place_names.ts";
import { heldWords } from "./words_loader.ts";

/**
 * Those of the rows that a query finds, in their order. By their places they are
 * found once the names are here, and `onNames` was called.
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
  const inPictures = heldWords(library, onNames);
  return searched(rows, ([row]) => row, query, {
    ...known,
    ...(inPictures === undefined
      ? {}
      : { words: (row) => inPictures.of(fileOfRow(row) ?? "") }),
  });
}
