/**
 * Exports of Google Photos, all of their parts together, with albums, dates,
 * places and favourites.
 *
 * @module
 */
import type {
  ExportFile,
  ExportKind,
  Passed,
  ReadText,
  SortedOut,
} from "./export_kind.ts";
import {
  folderOf,
  nameBefore,
  openTakeoutMatcher,
  type Sidecar,
} from "./takeout.ts";
import { readTakeoutJson } from "./takeout_json.ts";

/** Google Photos. */
export const TAKEOUT: ExportKind = {
  sortOut,
  tellsOfAll: true,
  // Below the folder that is called `Google Photos`, in whatever language.
  folderOf: (folder) =>
    folder.replace(/^takeout\//i, "").replace(/^[^/]+\//, ""),
  nameOf: nameBefore,
  // A video that has a sidecar of its own is one of its own.
  pairingOf: ({ matched }) => ({
    isKnownAlone: matched !== undefined,
    needsLength: false,
  }),
};

async function sortOut<F extends ExportFile>(
  files: readonly F[],
  textOf: ReadText<F>,
): Promise<SortedOut<F>> {
  const sidecars: Sidecar[] = [];
  /** Titles by folders. */
  const albums = new Map<string, string>();
  const others: Passed<F>[] = [];
  const media: F[] = [];
  for (const file of files) {
    if (!/\.json$/i.test(file.path)) {
      media.push(file);
      continue;
    }
    const json = readTakeoutJson(await textOf(file));
    if (json.kind === "sidecar") {
      sidecars.push({ path: file.path, facts: json.facts });
    } else if (json.kind === "album") {
      albums.set(folderOf(file.path).folder, json.title);
    } else others.push({ file, why: "unrelated" });
  }
  const { match } = openTakeoutMatcher(sidecars, media.map(({ path }) => path));
  // Another of Google's products has no photo's sidecar.
  const photos = new Set(
    [...sidecars.map(({ path }) => path), ...albums.keys()].map(productOf),
  );
  const isPhotos = ({ path }: F) => {
    const product = productOf(path);
    return product === undefined || photos.size === 0 || photos.has(product);
  };
  return {
    sidecars,
    albums,
    others: [
      ...others,
      ...media.filter((file) => !isPhotos(file))
        .map((file) => ({ file, why: "elsewhere" } as const)),
    ],
    media: media.filter(isPhotos),
    match: ({ path }) => match(path),
  };
}

/** The folder of a product, whose name depends on the account's language. */
function productOf(path: string): string | undefined {
  return /(?:^|\/)takeout\/([^/]+)\//i.exec(path)?.[0];
}
