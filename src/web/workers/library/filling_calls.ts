/**
 * Albums that fill themselves with photos of people, and the vault's calls
 * about them.
 *
 * @module
 */
import { readTime, toRfc3339 } from "../../../core/time.ts";
import {
  fillAlbum,
  fillRules,
  withFillRule,
} from "../../../library/albums/filling.ts";
import { rootOf, sureFiles } from "../../../library/finding/faces_groups.ts";
import {
  ApiProblem,
  DocumentError,
  type Library,
} from "../../../library/mod.ts";
import { facesOf, isOn, personIn } from "../finding/faces_loader.ts";
import { fileOfRow } from "../finding/file_of_row.ts";
import type { VaultContext } from "../vault/context.ts";

/** Adds what the rules name to their albums, once. */
export async function followRules(context: VaultContext): Promise<void> {
  const library = context.opened();
  let added = 0;
  for (const [albumId, rule] of fillRules(library.state.held.settings)) {
    const files = await filesWith(library, rule.persons);
    const since = readTime(rule.since);
    try {
      added += await fillAlbum(library, albumId, (row) => {
        const isNew = since !== undefined && (readTime(row.at) ?? 0) >= since;
        return isNew || files.has(fileOfRow(row) ?? "");
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

/** The files in which people with names are recognised for certain. */
async function filesWith(
  library: Library,
  persons: readonly string[],
): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  // Without faces no one is recognised.
  if (persons.length === 0 || !isOn(library)) return files;
  const faces = await facesOf(library);
  for (const id of persons) {
    const person = personIn(faces, id);
    const { name } = faces.choiceOf(person?.id ?? id);
    // Whoever has no name was never looked at by a person.
    if (person === undefined || name === undefined) continue;
    for (const file of sureFiles(person)) files.add(file);
  }
  return files;
}

/** What an album gets by itself. */
export interface AlbumFilling {
  readonly persons: readonly string[];
  /** Everything new of the person's own. */
  readonly isAll: boolean;
}

/** The calls of the group `filling`. */
export function fillingCalls(context: VaultContext) {
  return {
    /** What an album gets by itself. */
    async of(albumId: string): Promise<AlbumFilling> {
      const library = context.opened();
      const rule = fillRules(library.state.held.settings).get(albumId);
      const isAll = rule?.since !== undefined;
      if (rule === undefined || !isOn(library)) return { persons: [], isAll };
      const { choices } = await facesOf(library);
      const persons = rule.persons.map((id) => rootOf(id, choices));
      return { persons: [...new Set(persons)], isAll };
    },
    /**
     * Chooses it; everything new is that from now on. Photos that are there
     * stay.
     */
    async choose(
      albumId: string,
      { persons, isAll }: AlbumFilling,
    ): Promise<void> {
      const { state } = context.opened();
      const now = context.platform.now();
      await state.change(({ settings, ...held }) => {
        const before = fillRules(settings).get(albumId)?.since;
        const since = isAll ? before ?? toRfc3339(now) : undefined;
        const rule = { persons, ...(since === undefined ? {} : { since }) };
        return {
          ...held,
          settings: withFillRule(settings, albumId, rule, now),
        };
      });
      await followRules(context);
      context.changed();
    },
  };
}
