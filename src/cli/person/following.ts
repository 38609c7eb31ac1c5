/**
 * Following the feed, and telling what is wrong with records of the library:
 * photos that the server lost, and those that do not open here.
 *
 * @module
 */
import { ApiProblem, type Row } from "../../library/mod.ts";
import { mayPass } from "../../client/api/send.ts";
import { followLinks } from "../../library/sharing/following_links.ts";
import type { SyncOptions, SyncReport } from "../../library/rows/sync.ts";
import { printable, quoted } from "../phrasing.ts";
import type { CliContext } from "./cli_context.ts";
import { keepAlive } from "./sharing/albums_abroad.ts";
import { tellTrust } from "./sharing/trusting.ts";

/** What is said of an escrow that the server lost. */
export const ESCROW_NEWS = {
  given_back: "the server had lost your newest recovery words. They " +
    "work again, because this device gave them back",
  due: "the server lost your newest recovery words, and needs " +
    "your password before it takes them back: run `strongroom login` " +
    "again",
  unknown: "the server was restored from a backup, and this device does not " +
    "know which recovery words work there: make new ones with " +
    "`strongroom phrase`",
} as const;

/**
 * Follows the feed to its end for a command that is about something else; says
 * what is said once alone: that the server was restored, what became of recovery
 * words that it lost, and which links edits did not reach that any pass finished.
 */
export async function catchUp(
  cli: CliContext,
  options: Pick<SyncOptions, "asksForMissing"> = {},
): Promise<SyncReport> {
  const { library, signal, warn, tell } = cli;
  const report = await library.sync({ ...options, signal });
  const { restored, escrow } = report;
  if (restored) {
    tell(
      { event: "restored" },
      "the server was restored from a backup: everything was checked " +
        "again",
    );
  }
  if (escrow !== undefined) {
    tell({ event: "escrow", outcome: escrow }, "");
    warn(ESCROW_NEWS[escrow]);
  }
  await tellStillShown(cli);
  await keepAlive(cli, report.contributions);
  return report;
}

async function tellStillShown(
  { library: { stillShown }, tell, warn }: CliContext,
): Promise<void> {
  const links = await stillShown.list();
  if (links.length === 0) return;
  for (const { opaqueId, name } of links) {
    tell({ event: "still_shown", id: opaqueId, link: name }, "");
    warn(
      `the link ${
        quoted(name)
      } may still show a photo as it was before it was ` +
        "edited: end it and make a new one",
    );
  }
  await stillShown.told(links.map(({ opaqueId }) => opaqueId));
}

/**
 * Follows the feed, and brings links up to date whose lists have changed; where
 * the server cannot be reached, or asks to wait, the next time does it.
 */
export async function keepLinks(cli: CliContext): Promise<void> {
  try {
    await catchUp(cli);
    await followLinks(cli.library);
  } catch (error) {
    if (!isForLater(error)) throw error;
  }
}

/**
 * Brings links up to date after everything else was done: what keeps that from
 * being done now is said, and does not make the rest a failure.
 */
export async function keepLinksAfter(
  { library, warn }: Pick<CliContext, "library" | "warn">,
): Promise<void> {
  try {
    await followLinks(library);
  } catch (error) {
    if (!isForLater(error)) throw error;
    warn("links to lists are brought up to date at the next run");
  }
}

function isForLater(error: unknown): boolean {
  return mayPass(error) || error instanceof ApiProblem && error.status === 429;
}

/** Follows the feed to its end, and says what came of it. */
export async function followFeed(
  cli: CliContext,
  options: Pick<SyncOptions, "asksForMissing"> = {},
): Promise<void> {
  const { library, warn } = cli;
  const { removed } = await catchUp(cli, options);
  for (
    const row of library.removed().filter(({ id }) => removed.includes(id))
  ) {
    warn(`removed by the album's owner: ${nameOf(row)}`);
  }
  tellTrust(cli);
}

/**
 * Names every photo of one's own that is missing at the server, and every
 * record that does not open; how many. A command that goes through all ends
 * with a status of its own as long as there are any.
 */
export function nameFaults(cli: CliContext): number {
  return nameMissing(cli) + nameUnopened(cli);
}

function nameMissing(cli: CliContext): number {
  const { library, tell, warn } = cli;
  const rows = library.missing();
  for (const row of rows) {
    const fault = row.state === "missing" ? "missing" : "rolled_back";
    const here = filesHere(cli, row);
    const { id, metadata } = row;
    tell(
      { event: "asset", asset_id: id, name: metadata?.name, fault, here },
      "",
    );
    warn(
      fault === "missing"
        ? `MISSING at the server, and not deleted by you: ${nameOf(row)}${
          here.length === 0
            ? ""
            : `, still here as ${printable(here[0] ?? "")}: push that again`
        }`
        : `the server shows an OLDER VERSION of ${nameOf(row)}`,
    );
  }
  if (rows.length > 0) {
    warn(
      "`strongroom missing` lists what is missing, and `missing forget` gives " +
        "it up",
    );
  }
  return rows.length;
}

/** Files of this machine that were noted as an asset. */
export function filesHere(
  { local }: CliContext,
  { id, metadata }: Row,
): readonly string[] {
  return local.filesOf(id)
    .filter(({ sha256 }) => sha256 === metadata?.sha256)
    .map(({ path }) => path)
    .filter(isFileHere);
}

function isFileHere(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch {
    return false;
  }
}

function nameUnopened({ library, session, tell, warn }: CliContext): number {
  const rows = library.unopened();
  for (const row of rows) {
    const { id, fault } = row;
    tell({ event: "asset", asset_id: id, fault: "unopened", why: fault }, "");
    warn(`does not open here: ${nameOf(row)}: ${printable(fault ?? "")}`);
  }
  const isLost = rows.some(({ owner, metadata }) =>
    owner === session.userId && metadata === undefined
  );
  if (isLost) warn("`strongroom rm ID` moves such a photo to the trash");
  return rows.length;
}

/** The name and the id of a photo, to be printed. */
export function nameOf({ id, metadata }: Row): string {
  return metadata === undefined ? id : `${printable(metadata.name)} (${id})`;
}
