/**
 * Pushing into someone else's album: everything is in one's own library first,
 * so that it does not depend on being a member.
 *
 * @module
 */
import { bringHome } from "../../../library/mod.ts";
import { printable } from "../../phrasing.ts";
import type { MovedFile } from "./delete_after_upload.ts";
import type { CliContext } from "../cli_context.ts";

/** Copies what was kept into someone else's album; what is there by then. */
export async function copyAll(
  { library, signal }: CliContext,
  files: readonly MovedFile[],
  albumId: string,
  fail: (path: string, error: unknown) => void,
): Promise<readonly MovedFile[]> {
  const copied = new Set<string>();
  const kept: MovedFile[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    try {
      if (!copied.has(file.assetId)) {
        await library.copyInto(file.assetId, albumId);
        copied.add(file.assetId);
      }
      kept.push(file);
    } catch (error) {
      fail(file.path, error);
    }
  }
  await library.index.commit();
  return kept;
}

/** Own photos of albums that the account is no longer in. */
export async function bringOwnHome(cli: CliContext): Promise<void> {
  const { library, tell, warn } = cli;
  const nameOf = (id: string) =>
    printable(library.index.get(id)?.metadata?.name ?? id);
  const { kept, failed } = await bringHome(library);
  for (const id of kept) {
    tell(
      { event: "brought_home", asset_id: id },
      "copied into your library, because you are no longer in its album: " +
        `${nameOf(id)}`,
    );
  }
  for (const [id, why] of failed) {
    warn(
      `${nameOf(id)} is in an album that you are no longer in, and cannot be ` +
        `copied into your library: ${printable(why.message)}`,
    );
  }
}
