/**
 * `strongroom deprecation`: from when on old protocol dates are refused.
 *
 * @module
 */
import type { Command } from "commander";
import type { Deprecation } from "../../core/protocol.ts";
import { toRfc3339 } from "../../core/time.ts";
import {
  announceDeprecation,
  listDeprecations,
  withdrawDeprecation,
} from "../../features/deprecations/deprecations.ts";
import {
  addVerbs,
  type CommandContext,
  type DatabaseCall,
  type Verb,
} from "../verb.ts";

interface AnnounceOptions {
  readonly min: string;
  readonly cutoff: string;
  readonly detailUrl?: string;
}

/** Adds `deprecation announce`, `withdraw` and `list` to the program. */
export function addDeprecationCommands(
  program: Command,
  context: CommandContext,
): void {
  const deprecation = program.command("deprecation")
    .description("announce the end of old protocol dates");
  addVerbs(deprecation, context, VERBS);
}

const VERBS: readonly Verb[] = [
  {
    usage: "announce",
    description: "warn clients with a protocol date older than --min until " +
      "--cutoff, and refuse their writes after it",
    options: [
      ["--min <date>", "the oldest date that stays accepted", "required"],
      ["--cutoff <time>", "a time in the future, as in RFC 3339", "required"],
      ["--detail-url <url>", "a page that tells people what to do"],
    ],
    example: "deprecation announce --min 2026-11-01 --cutoff " +
      "2027-03-01T00:00:00Z --detail-url https://photos.example/upgrade",
    access: "write",
    async run({ db, platform, options }: DatabaseCall<AnnounceOptions>) {
      const { min, cutoff, detailUrl } = options;
      const made = await announceDeprecation(
        db,
        { min, cutoff, detailUrl },
        platform.now(),
      );
      return {
        json: toJson(made),
        lines: [
          `dates below ${made.minProtocolVersion} are refused ` +
          `from ${toRfc3339(made.cutoff)} on; clients are warned until then`,
        ],
      };
    },
  },
  {
    usage: "withdraw <date>",
    description: "withdraw an announcement, before or after its cutoff",
    example: "deprecation withdraw 2026-11-01",
    access: "write",
    async run({ db }, date) {
      const withdrawn = await withdrawDeprecation(db, date);
      return {
        json: { min_protocol_version: withdrawn, outcome: "withdrawn" },
        lines: [`${withdrawn} is no longer announced`],
      };
    },
  },
  {
    usage: "list",
    description: "list the announcements, oldest first",
    example: "deprecation list",
    access: "read",
    async run({ db, platform }) {
      const announced = await listDeprecations(db);
      const now = platform.now();
      return {
        json: { announcements: announced.map(toJson) },
        lines: announced.length === 0
          ? ["nothing is announced"]
          : announced.map((one) => toLine(one, now)),
      };
    },
  },
];

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
  return `dates below ${one.minProtocolVersion} ${state} refused ` +
    `from ${toRfc3339(one.cutoff)} on, announced ${
      toRfc3339(one.announcedAt)
    }` +
    (one.detailUrl === null ? "" : `, see ${one.detailUrl}`);
}
