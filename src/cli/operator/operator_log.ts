/**
 * `strongroom operator log`: what operators did in a browser.
 *
 * @module
 */
import type { Command } from "commander";
import { toRfc3339 } from "../../core/time.ts";
import { listActs } from "../../features/operators/operators.ts";
import { addVerb, type CommandContext, sayRows } from "../verb.ts";

/** Adds `operator log` to the program. */
export function addOperatorCommands(
  program: Command,
  context: CommandContext,
): void {
  const operator = program.command("operator")
    .description("what operators did in a browser; account operator names one");
  addVerb(operator, context, {
    usage: "log",
    description: "every act on the operator's page, one a line: when, who, " +
      "what, whom. Addresses are those that the accounts have now",
    example: "operator log --json",
    access: "read",
    run: (call) =>
      sayRows(call, listActs(call.db), {
        name: "acts",
        toJson: (row) => ({
          at: toRfc3339(row.at),
          operator_id: row.operator_id,
          ...row.operator === null ? {} : { operator: row.operator },
          act: row.act,
          ...row.subject_id === null ? {} : { subject_id: row.subject_id },
          ...row.subject === null ? {} : { subject: row.subject },
          ...row.detail === null ? {} : { detail: row.detail },
        }),
        toLine: (row) =>
          [
            toRfc3339(row.at),
            row.operator ?? row.operator_id,
            row.act,
            ...row.subject_id === null ? [] : [row.subject ?? row.subject_id],
            ...row.detail === null ? [] : [JSON.stringify(row.detail)],
          ].join("  "),
        none: "no operator has done anything in a browser",
      }),
  });
}
