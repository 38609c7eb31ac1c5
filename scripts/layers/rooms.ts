/**
 * Whether each folder says what it is.
 *
 * @module
 */
import { basename, dirname } from "node:path/posix";
import { ROOMS } from "../layers.ts";

const FIRST_COMMENT = /^\/\*\*(?:(?!\*\/)[\s\S])*@module\s*\*\//;

/**
 * A line for each folder of code that says nowhere what it is: neither in the
 * first comment of its `mod.ts` or of the file of its name, nor in the table of
 * rooms; and for each line of the table whose folder is gone.
 */
export function unnamedRooms(
  sources: ReadonlyMap<string, string>,
  rooms: Readonly<Record<string, string>> = ROOMS,
): string[] {
  const folders = new Set([...sources.keys()].flatMap(foldersAbove));
  const says = (path: string) => FIRST_COMMENT.test(sources.get(path) ?? "");
  return [
    ...[...folders].filter((folder) => {
      const name = basename(folder);
      const own = [`${folder}/mod`, `${folder}/${name}`, folder];
      return rooms[folder] === undefined &&
        !own.some((one) => says(`${one}.ts`) || says(`${one}.tsx`));
    }).map((folder) =>
      `${folder}: no first comment of its own says what it is, nor ROOMS`
    ),
    ...Object.keys(rooms).filter((folder) => !folders.has(folder))
      .map((folder) => `${folder}: ROOMS has it, and it is gone`),
  ];
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [folder, ...foldersAbove(folder)];
}
