/**
 * What a person does not want to be reminded of. It is in the account's sealed
 * state, so every device of theirs knows it and no one else does.
 *
 * @module
 */
import type { Position } from "../../media/places/distance.ts";
import {
  changedAt,
  type LibraryState,
  present,
  type Setting,
} from "../../client/documents/state.ts";
import { type Days, daysOf, idOf } from "./memories_days.ts";

/** What is left out of memories. */
export interface HiddenMemories {
  /** Whether there are to be none. */
  readonly isOff: boolean;
  readonly spans: readonly Days[];
  readonly places: readonly Position[];
}

/** Something to leave out: some days, or a place and what is around it. */
export type ToHide =
  | { readonly days: Days }
  | { readonly place: Position };

type Settings = LibraryState["settings"];

const OFF = "memories-off";
const DAYS = "memories-without-days/";
const PLACE = "memories-without-place/";

/** What the settings leave out; what is no day and no place is passed over. */
export function hiddenMemories(settings: Settings): HiddenMemories {
  const set = present(settings).filter(([, { value }]) => value === true)
    .map(([name]) => name);
  const after = (prefix: string) =>
    set.filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  return {
    isOff: set.includes(OFF),
    spans: after(DAYS).flatMap((id) => daysOf(id) ?? []),
    places: after(PLACE).flatMap((text) => {
      const [latitude = NaN, longitude = NaN] = text.split(",").map(Number);
      return Number.isFinite(latitude) && Number.isFinite(longitude)
        ? [{ latitude, longitude }]
        : [];
    }),
  };
}

/** The settings with something left out. */
export function withHidden(
  settings: Settings,
  what: ToHide,
  now: number,
): Settings {
  const name = nameOf(what);
  return { ...settings, [name]: entry(settings, name, true, now) };
}

/** The settings with memories on or off. */
export function withMemories(
  settings: Settings,
  isOn: boolean,
  now: number,
): Settings {
  return { ...settings, [OFF]: entry(settings, OFF, !isOn, now) };
}

/** The settings with something shown again; if nothing is said, with all. */
export function withShownAgain(
  settings: Settings,
  now: number,
  what?: ToHide,
): Settings {
  const names = what === undefined
    ? Object.keys(settings).filter((name) =>
      name.startsWith(DAYS) || name.startsWith(PLACE)
    )
    : [nameOf(what)];
  const shown = names.map((name) =>
    [name, entry(settings, name, false, now)] as const
  );
  return { ...settings, ...Object.fromEntries(shown) };
}

function nameOf(what: ToHide): string {
  if ("days" in what) return `${DAYS}${idOf(what.days)}`;
  const { latitude, longitude } = what.place;
  return `${PLACE}${latitude.toFixed(3)},${longitude.toFixed(3)}`;
}

function entry(
  settings: Settings,
  name: string,
  value: boolean,
  now: number,
): Setting {
  return { value, at: changedAt(settings[name], now) };
}
