/**
 * What is known of an asset, in files next to its own: JSON with all of it, and
 * XMP for photo programs.
 *
 * @module
 */
import { sidecarJson } from "../../../media/exports/sidecar_json.ts";
import { xmpOf } from "../../../media/exports/xmp_writer.ts";
import type { Row } from "../../../library/mod.ts";
import type { PlaceNames } from "../../../library/finding/place_names.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { replaceOwn, writeNew } from "./writing.ts";

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

/**
 * What a sidecar says, with the town and country if there are names; undefined
 * for XMP of what did not open here.
 */
export function sidecarOf(
  row: Row,
  kind: SidecarKind,
  names?: PlaceNames,
): string | undefined {
  const locality = names?.localityOf(row.metadata?.place);
  return kind === "json"
    ? sidecarJson(row, locality)
    : row.metadata && xmpOf(row.metadata, locality);
}

/**
 * Writes the sidecars of a file, unless there are such; with `renews` those
 * that this program wrote and that tell what is no longer so are replaced.
 */
export async function writeSidecars(
  row: Row,
  path: string,
  kinds: readonly SidecarKind[],
  { renews, names }: {
    readonly renews?: true | undefined;
    readonly names?: PlaceNames | undefined;
  } = {},
): Promise<void> {
  for (const kind of kinds) {
    const text = sidecarOf(row, kind, names);
    if (text === undefined) continue;
    const sidecar = `${path}.${kind}`;
    const isOld = renews && await isOwnSidecar(sidecar, kind, row.id, text);
    if (isOld) await replaceOwn(sidecar, [text]);
    else await writeNew(sidecar, text);
  }
}

/** None of this program's is longer (bytes). */
const MAX_BYTES = 4 * 1024 * 1024;

/** Whether a sidecar of this asset was written here and says something else. */
async function isOwnSidecar(
  path: string,
  kind: SidecarKind,
  id: string,
  text: string,
): Promise<boolean> {
  const info = await Deno.lstat(path).catch(() => undefined);
  if (info?.isFile !== true || info.size > MAX_BYTES) return false;
  const held = await Deno.readTextFile(path);
  if (held === text) return false;
  return kind === "json"
    ? held.startsWith(`{\n  "asset_id": ${JSON.stringify(id)}`)
    : held.includes('x:xmptk="strongroom"');
}
