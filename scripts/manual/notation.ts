/**
 * JSON Schemas in a notation that people read: `{ size: integer from 1 }`.
 *
 * @module
 */

/** The parts of a JSON Schema that the server's schemas are made of. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly contentEncoding?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Writes one schema down; objects take a line for each key. */
export function notation(schema: unknown): string {
  const one = schema as Schema;
  return written(one, 0, one.$defs ?? {});
}

type Named = Readonly<Record<string, Schema>>;

function written(one: Schema, depth: number, named: Named): string {
  const name = /^#\/\$defs\/(.+)$/.exec(one.$ref ?? "")?.[1];
  const meant = name === undefined ? undefined : named[name];
  if (meant !== undefined) return written(meant, depth, named);
  if (one.const !== undefined) return JSON.stringify(one.const);
  if (one.enum !== undefined) {
    return one.enum.map((value) => JSON.stringify(value)).join(" | ");
  }
  if (one.anyOf !== undefined) {
    const parts = one.anyOf.filter((part) => part.type !== "null")
      .map((part) => written(part, depth, named));
    return [...new Set(parts)].join(" | ") || "null";
  }
  // That null may stand as well is said of the key.
  const type = typeof one.type === "object"
    ? one.type.find((each) => each !== "null")
    : one.type;
  switch (type) {
    case "object":
      return object(one, depth, named);
    case "array":
      return `[${written(one.items ?? {}, depth, named)}]${
        span("items", one.minItems, one.maxItems)
      }`;
    case "string":
      return text(one);
    case "integer":
      return `integer${span("", one.minimum, safe(one.maximum))}`;
    case undefined:
      return one.format === undefined ? any(one) : text(one);
    default:
      return type;
  }
}

function any(schema: Schema): string {
  return schema.contentEncoding === undefined ? "any" : text(schema);
}

function object(schema: Schema, depth: number, named: Named): string {
  const keys = Object.entries(schema.properties ?? {});
  if (keys.length === 0) return "{}";
  const indent = "  ".repeat(depth + 1);
  const required = new Set(schema.required ?? []);
  const lines = keys.map(([key, value]) =>
    `${indent}${key}${required.has(key) ? "" : "?"}: ${
      written(value, depth + 1, named)
    }${mayBeNull(value) ? " | null" : ""}`
  );
  return `{\n${lines.join("\n")}\n${"  ".repeat(depth)}}`;
}

function mayBeNull({ type, anyOf }: Schema): boolean {
  return typeof type === "object" && type.includes("null") ||
    anyOf?.some((part) => part.type === "null") === true;
}

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "time",
  date: "date",
  uuid: "uuid",
};

function text(schema: Schema): string {
  if (schema.contentEncoding !== undefined) return schema.contentEncoding;
  const format = FORMATS[schema.format ?? ""];
  if (format !== undefined) return format;
  const hex = /^\^\[0-9a-f\]\{(\d+)\}\$$/.exec(schema.pattern ?? "");
  if (hex !== null) return `${hex[1]} lowercase hex characters`;
  return `string${span("characters", schema.minLength, schema.maxLength)}`;
}

/** JSON Schema's way of saying that an integer is one that JavaScript holds. */
function safe(maximum: number | undefined): number | undefined {
  return maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
}

function span(unit: string, from?: number, to?: number): string {
  const low = from === -Number.MAX_SAFE_INTEGER ? undefined : from;
  const words = [
    ...low === undefined ? [] : [`from ${low.toLocaleString("en")}`],
    ...to === undefined ? [] : [`to ${to.toLocaleString("en")}`],
  ];
  if (words.length === 0) return "";
  return ` ${words.join(" ")}${unit === "" ? "" : ` ${unit}`}`;
}
