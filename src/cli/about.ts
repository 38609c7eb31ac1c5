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
import { SCHEMA } from "../store/migrations.ts";
import type { CommandContext } from "./operator.ts";
import { addVerbs, type Verb } from "./verb.ts";

/** Adds `openapi` and `version` to the program; neither looks at any data. */
export function addAboutCommands(
  program: Command,
  context: CommandContext,
): void {
  addVerbs(program, context, VERBS);
}

const VERBS: readonly Verb[] = [
  {
    usage: "openapi",
    description: "print the API as OpenAPI 3.1, the same as /openapi.json",
    example: "openapi > openapi.json",
    run() {
      const specs = ROUTES.map(({ spec }) => spec);
      const json = openApiDocument(specs, VERSION);
      return { json, lines: [JSON.stringify(json)] };
    },
  },
  {
    usage: "version",
    description:
      "print the version of the program, its database schema and its " +
      "protocol",
    example: "version --json",
    run() {
      const protocol = { min: PROTOCOL_MIN, max: PROTOCOL_MAX };
      const deno = Deno.version.deno;
      return {
        json: { name: NAME, version: VERSION, schema: SCHEMA, deno, protocol },
        lines: [
          `${NAME} ${VERSION}`,
          `database schema ${SCHEMA}`,
          `protocol ${protocol.min} to ${protocol.max}`,
          `deno ${deno}`,
        ],
      };
    },
  },
];
