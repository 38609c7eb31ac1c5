/**
 * Which photos are hidden wherever they are: a mark on a photo of one's own
 * counts for its copies in albums as well.
 *
 * @module
 */
import type { PhotoFlags } from "./flags.ts";
import type { Row } from "../rows/rows.ts";

/** What is looked at. */
interface Looked {
  readonly index: { rows(): Iterable<Row> };
  readonly flags: Pick<PhotoFlags, "of">;
  readonly vault: { readonly session: { readonly userId: string } };
}

/** The plaintexts (SHA-256, hex) of the account's own hidden photos. */
export function hiddenFiles(
  { index, flags, vault: { session } }: Looked,
): ReadonlySet<string> {
  const hashes = new Set<string>();
  for (const row of index.rows()) {
    if (row.owner !== session.userId || row.metadata === undefined) continue;
    if (flags.of(row).hidden) hashes.add(row.metadata.sha256);
  }
  return hashes;
}

/** Whether a photo is hidden, or a copy of the person's own that is. */
export function isHidden(
  { flags, vault: { session } }: Omit<Looked, "index">,
  row: Row,
  files: ReadonlySet<string>,
): boolean {
  if (flags.of(row).hidden) return true;
  return row.owner === session.userId && row.metadata !== undefined &&
    files.has(row.metadata.sha256);
}
