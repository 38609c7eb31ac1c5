/**
 * Bytes that a person deleted on purpose, and that come again.
 *
 * @module
 */
import type { Library } from "../library.ts";

/**
 * Whether the library had these bytes and the person deleted them. A photo that
 * went otherwise is missed, and sent again.
 */
export function isThrownAway(
  library: Pick<Library, "vault" | "deletions" | "index">,
  sha256: string,
  albumId: string,
): boolean {
  return albumId === library.vault.libraryAlbumId &&
    library.deletions.hasFile(sha256) &&
    library.index.allByPlaintext(sha256)
      .every(({ state, custody }) =>
        state !== "missing" && custody !== "missing" && custody !== "damaged"
      );
}
