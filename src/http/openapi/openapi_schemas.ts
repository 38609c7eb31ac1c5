/**
 * Schemas of `/openapi.json`, each once and by a name.
 *
 * @module
 */
import { z } from "zod";
import { PROBLEMS } from "../../core/catalogue.ts";
import { type ProblemCode, problemExtraShape } from "../../core/problem.ts";
import { exampleOf } from "./openapi_examples.ts";
import { titleOf } from "../render.ts";
import type { RouteSpec } from "../route.ts";

export type Json = Readonly<Record<string, unknown>>;
type Direction = "input" | "output";

/** A schema that several others contain has a name of its own: its id. */
function ownName(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id;
}

/**
 * The schemas that operations name. One that has no name of its own is called
 * after the first operation that needs it; what is the same is there once.
 */
export class SchemaComponents {
  readonly #byName = new Map<string, Json>();
  readonly #names: Readonly<Record<Direction, Map<z.core.$ZodType, string>>> = {
    input: new Map(),
    output: new Map(),
  };

  /** The media type of a request's JSON. */
  request(spec: RouteSpec, schema: z.core.$ZodType): Json {
    const name = `${capitalised(spec.operation)}Request`;
    return this.#mediaType(schema, "input", name);
  }

  /** The media type of an answer's JSON. */
  response(spec: RouteSpec, status: string, schema: z.core.$ZodType): Json {
    const name = `${capitalised(spec.operation)}Response`;
    const isFirst = Object.keys(spec.success)[0] === status;
    return this.#mediaType(
      schema,
      "output",
      isFirst ? name : `${name}${status}`,
    );
  }

  /** The media type of refusals. */
  problems(codes: readonly ProblemCode[]): Json {
    const refs = codes.map((code) => {
      const name = problemName(code);
      if (!this.#byName.has(name)) this.#addWhole(name, problemSchema(code));
      return { code, $ref: `#/components/schemas/${name}` };
    });
    const [only] = refs;
    if (only !== undefined && refs.length === 1) {
      return { schema: { $ref: only.$ref } };
    }
    return {
      schema: {
        oneOf: refs.map(({ $ref }) => ({ $ref })),
        discriminator: {
          propertyName: "code",
          mapping: Object.fromEntries(
            refs.map(({ code, $ref }) => [code, $ref]),
          ),
        },
      },
    };
  }

  /** All of them, by name. */
  components(): Json {
    return Object.fromEntries(
      [...this.#byName].toSorted(([a], [b]) => a < b ? -1 : 1),
    );
  }

  #mediaType(schema: z.core.$ZodType, io: Direction, fallback: string): Json {
    const name = this.#nameOf(schema, io, fallback);
    const example = exampleOf(
      this.#byName.get(name) ?? {},
      (ref) => this.#byName.get(ref),
    );
    const isRight = z.safeParse(schema, example).success;
    return {
      schema: { $ref: `#/components/schemas/${name}` },
      // An example that is no request, or no answer, would teach wrong things.
      ...isRight ? { example } : {},
    };
  }

  #nameOf(schema: z.core.$ZodType, io: Direction, fallback: string): string {
    const known = this.#names[io].get(schema);
    if (known !== undefined) return known;
    const name = ownName(schema) ?? fallback;
    this.#names[io].set(schema, name);
    this.#addWhole(name, jsonSchema(schema, io));
    return name;
  }

  /** With those that it names; one that is only named is among them. */
  #addWhole(name: string, { $defs, $ref, ...root }: WithDefinitions): void {
    for (const [inner, definition] of Object.entries($defs ?? {})) {
      this.#add(inner, definition);
    }
    if ($ref === undefined) this.#add(name, root);
  }

  #add(name: string, schema: Json): void {
    const held = this.#byName.get(name);
    if (held === undefined) this.#byName.set(name, schema);
    else if (JSON.stringify(held) !== JSON.stringify(schema)) {
      throw new Error(`two schemas are called ${name}`);
    }
  }
}

interface WithDefinitions extends Record<string, unknown> {
  $defs?: Record<string, Json>;
  $ref?: string;
}

function jsonSchema(schema: z.core.$ZodType, io: Direction): WithDefinitions {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // Answers may get members: clients ignore what they do not know.
      if (io === "output" && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties;
      }
      // The name of a form says more than its expression does.
      if (jsonSchema.format === "base64") {
        delete jsonSchema.format;
        delete jsonSchema.pattern;
        jsonSchema.contentEncoding = "base64";
      } else if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      // Integers end there in most readers of JSON: the bound says nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.maximum;
      }
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
        delete jsonSchema.minimum;
      }
    },
  });
  return JSON.parse(
    JSON.stringify(rest).replaceAll("#/$defs/", "#/components/schemas/"),
  );
}

function problemSchema(code: ProblemCode): WithDefinitions {
  const { status, detail } = PROBLEMS[code];
  const schema = jsonSchema(
    z.strictObject({
      type: z.literal("about:blank"),
      title: z.literal(titleOf(status)),
      status: z.literal(status),
      detail: z.string().meta({ examples: [detail] }),
      code: z.literal(code),
      ...problemExtraShape(code),
    }),
    "output",
  );
  return { description: detail, ...schema };
}

/** `error.auth.token_invalid` → `ErrorAuthTokenInvalid`. */
function problemName(code: string): string {
  return code.split(/[._]/).map(capitalised).join("");
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
