/**
 * `/openapi.json`: the contract as OpenAPI 3.1, made from the declarations.
 *
 * @module
 */
import type { Credential } from "../../core/caller.ts";
import { PROBLEMS } from "../../core/catalogue.ts";
import type { ProblemCode } from "../../core/problem.ts";
import { enforcesWindow, takesHandshake } from "../handshake.ts";
import { declaredProblems, refusesSuspended } from "../implied.ts";
import {
  conditionParameters,
  headerComponents,
  problemHeaders,
  successHeaders,
} from "./openapi_headers.ts";
import { type Json, SchemaComponents } from "./openapi_schemas.ts";
import { tagOf, TAGS } from "./openapi_tags.ts";
import type { Parameters, RouteSpec, Success } from "../route.ts";

const DESCRIPTION = `What a server stores is encrypted by its clients.

Clients ignore members of an answer that they do not know: later versions add
some. The server refuses members of a request that it does not know.

Refusals are problem details (RFC 9457): \`code\` is stable and what a client
switches on, \`detail\` is English for people.`;

/** Describes every declared operation; `version` is the program's. */
export function openApiDocument(
  specs: readonly RouteSpec[],
  version: string,
): Json {
  const schemas = new SchemaComponents();
  const refusals = new Refusals();
  const paths: Record<string, Record<string, Json>> = {};
  for (const spec of specs) {
    const item = paths[spec.path] ??= {};
    item[spec.method.toLowerCase()] = operation(spec, schemas, refusals);
    if (spec.method === "GET") {
      item["head"] = headOperation(spec, schemas, refusals);
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Encrypted asset storage and sharing service",
      description: DESCRIPTION,
      version,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      contact: { name: "Whoever runs the server" },
    },
    servers: [{ url: "/", description: "The server that this comes from" }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: headerComponents(),
      responses: refusals.components(),
      schemas: schemas.components(),
    },
  };
}

const SECURITY_SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The access token of a session",
  },
  capability: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A capability: one album, read only, for a peer server's user",
  },
};

const SECURITY: Readonly<Record<Credential, readonly Json[]>> = {
  none: [],
  session: [{ bearer: [] }],
  token: [{ bearer: [] }],
  capability: [{ capability: [] }],
  reader: [{ bearer: [] }, { capability: [] }],
};

const CALLERS: Readonly<Record<Credential, string>> = {
  none: "Anybody may ask.",
  session: "Asked with the access token of a session.",
  token: "Asked with an access token, even of a session that has ended.",
  capability: "Asked with a capability.",
  reader: "Asked with the access token of a session, or with a capability.",
};

function describe(spec: RouteSpec): string {
  const sentences = [`${spec.summary}.`, CALLERS[spec.credential]];
  if (refusesSuspended(spec)) {
    sentences.push("A suspended account is refused.");
  }
  if (spec.needsDirectory === true) {
    sentences.push("The account must have published a device directory.");
  }
  return sentences.join(" ");
}

/** Responses that many operations have, each once. */
class Refusals {
  readonly #names = new Map<string, string>();
  readonly #byName = new Map<string, Json>();

  refer(status: number, response: Json): Json {
    const text = JSON.stringify(response);
    let name = this.#names.get(text);
    if (name === undefined) {
      const stem = `Refused${status}`;
      const held = [...this.#byName.keys()].filter((one) =>
        one.startsWith(stem)
      ).length;
      name = held === 0 ? stem : `${stem}_${held + 1}`;
      this.#names.set(text, name);
      this.#byName.set(name, response);
    }
    return { $ref: `#/components/responses/${name}` };
  }

  components(): Json {
    return Object.fromEntries(this.#byName);
  }
}

function operation(
  spec: RouteSpec,
  schemas: SchemaComponents,
  refusals: Refusals,
): Json {
  const body = spec.body;
  return {
    operationId: spec.operation,
    summary: spec.summary,
    description: describe(spec),
    tags: [tagOf(spec.path)],
    security: SECURITY[spec.credential],
    parameters: [...parameters(spec), ...conditionParameters(spec, "GET")],
    ...(body === undefined || body.kind === "none" ? {} : {
      requestBody: {
        required: true,
        content: body.kind === "json"
          ? { "application/json": schemas.request(spec, body.schema) }
          : { [body.mediaType]: BINARY },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(spec.success).map(([status, success]) => [status, {
          description: DESCRIPTIONS[status] ?? "Done",
          headers: successHeaders(spec, success),
          ...content(spec, status, success, schemas),
        }]),
      ),
      ...problemResponses(spec, schemas, refusals),
    },
  };
}

/** The same without any body; a range means nothing to it (RFC 9110 14.2). */
function headOperation(
  spec: RouteSpec,
  schemas: SchemaComponents,
  refusals: Refusals,
): Json {
  const name = spec.operation;
  return {
    ...operation(spec, schemas, refusals),
    operationId: `head${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    summary: `Headers alone: ${spec.summary}`,
    parameters: [...parameters(spec), ...conditionParameters(spec, "HEAD")],
    responses: Object.fromEntries([
      ...Object.entries(spec.success)
        .filter(([status]) => status !== "206")
        .map(([status, success]) => [status, {
          description: DESCRIPTIONS[status] ?? "Done",
          headers: successHeaders(spec, success),
        }]),
      ...problemsByStatus(spec).map(([status, codes]) => [
        String(status),
        refusals.refer(status, {
          description: detailsOf(codes),
          headers: problemHeaders(spec, status, codes),
        }),
      ]),
    ]),
  };
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: "Done, or what was asked for",
  201: "Made",
  202: "A second factor is wanted",
  204: "Done; there is nothing to say",
  409: "Not done; the answer says what is there",
  206: "The part that was asked for",
  304: "What the client holds is still right",
};

const BINARY: Json = { schema: { type: "string", format: "binary" } };

function parameters(spec: RouteSpec): Json[] {
  const handshake: Json[] = takesHandshake(spec)
    ? [
      {
        name: "X-Service-Protocol",
        in: "header",
        required: true,
        description: enforcesWindow(spec)
          ? "Protocol date inside the server's window"
          : "Any protocol date",
        schema: { type: "string", format: "date" },
        example: "2026-11-01",
      },
      optionalInteger("X-Service-Crypto-Suite", "Crypto suite id"),
      optionalInteger("X-Service-Sidecar-Schema", "Sidecar schema version"),
    ]
    : [];
  return [
    ...handshake,
    ...located(spec.params, "path"),
    ...located(spec.query, "query"),
    ...located(spec.headers, "header"),
  ];
}

function optionalInteger(name: string, description: string): Json {
  return {
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "integer", minimum: 0 },
  };
}

function located(declared: Parameters | undefined, place: string): Json[] {
  return Object.entries(declared ?? {}).map(([name, parameter]) => ({
    name,
    in: place,
    required: parameter.absent === undefined,
    description: parameter.description,
    schema: parameter.schema,
  }));
}

function content(
  spec: RouteSpec,
  status: string,
  success: Success,
  schemas: SchemaComponents,
): Json {
  switch (success.kind) {
    case "json":
      return {
        content: {
          "application/json": schemas.response(spec, status, success.schema),
          ...(success.page === true
            ? { "text/html": { schema: { type: "string" } } }
            : {}),
        },
      };
    case "bytes":
      return { content: { [success.mediaType]: BINARY } };
    case "empty":
      return {};
  }
}

function problemsByStatus(spec: RouteSpec): [number, ProblemCode[]][] {
  return [
    ...Map.groupBy(declaredProblems(spec), (code) => PROBLEMS[code].status),
  ];
}

/** One response per status; each of its codes is one alternative. */
function problemResponses(
  spec: RouteSpec,
  schemas: SchemaComponents,
  refusals: Refusals,
): Json {
  return Object.fromEntries(
    problemsByStatus(spec).map(([status, codes]) => [
      String(status),
      refusals.refer(status, {
        description: detailsOf(codes),
        headers: problemHeaders(spec, status, codes),
        ...(status === 413 && spec.explainsTooLarge !== true ? {} : {
          content: { "application/problem+json": schemas.problems(codes) },
        }),
      }),
    ]),
  );
}

function detailsOf(codes: readonly ProblemCode[]): string {
  return codes.map((code) => PROBLEMS[code].detail).join(" ");
}
