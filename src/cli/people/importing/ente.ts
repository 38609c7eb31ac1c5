/**
 * `strongroom import ente`: what the desktop program of ente exports, a folder
 * for each album with what is known of its files in `metadata/*.json`.
 *
 * @module
 */
import { readEnteJson } from "../../../client/exports/ente_json.ts";
import {
  folderOf,
  type Matched,
  type Sidecar,
} from "../../../client/exports/takeout.ts";
import { UNTOLD } from "../live_photos.ts";
import { type ExportKind, type SortedOut, textOf } from "./importing.ts";
import type { ExportFile } from "./parts.ts";

/** ente. */
export const ENTE: ExportKind = {
  sortOut,
  tellsOfAll: true,
  folderOf: (folder) => folder,
  nameOf: (name) => name,
  // Both halves of a live photo have a file of their own.
  pairingOf: () => UNTOLD,
};

const METADATA = /(?:^|\/)metadata\/[^/]+\.json$/;
/** Where its program moves what was deleted after an earlier export. */
const TRASH = /(?:^|\/)trash\/[^/]+\/(?:metadata\/)?[^/]+$/i;
/** What is in no album. */
const NO_ALBUM = "uncategorized";

async function sortOut(files: readonly ExportFile[]): Promise<SortedOut> {
  const byFile = new Map<string, Matched>();
  const sidecars: Sidecar[] = [];
  const albums = new Map<string, string>();
  const others: { file: ExportFile; why: string }[] = [];
  const media: ExportFile[] = [];
  for (const file of files) {
    const { path } = file;
    if (TRASH.test(path)) {
      others.push({ file, why: "it was in the trash" });
    } else if (METADATA.test(path)) {
      const facts = readEnteJson(await textOf(file));
      if (facts === undefined) {
        others.push({ file, why: "no photograph's" });
        continue;
      }
      const folder = folderOf(folderOf(path).folder).folder;
      const sidecar = { path, facts };
      sidecars.push(sidecar);
      // The name of the file is that of its sidecar, whatever the title says.
      const name = folderOf(path).name.replace(/\.json$/, "");
      byFile.set(
        keyOf(folder === "" ? name : `${folder}/${name}`),
        { sidecar, isEdited: false },
      );
      const title = folderOf(folder).name;
      if (title !== "" && title.toLowerCase() !== NO_ALBUM) {
        albums.set(folder, title);
      }
    } else media.push(file);
  }
  const match = (path: string) => byFile.get(keyOf(path));
  return { sidecars, albums, others, media, match };
}

function keyOf(path: string): string {
  return path.normalize("NFC");
}
