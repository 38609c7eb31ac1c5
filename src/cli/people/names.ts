/**
 * The layout that files are written in on this machine.
 *
 * @module
 */
import { safeName } from "../../client/exports/file_names.ts";
import { localDay } from "../../client/library/rows.ts";
import type { Row } from "../../client/library/mod.ts";
import { OperatorFault } from "../../core/operator.ts";

export {
  foldedName,
  nextName,
  safeName,
} from "../../client/exports/file_names.ts";

const FIELD = /\{([a-z]+)\}/g;

/** A layout such as `{yyyy}/{mm}/{name}` as the path of a row. */
export function layoutOf(text: string): (row: Row) => string {
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
  return (row) =>
    parts.flatMap((part) => {
      const said = part.replaceAll(
        FIELD,
        (_, field: string) => FIELDS[field]?.(row) ?? "",
      );
      // A folder of the asset's own becomes folders.
      return part === "{path}"
        ? said.split("/").filter((one) => one !== "").map(safeName)
        : [safeName(said)];
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
