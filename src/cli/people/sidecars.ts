/**
 * What is known of an asset, in files beside its own: JSON with all of it, and
 * XMP for photo programs.
 *
 * @module
 */
import { sidecarJson } from "../../client/exports/sidecar_json.ts";
import { xmpOf } from "../../client/exports/xmp_writer.ts";
import type { Row } from "../../client/library/mod.ts";
import { OperatorFault } from "../../core/operator.ts";
import { writeNew } from "./writing.ts";

const KINDS = ["json", "xmp"] as const;
/** One of the kinds of sidecars. */
export type SidecarKind = typeof KINDS[number];

/** Reads `--sidecars`: kinds with commas between. */
export function sidecarKindsOf(
  text: string | undefined,
): readonly SidecarKind[] {
  const named = (text ?? "").split(",").filter((word) => word !== "");
  return named.map((word) => {
    const kind = KINDS.find((one) => one === word.trim().toLowerCase());
    if (kind !== undefined) return kind;
    throw new OperatorFault("--sidecars is json, xmp, or json,xmp");
  });
}

/** Writes the sidecars of a file, unless there are such. */
export async function writeSidecars(
  row: Row,
  path: string,
  kinds: readonly SidecarKind[],
): Promise<void> {
  for (const kind of kinds) {
    const text = kind === "json"
      ? sidecarJson(row)
      : row.metadata && xmpOf(row.metadata);
    if (text === undefined) continue;
    await writeNew(`${path}.${kind}`, text);
  }
}
