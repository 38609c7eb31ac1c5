/**
 * `strongroom deprecation`: from when on old protocol dates are refused.
 *
 * @module
 */
import type { Command } from "commander";
import type { Deprecation } from "../core/protocol.ts";
import { toRfc3339 } from "../core/time.ts";
import {
  announceDeprecation,
  listDeprecations,
  withdrawDeprecation,
} from "../features/deprecations/deprecations.ts";
import {
  answer,
  type CommandContext,
  operatorCommand,
  type OperatorOptions,
  withDatabase,
  withReading,
} from "./operator.ts";

interface AnnounceOptions extends OperatorOptions {
  readonly min: string;
  readonly cutoff: string;
  readonly detailUrl?: string;
}

/** Adds `deprecation announce`, `withdraw` and `list` to the program. */
export function addDeprecationCommands(
  program: Command,
  context: CommandContext,
): void {
  const { platform } = context;
  const deprecation = program.command("deprecation")
    .description("announced ends of old protocol dates");

  operatorCommand(
    deprecation.command("announce")
      .description(
        "warn clients of an older protocol date than --min until --cutoff, " +
          "and refuse their writes from then on",
      )
      .requiredOption("--min <date>", "lowest date that stays accepted")
      .requiredOption("--cutoff <time>", "RFC 3339, ahead of now")
      .option("--detail-url <url>", "where people can read what to do"),
    "deprecation announce --min 2026-11-01 --cutoff 2027-03-01T00:00:00Z " +
      "--detail-url https://photos.example/upgrade",
  ).action(async (options: AnnounceOptions) => {
    const { min, cutoff, detailUrl } = options;
    const made = await withDatabase(
      options,
      (db) =>
        announceDeprecation(db, { min, cutoff, detailUrl }, platform.now()),
    );
    answer(context, options, toJson(made), [
      `dates below ${made.minProtocolVersion} are refused from ` +
      `${toRfc3339(made.cutoff)} on; clients are warned until then`,
    ]);
  });

  operatorCommand(
    deprecation.command("withdraw <date>")
      .description("take an announcement back, before its cutoff or after"),
    "deprecation withdraw 2026-11-01",
  ).action(async (date: string, options: OperatorOptions) => {
    const withdrawn = await withDatabase(
      options,
      (db) => withdrawDeprecation(db, date),
    );
    answer(
      context,
      options,
      { min_protocol_version: withdrawn, outcome: "withdrawn" },
      [`${withdrawn} is not announced any more`],
    );
  });

  operatorCommand(
    deprecation.command("list")
      .description("every announcement, in the order in which they were made"),
    "deprecation list",
  ).action(async (options: OperatorOptions) => {
    const announced = await withReading(options, (db) => listDeprecations(db));
    const now = platform.now();
    answer(
      context,
      options,
      { announcements: announced.map(toJson) },
      announced.length === 0
        ? ["nothing is announced"]
        : announced.map((one) => toLine(one, now)),
    );
  });
}

/** As the wire has it (protocol/transport.md#deprecation). */
function toJson(one: Deprecation) {
  return {
    min_protocol_version: one.minProtocolVersion,
    announced_at: toRfc3339(one.announcedAt),
    cutoff: toRfc3339(one.cutoff),
    detail_url: one.detailUrl,
  };
}

function toLine(one: Deprecation, now: number): string {
  const state = one.cutoff > now ? "will be" : "are";
  return `dates below ${one.minProtocolVersion} ${state} refused from ` +
    `${toRfc3339(one.cutoff)} on, announced ${toRfc3339(one.announcedAt)}` +
    (one.detailUrl === null ? "" : `, see ${one.detailUrl}`);
}
