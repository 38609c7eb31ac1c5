/**
 * Cleaning up when no one is signed in any more.
 *
 * @module
 */
import { storeName } from "./browser_store.ts";
import type { VaultContext } from "./context.ts";
import { removeDatabase } from "./databases.ts";
import { pictureStoreName } from "../media/picture_cache.ts";

/** Folders that this browser may read, as a page of the app keeps them. */
const FOLDERS = "strongroom-folders";

/** Removes the stored data and tells every tab. */
export async function leave(
  context: VaultContext,
  userId: string,
): Promise<void> {
  await context.close();
  await removeDatabase(storeName(userId));
  await removeDatabase(pictureStoreName(userId));
  await removeDatabase(FOLDERS);
  context.presence.leave("signed-out");
}
