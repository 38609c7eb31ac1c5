/**
 * `strongroom openapi` and `strongroom version`: what this program is. Neither
 * looks at any data.
 *
 * @module
 */
import type { Command } from "commander";
import { PROTOCOL_MAX, PROTOCOL_MIN } from "../core/protocol.ts";
import { NAME, VERSION } from "../core/version.ts";
import { SCHEMA } from "../store/sqlite/migrations.ts";
import { addVerb, type CommandContext } from "./verb.ts";

/** Adds `openapi` to the program. */
export function addOpenApiCommand(
  program: Command,
  context: CommandContext,
): void {
  addVerb(program, context, {
    usage: "openapi",
    description: "print the API as OpenAPI 3.1, the same as /openapi.json",
    example: "openapi > openapi.json",
    async run() {
      const [{ openApiDocument }, { ROUTES }] = await Promise.all([
        import("../http/openapi/openapi.ts"),
        import("../routes.ts"),
      ]);
      const specs = ROUTES.map(({ spec }) => spec);
      const json = openApiDocument(specs, VERSION);
      return { json, lines: [JSON.stringify(json)] };
    },
  });
}

/** Adds `version` to the program. */
export function addVersionCommand(
  program: Command,
  context: CommandContext,
): void {
  addVerb(program, context, {
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
  });
}
