/**
 * Accepting the invitation to an album.
 *
 * @module
 */
import type { Library } from "../../src/library/mod.ts";

/** Lets a person see an album that they were invited to. */
export async function join(library: Library, albumId: string): Promise<void> {
  await library.sync();
  if (library.albums.get(albumId) !== undefined) return;
  if (!library.albums.isInvitation(albumId)) {
    throw new Error("there is no such invitation");
  }
  await library.albums.accept(albumId);
  await library.sync();
}
