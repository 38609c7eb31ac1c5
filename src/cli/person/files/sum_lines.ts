/**
 * Lists of files with their hashes, in the format of `sha256sum --check`.
 *
 * @module
 */

/** The name of a list of what is proven to be kept. */
export const SAFE_TO_DELETE = "SAFE-TO-DELETE.txt";

/** How every such list begins, so that no other file is taken for one. */
export const SAFE_LIST_MARK = "# strongroom: safe to delete";

/** A file by its hash in hex and its path, as sha256sum writes it. */
export function sumLine(sha256: string, path: string): string {
  const escaped = path.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
  return `${escaped === path ? "" : "\\"}${sha256}  ${escaped}`;
}
