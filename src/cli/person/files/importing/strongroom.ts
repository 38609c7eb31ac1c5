/**
 * `strongroom import strongroom`: what `export-all` or the app exported, back
 * into an account: files with everything that was said of them, videos next to
 * their stills, favourites, hidden photos, collections. Albums become
 * collections, because their members are another account's.
 *
 * @module
 */
import { basename, join, relative, resolve, sep } from "node:path";
import {
  EXPORT_FILES,
  videoOf,
} from "../../../../library/showing/export_layout.ts";
import { addedBy } from "../../../../media/exports/sidecar_facts.ts";
import type { Metadata } from "../../../../client/documents/metadata.ts";
import { type NewDerivative, type Row } from "../../../../library/mod.ts";
import { isThrownAway } from "../../../../library/adding/thrown_away.ts";
import { OperatorFault } from "../../../../core/operator.ts";
import { reasonOf } from "../../../../core/reason.ts";
import { counted } from "../../../../core/sizes.ts";
import { printable } from "../../../phrasing.ts";
import { describe, openFile } from "../describing.ts";
import { complaintOf, isDiskFull, STATUS } from "../../faults.ts";
import { filesOf, type FoundFile, type PassedOver } from "../files.ts";
import type { CliContext } from "../../cli_context.ts";
import { followFeed } from "../../following.ts";
import { keepAlbums } from "../../../../library/albums/exported_albums.ts";
import {
  type List,
  type Listed,
  listOf,
  saidOf,
  toldOf,
} from "./export_list.ts";

/** Files of the export's own. */
const OWN = new Set<string>([
  ...Object.values(EXPORT_FILES),
  "strongroom-receipts.cborseq",
]);

/** The options of `import strongroom`. */
export interface ReimportOptions {
  readonly dryRun?: true;
  /** What was deleted from the library on purpose, too. */
  readonly again?: true;
}

/** Takes an export of strongroom in. */
export async function importStrongroom(
  cli: CliContext,
  folder: string,
  options: ReimportOptions,
): Promise<void> {
  const { dryRun } = options;
  const { library, tell, warn, endWith, signal } = cli;
  const root = resolve(folder);
  const list = await listOf(root);
  await followFeed(cli, { asksForMissing: true });
  const there = new Map<string, FoundFile>();
  let [failed, passed] = [0, 0];
  const fail = (shown: string, why: string) => {
    failed += 1;
    warn(`${printable(shown)}: ${printable(why)}`);
    tell({ event: "file", path: shown, outcome: "failed", why }, "");
  };
  const passOver = (shown: string, why: string) => {
    passed += 1;
    tell(
      { event: "file", path: shown, outcome: "passed_over", why },
      `passed over ${printable(shown)}: ${printable(why)}`,
    );
  };
  const looking = {
    exclude: [],
    signal,
    onPassedOver: ({ path: at, why, isUnread }: PassedOver) =>
      isUnread ? fail(at, why) : passOver(at, why),
  };
  for await (const file of filesOf(root, looking)) {
    there.set(relative(root, file.path).split(sep).join("/"), file);
  }
  const files = list.files.filter((one): one is Listed =>
    one.path !== undefined
  );
  const expected = new Set(
    files.flatMap(({ path: one, video }) => [
      ...[one, `${one}.json`, `${one}.xmp`],
      ...video === undefined ? [] : [video],
    ]),
  );
  for (const [inside, file] of there) {
    if (expected.has(inside) || OWN.has(inside)) continue;
    passOver(file.path, "it is not in the list of the export");
  }

  const tally = { kept: 0, known: 0, amended: 0, trashed: 0 };
  /** New ids by those of the export, and by paths. */
  const byId = new Map<string, string>();
  const byPath = new Map<string, string>();
  const edited: (readonly [id: string, of: string])[] = [];
  for (const one of files) {
    signal.throwIfAborted();
    try {
      const taken = await take(cli, root, one, there, options);
      tally[taken.outcome] += 1;
      if (taken.isAmended) tally.amended += 1;
      if (taken.outcome === "trashed") {
        tell(
          { event: "file", path: one.path, outcome: "trashed" },
          `left out, because you deleted it: ${printable(one.path)}`,
        );
      }
      if (taken.row === undefined) continue;
      byId.set(one.asset_id, taken.row.id);
      byPath.set(one.path, taken.row.id);
      const of = taken.said?.edited_of;
      if (of !== undefined) edited.push([taken.row.id, of]);
      if (taken.outcome === "kept") {
        tell(
          {
            event: "file",
            path: one.path,
            outcome: "kept",
            asset_id: taken.row.id,
          },
          `kept ${printable(one.path)}`,
        );
      }
    } catch (error) {
      const complaint = complaintOf(error);
      const isOfAll = isDiskFull(error) ||
        (complaint !== undefined && complaint.status !== STATUS.failed);
      if (isOfAll) throw error;
      fail(one.path, complaint?.text ?? reasonOf(error));
    }
  }
  await library.index.commit();
  for (const [id, of] of dryRun ? [] : edited) {
    const original = byId.get(of);
    const before = library.index.get(id)?.metadata?.edited_of;
    if (original === undefined || original === id || before === original) {
      continue;
    }
    await library.amend(id, { about: { edited_of: original } });
  }
  if (!dryRun) await mark(cli, files, byId);
  const collections = dryRun ? 0 : await collect(cli, list, byId, byPath);
  const status = failed > 0 ? STATUS.someFailed : 0;
  tell(
    {
      event: "end",
      status,
      ...tally,
      failed,
      passed_over: passed,
      collections,
    },
    [
      `${counted(tally.kept, "file")} ${dryRun ? "to keep" : "kept"}`,
      `${counted(tally.known, "file")} known` +
      (tally.amended > 0
        ? ` (${tally.amended} of them better than before)`
        : ""),
      counted(collections, "collection"),
      ...tally.trashed > 0
        ? [`${counted(tally.trashed, "file")} deleted before (--again)`]
        : [],
      ...passed > 0 ? [`${counted(passed, "file")} passed over`] : [],
      ...failed > 0 ? [`${counted(failed, "file")} FAILED`] : [],
    ].join(", "),
  );
  if (status !== 0) endWith(status);
}

interface Taken {
  readonly outcome: "kept" | "known" | "trashed";
  readonly isAmended?: boolean;
  readonly row?: Row;
  /** What the sidecar says. */
  readonly said?: Metadata | undefined;
}

/** Takes one file of the list in. */
async function take(
  { library, signal }: CliContext,
  root: string,
  { path: inside, video, sha256: listed }: Listed,
  there: ReadonlyMap<string, FoundFile>,
  { dryRun, again }: ReimportOptions,
): Promise<Taken> {
  const file = there.get(inside);
  if (file === undefined) throw new OperatorFault("it is not in the folder");
  using opened = await openFile(file.path);
  const sha256 = await opened.hash(signal);
  if (listed !== undefined && listed !== sha256) {
    throw new OperatorFault("its bytes are not those that were exported");
  }
  const own = library.vault.libraryAlbumId;
  const known = library.index.byPlaintext(sha256, own);
  if (
    known === undefined && again !== true && isThrownAway(library, sha256, own)
  ) {
    return { outcome: "trashed" };
  }
  const said = await saidOf(join(root, `${inside}.json`));
  const motion = video === undefined
    ? undefined
    : await motionOf(there.get(video)?.path ?? join(root, video), said);
  if (known !== undefined) {
    const isAmended = await amend(library, known, said, motion, dryRun);
    return { outcome: "known", isAmended, row: known, said };
  }
  if (dryRun) return { outcome: "kept", said };
  const { about, derivatives = [] } = await describe(file, opened.source);
  // A sidecar says all: the folders of an export are not the file's own.
  const { path: _path, ...seen } = about;
  const { row } = await library.take({
    source: opened.source,
    sha256,
    about: said === undefined ? about : { ...seen, ...toldOf(said) },
    derivatives: motion === undefined ? derivatives : [...derivatives, motion],
  }, { signal });
  return { outcome: "kept", row, said };
}

async function motionOf(
  video: string,
  said: Metadata | undefined,
): Promise<NewDerivative> {
  const told = said && videoOf({ metadata: said });
  return {
    kind: "motion",
    mime: told?.mime ??
      (/\.mov$/i.test(video) ? "video/quicktime" : "video/mp4"),
    name: told?.name ?? basename(video),
    taken_at: told?.taken_at,
    width: told?.width,
    height: told?.height,
    bytes: await Deno.readFile(video),
  };
}

/** Adds to a file that is known what the export tells and no one said here. */
async function amend(
  library: CliContext["library"],
  row: Row,
  said: Metadata | undefined,
  motion: NewDerivative | undefined,
  dryRun: true | undefined,
): Promise<boolean> {
  const { metadata } = row;
  if (metadata === undefined) return false;
  const about = said && addedBy(metadata, {
    title: said.name,
    ...(isGuess(metadata) && !isGuess(said) && said.taken_at !== undefined
      ? { takenAt: said.taken_at }
      : {}),
    ...(said.place === undefined ? {} : { place: said.place }),
    ...(said.caption === undefined ? {} : { caption: said.caption }),
    ...(said.rating === undefined ? {} : { rating: said.rating }),
    ...(said.keywords === undefined ? {} : { keywords: said.keywords }),
    favourite: false,
    archived: false,
    trashed: false,
  });
  const video = videoOf(row) === undefined ? motion : undefined;
  if (about === undefined && video === undefined) return false;
  if (!dryRun) {
    await library.amend(row.id, {
      ...(about && { about }),
      ...(video && { derivatives: [video] }),
    });
  }
  return true;
}

/** Whether nothing but the file's name and disk tells when it was taken. */
function isGuess({ taken_source = "mtime" }: Metadata): boolean {
  return taken_source === "mtime" || taken_source === "name";
}

/**
 * Favourites, hidden and archived photos, unless they were marked here since.
 */
async function mark(
  { library }: CliContext,
  files: readonly Listed[],
  byId: ReadonlyMap<string, string>,
): Promise<void> {
  for (const flag of ["favourite", "hidden", "archived"] as const) {
    const ids = files.flatMap((one) => {
      const id = one[flag] === true ? byId.get(one.asset_id) : undefined;
      const row = id === undefined ? undefined : library.index.get(id);
      return row !== undefined && !library.flags.of(row)[flag] ? [row.id] : [];
    });
    if (ids.length > 0) await library.flags.change(ids, { [flag]: true });
  }
}

async function collect(
  cli: CliContext,
  { collections, albums }: List,
  byId: ReadonlyMap<string, string>,
  byPath: ReadonlyMap<string, string>,
): Promise<number> {
  const lists = [
    ...collections.map(({ collection_id, title, assets }) => ({
      key: collection_id,
      title,
      ids: assets.flatMap((id) => byId.get(id) ?? []),
    })),
    ...albums.map(({ album_id, title = album_id.slice(0, 8), files }) => ({
      key: album_id,
      title,
      ids: files.flatMap((one) => byPath.get(one) ?? []),
    })),
  ];
  return await keepAlbums(
    cli,
    new Map(lists.map(({ key, title }) => [key, title])),
    new Map(lists.map(({ key, ids }) => [key, ids])),
  );
}
