/**
 * The layout that files are written in on this machine.
 *
 * @module
 */
import {
  EVERY_FILE_SYSTEM,
  foldedName,
  LONGEST_NAME_BYTES,
  type NameRules,
  safeName,
} from "../../../media/exports/file_names.ts";
import { localDay } from "../../../library/rows/rows.ts";
import type { Row } from "../../../library/mod.ts";
import { OperatorFault } from "../../../core/operator.ts";

export {
  foldedName,
  LONGEST_NAME_BYTES,
  type NameRules,
  nextName,
} from "../../../media/exports/file_names.ts";

const FIELD = /\{([a-z]+)\}/g;

/**
 * The path of a row below a folder. `nameOf` makes each name of it acceptable,
 * by default to every file system.
 */
export type PathOf = (row: Row, nameOf?: (name: string) => string) => string;

/** A layout such as `{yyyy}/{mm}/{name}` as the path of a row. */
export function layoutOf(text: string): PathOf {
  const parts = text.split("/").filter((part) => part !== "");
  for (const [, field = ""] of text.matchAll(FIELD)) {
    if (!Object.hasOwn(FIELDS, field)) {
      throw new OperatorFault(
        `--layout has no {${field}}: it has ${
          Object.keys(FIELDS).map((name) => `{${name}}`).join(", ")
        }`,
      );
    }
  }
  if (!parts.at(-1)?.includes("{name}")) {
    throw new OperatorFault("the last part of --layout must contain {name}");
  }
  return (row, nameOf = (name) => safeName(name)) =>
    parts.flatMap((part) => {
      const said = part.replaceAll(
        FIELD,
        (_, field: string) => FIELDS[field]?.(row) ?? "",
      );
      // A folder of the asset's own becomes folders.
      return part === "{path}"
        ? said.split("/").filter((one) => one !== "").map((one) => nameOf(one))
        : [nameOf(said)];
    }).join("/");
}

const FIELDS: Readonly<Record<string, (row: Row) => string>> = {
  yyyy: (row) => day(row, 0, 4),
  mm: (row) => day(row, 5, 7),
  dd: (row) => day(row, 8, 10),
  name: (row) => row.metadata?.name ?? row.id,
  id: (row) => row.id,
  path: (row) => row.metadata?.path ?? "",
};

function day(row: Row, from: number, to: number): string {
  return localDay(row).toISOString().slice(from, to);
}

/**
 * The rules for the names of rows in a folder. The folder is tried only if a
 * name depends on it.
 */
export async function rulesFor(
  root: string,
  rows: readonly Row[],
  pathOf: PathOf,
): Promise<NameRules> {
  const seen = new Map<string, string>();
  for (const row of rows) {
    const { path, wanted } = namesOf(row, pathOf, EVERY_FILE_SYSTEM);
    const folded = foldedName(path);
    if (path !== wanted || (seen.get(folded) ?? path) !== path) {
      return await rulesOf(root);
    }
    seen.set(folded, path);
  }
  return EVERY_FILE_SYSTEM;
}

/** The path of a row by rules, and the one that it would have without any. */
export function namesOf(
  row: Row,
  pathOf: PathOf,
  rules: NameRules,
): { readonly path: string; readonly wanted: string } {
  return {
    path: pathOf(row, (name) => safeName(name, rules)),
    wanted: pathOf(row, (name) => name),
  };
}

const DEVICE = "aux.txt";
const PLAIN = "x";

/**
 * What the file system of a folder refuses in names, as a try shows: it may be
 * any on any system. A folder that cannot be written to has the rules of all.
 */
async function rulesOf(root: string): Promise<NameRules> {
  let folder: string | undefined;
  try {
    await Deno.mkdir(root, { recursive: true });
    folder = await Deno.makeTempDir({
      dir: root,
      prefix: ".strongroom-names-",
    });
    // One that takes nothing at all tells nothing about names.
    if (!await takes(folder, PLAIN)) return EVERY_FILE_SYSTEM;
    let characters = "";
    for (const character of EVERY_FILE_SYSTEM.characters) {
      if (!await takes(folder, `a${character}b`)) characters += character;
    }
    const refusesDevices = !await takes(folder, DEVICE);
    const refusesEnds = !await takes(folder, "dot.") ||
      !await takes(folder, "space ") || !await takes(folder, " first");
    const folds = !await takes(folder, PLAIN.toUpperCase()) ||
      !await takes(folder, "\u00e9") || !await takes(folder, "e\u0301");
    return {
      characters,
      refusesDevices,
      refusesEnds,
      folds,
      maxBytes: LONGEST_NAME_BYTES,
    };
  } catch {
    return EVERY_FILE_SYSTEM;
  } finally {
    if (folder !== undefined) {
      await Deno.remove(folder, { recursive: true }).catch(() => undefined);
    }
  }
}

/** Whether a folder gets a new file of exactly this name. */
async function takes(folder: string, name: string): Promise<boolean> {
  try {
    (await Deno.open(`${folder}/${name}`, { write: true, createNew: true }))
      .close();
  } catch {
    return false;
  }
  for await (const entry of Deno.readDir(folder)) {
    if (entry.name === name) return true;
  }
  return false;
}
