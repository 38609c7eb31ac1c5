/**
 * Answers of the server as the adversary keeps them, and the ways to change one
 * into a lie that fits the same operation.
 *
 * @module
 */
import { ROUTES } from "../../src/routes.ts";
import { createRouter } from "../../src/http/router.ts";
import type { Json } from "../support/expect.ts";

const router = createRouter(ROUTES);

/** The operation that a request is for, by its name in the route table. */
export function operationOf(method: string, url: string): string {
  const found = router.find(method, new URL(url).pathname);
  return found.kind === "route" ? found.route.spec.operation : "unknown";
}

/** Every operation that a program of a person can call. */
export const OPERATIONS: readonly string[] = ROUTES.map(({ spec }) =>
  spec.operation
);

/** The codes that an operation may refuse with, and their statuses. */
export function refusalsOf(operation: string): readonly string[] {
  const route = ROUTES.find(({ spec }) => spec.operation === operation);
  return route?.spec.problems ?? [];
}

/** An answer that was given once. */
export interface Answer {
  readonly operation: string;
  /** The account that asked, by its id; empty for strangers. */
  readonly who: string;
  readonly path: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Keeps an answer, whose body is read whole. */
export async function keepAnswer(
  response: Response,
  asked: Pick<Answer, "operation" | "who" | "path">,
): Promise<Answer> {
  return {
    ...asked,
    status: response.status,
    headers: [...response.headers],
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

const WITHOUT_BODY = new Set([204, 205, 304]);

/** The answer once more. */
export function given(
  { status, headers, bytes }: Pick<Answer, "status" | "headers" | "bytes">,
): Response {
  const isEmpty = WITHOUT_BODY.has(status);
  return new Response(isEmpty ? null : bytes, {
    status,
    headers: headers.map(([name, value]) => [
      name,
      name === "content-length" && bytes.length > 0
        ? String(bytes.length)
        : value,
    ]),
  });
}

/** The JSON of an answer; undefined for any other answer. */
export function jsonOf({ bytes }: Pick<Answer, "bytes">): Json | undefined {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same answer with another JSON document. */
export function withJson(answer: Answer, json: unknown): Answer {
  return { ...answer, bytes: new TextEncoder().encode(JSON.stringify(json)) };
}

/** A value somewhere in a document: its holder and its name there. */
interface Place {
  readonly holder: Json;
  readonly name: string | number;
}

/** Every leaf of a document. */
export function leavesOf(value: Json): Place[] {
  return placesOf(value).filter(({ holder, name }) =>
    typeof holder[name] !== "object" || holder[name] === null
  );
}

/** Every array of a document. */
export function arraysOf(value: Json): Json[] {
  const inside = placesOf(value).map(({ holder, name }) => holder[name]);
  return inside.filter((one) => Array.isArray(one));
}

/** Every member and every element of a document, at any depth. */
export function placesOf(value: Json): Place[] {
  const places: Place[] = [];
  const walk = (holder: Json) => {
    for (const name of Object.keys(holder)) {
      places.push({ holder, name });
      const inner = holder[name];
      if (typeof inner === "object" && inner !== null) walk(inner);
    }
  };
  walk(value);
  return places;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const TIME = /^\d{4}-\d\d-\d\dT/;
const NUMBERS = [0, 1, -1, 1_000_000, Number.MAX_SAFE_INTEGER, 1.5, 1e300];
const TIMES = [
  "2016-12-31T23:59:60Z",
  "1970-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "+275760-09-13T00:00:00Z",
  "yesterday",
];
const WORDS: Readonly<Record<string, readonly string[]>> = {
  role: ["owner", "contributor", "viewer", "original", "metadata"],
  state: ["live", "deleted", "open", "finalized", "none", "redeemed"],
  action: ["purge", "delete", "restore", "create", "roster", "tombstone"],
};

/** The origin of the adversary's own. */
export const EVIL_ORIGIN = "https://evil.example";

/** Another value of the same form, from what was answered before. */
export function falseValue(
  place: Place,
  before: readonly unknown[],
  pick: number,
): unknown {
  const value = place.holder[place.name];
  const of = <T>(all: readonly T[]): T | undefined =>
    all.length === 0 ? undefined : all[pick % all.length];
  if (typeof value === "number") {
    return of([...NUMBERS, value + 1, value - 1, value + 1_000]);
  }
  if (typeof value === "boolean") return !value;
  if (value === null) return of(before) ?? "";
  if (typeof value !== "string") return null;
  const words = WORDS[String(place.name)];
  if (words !== undefined) return of(words);
  if (TIME.test(value)) return of(TIMES);
  if (/^https?:/.test(value)) return EVIL_ORIGIN;
  const form = [UUID, HASH].find((one) => one.test(value));
  const others = before.filter((one) =>
    typeof one === "string" && one !== value && (form?.test(one) ?? true)
  );
  return of(others) ?? of(["", "x", "\u202e", "-rf", "\u0000", "../.."]);
}
