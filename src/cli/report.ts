/**
 * `strongroom report`: what peer servers report about accounts of this one, and
 * reports to them.
 *
 * @module
 */
import type { Command } from "commander";
import {
  ApiProblem,
  ConnectionError,
  createClient,
} from "../client/api/api.ts";
import { toBase64 } from "../core/bytes.ts";
import { encodeCanonical } from "../core/cbor.ts";
import { OperatorFault } from "../core/operator.ts";
import { parseOrigin } from "../core/origin.ts";
import { toRfc3339 } from "../core/time.ts";
import {
  closeReport,
  listReports,
  readReport,
  type ReportRow,
} from "../features/federation/operator.ts";
import { accessKeysAt } from "../features/keys/rings.ts";
import { keysPath } from "../store/data_paths.ts";
import { denoFiles } from "../store/files/deno_files.ts";
import { keyGeneration } from "../store/generation.ts";
import { instantAs } from "./operator/account_messages.ts";
import {
  addVerbs,
  type CommandContext,
  type DatabaseCall,
  type Said,
  sayRows,
  type Verb,
} from "./verb.ts";
import { printable, quoted } from "./phrasing.ts";

interface ListOptions {
  readonly all?: true;
}

const EXAMPLE_ID = "019aa2f0-5b7a-7f7e-9a55-0c7a3f1f2f10";

/** Adds `report send`, `list`, `show` and `close` to the program. */
export function addReportCommands(
  program: Command,
  context: CommandContext,
): void {
  const report = program.command("report").description(
    "reports from pinned peers about accounts of this server, and reports " +
      "to other servers; a report changes nothing by itself",
  );
  addVerbs(report, context, VERBS);
}

interface SendOptions {
  readonly to: string;
  readonly user: string;
  readonly album: string;
  readonly assetHash: string;
  readonly reason?: string;
}

const VERBS: readonly Verb[] = [
  {
    usage: "send",
    description:
      "report an account of another server to its operator, signed with this " +
      "server's key; that operator has to have pinned this server",
    options: [
      ["--to <origin>", "the other server", "required"],
      ["--user <id>", "the account there", "required"],
      ["--album <id>", "the album", "required"],
      ["--asset-hash <hex>", "the blob that it is about", "required"],
      ["--reason <text>", "why, for the other operator"],
    ],
    example: "report send --to https://photos.example --user " +
      `${EXAMPLE_ID} --album ${EXAMPLE_ID} --asset-hash ${"0".repeat(64)}`,
    access: "read",
    run: send,
  },
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
    description: "close a report; nothing else changes, and no one is told",
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

/** Signs a report and posts it to another server. */
async function send(
  { db, config, platform, options }: DatabaseCall<SendOptions>,
): Promise<Said> {
  const { user, album, assetHash, reason } = options;
  const to = parseOrigin(options.to);
  if (to === undefined) {
    throw new OperatorFault(
      `${quoted(options.to)} is not the address of a server, such as ` +
        "https://photos.example",
    );
  }
  const server = await db.selectFrom("server_name")
    .select("server_id")
    .where("ended_at", "is", null)
    .executeTakeFirst();
  if (server === undefined) {
    throw new OperatorFault("there is no key yet: start the server once");
  }
  const directory = keysPath(config.STRONGROOM_DATA_DIR);
  const generation = await keyGeneration(db);
  const keys = await accessKeysAt({ files: denoFiles, directory }, generation);
  const key = keys.at(-1)?.key;
  if (key === undefined) throw new Error("no access key");
  const fields = {
    reporting_server: server.server_id,
    reported_user: user,
    asset_hash: assetHash,
    album_id: album,
    ...(reason === undefined ? {} : { reason }),
    reported_at: toRfc3339(platform.now()),
  };
  const signature = await crypto.subtle.sign(
    "Ed25519",
    key.signingKey,
    encodeCanonical(fields),
  );
  const client = createClient({
    baseUrl: to,
    fetch: (input, init) =>
      platform.fetch(input, { ...init, redirect: "error" }),
  });
  try {
    const { report_id } = await client.report({
      ...fields,
      signature: toBase64(new Uint8Array(signature)),
    });
    return {
      json: { to, report_id },
      lines: [`${to} has taken report ${printable(report_id)}`],
    };
  } catch (error) {
    throw faultOf(error, to, server.server_id, toBase64(key.publicKey));
  }
}

/** What the other server's refusal means for the operator. */
function faultOf(
  cause: unknown,
  to: string,
  own: string,
  publicKey: string,
): unknown {
  if (cause instanceof ConnectionError) {
    return new OperatorFault(`${to} does not answer: try again later`, {
      cause,
    });
  }
  if (!(cause instanceof ApiProblem)) return cause;
  if (cause.code !== "error.federation.peer_unknown") {
    return new OperatorFault(`${to} refused it: ${printable(cause.message)}`, {
      cause,
    });
  }
  return new OperatorFault(
    `${to} does not take reports of this server. Its operator can: ` +
      `strongroom peer pin ${own} ${publicKey}`,
    { cause },
  );
}

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
