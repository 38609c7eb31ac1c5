/**
 * What the server lost or damaged is stored again: from other copies of the
 * same photo, by `push`, `sync` and `verify --heal`, and by the last one from a
 * folder of originals. Files of which nothing is wrong are passed over.
 *
 * @module
 */
import type { Row } from "../../../library/mod.ts";
import { healFromCopies } from "../../../library/care/other_copies.ts";
import { isFilmKind } from "../../../library/showing/films.ts";
import { isBroken } from "../../../library/rows/rows.ts";
import { reasonOf } from "../../../core/reason.ts";
import { printable } from "../../phrasing.ts";
import { openFile } from "./describing.ts";
import { complaintOf, STATUS } from "../faults.ts";
import { filesOf, type FoundFile, type PassedOver } from "./files.ts";
import { keep } from "./keeping.ts";
import { pairsBy } from "./live_photos.ts";
import { derivativesOf } from "./pictures.ts";
import type { CliContext } from "../cli_context.ts";

/** Heals what can be healed from other copies at the server; the ids. */
export async function healFromAlbums(
  { library, signal, tell }: CliContext,
): Promise<readonly string[]> {
  const nameOf = (id: string) =>
    printable(library.index.get(id)?.metadata?.name ?? id);
  const healed = await healFromCopies(library, { signal });
  for (const { id, from } of healed) {
    tell(
      { event: "healed", asset_id: id, copy: from.id },
      `healed: ${nameOf(id)} (${id}) from its copy at the server`,
    );
  }
  return healed.map(({ id }) => id);
}

/**
 * Makes previews again from the originals at the server; the ids of those
 * photos. Says which it cannot make.
 */
export async function healSmall(
  cli: CliContext,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { library, signal, tell, warn } = cli;
  const healed: string[] = [];
  for (const id of ids) {
    signal.throwIfAborted();
    const row = library.index.get(id);
    if (row?.metadata === undefined || !isLost(cli, row)) continue;
    const { size, sha256, derivatives: _, ...about } = row.metadata;
    const { name, mime } = about;
    const ranges = await library.ranges(id);
    const source = {
      size,
      read: (offset: number, length: number) =>
        ranges.read({ first: offset, last: offset + length - 1 }),
    };
    // What is shown of an edited photo is made by its recipe, in the app.
    const isEdited = about.edit !== undefined;
    const derivatives = isEdited
      ? []
      // The same as when it was added.
      : await derivativesOf(source, mime, {
        isAlways: about.place !== undefined,
      }) ?? [];
    if (derivatives.length === 0) {
      warn(
        `the preview of ${printable(name)} cannot be made here, because ` +
          (isEdited
            ? "the photo was edited"
            : `this program does not decode it (${printable(mime)})`) +
          ": look at the photo in the app, which makes the preview if its " +
          "browser can",
      );
      continue;
    }
    const albumId = row.album ?? library.vault.libraryAlbumId;
    const file = { source, about, sha256, derivatives };
    await library.take(file, { albumId, signal });
    healed.push(id);
    tell(
      { event: "healed", asset_id: id, part: "small_picture" },
      `healed: the preview of ${printable(name)} (${id}), made again`,
    );
  }
  return healed;
}

/** What the server lost of an asset, and nothing else: kinds of derivatives. */
export interface LostDerivatives {
  readonly id: string;
  readonly lost: readonly string[];
}

/**
 * Gives up lost copies of films, which only the app can make again; the ids of
 * those films.
 */
export async function healFilms(
  { library, signal, tell }: CliContext,
  films: readonly LostDerivatives[],
): Promise<readonly string[]> {
  const healed: string[] = [];
  for (const { id, lost } of films) {
    signal.throwIfAborted();
    const name = library.index.get(id)?.metadata?.name;
    if (name === undefined || !lost.every(isFilmKind)) continue;
    await library.amend(id, { without: lost });
    healed.push(id);
    tell(
      { event: "healed", asset_id: id, part: "film_copy" },
      `healed: ${
        printable(name)
      } (${id}) is whole. The copy of it that plays ` +
        "everywhere was lost: make it again in the app",
    );
  }
  return healed;
}

/** Stores files of a folder again as the photos that are lost; their ids. */
export async function healFrom(
  cli: CliContext,
  folder: string,
  lost: readonly Row[],
): Promise<readonly string[]> {
  const { library, signal, tell, warn } = cli;
  const bySize = Map.groupBy(lost, ({ metadata }) => metadata?.size);
  const healed: string[] = [];
  const failed = (path: string, error: unknown) => {
    const complaint = complaintOf(error);
    const { status } = complaint ?? {};
    if (status === STATUS.tryLater || status === STATUS.interrupted) {
      throw error;
    }
    const why = complaint?.text ?? reasonOf(error);
    warn(`${printable(path)}: ${printable(why)}`);
    tell({ event: "file", path, outcome: "failed", why }, "");
  };
  const looking = {
    exclude: [],
    signal,
    pairs: pairsBy(cli, library.vault.libraryAlbumId),
    onPassedOver({ path, why, isUnread }: PassedOver) {
      if (isUnread) warn(`cannot be read: ${printable(path)}: ${why}`);
    },
  };
  for await (const file of filesOf(folder, looking)) {
    const { path } = file;
    try {
      const wanted = bySize.get(file.size) ?? [];
      const sha256 = wanted.length > 0 ? await hashOf(cli, file) : undefined;
      for (const row of wanted) {
        const { metadata } = row;
        if (metadata?.sha256 !== sha256 || !isLost(cli, row)) continue;
        const albumId = row.album ?? library.vault.libraryAlbumId;
        await keep(cli, file, { again: true, albumId }, () => {});
        healed.push(row.id);
        tell(
          { event: "healed", asset_id: row.id, path },
          `healed: ${printable(metadata?.name ?? "")} (${row.id}) from ${
            printable(path)
          }`,
        );
      }
    } catch (error) {
      failed(path, error);
    }
  }
  return healed;
}

/** Whether it is lost still: its other copies may have healed it. */
function isLost({ library }: CliContext, { id }: Row): boolean {
  const row = library.index.get(id);
  return row !== undefined && (row.state === "missing" || isBroken(row));
}

async function hashOf({ signal }: CliContext, { path }: FoundFile) {
  using opened = await openFile(path);
  return await opened.hash(signal);
}
