/**
 * Album keys by album and epoch, as far as this account has them.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";

/** Where the keys of albums come from. */
export interface AlbumKeys {
  /**
   * The keys of an album by epoch, newest first; those of assets without an
   * album where none is named. Empty where this account has none.
   */
  keysOf(
    albumId: string | undefined,
  ): Promise<readonly { readonly epoch: number; readonly amk: Bytes }[]>;
  /**
   * The key that is written under now. Throws a DocumentError where there is
   * none, or the roster that should tell it is not to be believed.
   */
  newestOf(
    albumId: string | undefined,
  ): Promise<{ readonly epoch: number; readonly amk: Bytes }>;
}
