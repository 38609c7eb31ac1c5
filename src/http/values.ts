/**
 * Path, query and header values: what does not parse is 400
 * (protocol/transport.md#order-of-checks).
 *
 * @module
 */
import type { Raise } from "../core/problem.ts";
import type { Parameters } from "./route.ts";

type RaiseMalformed = Raise<"error.request.malformed">;

/** The groups of a path, percent-decoded and parsed. */
export function readParams(
  parameters: Parameters | undefined,
  names: readonly string[],
  groups: readonly string[],
  raise: RaiseMalformed,
): Record<string, unknown> {
  return readValues(parameters, (name) => {
    try {
      return decodeURIComponent(groups[names.indexOf(name)] ?? "");
    } catch (cause) {
      throw raise("error.request.malformed", { cause });
    }
  }, raise);
}

/** Query or header values, parsed; unknown ones are not looked at. */
export function readValues(
  parameters: Parameters | undefined,
  given: (name: string) => string | null,
  raise: RaiseMalformed,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  if (parameters === undefined) return values;
  for (const [name, parameter] of Object.entries(parameters)) {
    const text = given(name);
    if (text === null && parameter.absent !== undefined) {
      values[name] = parameter.absent.value;
      continue;
    }
    const value = text === null ? undefined : parameter.parse(text);
    if (value === undefined) {
      throw raise("error.request.malformed", { cause: `value of ${name}` });
    }
    values[name] = value;
  }
  return values;
}
