/**
 * `strongroom verify`: what is proven of everything that was kept, and what is
 * not. Status 4 where something is wrong.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { counted } from "../../core/sizes.ts";
import { printable } from "../words.ts";
import { checkApp } from "./app_check.ts";
import { openFile } from "./describing.ts";
import { STATUS } from "./faults.ts";
import { filesOf } from "./files.ts";
import { filmOf, isFilmOf } from "./live_photos.ts";
import type { Row } from "../../client/library/mod.ts";
import type { Person } from "./person.ts";
import { nameUnopened } from "./pull.ts";
import { queryOf } from "../../client/library/search.ts";

/** The options of `verify`. */
export interface VerifyOptions {
  readonly deep?: true;
  readonly download?: true;
  readonly local?: string;
  readonly sample?: string;
  /** `digest` or `whole`: what is kept of each from now on. */
  readonly receipts?: true | string;
  readonly app?: true;
}

/** Asks the server what it keeps, and holds its answers against receipts. */
export async function verify(
  person: Person,
  words: readonly string[],
  options: VerifyOptions,
): Promise<void> {
  const { library, session, tell, warn, endWith, signal } = person;
  const { receipts } = options;
  if (typeof receipts === "string" && !/^(digest|whole)$/.test(receipts)) {
    throw new OperatorFault("--receipts is digest or whole, or stands alone");
  }
  const { missing: lost } = await library.sync({ signal });
  const rows = library.list().filter(queryOf(words.join(" ")));
  const isOthers = ({ owner }: Row) => owner !== session.userId;
  const others = options.download ? 0 : rows.filter(isOthers).length;
  const assetIds = sampled(
    rows.map(({ id }) => id),
    options.sample,
    person.platform.random,
  );
  const progress = person.progress();
  const onProgress = (done: number, of: number) =>
    progress.show("asked about", done, of);
  const report =
    await (options.download
      ? library.readBack({ assetIds, onProgress, signal })
      : library.confirm({
        assetIds,
        onProgress,
        signal,
        ...(options.deep ? { deep: true } : {}),
      })).finally(progress.end);
  const complain = (id: string, what: string) => {
    const name = library.index.get(id)?.metadata?.name ?? id;
    warn(`${what}: ${printable(name)} (${id})`);
    tell({ event: "asset", asset_id: id, name, fault: what }, "");
  };
  const unopened = words.length === 0 ? nameUnopened(person) : 0;
  for (const id of lost) complain(id, "the server no longer knows it");
  for (const id of report.missing) complain(id, "MISSING at the server");
  for (const id of report.damaged) complain(id, "DAMAGED at the server");
  const unproven = options.receipts === undefined
    ? 0
    : await unprovenBy(person, options.receipts);
  const unsafe = options.local === undefined
    ? []
    : await unkept(person, options.local);
  for (const path of unsafe) {
    warn(`not kept: ${printable(path)}`);
    tell({ event: "file", path, outcome: "not_kept" }, "");
  }
  const foreign = options.app ? await checkApp(person) : 0;
  const wrong = foreign + unopened + lost.length + report.missing.length +
    report.damaged.length +
    unsafe.length + unproven;
  const status = wrong > 0 ? STATUS.wrong : 0;
  tell(
    {
      event: "end",
      status,
      confirmed: report.confirmed.length,
      missing: report.missing.length + lost.length,
      damaged: report.damaged.length,
      unexamined: report.unexamined.length,
      unopened,
      others,
      not_kept: unsafe.length,
      unproven,
      ...(options.app ? { app_faults: foreign } : {}),
      at: new Date(person.platform.now()).toISOString(),
    },
    [
      `${counted(report.confirmed.length, "file")} ${
        options.download
          ? "read back and found as they were"
          : options.deep
          ? "read again by the server"
          : "confirmed by the server, with receipts"
      }`,
      ...report.unexamined.length > 0
        ? [
          `${counted(report.unexamined.length, "file")} not examined: the ` +
          "server's budget is used up, ask again in an hour",
        ]
        : [],
      ...others > 0
        ? [
          `${counted(others, "file")} of other people's not asked about: ` +
          "--download reads them",
        ]
        : [],
      ...wrong > 0 ? [`${counted(wrong, "fault")} FOUND`] : ["nothing wrong"],
    ].join(", "),
  );
  if (status !== 0) endWith(status);
}

/** Goes through every receipt of the account; how much is wrong. */
async function unprovenBy(
  { library, tell, warn, signal }: Person,
  kept: true | string,
): Promise<number> {
  if (kept === "digest" || kept === "whole") await library.custody.keep(kept);
  const { seen, faults, denied, without } = await library.receipts({
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
  tell(
    {
      event: "receipts",
      seen,
      faults,
      denied,
      without,
    },
    `${counted(seen, "receipt")} verified against the server's keys`,
  );
  return faults.length + denied.length + without.length;
}

/** A share of all, drawn anew each time. */
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

/** Files of a folder whose very bytes the library does not have. */
async function unkept(
  person: Person,
  folder: string,
): Promise<readonly string[]> {
  const { library, signal, tell } = person;
  const stills = library.list().filter((row) => filmOf(row) !== undefined);
  const without: string[] = [];
  const looking = {
    exclude: [],
    signal,
    onPassedOver: ({ path, why }: { path: string; why: string }) =>
      tell({ event: "file", path, outcome: "passed_over", why }, ""),
  };
  for await (const { path } of filesOf(folder, looking)) {
    using opened = await openFile(path);
    const sha256 = await opened.hash(signal);
    const row = library.index.byPlaintext(
      sha256,
      library.vault.libraryAlbumId,
    );
    const film = { size: opened.source.size, sha256 };
    if (row === undefined && !await isAnyFilm(person, stills, film)) {
      without.push(path);
    }
  }
  return without;
}

/** Whether it is the film of a live photo, which is kept with its still. */
async function isAnyFilm(
  person: Person,
  stills: readonly Row[],
  film: { readonly size: number; readonly sha256: string },
): Promise<boolean> {
  for (const row of stills) {
    if (await isFilmOf(person, row, film)) return true;
  }
  return false;
}
