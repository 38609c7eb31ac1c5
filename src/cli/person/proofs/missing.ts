/**
 * `strongroom missing`: own photos that are no longer at the server although
 * no one of the account deleted them, and giving them up.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import { counted } from "../../../core/sizes.ts";
import type { Row } from "../../../library/mod.ts";
import { textOfLosses } from "../../../library/care/loss_report.ts";
import { queryOf } from "../../../library/finding/search.ts";
import { printable } from "../../phrasing.ts";
import { STATUS } from "../faults.ts";
import { filesHere, followFeed, nameOf } from "../following.ts";
import type { CliContext } from "../cli_context.ts";
import { writeNew } from "../files/writing.ts";

/** Lists what is missing, and what owners of albums removed. */
export async function listMissing(cli: CliContext): Promise<void> {
  await followFeed(cli, { asksForMissing: true });
  const { library, tell, endWith } = cli;
  const [missing, removed] = [library.missing(), library.removed()];
  for (const row of missing) tellOne(cli, row);
  for (const row of removed) tellOne(cli, row);
  const status = missing.length > 0 ? STATUS.wrong : 0;
  tell(
    { event: "end", status, missing: missing.length, removed: removed.length },
    [
      `${counted(missing.length, "file")} missing`,
      ...removed.length > 0
        ? [`${counted(removed.length, "file")} removed by albums' owners`]
        : [],
    ].join(", "),
  );
  if (status !== 0) endWith(status);
}

function tellOne(cli: CliContext, row: Row): void {
  const what = row.state === "removed"
    ? "removed"
    : row.state === "missing"
    ? "missing"
    : "rolled_back";
  const here = filesHere(cli, row);
  cli.tell(
    {
      event: "asset",
      asset_id: row.id,
      name: row.metadata?.name,
      fault: what,
      since: row.custody_at,
      here,
    },
    [
      what.replace("_", " ").padEnd(11),
      nameOf(row),
      ...here.slice(0, 1).map((path) => `still here: ${printable(path)}`),
    ].join("  "),
  );
}

/** Gives up what is looked for among the missing. */
export async function forgetMissing(
  cli: CliContext,
  words: readonly string[],
  { yes }: { readonly yes?: true },
): Promise<void> {
  await followFeed(cli, { asksForMissing: true });
  const { library, tell } = cli;
  const meant = queryOf(words.join(" "), { showsHidden: true });
  const rows = [...library.missing(), ...library.removed()]
    .filter((row) => row.state !== "live" && meant(row));
  if (rows.length === 0) {
    throw new OperatorFault("no such file is missing");
  }
  if (rows.length > 1 && yes !== true) {
    for (const row of rows.slice(0, 20)) tellOne(cli, row);
    throw new OperatorFault(
      `${counted(rows.length, "file")} would be given up: to confirm, ` +
        "add --yes",
    );
  }
  await library.giveUp(rows.map(({ id }) => id));
  for (const row of rows) {
    tell(
      { event: "given_up", asset_id: row.id },
      `given up: ${nameOf(row)}`,
    );
  }
}

/**
 * Saves the report of what is missing, with the receipts; never over a file.
 */
export async function saveReport(
  { library, tell }: CliContext,
  path: string,
): Promise<void> {
  if (await isThere(path)) {
    throw new OperatorFault(`${path} already exists: give another file`);
  }
  const report = await library.lossReport();
  await writeNew(path, textOfLosses(report));
  tell(
    { event: "report", path, missing: report.rows.length },
    `the report is in ${printable(path)}`,
  );
}

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
