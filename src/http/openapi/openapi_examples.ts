/**
 * Examples for `/openapi.json`, made of the schemas themselves.
 *
 * @module
 */
type Json = Readonly<Record<string, unknown>>;

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: "0196f3a4-5b7c-7d2e-8f10-2a3b4c5d6e7f",
  date: "2026-11-01",
  "date-time": "2026-11-01T08:00:00Z",
  uri: "https://photos.example.org/",
};
const BY_PATTERN: Readonly<Record<string, string>> = {
  "^[0-9a-f]{64}$": "0123456789abcdef".repeat(4),
  "^[0-9a-f]{32}$": "0123456789abcdef".repeat(2),
};
/** Texts whose form a schema does not tell. */
const BY_NAME: Readonly<Record<string, string>> = {
  address: "ada@example.org",
  peer: "https://peer.example.org",
};
const WORD = "text";
/** Deeper than any schema here. */
const DEPTH_MAX = 12;

/** A value that a schema describes, as far as the schema says enough. */
export function exampleOf(
  schema: unknown,
  find: (name: string) => unknown,
  depth = 0,
): unknown {
  if (!isJson(schema) || depth > DEPTH_MAX) return null;
  const inner = (one: unknown) => exampleOf(one, find, depth + 1);
  if (typeof schema["$ref"] === "string") {
    return inner(find(schema["$ref"].replace(/^.*\//, "")));
  }
  const [chosen] = [schema["examples"], schema["enum"]].filter(Array.isArray);
  if (chosen !== undefined) return chosen[0];
  if ("const" in schema) return schema["const"];
  for (const kind of ["anyOf", "oneOf", "allOf"]) {
    const alternatives = schema[kind];
    if (Array.isArray(alternatives)) return inner(alternatives[0]);
  }
  switch (schema["type"]) {
    case "object":
      return Object.fromEntries(
        Object.entries(isJson(schema["properties"]) ? schema["properties"] : {})
          .map(([name, one]) => [name, BY_NAME[name] ?? inner(one)]),
      );
    case "array":
      return [inner(schema["items"])];
    case "integer":
    case "number":
      return typeof schema["minimum"] === "number"
        ? Math.max(schema["minimum"], 0)
        : 0;
    case "boolean":
      return true;
    case "string":
      return textOf(schema);
    default:
      return null;
  }
}

function textOf(schema: Json): string {
  const format = String(schema["format"]);
  const known = BY_FORMAT[format] ?? BY_PATTERN[String(schema["pattern"])];
  if (known !== undefined) return known;
  const least = Number(schema["minLength"] ?? 0);
  // Three bytes of base64, as often as are wanted.
  if (schema["contentEncoding"] === "base64") {
    return "AAAA".repeat(Math.max(1, Math.ceil(least / 4)));
  }
  return WORD.repeat(Math.max(1, Math.ceil(least / WORD.length)));
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
