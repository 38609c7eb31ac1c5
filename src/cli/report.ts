/**
 * `strongroom report`: what peer servers report about accounts of this one.
 *
 * @module
 */
import type { Command } from "commander";
import { toRfc3339 } from "../core/time.ts";
import {
  closeReport,
  listReports,
  readReport,
  type ReportRow,
} from "../features/federation/operator.ts";
import { instantAs } from "./account_messages.ts";
import type { CommandContext } from "./operator.ts";
import { addVerbs, type DatabaseCall, sayRows, type Verb } from "./verb.ts";
import { printable, quoted } from "./words.ts";

interface ListOptions {
  readonly all?: true;
}

const EXAMPLE_ID = "019aa2f0-5b7a-7f7e-9a55-0c7a3f1f2f10";

/** Adds `report list`, `report show` and `report close` to the program. */
export function addReportCommands(
  program: Command,
  context: CommandContext,
): void {
  const report = program.command("report").description(
    "reports from pinned peers about accounts of this server; a report " +
      "changes nothing by itself",
  );
  addVerbs(report, context, VERBS);
}

const VERBS: readonly Verb[] = [
  {
    usage: "list",
    description: "list the open reports, oldest first",
    options: [["--all", "also list closed reports"]],
    example: "report list --all",
    access: "read",
    run(call: DatabaseCall<ListOptions>) {
      const { db, options: { all } } = call;
      return sayRows(call, listReports(db, all ? "all" : "open"), {
        name: "reports",
        toJson,
        toLine,
        none: all ? "there is no report" : "no report is open",
      });
    },
  },
  {
    usage: "show <report_id>",
    description:
      "show a report, and the assets of the reported account that use " +
      "its blob",
    example: `report show ${EXAMPLE_ID}`,
    access: "read",
    async run({ db }, reportId) {
      const { report: row, assets } = await readReport(db, reportId);
      return {
        json: { ...toJson(row), assets },
        lines: [
          toLine(row),
          `  album ${quoted(row.album_id)}, blob ${row.asset_hash}`,
          `  the peer says it happened at ${quoted(row.reported_at)}`,
          ...row.reason === null ? [] : [`  reason: ${quoted(row.reason)}`],
          ...assets.length === 0
            ? ["  no asset of the account holds that blob"]
            : assets.map((id) => `  held by asset ${id}`),
        ],
      };
    },
  },
  {
    usage: "close <report_id>",
    description: "close a report; nothing else changes, and nobody is told",
    example: `report close ${EXAMPLE_ID}`,
    access: "write",
    async run({ db, platform }, given) {
      const report_id = await closeReport(db, given, platform.now());
      return {
        json: { report_id, outcome: "closed" },
        lines: [`report ${report_id} is closed`],
      };
    },
  },
];

function toJson(row: ReportRow) {
  return {
    report_id: row.report_id,
    reporting_server: row.reporting_server,
    reported_user: row.reported_user,
    ...(row.address === null ? {} : { reported_address: row.address }),
    standing: statusOf(row),
    asset_hash: row.asset_hash,
    album_id: row.album_id,
    ...(row.reason === null ? {} : { reason: row.reason }),
    // As the peer says; everything else is this server's own knowledge.
    reported_at: row.reported_at,
    received_at: toRfc3339(row.received_at),
    ...instantAs("closed_at", row.closed_at),
  };
}

function statusOf(row: ReportRow): "active" | "suspended" | "deleted" {
  if (row.is_here === 0) return "deleted";
  return row.suspended_at === null ? "active" : "suspended";
}

function toLine(row: ReportRow): string {
  return [
    row.report_id,
    `received ${toRfc3339(row.received_at)}`,
    row.closed_at === null ? "open" : `closed ${toRfc3339(row.closed_at)}`,
    `from ${quoted(row.reporting_server)}`,
    `about ${printable(row.address ?? row.reported_user)} (${statusOf(row)})`,
  ].join("  ");
}
