/**
 * Albums that fill themselves with photos of people, and the vault's calls
 * about them.
 *
 * @module
 */
import {
  fillAlbum,
  fillRules,
  withFillRule,
} from "../../../library/albums/filling.ts";
import { rootOf, sureFiles } from "../../../library/finding/faces_groups.ts";
import { ApiProblem, DocumentError } from "../../../library/mod.ts";
import { facesOf, isOn, personIn } from "../finding/faces_loader.ts";
import { fileOfRow } from "../finding/file_of_row.ts";
import type { VaultContext } from "../vault/context.ts";

/** Adds what the rules name to their albums, once. */
export async function followRules(context: VaultContext): Promise<void> {
  const library = context.opened();
  // Without faces no one is recognised.
  if (!isOn(library)) return;
  const faces = await facesOf(library);
  let added = 0;
  for (const [albumId, { persons }] of fillRules(library.state.held.settings)) {
    const files = new Set<string>();
    for (const id of persons) {
      const person = personIn(faces, id);
      const { name } = faces.choiceOf(person?.id ?? id);
      // Whoever has no name was never looked at by a person.
      if (person === undefined || name === undefined) continue;
      for (const file of sureFiles(person)) files.add(file);
    }
    try {
      added += await fillAlbum(library, albumId, (row) => {
        const file = fileOfRow(row);
        return file !== undefined && files.has(file);
      });
    } catch (error) {
      // The account is full, or the album is closed to it at this moment: a
      // later round tries it again.
      const own = error instanceof ApiProblem || error instanceof DocumentError;
      if (!own) throw error;
    }
  }
  if (added > 0) context.changed();
}

/** The calls of the group `filling`. */
export function fillingCalls(context: VaultContext) {
  return {
    /** The people whose photos an album gets by itself. */
    async persons(albumId: string): Promise<readonly string[]> {
      const library = context.opened();
      const rule = fillRules(library.state.held.settings).get(albumId);
      if (rule === undefined || !isOn(library)) return [];
      const { choices } = await facesOf(library);
      return [...new Set(rule.persons.map((id) => rootOf(id, choices)))];
    },
    /** Chooses them; none ends it. Photos that are there stay. */
    async choose(albumId: string, persons: readonly string[]): Promise<void> {
      const { state } = context.opened();
      const now = context.platform.now();
      await state.change((held) => ({
        ...held,
        settings: withFillRule(held.settings, albumId, { persons }, now),
      }));
      await followRules(context);
      context.changed();
    },
  };
}
