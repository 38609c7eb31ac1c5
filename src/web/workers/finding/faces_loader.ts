/**
 * The faces of an open library, which are loaded when they are first needed.
 *
 * @module
 */
import { faceChoices } from "../../../library/finding/faces_choices.ts";
import { type Faces, openFaces } from "../../../library/finding/faces.ts";
import { type Person, rootOf } from "../../../library/finding/faces_groups.ts";
import type { FindingsChoice } from "../../../library/finding/findings.ts";
import type { Library, Row } from "../../../library/mod.ts";
import { plainText } from "../../../media/plain_text.ts";
import { fileOfRow } from "./file_of_row.ts";
import { perLibrary } from "../vault/per_library.ts";
import { FLAGS } from "../library/photo_lists.ts";

/** A row with its flags. */
type Flagged = readonly [row: Row, flags: number];

/** Whether the person of a library wants faces looked for. */
export function choice({ state }: Library): FindingsChoice {
  return faceChoices(state.held.settings);
}

/** Whether a library has faces looked for. */
export function isOn(library: Library): boolean {
  return choice(library).isOn;
}

const faces = perLibrary(openFaces);

/** The faces of a library, as this device has them. */
export const facesOf = faces.of;

/** The same if they are here; else they come, and `onHere` is called. */
export function heldFaces(
  library: Library,
  onHere: () => void,
): Faces | undefined {
  // Without them no person is found by name.
  return isOn(library) ? faces.held(library, onHere) : undefined;
}

/** Takes over what other devices found, or that they deleted all of it. */
export async function readAgain(
  library: Library,
  slots: readonly string[],
): Promise<void> {
  await (await facesOf(library)).read(slots);
}

/** The files that a person is in. */
export async function filesOf(
  library: Library,
  id: string,
): Promise<ReadonlySet<string>> {
  const person = personIn(await facesOf(library), id);
  return new Set(person?.faces.map(({ file }) => file));
}

/** A person by any of their groups. */
export function personIn(faces: Faces, id: string): Person | undefined {
  const root = rootOf(id, faces.choices);
  return faces.people().find((one) => one.id === root);
}

/** Those rows that have one of the files and are not hidden. */
export function rowsWith(
  rows: readonly Flagged[],
  files: ReadonlySet<string>,
): readonly Flagged[] {
  return rows.filter(([row, flags]) => {
    const file = fileOfRow(row);
    return (flags & FLAGS.hidden) === 0 && file !== undefined &&
      files.has(file);
  });
}

/** The people with names, and the names of those in each file. */
export interface Named {
  readonly names: readonly string[];
  /** As `plainText` has them. */
  readonly byFile: ReadonlyMap<string, string>;
}

const named = new WeakMap<
  readonly Person[],
  { readonly by: Faces["choices"]; readonly named: Named }
>();

/** Who is in which file, as far as they have names; hidden people are not. */
export function namedIn(faces: Faces): Named {
  const people = faces.people();
  const held = named.get(people);
  if (held?.by === faces.choices) return held.named;
  const names = new Set<string>();
  const byFile = new Map<string, string>();
  for (const { id, faces: ofOne } of people) {
    const { name, hidden } = faces.choiceOf(id);
    if (name === undefined || hidden === true) continue;
    names.add(name);
    const plain = plainText(name);
    for (const file of new Set(ofOne.map((face) => face.file))) {
      const before = byFile.get(file);
      byFile.set(file, before === undefined ? plain : `${before}\n${plain}`);
    }
  }
  const found = { names: [...names], byFile };
  named.set(people, { by: faces.choices, named: found });
  return found;
}

/** The files with people who are to be in no memory. */
export async function forgottenFiles(
  library: Library,
): Promise<ReadonlySet<string>> {
  const { isOn, persons } = faceChoices(library.state.held.settings);
  const isForgotten = [...persons.values()].some(({ forgotten }) => forgotten);
  if (!isOn || !isForgotten) return new Set();
  const faces = await facesOf(library);
  return new Set(
    faces.people().filter(({ id }) => faces.choiceOf(id).forgotten === true)
      .flatMap((one) => one.faces.map(({ file }) => file)),
  );
}
