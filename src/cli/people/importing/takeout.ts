/**
 * `strongroom import takeout`: an export of Google Photos, all of its parts
 * together, with its albums, dates, places and favourites.
 *
 * @module
 */
import {
  folderOf,
  nameBefore,
  openTakeoutMatcher,
  type Sidecar,
} from "../../../client/exports/takeout.ts";
import { readTakeoutJson } from "../../../client/exports/takeout_json.ts";
import { type ExportKind, type SortedOut, textOf } from "./importing.ts";
import type { ExportFile } from "./parts.ts";

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

async function sortOut(files: readonly ExportFile[]): Promise<SortedOut> {
  const sidecars: Sidecar[] = [];
  /** Titles by folders. */
  const albums = new Map<string, string>();
  const others: { file: ExportFile; why: string }[] = [];
  const media: ExportFile[] = [];
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
    } else others.push({ file, why: "no photograph's" });
  }
  const { match } = openTakeoutMatcher(sidecars);
  return { sidecars, albums, others, media, match };
}
