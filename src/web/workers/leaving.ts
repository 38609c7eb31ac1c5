/**
 * Cleaning up when nobody is signed in any more.
 *
 * @module
 */
import { storeName } from "./browser_store.ts";
import type { VaultContext } from "./context.ts";
import { removeDatabase } from "./databases.ts";
import { pictureStoreName } from "./picture_cache.ts";

/** Removes the stored data and tells every tab. */
export async function leave(
  context: VaultContext,
  userId: string,
): Promise<void> {
  await context.draft.remove();
  await context.close();
  await removeDatabase(storeName(userId));
  await removeDatabase(pictureStoreName(userId));
  context.presence.leave("signed-out");
}
