/**
 * Whether photos are to be found by what they show: in the account's sealed
 * state, so that every device of the person knows it. What devices find stays
 * on each of them.
 *
 * @module
 */
import { changedAt, type LibraryState } from "../state.ts";

type Settings = LibraryState["settings"];

const MEANING = "meaning";

/** What a person chose. */
export interface MeaningChoice {
  readonly isOn: boolean;
  /** Since when, on or off (ms): a device deletes what is of before. */
  readonly era: number;
}

/** What the settings say of it. */
export function meaningChoice(settings: Settings): MeaningChoice {
  const said: unknown = settings[MEANING]?.value;
  const { on, era } = typeof said === "object" && said !== null
    ? { on: undefined, era: undefined, ...said }
    : { on: undefined, era: undefined };
  return { isOn: on === true, era: typeof era === "number" ? era : 0 };
}

/** The settings with it on or off. */
export function withMeaning(
  settings: Settings,
  isOn: boolean,
  now: number,
): Settings {
  const before = meaningChoice(settings);
  if (before.isOn === isOn) return settings;
  const value = { on: isOn, era: Math.max(now, before.era + 1) };
  return {
    ...settings,
    [MEANING]: { value, at: changedAt(settings[MEANING], now) },
  };
}
