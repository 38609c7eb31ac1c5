/**
 * Links that may still show a photo as it was before an edit: pages name them
 * until the person has read it.
 *
 * @module
 */
import type { VaultContext } from "./context.ts";

/** Tells the pages which links these are now. */
export async function tellStillShown(context: VaultContext): Promise<void> {
  const links = await context.opened().stillShown.list();
  context.tell("stillShown", links.length === 0 ? undefined : links);
}
