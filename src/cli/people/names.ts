/**
 * Names for files of this machine out of what somebody, who may mean harm,
 * wrote into an asset: they cannot leave the folder, hide, or steer a terminal.
 *
 * @module
 */
import { localDay } from "../../client/library/search.ts";
import type { Row } from "../../client/library/mod.ts";
import { OperatorFault } from "../../core/operator.ts";

const MAX_BYTES = 200;
/** Of devices, on Windows, whatever their end. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029/\\:*?"<>|]+/gu;

/** A name that every file system takes as one name. */
export function safeName(name: string): string {
  let safe = name.normalize("NFC").replace(FORBIDDEN, "_")
    .replace(/^[.\s]+/, "_").replace(/[.\s]+$/, "");
  if (RESERVED.test(safe)) safe = `_${safe}`;
  if (safe === "") safe = "_";
  const dot = safe.lastIndexOf(".");
  const end = dot > 0 && safe.length - dot <= 12 ? safe.slice(dot) : "";
  let stem = safe.slice(0, safe.length - end.length);
  while (byteLength(stem + end) > MAX_BYTES) {
    stem = [...stem].slice(0, -1).join("");
  }
  return stem + end;
}

/** The name for a second file of a name. */
export function nextName(name: string, number: number): string {
  if (number === 1) return name;
  const dot = name.lastIndexOf(".");
  return dot > 0
    ? `${name.slice(0, dot)} (${number})${name.slice(dot)}`
    : `${name} (${number})`;
}

/** Names that a file system without letter case cannot tell apart. */
export function foldedName(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

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
    throw new OperatorFault("--layout ends with a part that has {name} in it");
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

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
