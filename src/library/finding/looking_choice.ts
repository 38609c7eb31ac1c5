/**
 * Whether devices are to look at photos for something: off until the person
 * turns it on, in the account's sealed state, so that all of their devices know
 * it.
 *
 * @module
 */
import { changedAt, type LibraryState } from "../../client/documents/state.ts";
import type { FindingsChoice } from "./findings.ts";

type Settings = LibraryState["settings"];

/** The settings of what devices share: the words in pictures, and the things. */
export type SharedLooking = "picture-words" | "picture-things";

/** What the settings say of it. */
export function lookingChoice(
  settings: Settings,
  name: SharedLooking,
): FindingsChoice {
  const said: unknown = settings[name]?.value;
  const { on, era } = typeof said === "object" && said !== null
    ? { on: undefined, era: undefined, ...said }
    : { on: undefined, era: undefined };
  return { isOn: on === true, era: typeof era === "number" ? era : 0 };
}

/** The settings with it on or off. */
export function withLooking(
  settings: Settings,
  name: SharedLooking,
  isOn: boolean,
  now: number,
): Settings {
  const before = lookingChoice(settings, name);
  if (before.isOn === isOn) return settings;
  const value = { on: isOn, era: Math.max(now, before.era + 1) };
  return {
    ...settings,
    [name]: { value, at: changedAt(settings[name], now) },
  };
}
