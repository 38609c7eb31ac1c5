/**
 * Merging JSON values by rules that do not depend on the order of merges.
 *
 * @module
 */
import { parseRfc3339, toRfc3339 } from "../../core/time.ts";
import { compareTexts, isJsonMap } from "../../client/documents/json.ts";

/** An entry of a section; ids come from others, so nothing inherited counts. */
export function entryOf<T>(
  section: Readonly<Record<string, T>>,
  id: string,
): T | undefined {
  return Object.hasOwn(section, id) ? section[id] : undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** Merges the keys for which this program has no rule, those of newer ones. */
export function mergeRest(
  a: Json,
  b: Json,
  known: Json = {},
): Record<string, unknown> {
  return mergeSection(without(known, a), without(known, b), mergeAny);
}

function without(known: Json, value: Json): Json {
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => !Object.hasOwn(known, name)),
  );
}

function mergeAny(a: unknown, b: unknown): unknown {
  if (isJsonMap(a) && isJsonMap(b)) return mergeSection(a, b, mergeAny);
  return compareTexts(a, b) >= 0 ? a : b;
}

export function mergeSection<T>(
  a: Readonly<Record<string, T>>,
  b: Readonly<Record<string, T>>,
  merge: (a: T, b: T) => T,
): Record<string, T> {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const merged = [...names].toSorted().map((name): [string, T | undefined] => [
    name,
    mergeSome(entryOf(a, name), entryOf(b, name), merge),
  ]);
  return Object.fromEntries(
    merged.filter((entry): entry is [string, T] => entry[1] !== undefined),
  );
}

export function mergeSome<T>(
  a: T | undefined,
  b: T | undefined,
  merge: (a: T, b: T) => T,
): T | undefined {
  return a === undefined || b === undefined ? a ?? b : merge(a, b);
}

/** Values to compare one after another. */
export type OrderKey = readonly (number | string)[];

/** Two values in the order of their keys; equal keys by their texts. */
export function inOrder<T>(a: T, b: T, keyOf: (value: T) => OrderKey): [T, T] {
  const order = compareKeys(keyOf(a), keyOf(b)) || compareTexts(a, b);
  return order <= 0 ? [a, b] : [b, a];
}

export function compareKeys(a: OrderKey, b: OrderKey): number {
  for (const [i, one] of a.entries()) {
    const other = b[i];
    if (other === undefined || one === other) continue;
    return one < other ? -1 : 1;
  }
  return 0;
}

export function orderOf(instant: string | undefined, name: string): OrderKey {
  return [instantOf(instant), name];
}

export function instantOf(time: string | undefined): number {
  return time === undefined ? -Infinity : parseRfc3339(time) ?? -Infinity;
}

export function isLater(
  one: string | undefined,
  other: string | undefined,
): boolean {
  return one !== undefined && instantOf(one) > instantOf(other);
}

export function earliest(a: string, b: string): string {
  return inOrder(a, b, (time) => [instantOf(time)])[0];
}

export function latestEntry<T extends { readonly at: string }>(
  a: T | undefined,
  b: T | undefined,
): T | undefined {
  return mergeSome(
    a,
    b,
    (x, y) => inOrder(x, y, (one) => [instantOf(one.at)])[1],
  );
}

/** A field with the later of two times; no field if there is neither. */
export function latestAs<K extends string>(
  name: K,
  a: string | undefined,
  b: string | undefined,
): { [key in K]?: string } {
  const later = mergeSome(
    a,
    b,
    (x, y) => inOrder(x, y, (time) => [instantOf(time)])[1],
  );
  const field: { [key in K]?: string } = {};
  if (later !== undefined) field[name] = later;
  return field;
}

/** A time now, or just after the given ones if a clock was ahead. */
export function after(now: number, ...times: (string | undefined)[]): string {
  return toRfc3339(Math.max(now, ...times.map((one) => instantOf(one) + 1)));
}
