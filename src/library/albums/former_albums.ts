/**
 * The keys of albums that the account is no longer in. Its own photos there
 * stay its own (protocol/albums.md), and these keys alone open them.
 *
 * @module
 */
import * as z from "zod/mini";
import { type Bytes, fromBase64, toBase64 } from "../../core/bytes.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import type { HeldAlbums } from "./held_albums.ts";
import { changedAt, type LibraryState } from "../../client/documents/state.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { Store } from "../base/store.ts";
import type { UploadContext } from "../adding/upload_types.ts";

const PREFIX = "former-album/";
/** The last key that has the prefix comes before this one. */
const END = "former-album0";

/**
 * Begins the settings that keep the keys of others' albums which have photos of
 * this account, for devices that were never in the album.
 */
const ALBUM_KEYS = "album-keys/";

const keysSchema = z.array(z.object({ epoch: z.int(), amk: z.base64() }));

/** Keys by their epochs. */
type Keys = ReadonlyMap<number, Bytes>;

/** The keys of an album that the account's state keeps. */
function keptKeys({ settings }: LibraryState, albumId: string): Keys {
  const read = keysSchema.safeParse(settings[ALBUM_KEYS + albumId]?.value);
  return read.success ? mapped(read.data) : new Map();
}

/** A state that keeps keys of an album, besides those that it has. */
export function withKeys(
  held: LibraryState,
  albumId: string,
  keys: Iterable<readonly [number, Bytes]>,
  now: number,
): LibraryState {
  const name = ALBUM_KEYS + albumId;
  const value = listed([...keptKeys(held, albumId), ...keys]);
  const at = changedAt(held.settings[name], now);
  return { ...held, settings: { ...held.settings, [name]: { value, at } } };
}

/**
 * The epochs of others' albums under which photos of this account were made,
 * and whose keys its state does not keep yet, by album.
 */
export function epochsToKeep(
  { index, vault }: Pick<UploadContext, "index" | "vault">,
  albums: {
    readonly get: (albumId: string) => { readonly owner: string } | undefined;
  },
  held: LibraryState,
): ReadonlyMap<string, ReadonlySet<number>> {
  const { libraryAlbumId, session: { userId } } = vault;
  const epochs = new Map<string, Set<number>>();
  for (const { owner, state, album, epoch, metadata } of index.rows()) {
    const isOwn = owner === userId && state === "live" && metadata;
    if (!isOwn || album === undefined || album === libraryAlbumId) continue;
    const known = epochs.get(album);
    if (known === undefined) epochs.set(album, new Set([epoch]));
    else known.add(epoch);
  }
  return new Map(
    [...epochs].flatMap(([album, all]) => {
      const { owner } = albums.get(album) ?? {};
      if (owner === undefined || owner === userId) return [];
      const kept = keptKeys(held, album);
      const missing = [...all].filter((epoch) => !kept.has(epoch));
      return missing.length === 0 ? [] : [[album, new Set(missing)] as const];
    }),
  );
}

function mapped(keys: z.output<typeof keysSchema>): Keys {
  return new Map(
    keys.map(({ epoch, amk }) => [epoch, fromBase64(amk) ?? new Uint8Array()]),
  );
}

function listed(keys: Iterable<readonly [number, Bytes]>) {
  return [...new Map(keys)].map(([epoch, amk]) => ({
    epoch,
    amk: toBase64(amk),
  }));
}

/** The keys of former albums. */
export interface FormerAlbums {
  /** The keys of an album that were kept, on this device or for all. */
  keysOf(albumId: string): Keys;
  /** Drops an album that the account is no longer in, and keeps its keys. */
  drop(albumId: string): Promise<void>;
}

/** Reads the keys that are kept in a store. */
export async function openFormerAlbums(
  store: Store,
  albums: Pick<HeldAlbums, "held" | "drop">,
  state: Pick<SharedState, "held">,
): Promise<FormerAlbums> {
  const held = new Map<string, Keys>();
  for (const { key, value } of await store.list("pins", { after: PREFIX })) {
    if (key >= END) break;
    const kept = decodeJson(keysSchema, value, "keys of a former album");
    held.set(key.slice(PREFIX.length), mapped(kept));
  }
  return {
    keysOf: (albumId) =>
      new Map([...keptKeys(state.held, albumId), ...held.get(albumId) ?? []]),
    async drop(albumId) {
      const keys = albums.held.get(albumId)?.keys ?? new Map();
      const all = new Map([...held.get(albumId) ?? [], ...keys]);
      if (all.size === 0) return await albums.drop(albumId);
      held.set(albumId, all);
      const value = encodeJson(
        keysSchema,
        listed(all),
        "keys of a former album",
      );
      await store.write([{ space: "pins", key: `${PREFIX}${albumId}`, value }]);
      await albums.drop(albumId);
    },
  };
}
