/**
 * `strongroom verify`: what is proven of everything that was kept, and what is
 * not. Status 4 where something is wrong.
 *
 * @module
 */
import { videoOf } from "../../../library/showing/export_layout.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { chunks } from "../../../core/chunks.ts";
import { counted } from "../../../core/sizes.ts";
import { printable } from "../../phrasing.ts";
import { checkApp } from "./app_check.ts";
import { openFile } from "../files/describing.ts";
import { isOfFile, STATUS } from "../faults.ts";
import {
  filesOf,
  HiddenFiles,
  type PassedOver,
  rootInfo,
} from "../files/files.ts";
import {
  healFilms,
  healFrom,
  healFromAlbums,
  healSmall,
  type LostDerivatives,
} from "../files/healing.ts";
import { isFilmKind } from "../../../library/showing/films.ts";
import { isVideoOf } from "../../../library/showing/live_pairs.ts";
import { catchUp, followFeed, nameFaults } from "../following.ts";
import type { ConfirmReport } from "../../../library/care/confirm.ts";
import type { Row } from "../../../library/mod.ts";
import { ownBlobs } from "../../../library/rows/rows.ts";
import { writeSafeToDelete } from "../files/safe_to_delete.ts";
import { saveReport } from "./missing.ts";
import { reasonOf } from "../../../core/reason.ts";
import type { CliContext } from "../cli_context.ts";
import { queryOf } from "../../../library/finding/search.ts";

/** The options of `verify`. */
export interface VerifyOptions {
  readonly deep?: true;
  readonly download?: true;
  readonly local?: string;
  readonly sample?: string;
  /** `digest` or `whole`: what is kept of each from now on. */
  readonly receipts?: true | string;
  readonly app?: true;
  readonly log?: true;
  /**
   * What is lost is stored again: from other copies at the server and, where it
   * is named, from a folder of originals.
   */
  readonly heal?: true | string;
  /** A folder for the list of what is proven; the bytes are read again. */
  readonly safeToDelete?: string;
  /** A file for the report of what is missing. */
  readonly report?: string;
}

/** Assets that the server is asked about at once. */
const ASKED_AT_ONCE = 50;

/** Asks the server what it keeps, and holds its answers against receipts. */
export async function verify(
  cli: CliContext,
  words: readonly string[],
  options: VerifyOptions,
): Promise<void> {
  const { library, session, tell, warn, endWith, signal } = cli;
  const { receipts } = options;
  if (typeof receipts === "string" && !/^(digest|whole)$/.test(receipts)) {
    throw new OperatorFault("--receipts takes digest, whole, or no value");
  }
  await followFeed(cli, { asksForMissing: true });
  const rows = library.list().filter(
    queryOf(words.join(" "), { showsHidden: true }),
  );
  const isOthers = ({ owner }: Row) => owner !== session.userId;
  const others = options.download ? 0 : rows.filter(isOthers).length;
  const assetIds = sampled(
    rows.map(({ id }) => id),
    options.sample,
    cli.platform.random,
  );
  const isDeep = options.deep === true || options.safeToDelete !== undefined;
  if (options.safeToDelete !== undefined) await rootInfo(options.safeToDelete);
  const proofs = options.safeToDelete === undefined
    ? undefined
    : await library.receipts({ signal });
  const progress = cli.progress();
  const onProgress = (done: number, of: number) =>
    progress.show("asked about", done, of);
  const ask = async (assetIds: readonly string[]) =>
    await (options.download
      ? library.readBack({ assetIds, onProgress, signal })
      : library.confirm({
        assetIds,
        onProgress,
        signal,
        ...(isDeep ? { deep: true } : {}),
      })).finally(progress.end);
  const found = await ask(assetIds);
  const { report, healed } = options.heal === undefined
    ? { report: found, healed: undefined }
    : await afterHealing(cli, options.heal, found, ask);
  const bad = await lostOf(
    cli,
    [...report.missing, ...report.damaged],
    options.deep,
  );
  const small = smallIn(bad);
  const films = filmsIn(bad);
  const complain = (id: string, what: string) => {
    const name = library.index.get(id)?.metadata?.name ?? id;
    const part = small.has(id)
      ? ", only its preview"
      : films.has(id)
      ? ", only its copy that plays everywhere"
      : "";
    warn(`${what}${part}: ${printable(name)} (${id})`);
    tell({
      event: "asset",
      asset_id: id,
      name,
      fault: what,
      ...(small.has(id) && { part: "small_picture" }),
      ...(films.has(id) && { part: "film_copy" }),
    }, "");
  };
  // Whatever was asked about: what is missing counts until it is answered.
  const lost = library.missing().length;
  const unopened = (words.length === 0 ? nameFaults(cli) : lost) - lost;
  for (const id of report.missing) complain(id, "MISSING at the server");
  for (const id of report.damaged) complain(id, "DAMAGED at the server");
  if (small.size > 0 && options.heal === undefined) {
    warn("`verify --heal` makes previews again from the originals");
  }
  const unproven = options.receipts === undefined
    ? 0
    : await unprovenBy(cli, options.receipts);
  const unsafe = options.local === undefined
    ? 0
    : await unkept(cli, options.local);
  const logged = options.log || options.app ? await logFaults(cli) : 0;
  const foreign = options.app ? await checkApp(cli) : 0;
  const wrong = foreign + logged + unopened + lost + report.missing.length +
    report.damaged.length +
    unsafe + unproven;
  const status = wrong > 0 ? STATUS.wrong : 0;
  tell(
    {
      event: "end",
      status,
      confirmed: report.confirmed.length,
      missing: report.missing.length + lost,
      damaged: report.damaged.length,
      unexamined: report.unexamined.length,
      unopened,
      others,
      not_kept: unsafe,
      unproven,
      ...(healed === undefined ? {} : { healed }),
      ...(options.app ? { app_faults: foreign } : {}),
      ...(options.log ? { log_faults: logged } : {}),
      at: new Date(cli.platform.now()).toISOString(),
    },
    [
      `${counted(report.confirmed.length, "file")} ${
        options.download
          ? "read back and found as they were"
          : isDeep
          ? "read again by the server"
          : "confirmed by the server, with receipts"
      }`,
      ...healed === undefined ? [] : [`${counted(healed, "file")} healed`],
      ...report.unexamined.length > 0
        ? [
          `${counted(report.unexamined.length, "file")} not examined: the ` +
          "server's budget is used up, ask again in an hour",
        ]
        : [],
      ...others > 0
        ? [
          `${counted(others, "file")} of other people not checked: ` +
          "--download reads them",
        ]
        : [],
      ...wrong > 0 ? [`${counted(wrong, "fault")} FOUND`] : ["nothing wrong"],
    ].join(", "),
  );
  if (options.safeToDelete !== undefined && proofs !== undefined) {
    const { safeToDelete: folder } = options;
    await writeSafeToDelete(cli, folder, assetIds, proofs, report);
  }
  if (options.report !== undefined) await saveReport(cli, options.report);
  if (status !== 0) endWith(status);
}

/** What the public logs have against the server. */
async function logFaults(cli: CliContext): Promise<number> {
  const { verifyLogs } = await import("./witnesses.ts");
  return await verifyLogs(cli);
}

/**
 * Heals what was found and what was missing before, and asks about that again;
 * what there is now, and how many were healed.
 */
async function afterHealing(
  cli: CliContext,
  folder: true | string,
  found: ConfirmReport,
  ask: (assetIds: readonly string[]) => Promise<ConfirmReport>,
): Promise<{ readonly report: ConfirmReport; readonly healed: number }> {
  const { library } = cli;
  const bad = [...found.missing, ...found.damaged];
  const rows = bad.flatMap((id) => library.index.get(id) ?? []);
  const lost = [...new Set([...rows, ...library.missing()])];
  if (folder !== true) await rootInfo(folder);
  if (lost.length === 0) return { report: found, healed: 0 };
  const before = new Set(library.list().map(({ id }) => id));
  const healed = [
    ...await healFromAlbums(cli),
    ...await healSmall(cli, [...smallIn(await lostOf(cli, bad, true))]),
    ...await healFilms(cli, await lostOf(cli, bad, true)),
    ...folder === true ? [] : await healFrom(cli, folder, lost),
  ];
  // Photos that are missing as a whole come back under new ids.
  await catchUp(cli);
  const fresh = library.list().map(({ id }) => id)
    .filter((id) => !before.has(id));
  const again = await ask([...bad, ...fresh]);
  return {
    healed: healed.length,
    report: {
      confirmed: [...found.confirmed, ...again.confirmed],
      missing: again.missing,
      damaged: again.damaged,
      unexamined: [...found.unexamined, ...again.unexamined],
    },
  };
}

/**
 * Those of which the server lost or damaged a small picture and nothing else:
 * it can be made again.
 */
function smallIn(bad: readonly LostDerivatives[]): ReadonlySet<string> {
  return idsOf(bad, (kind) => kind !== "motion" && !isFilmKind(kind));
}

/** The same of a film's copy, which the app can make. */
function filmsIn(bad: readonly LostDerivatives[]): ReadonlySet<string> {
  return idsOf(bad, isFilmKind);
}

function idsOf(
  bad: readonly LostDerivatives[],
  is: (kind: string) => boolean,
): ReadonlySet<string> {
  return new Set(
    bad.filter(({ lost }) => lost.every(is)).map(({ id }) => id),
  );
}

/**
 * The kinds of derivatives that the server lost or damaged of photos; without
 * those of which it lost anything else.
 */
async function lostOf(
  { library, session }: CliContext,
  ids: readonly string[],
  deep: boolean | undefined,
): Promise<readonly LostDerivatives[]> {
  const own = ids.flatMap((id) => library.index.get(id) ?? [])
    .filter(({ owner }) => owner === session.userId);
  const found: LostDerivatives[] = [];
  for (const some of chunks(own, ASKED_AT_ONCE)) {
    const asked = some.map((row) => ({
      asset_id: row.id,
      blob_hashes: ownBlobs(row).map(({ hash }) => hash),
    }));
    const verdicts = await session.account.verifyStorage(asked, deep);
    for (const [i, row] of some.entries()) {
      const { id, metadata } = row;
      const told = new Map(
        verdicts[i]?.blobs.map((blob) => [blob.hash, blob]),
      );
      const kinds = new Map(
        metadata?.derivatives.map(({ hash, kind }) => [hash, kind]),
      );
      const bad = ownBlobs(row).map(({ hash }) => hash).filter((hash) => {
        const blob = told.get(hash);
        return !blob?.retrievable || blob.deep === "corrupt";
      });
      const lost = bad.flatMap((hash) => kinds.get(hash) ?? []);
      if (bad.length > 0 && lost.length === bad.length) {
        found.push({ id, lost });
      }
    }
  }
  return found;
}

/** Goes through every receipt of the account; how much is wrong. */
async function unprovenBy(
  { library, tell, warn, signal }: CliContext,
  kept: true | string,
): Promise<number> {
  if (kept === "digest" || kept === "whole") await library.custody.keep(kept);
  const { seen, faults, denied, without, vanished } = await library.receipts({
    all: true,
    signal,
  });
  for (const { seq, message } of faults) {
    warn(`receipt ${seq}: ${printable(message)}`);
  }
  for (const seq of denied) warn(`the server denies its receipt ${seq}`);
  for (const id of without) {
    const name = library.index.get(id)?.metadata?.name ?? id;
    warn(`no receipt proves all of ${printable(name)} (${id})`);
  }
  for (const id of vanished) {
    warn(`MISSING at the server, which gave receipts for it: ${id}`);
  }
  tell(
    {
      event: "receipts",
      seen,
      faults,
      denied,
      without,
      vanished,
    },
    `${counted(seen, "receipt")} verified against the server's keys`,
  );
  return faults.length + denied.length + without.length + vanished.length;
}

/** A share of all, drawn again each time. */
function sampled(
  ids: readonly string[],
  share: string | undefined,
  random: (length: number) => Uint8Array,
): readonly string[] {
  const percent = Number(/^(\d{1,3})%?$/.exec(share ?? "100")?.[1]);
  if (!(percent >= 1 && percent <= 100)) {
    throw new OperatorFault("--sample is a share from 1% to 100%");
  }
  const wanted = Math.ceil(ids.length * percent / 100);
  if (!(wanted < ids.length)) return ids;
  return ids.map((id) => ({ id, at: random(6).toHex() }))
    .sort((a, b) => a.at < b.at ? -1 : 1)
    .slice(0, wanted).map(({ id }) => id);
}

/**
 * Names the files of a folder whose very bytes the library does not have, and
 * what could not be looked at, which may be such. Returns how many. Hidden
 * files are named, and not looked at, as `push` does.
 */
async function unkept(cli: CliContext, folder: string): Promise<number> {
  const { library, signal, tell, warn } = cli;
  const stills = library.list().filter((row) => videoOf(row) !== undefined);
  let count = 0;
  const unread = (path: string, why: string) => {
    count += 1;
    warn(`cannot be read: ${printable(path)}: ${printable(why)}`);
    tell({ event: "file", path, outcome: "unread", why }, "");
  };
  const hidden = new HiddenFiles();
  const looking = {
    exclude: [],
    signal,
    onHidden: hidden.add,
    onPassedOver: ({ path, why, isUnread }: PassedOver) =>
      isUnread ? unread(path, why) : tell(
        { event: "file", path, outcome: "passed_over", why },
        `passed over ${printable(path)}: ${printable(why)}`,
      ),
  };
  const isKept = async (path: string) => {
    using opened = await openFile(path);
    const sha256 = await opened.hash(signal);
    const own = library.vault.libraryAlbumId;
    if (library.index.byPlaintext(sha256, own) !== undefined) return true;
    return await isAnyVideo(cli, stills, {
      size: opened.source.size,
      sha256,
    });
  };
  for await (const { path } of filesOf(folder, looking)) {
    try {
      if (await isKept(path)) continue;
    } catch (error) {
      if (!isOfFile(error)) throw error;
      unread(path, reasonOf(error));
      continue;
    }
    count += 1;
    warn(`not stored: ${printable(path)}`);
    tell({ event: "file", path, outcome: "not_kept" }, "");
  }
  hidden.tell(tell);
  return count;
}

/** Whether it is the video of a live photo, which is kept with its still. */
async function isAnyVideo(
  cli: CliContext,
  stills: readonly Row[],
  video: { readonly size: number; readonly sha256: string },
): Promise<boolean> {
  for (const row of stills) {
    if (await isVideoOf(cli.library, row, video, cli.signal)) return true;
  }
  return false;
}
