/**
 * What a person says of faces: whether they are looked for at all, and who is
 * who. It is in the account's sealed state (settings), so every device of
 * theirs knows it and no one else does.
 *
 * @module
 */
import {
  changedAt,
  type LibraryState,
  present,
} from "../../client/documents/state.ts";

/** What is said of a person. */
export interface PersonChoice {
  readonly name?: string;
  /** They are not on the page of people. */
  readonly hidden?: boolean;
  /** They are in no memory. */
  readonly forgotten?: boolean;
  /** They are the same person as that one. */
  readonly into?: string;
}

/** Everything that was said. */
export interface FaceChoices {
  readonly isOn: boolean;
  /** Since when, on or off (ms); 0 if nothing was ever said. */
  readonly era: number;
  /** By groups of faces. */
  readonly persons: ReadonlyMap<string, PersonChoice>;
  /** Groups that faces are not of, by the ids of faces. */
  readonly notIn: ReadonlyMap<string, readonly string[]>;
}

type Settings = LibraryState["settings"];

const FACES = "faces";
const PERSON = "person/";
const NOT_PERSON = "not-person/";
/** Letters of a name. */
const LONGEST_NAME = 100;

/** What the settings say of faces; unknown entries are ignored. */
export function faceChoices(settings: Settings): FaceChoices {
  const said = settings[FACES]?.value;
  const { on, era } = isMap(said) ? said : {};
  const persons = new Map<string, PersonChoice>();
  const notIn = new Map<string, readonly string[]>();
  for (const [name, { value }] of present(settings)) {
    if (name.startsWith(PERSON) && isMap(value)) {
      persons.set(name.slice(PERSON.length), personIn(value));
    } else if (name.startsWith(NOT_PERSON) && Array.isArray(value)) {
      notIn.set(
        name.slice(NOT_PERSON.length),
        value.filter((one) => typeof one === "string"),
      );
    }
  }
  return {
    isOn: on === true,
    era: typeof era === "number" ? era : 0,
    persons,
    notIn,
  };
}

function personIn(value: Readonly<Record<string, unknown>>): PersonChoice {
  const { name, hidden, forgotten, into } = value;
  return {
    ...(typeof name === "string" && name !== "" ? { name } : {}),
    ...(hidden === true ? { hidden } : {}),
    ...(forgotten === true ? { forgotten } : {}),
    ...(typeof into === "string" ? { into } : {}),
  };
}

/**
 * The settings with faces on or off. Off forgets everything that was said of
 * them, the names as well.
 */
export function withFaces(
  settings: Settings,
  isOn: boolean,
  now: number,
): Settings {
  const before = faceChoices(settings);
  if (before.isOn === isOn) return settings;
  const forgotten = Object.keys(settings)
    .filter((name) => name.startsWith(PERSON) || name.startsWith(NOT_PERSON))
    .map((name) => [name, false] as const);
  const era = Math.max(now, before.era + 1);
  return set(settings, [[FACES, { on: isOn, era }], ...forgotten], now);
}

/** The settings with something else said of a person. */
export function withPerson(
  settings: Settings,
  id: string,
  change: PersonChoice,
  now: number,
): Settings {
  const said = { ...faceChoices(settings).persons.get(id), ...change };
  const name = said.name?.trim().slice(0, LONGEST_NAME);
  const value = { ...said, name };
  return set(settings, [[`${PERSON}${id}`, value]], now);
}

/** The settings with a face that is not of a person. */
export function withNotPerson(
  settings: Settings,
  face: string,
  person: string,
  now: number,
): Settings {
  const before = faceChoices(settings).notIn.get(face) ?? [];
  const all = [...before.filter((one) => one !== person), person];
  return set(settings, [[`${NOT_PERSON}${face}`, all]], now);
}

function set(
  settings: Settings,
  values: readonly (readonly [name: string, value: unknown])[],
  now: number,
): Settings {
  const entries = values.map(([name, value]) =>
    [name, { value, at: changedAt(settings[name], now) }] as const
  );
  return { ...settings, ...Object.fromEntries(entries) };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
