/**
 * `strongroom openapi` and `strongroom version`: what this program is.
 *
 * @module
 */
import type { Command } from "commander";
import { NAME, VERSION } from "../app.ts";
import { PROTOCOL_MAX, PROTOCOL_MIN } from "../core/protocol.ts";
import { openApiDocument } from "../http/openapi.ts";
import { ROUTES } from "../routes.ts";
import { MIGRATIONS } from "../store/migrations.ts";
import {
  answer,
  type CommandContext,
  operatorCommand,
  type OperatorOptions,
} from "./operator.ts";

/** Adds `openapi` and `version` to the program; neither looks at any data. */
export function addAboutCommands(
  program: Command,
  context: CommandContext,
): void {
  operatorCommand(
    program.command("openapi")
      .description("print the contract as OpenAPI 3.1, as /openapi.json does"),
    "openapi > openapi.json",
  ).action(() => {
    const specs = ROUTES.map(({ spec }) => spec);
    context.say(JSON.stringify(openApiDocument(specs, VERSION)));
  });

  operatorCommand(
    program.command("version")
      .description("print the version of the program and of what it speaks"),
    "version --json",
  ).action((options: OperatorOptions) => {
    const protocol = { min: PROTOCOL_MIN, max: PROTOCOL_MAX };
    const schema = MIGRATIONS.length;
    const deno = Deno.version.deno;
    answer(
      context,
      options,
      { name: NAME, version: VERSION, schema, deno, protocol },
      [
        `${NAME} ${VERSION}`,
        `database schema ${schema}`,
        `protocol ${protocol.min} to ${protocol.max}`,
        `deno ${deno}`,
      ],
    );
  });
}
