/**
 * `strongroom export-all`: everything that an account has, in files that need no
 * strongroom: photos and films with sidecars, albums and collections, a list of
 * checksums, and the receipts.
 *
 * @module
 */
import { join, relative, resolve, sep } from "node:path";
import type { Row } from "../../client/library/mod.ts";
import { present } from "../../client/state.ts";
import { bytesInWords, counted } from "../../core/sizes.ts";
import { STATUS } from "./faults.ts";
import { layoutOf, safeName } from "./names.ts";
import type { Person } from "./person.ts";
import { nameUnopened, pulledInWords, pullRows, statusOf } from "./pull.ts";
import { followFeed } from "./push.ts";
import { replaceOwn } from "./writing.ts";

/** Files of the export's own, which the next one replaces. */
const OWN = {
  list: "strongroom-export.json",
  sums: "strongroom-export.sha256",
  receipts: "strongroom-receipts.cborseq",
} as const;
/** Receipts that are read at a time. */
const PAGE = 1_000;

/** Writes everything into a folder; again, and only what is new is written. */
export async function exportAll(
  person: Person,
  folder: string,
): Promise<void> {
  const { library, local, session, platform, tell, warn, endWith } = person;
  const root = resolve(folder);
  await followFeed(person);
  const { collections } = await library.state.read();
  const albums = library.albums.list();
  const titles = new Map(
    albums.map(({ id, title }) => [id, title ?? id.slice(0, 8)]),
  );
  const inLibrary = layoutOf("photos/{yyyy}/{mm}/{name}");
  const inAlbum = layoutOf("{name}");
  const paths = new Map<string, string>();
  /** Paths of films by the assets whose stills they belong to. */
  const films = new Map<string, string>();
  const inside = (path: string) => relative(root, path).split(sep).join("/");
  const rows = library.list();
  const unopened = nameUnopened(person);
  const { failed, ...written } = await pullRows(person, rows, {
    root,
    pathOf(row) {
      const title = titles.get(row.album ?? "");
      return title === undefined
        ? inLibrary(row)
        : `albums/${safeName(title)}/${inAlbum(row)}`;
    },
    sidecars: ["json", "xmp"],
    onFile: ({ id }, path) => paths.set(id, inside(path)),
    onFilm: ({ id }, path) => films.set(id, inside(path)),
  });
  const pulled = { ...written, failed: failed + unopened };
  const listed = {
    exported_at: new Date(platform.now()).toISOString(),
    server: session.server,
    user_id: session.userId,
    address: session.address,
    files: rows.map((row) => ({
      ...listedOf(row, paths),
      film: films.get(row.id),
    })),
    collections: present(collections).map(([id, { title, assets }]) => ({
      collection_id: id,
      title,
      assets,
    })),
    albums: albums.map(({ id, title, role, owner, members }) => ({
      album_id: id,
      title,
      role,
      owner,
      members,
    })),
  };
  await replaceOwn(
    join(root, OWN.list),
    [`${JSON.stringify(listed, null, 2)}\n`],
  );
  await replaceOwn(
    join(root, OWN.sums),
    rows.flatMap(({ id, metadata }) => {
      const film = films.get(id);
      return [
        [metadata?.sha256, paths.get(id)],
        [film && local.knownFile(join(root, film))?.sha256, film],
      ].flatMap(([sha256, path]) =>
        sha256 && path ? [`${sha256}  ${path}\n`] : []
      );
    }),
  );
  const receipts = await exportReceipts(person, join(root, OWN.receipts));
  const trash = library.trashed().length;
  if (trash > 0) {
    warn(`${counted(trash, "file")} in the trash: not exported`);
  }
  const { damaged: _, ...tally } = pulled;
  const status = receipts.isWrong ? STATUS.wrong : statusOf(pulled);
  tell(
    {
      event: "end",
      status,
      ...tally,
      receipts: receipts.count,
      trash,
    },
    `${pulledInWords(pulled)}, ${counted(receipts.count, "receipt")} (${
      bytesInWords(receipts.bytes)
    })`,
  );
  if (status !== 0) endWith(status);
}

function listedOf({ id, album, owner, metadata }: Row, paths: Paths) {
  return {
    asset_id: id,
    path: paths.get(id),
    album_id: album,
    owner,
    name: metadata?.name,
    size: metadata?.size,
    sha256: metadata?.sha256,
  };
}
type Paths = ReadonlyMap<string, string>;

/** Every receipt of the account, one after the other (RFC 8742). */
async function exportReceipts(
  { library, warn, signal }: Person,
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
