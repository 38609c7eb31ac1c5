/**
 * Storing a photo of one's own again with new small pictures, because the
 * server lost those that it had.
 *
 * @module
 */
import type { Row } from "../../../library/mod.ts";
import { sourceOfFile } from "../../../client/stream/threads/file_source.ts";
import { tellAlarms } from "../library/alarms.ts";
import type { VaultContext } from "../vault/context.ts";
import type { SmallPictures } from "./pictures/smaller.ts";

/** Stores it; what is lost is known until that is done. */
export async function renewPhoto(
  context: VaultContext,
  row: Row,
  original: Blob,
  { smaller }: SmallPictures,
): Promise<void> {
  const { index, take } = context.opened();
  if (row.metadata === undefined || row.album === undefined) return;
  const { size: _, derivatives: __, sha256, ...about } = row.metadata;
  index.put({ ...row, custody: "damaged" });
  await take({
    source: sourceOfFile(original),
    about,
    sha256,
    derivatives: smaller,
  }, { albumId: row.album });
  context.changed();
  tellAlarms(context);
}
