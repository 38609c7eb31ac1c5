/**
 * Exports of ente's programs, a folder for each album. The desktop program tells of its files in `metadata/*.json`, the
 * command line in `.meta/*.json`, with the album's title in
 * `.meta/album_meta.json`.
 *
 * @module
 */
import { readEnteAlbum, readEnteDiskJson, readEnteJson } from "./ente_json.ts";
import type {
  ExportFile,
  ExportKind,
  Passed,
  ReadText,
  SortedOut,
} from "./export_kind.ts";
import { UNTOLD } from "./live_photos.ts";
import { folderOf, type Matched, type Sidecar } from "./takeout.ts";

/** ente. */
export const ENTE: ExportKind = {
  sortOut,
  tellsOfAll: true,
  hidden: [".meta"],
  folderOf: (folder) => folder,
  nameOf: (name) => name,
  // Both halves of a live photo have a file of their own.
  pairingOf: () => UNTOLD,
};

const METADATA = /(?:^|\/)metadata\/[^/]+\.json$/;
/** The same of the command line. */
const DISK_METADATA = /(?:^|\/)\.meta\/[^/]+\.json$/;
const ALBUM_FILE = "album_meta.json";
/** Where the desktop program moves what was deleted after an earlier export. */
const TRASH = /(?:^|\/)trash\/[^/]+\/(?:metadata\/)?[^/]+$/i;
/** What is in no album. */
const NO_ALBUM = "uncategorized";

async function sortOut<F extends ExportFile>(
  files: readonly F[],
  textOf: ReadText<F>,
): Promise<SortedOut<F>> {
  const byFile = new Map<string, Matched>();
  const sidecars: Sidecar[] = [];
  const albums = new Map<string, string>();
  const others: Passed<F>[] = [];
  const media: F[] = [];
  const noteAlbum = (folder: string, title: string) => {
    if (title !== "" && title.toLowerCase() !== NO_ALBUM) {
      albums.set(folder, title);
    }
  };
  const noteFile = (folder: string, name: string, sidecar: Sidecar) =>
    byFile.set(
      keyOf(folder === "" ? name : `${folder}/${name}`),
      { sidecar, isEdited: false },
    );
  for (const file of files) {
    const { path } = file;
    if (DISK_METADATA.test(path)) {
      const { folder: meta, name } = folderOf(path);
      const { folder } = folderOf(meta);
      const text = await textOf(file);
      if (name === ALBUM_FILE) {
        noteAlbum(folder, readEnteAlbum(text) ?? folderOf(folder).name);
        continue;
      }
      const told = readEnteDiskJson(text);
      if (told === undefined) {
        others.push({ file, why: "unrelated" });
        continue;
      }
      const sidecar = { path, facts: told.facts };
      sidecars.push(sidecar);
      for (const one of told.names) noteFile(folder, one, sidecar);
    } else if (TRASH.test(path)) {
      others.push({ file, why: "trashed" });
    } else if (METADATA.test(path)) {
      const facts = readEnteJson(await textOf(file));
      if (facts === undefined) {
        others.push({ file, why: "unrelated" });
        continue;
      }
      const folder = folderOf(folderOf(path).folder).folder;
      const sidecar = { path, facts };
      sidecars.push(sidecar);
      // The name of the file is that of its sidecar, whatever the title says.
      const name = folderOf(path).name.replace(/\.json$/, "");
      noteFile(folder, name, sidecar);
      noteAlbum(folder, folderOf(folder).name);
    } else media.push(file);
  }
  const match = ({ path }: F) => byFile.get(keyOf(path));
  return { sidecars, albums, others, media, match };
}

function keyOf(path: string): string {
  return path.normalize("NFC");
}
