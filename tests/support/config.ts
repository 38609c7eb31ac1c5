/**
 * A configuration of variables alone, as most tests have it.
 *
 * @module
 */
import { type Config, readSettings } from "../../src/config.ts";
import { ConfigFault } from "../../src/core/settings.ts";

/** Reads a configuration; throws a fault that names every mistake in it. */
export function readConfig(
  variables: Readonly<Record<string, string | undefined>>,
): Config {
  const given = new Map<
    string,
    { text: string; source: { kind: "environment" } }
  >();
  for (const [name, text] of Object.entries(variables)) {
    if (text === undefined) continue;
    given.set(name, { text, source: { kind: "environment" } });
  }
  const { config, faults } = readSettings(given);
  if (config === undefined) throw new ConfigFault(faults);
  return config;
}
