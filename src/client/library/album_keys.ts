/**
 * Album keys by album and epoch, as far as this account has them.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { Vault } from "./vault.ts";

/** Where the keys of albums come from. */
export interface AlbumKeys {
  /**
   * The keys of an album by epoch, newest first; those of assets without an
   * album where none is named. Empty where this account has none.
   */
  keysOf(
    albumId: string | undefined,
  ): Promise<readonly { readonly epoch: number; readonly amk: Bytes }[]>;
}

/** The keys that a vault has without asking anybody: the library's. */
export function libraryKeys(vault: Vault): AlbumKeys {
  const own = [{ epoch: 0, amk: vault.libraryKey }];
  return {
    keysOf: (albumId) =>
      Promise.resolve(
        albumId === undefined || albumId === vault.libraryAlbumId ? own : [],
      ),
  };
}
