/**
 * The newest photos of the timeline, stored separately from the index, so that
 * they can be shown at once while an index of tens of thousands is being read.
 *
 * @module
 */
import { concatBytes, fromUtf8, utf8 } from "../../../core/bytes.ts";
import {
  DocumentError,
  type PartCache,
  type ReadPart,
  type SmallPart,
  type Store,
  StoreError,
  type Vault,
} from "../../../library/mod.ts";
import { primitivesOf } from "../../../library/base/platform.ts";
import { readMany } from "../../../library/rows/read_many.ts";
import { decodePage } from "../../../library/rows/row_pages.ts";
import { encodeRows, type Row } from "../../../library/rows/rows.ts";
import { sealedStore } from "../../../library/base/store.ts";
import { pictureCache } from "../media/picture_cache.ts";

/** Number of rows: a few screens full. */
const FRONT_ROWS = 150;
/** With fewer rows than this, reading the index is as quick. */
const LEAST_ROWS = 400;
const KEY = "front";

/** The photos that can be shown before the library is open. */
export interface FirstScreenCache {
  readonly rows: readonly (readonly [row: Row, flags: number])[];
  readonly pictures: PartCache;
  /** Reads their small pictures; `later` for those that are not cached. */
  read(parts: readonly SmallPart[]): Promise<readonly ReadPart[]>;
}

/** Opens the stored cache; undefined if there is none. */
export async function openFirstScreen(
  vault: Vault,
  given: Store,
): Promise<FirstScreenCache | undefined> {
  const value = await kept(vault, given);
  if (value === undefined) return undefined;
  const { flags, rows: all } = value;
  const rows = all.map((row, i) => [row, flags[i] ?? 0] as const);
  const byId = new Map(all.map((row) => [row.id, row]));
  const amk = vault.libraryKey;
  const keys = {
    // The cache has no photos under other album keys, except those with a
    // file key of their own.
    keysOf: () => Promise.resolve([{ epoch: 0, amk }]),
    newestOf: () => Promise.resolve({ epoch: 0, amk }),
  };
  const pictures = pictureCache(vault.session.userId);
  return {
    rows,
    pictures,
    async read(parts) {
      const known = parts.flatMap(({ assetId, wanted }) => {
        const row = byId.get(assetId);
        return row === undefined ? [] : [{ row, wanted }];
      });
      const read = await readMany({ vault, keys }, known, { cache: pictures });
      const results = read.values();
      return parts.map(({ assetId }) =>
        byId.has(assetId) ? results.next().value ?? "later" : "later"
      );
    },
  };
}

async function kept(vault: Vault, given: Store) {
  try {
    const value = await sealed(vault, given).get("index", KEY);
    if (value === undefined) return undefined;
    const end = value.indexOf(10);
    const flags: unknown = JSON.parse(
      fromUtf8(value.subarray(0, end)) ?? "null",
    );
    if (!Array.isArray(flags)) return undefined;
    const rows = decodePage(value.subarray(end + 1));
    return { flags: flags.map(Number), rows };
  } catch (error) {
    // It is of another version or was changed; the index will show the same a
    // bit later.
    const unread = error instanceof DocumentError ||
      error instanceof StoreError || error instanceof SyntaxError;
    if (unread) return undefined;
    throw error;
  }
}

/** Stores the newest rows of the timeline if it has many. */
export async function cacheFirstScreen(
  vault: Vault,
  given: Store,
  timeline: readonly (readonly [row: Row, flags: number])[],
): Promise<void> {
  const inLibrary = ({ album, epoch, key }: Row) =>
    key !== undefined ||
    (epoch === 0 && (album === undefined || album === vault.libraryAlbumId));
  const rows = timeline.slice(0, FRONT_ROWS)
    .filter(([row]) => inLibrary(row));
  const value = timeline.length < LEAST_ROWS ? null : concatBytes(
    utf8(`${JSON.stringify(rows.map(([, flags]) => flags))}\n`),
    encodeRows(rows.map(([row]) => row)),
  );
  await sealed(vault, given).write([{ space: "index", key: KEY, value }]);
}

function sealed(vault: Vault, given: Store): Store {
  const { platform } = vault.session;
  return sealedStore(
    given,
    vault.derive("service-local-store/v1"),
    platform.random,
    primitivesOf(platform),
  );
}
