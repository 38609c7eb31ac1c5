/**
 * `push --move`: a file is taken away here once it is proven to be there. Every
 * condition is looked at anew, in this run: owned by the caller, receipts of
 * its blobs verified on this machine, durable and read again by the server, and
 * the bytes here still those that were kept.
 *
 * @module
 */
import { counted } from "../../core/sizes.ts";
import { printable } from "../words.ts";
import { openFile } from "./describing.ts";
import { isFilmOf } from "./live_photos.ts";
import type { Person } from "./person.ts";
import type { Row } from "../../client/library/mod.ts";

/** A file and the asset that it is. */
export interface MovedFile {
  readonly path: string;
  readonly assetId: string;
  /** It is the film of a live photo, and the asset its still. */
  readonly isFilm: boolean;
}

/** Takes away what is proven to be kept; the rest is named, and stays. */
export async function takeAway(
  person: Person,
  files: readonly MovedFile[],
): Promise<{ readonly removed: number; readonly left: number }> {
  const { library, session, tell, warn, signal } = person;
  if (files.length === 0) return { removed: 0, left: 0 };
  const progress = person.progress();
  const assetIds = [...new Set(files.map(({ assetId }) => assetId))];
  const receipts = await library.receipts({ signal });
  const without = new Set(receipts.without);
  const { damaged, missing, unexamined } = await library.confirm({
    assetIds,
    deep: true,
    signal,
    onProgress: (done, of) => progress.show("asked about", done, of),
  }).finally(progress.end);
  const [lost, unread] = [
    new Set([...damaged, ...missing]),
    new Set(unexamined),
  ];
  let [removed, left] = [0, 0];
  for (const { path, assetId, isFilm } of files) {
    signal.throwIfAborted();
    const row = library.index.get(assetId);
    const why = row === undefined || row.state !== "live"
      ? "it is not in the library"
      : row.owner !== session.userId
      ? "it belongs to somebody else"
      : without.has(assetId) || receipts.faults.length > 0
      ? "its receipts do not prove it"
      : lost.has(assetId)
      ? "the server does not have all of it"
      : unread.has(assetId) || row.custody !== "read_back"
      ? "the server has not read it again yet: run this in an hour"
      : await isChanged(person, path, row, isFilm)
      ? "it is another file by now"
      : undefined;
    if (why === undefined) {
      await Deno.remove(path);
      removed += 1;
      tell(
        { event: "file", path, outcome: "moved", asset_id: assetId },
        `moved ${printable(path)}`,
      );
    } else {
      left += 1;
      warn(`left where it is, for ${why}: ${printable(path)}`);
      tell({ event: "file", path, outcome: "left", why }, "");
    }
  }
  if (left > 0) warn(`${counted(left, "file")} left where they are`);
  return { removed, left };
}

async function isChanged(
  person: Person,
  path: string,
  row: Row,
  isFilm: boolean,
): Promise<boolean> {
  const { signal } = person;
  // A link's target would stay, and somebody else's file could go.
  const before = await Deno.lstat(path);
  if (!before.isFile) return true;
  using opened = await openFile(path);
  const { size } = opened.source;
  const sha256 = await opened.hash(signal);
  const isSame = isFilm
    ? await isFilmOf(person, row, { size, sha256 })
    : sha256 === row.metadata?.sha256;
  if (!isSame) return true;
  // A large one takes a while, and somebody may be writing to it.
  const after = await Deno.lstat(path);
  return after.size !== before.size || after.ino !== before.ino ||
    after.mtime?.getTime() !== before.mtime?.getTime();
}
