/**
 * `strongroom export-all`: everything that an account has, in files that need no
 * strongroom: photos and videos with sidecars, albums and collections, a list
 * of checksums, and the receipts.
 *
 * @module
 */
import { join, relative, resolve, sep } from "node:path";
import {
  EXPORT_FILES,
  exportListing,
  exportPath,
  hashesByAlbum,
  withMarks,
} from "../../../library/showing/export_layout.ts";
import { present } from "../../../client/documents/state.ts";
import { bytesInWords, counted } from "../../../core/sizes.ts";
import { STATUS } from "../faults.ts";
import type { CliContext } from "../cli_context.ts";
import { pulledInWords, pullRows, statusOf } from "./pull.ts";
import { followFeed, nameFaults } from "../following.ts";
import { replaceOwn } from "./writing.ts";

/** Files of the export's own, which the next one replaces. */
const OWN = {
  ...EXPORT_FILES,
  receipts: "strongroom-receipts.cborseq",
} as const;
/** Receipts that are read at a time. */
const PAGE = 1_000;

/** Writes everything into a folder; again, and only what is new is written. */
export async function exportAll(
  cli: CliContext,
  folder: string,
): Promise<void> {
  const { library, local, session, platform, tell, warn, endWith } = cli;
  const root = resolve(folder);
  await followFeed(cli);
  const { collections } = await library.state.read();
  const albums = library.albums.list();
  const titles = new Map(
    albums.map(({ id, title }) => [id, title ?? id.slice(0, 8)]),
  );
  const paths = new Map<string, string>();
  /** Paths of videos by the assets whose stills they belong to. */
  const videos = new Map<string, string>();
  const inside = (path: string) => relative(root, path).split(sep).join("/");
  const rows = library.list().map((row) =>
    withMarks(row, library.flags.of(row))
  );
  const faults = nameFaults(cli);
  const { failed, ...written } = await pullRows(cli, rows, {
    root,
    pathOf: (row, nameOf) => exportPath(row, titles, nameOf),
    sidecars: ["json", "xmp"],
    renews: true,
    onFile: ({ id }, path) => paths.set(id, inside(path)),
    onVideo: ({ id }, path) => videos.set(id, inside(path)),
  });
  const pulled = { ...written, failed: failed + faults };
  const hashes = hashesByAlbum(rows);
  const listing = exportListing({
    exportedAt: platform.now(),
    server: session.server,
    userId: session.userId,
    address: session.address,
    rows,
    paths,
    videos,
    collections: present(collections).map(([id, one]) => ({ ...one, id })),
    albums: albums.map((album) => ({
      ...album,
      hashes: hashes.get(album.id) ?? [],
    })),
  });
  await replaceOwn(join(root, OWN.list), [listing]);
  await replaceOwn(
    join(root, OWN.sums),
    rows.flatMap(({ id, metadata }) => {
      const video = videos.get(id);
      return [
        [metadata?.sha256, paths.get(id)],
        [video && local.knownFile(join(root, video))?.sha256, video],
      ].flatMap(([sha256, path]) =>
        sha256 && path ? [`${sha256}  ${path}\n`] : []
      );
    }),
  );
  const receipts = await exportReceipts(cli, join(root, OWN.receipts));
  const trash = library.trashed().length;
  if (trash > 0) {
    warn(`${counted(trash, "file")} in the trash: not exported`);
  }
  const status = receipts.isWrong ? STATUS.wrong : statusOf(pulled);
  tell(
    {
      event: "end",
      status,
      ...pulled,
      receipts: receipts.count,
      trash,
    },
    `${pulledInWords(pulled)}, ${counted(receipts.count, "receipt")} (${
      bytesInWords(receipts.bytes)
    })`,
  );
  if (status !== 0) endWith(status);
}

/** Every receipt of the account, one after the other (RFC 8742). */
async function exportReceipts(
  { library, warn, signal }: CliContext,
  path: string,
): Promise<{ count: number; bytes: number; isWrong: boolean }> {
  const { faults, denied } = await library.receipts({ signal });
  for (const { seq, message } of faults) warn(`receipt ${seq}: ${message}`);
  for (const seq of denied) warn(`the server denies its receipt ${seq}`);
  const { custody } = library;
  let [count, bytes, bare] = [0, 0, 0];
  async function* whole() {
    for (let after = 0;;) {
      const page = await custody.held(after, PAGE);
      for (const { seq, cbor } of page) {
        after = seq;
        if (cbor === undefined) {
          bare += 1;
          continue;
        }
        count += 1;
        bytes += cbor.length;
        yield cbor;
      }
      if (page.length < PAGE) return;
    }
  }
  await replaceOwn(path, whole());
  if (bare > 0) {
    warn(
      `${counted(bare, "receipt")} kept as digests: not exported; ` +
        "`strongroom verify --receipts=whole` fetches them",
    );
  }
  return { count, bytes, isWrong: faults.length + denied.length > 0 };
}
