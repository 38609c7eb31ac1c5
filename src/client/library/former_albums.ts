/**
 * The keys of albums that the account is no longer in. Its own photos there
 * stay its own (protocol/albums.md), and these keys alone open them.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromBase64, toBase64 } from "../../core/bytes.ts";
import { decodeJson, encodeJson } from "../json.ts";
import type { HeldAlbums } from "./held_albums.ts";
import type { Store } from "./store.ts";

const PREFIX = "former-album/";
/** The last key that has the prefix comes before this one. */
const END = "former-album0";

const keysSchema = z.array(z.object({ epoch: z.int(), amk: z.base64() }));

/** Keys by their epochs. */
type Keys = ReadonlyMap<number, Bytes>;

/** The keys of former albums. */
export interface FormerAlbums {
  /** The keys of an album; undefined if none were kept. */
  keysOf(albumId: string): Keys | undefined;
  /** Drops an album that the account is no longer in, and keeps its keys. */
  drop(albumId: string): Promise<void>;
}

/** Reads the keys that are kept in a store. */
export async function openFormerAlbums(
  store: Store,
  albums: Pick<HeldAlbums, "held" | "drop">,
): Promise<FormerAlbums> {
  const held = new Map<string, Keys>();
  for (const { key, value } of await store.list("pins", { after: PREFIX })) {
    if (key >= END) break;
    const kept = decodeJson(keysSchema, value, "keys of a former album");
    held.set(
      key.slice(PREFIX.length),
      new Map(kept.map(({ epoch, amk }) => [
        epoch,
        fromBase64(amk) ?? new Uint8Array(),
      ])),
    );
  }
  return {
    keysOf: (albumId) => held.get(albumId),
    async drop(albumId) {
      const keys = albums.held.get(albumId)?.keys ?? new Map();
      const all = new Map([...held.get(albumId) ?? [], ...keys]);
      if (all.size === 0) return await albums.drop(albumId);
      held.set(albumId, all);
      const value = encodeJson(
        keysSchema,
        [...all].map(([epoch, amk]) => ({ epoch, amk: toBase64(amk) })),
        "keys of a former album",
      );
      await store.write([{ space: "pins", key: `${PREFIX}${albumId}`, value }]);
      await albums.drop(albumId);
    },
  };
}
