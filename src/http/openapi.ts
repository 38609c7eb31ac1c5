/**
 * `/openapi.json`: the contract as OpenAPI 3.1, made from the declarations.
 *
 * @module
 */
import { z } from "zod";
import { PROBLEMS } from "../core/catalogue.ts";
import { type ProblemCode, problemExtraShape } from "../core/problem.ts";
import { declaredProblems } from "./implied.ts";
import { enforcesWindow, takesHandshake } from "./handshake.ts";
import type { Parameters, RouteSpec, Success } from "./route.ts";

type Json = Readonly<Record<string, unknown>>;

/** Describes every declared operation; `version` is the program's. */
export function openApiDocument(
  specs: readonly RouteSpec[],
  version: string,
): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const spec of specs) {
    const item = paths[spec.path] ??= {};
    item[spec.method.toLowerCase()] = operation(spec);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Encrypted asset storage and sharing service",
      version,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      },
      headers: Object.fromEntries(
        COMMON_HEADERS.map((name) => [name, { schema: { type: "string" } }]),
      ),
    },
  };
}

const COMMON_HEADERS = [
  "X-Service-Min-Client-Build",
  "X-Service-Protocol-Min",
  "X-Service-Protocol-Max",
];

function commonHeaders(): Json {
  return Object.fromEntries(
    COMMON_HEADERS.map((
      name,
    ) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function operation(spec: RouteSpec): Json {
  const body = spec.body;
  return {
    operationId: spec.operation,
    summary: spec.summary,
    security: spec.credential === "none" ? [] : [{ bearer: [] }],
    parameters: parameters(spec),
    ...(body === undefined || body.kind === "none" ? {} : {
      requestBody: {
        required: true,
        content: body.kind === "json"
          ? { "application/json": { schema: schemaOf(body.schema, "input") } }
          : { [body.mediaType]: {} },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(spec.success).map((
          [status, success],
        ) => [status, successResponse(success)]),
      ),
      ...problemResponses(spec),
    },
  };
}

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

function successResponse(success: Success): Json {
  const named = Object.fromEntries(
    (success.headers ?? []).map((name) => [name, {
      schema: { type: "string" },
    }]),
  );
  const headers = { ...commonHeaders(), ...named };
  switch (success.kind) {
    case "json":
      return {
        description: "Success",
        headers,
        content: {
          "application/json": { schema: schemaOf(success.schema, "output") },
          ...(success.page === true
            ? { "text/html": { schema: { type: "string" } } }
            : {}),
        },
      };
    case "bytes":
      return {
        description: "Success",
        headers,
        content: { [success.mediaType]: {} },
      };
    case "empty":
      return { description: "Success", headers };
  }
}

/** One response per status; each of its codes is one alternative. */
function problemResponses(spec: RouteSpec): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of declaredProblems(spec)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...byStatus.get(status) ?? [], code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), {
      description: codes.map((code) => PROBLEMS[code].detail).join(" "),
      headers: commonHeaders(),
      ...(status === 413 ? {} : {
        content: {
          "application/problem+json": {
            schema: { anyOf: codes.map(problemSchema) },
          },
        },
      }),
    }]),
  );
}

function problemSchema(code: ProblemCode): Json {
  return schemaOf(
    z.strictObject({
      type: z.string(),
      title: z.string(),
      status: z.literal(PROBLEMS[code].status),
      detail: z.string(),
      code: z.literal(code),
      ...problemExtraShape(code),
    }),
    "output",
  );
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
  });
  return rest;
}
