/**
 * The interface through which the library gets the album keys that this account
 * has.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";

/** A source of album keys. */
export interface AlbumKeys {
  /**
   * The keys of an album by epoch, newest first; without an id, those of assets
   * without an album. Empty if this account has none.
   */
  keysOf(
    albumId: string | undefined,
  ): Promise<readonly { readonly epoch: number; readonly amk: Bytes }[]>;
  /**
   * The key under which new assets are sealed. Throws a DocumentError without
   * such a key, or if the album's roster is not trusted.
   */
  newestOf(
    albumId: string | undefined,
  ): Promise<{ readonly epoch: number; readonly amk: Bytes }>;
}
