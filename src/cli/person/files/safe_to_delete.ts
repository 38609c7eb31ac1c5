/**
 * `verify --safe-to-delete`: a list of what is proven to be kept, for deleting
 * originals elsewhere, such as on a telephone. Nothing is deleted here.
 *
 * @module
 */
import { join } from "node:path";
import { videoOf } from "../../../library/showing/export_layout.ts";
import type { ConfirmReport } from "../../../library/care/confirm.ts";
import type { ReceiptsReport } from "../../../library/care/receipts.ts";
import type { Row } from "../../../library/mod.ts";
import { OperatorFault } from "../../../core/operator.ts";
import { counted } from "../../../core/sizes.ts";
import { toRfc3339 } from "../../../core/time.ts";
import { printable } from "../../phrasing.ts";
import type { CliContext } from "../cli_context.ts";
import { provenBy } from "../proofs/proven.ts";
import { SAFE_LIST_MARK, SAFE_TO_DELETE, sumLine } from "./sum_lines.ts";

/**
 * Writes the list of a folder again, in the format of `sha256sum --check`.
 * Throws an OperatorFault where a file of that name is something else.
 */
export async function writeSafeToDelete(
  cli: CliContext,
  folder: string,
  assetIds: readonly string[],
  receipts: ReceiptsReport,
  report: ConfirmReport,
): Promise<void> {
  const { library, tell } = cli;
  const path = join(folder, SAFE_TO_DELETE);
  await refuseOther(path);
  const why = provenBy(cli, receipts, report);
  const { libraryAlbumId } = library.vault;
  const safe: Row[] = [];
  let others = 0;
  for (const id of assetIds) {
    const row = library.index.get(id);
    // What is in an album alone goes with the album.
    const isHere = row?.album === undefined || row.album === libraryAlbumId;
    if (row?.metadata !== undefined && isHere && why(id) === undefined) {
      safe.push(row);
    } else others += 1;
  }
  const lines = safe.flatMap(linesOf).toSorted();
  const at = toRfc3339(cli.platform.now());
  const text = [
    `${SAFE_LIST_MARK}, looked at ${at}`,
    "# Each of these is in your library: its receipts were verified on " +
    "this",
    "# machine, and its bytes were read again. Nothing was deleted. A name alone",
    "# proves nothing; compare the files themselves in their folder with",
    "#   sha256sum --check --ignore-missing SAFE-TO-DELETE.txt",
    ...lines,
    "",
  ].join("\n");
  const part = `${path}.part`;
  await Deno.writeTextFile(part, text, { mode: 0o600 });
  await Deno.rename(part, path);
  for (const row of safe) {
    tell({ event: "safe_to_delete", asset_id: row.id, path: pathOf(row) }, "");
  }
  tell(
    { event: "safe_to_delete_list", path, files: safe.length, others },
    [
      `${counted(safe.length, "file")} safe to delete elsewhere, listed in ` +
      printable(path),
      ...others > 0 ? [`${counted(others, "file")} not, or not yet`] : [],
    ].join("; "),
  );
}

/** A file by its hash and its place, and its video in a comment. */
function linesOf(row: Row): readonly string[] {
  const sha256 = row.metadata?.sha256;
  if (sha256 === undefined) return [];
  const path = pathOf(row);
  const line = sumLine(sha256, path);
  const hasVideo = videoOf(row) !== undefined;
  return [hasVideo ? `${line}\n# with its video: ${printable(path)}` : line];
}

function pathOf({ id, metadata }: Row): string {
  const { path = "", name = id } = metadata ?? {};
  // What others named stays within the folder.
  return [...path.split("/"), ...name.split("/")]
    .filter((one) => one !== "" && one !== "." && one !== "..").join("/");
}

async function refuseOther(path: string): Promise<void> {
  try {
    const before = await Deno.readTextFile(path);
    if (before.startsWith(SAFE_LIST_MARK)) return;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  throw new OperatorFault(
    `${path} already exists and is not such a list: give another folder`,
  );
}
