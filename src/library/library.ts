/**
 * An account's library on this device: everything that an app does, over a
 * vault and a store. See `mod.ts` for a first session.
 *
 * @module
 */
import type { AbroadSlot } from "./trust/abroad_state.ts";
import { proveAssets, type ProvingReport } from "./adding/proving.ts";
import type { Albums } from "./albums/albums.ts";
import { type Collections, openCollections } from "./albums/collections.ts";
import type { Store } from "./base/store.ts";
import type { ConfirmOptions, ConfirmReport } from "./care/confirm.ts";
import type { LossesReport } from "./care/loss_report.ts";
import type { ReceiptsOptions, ReceiptsReport } from "./care/receipts.ts";
import type { StillShownLinks } from "./care/still_shown.ts";
import type { LibraryTrash } from "./care/trash.ts";
import { type LibraryAdding, openAdding } from "./library_adding.ts";
import {
  later,
  type LibraryContext,
  openContext,
  rowIn,
} from "./library_context.ts";
import { type LibraryInbox, openInbox } from "./library_inbox.ts";
import { type LibraryLinks, openLinks } from "./library_links.ts";
import { LibrarySync } from "./library_sync.ts";
import type { LibraryLogs } from "./logs/logs.ts";
import type { AssetIndex } from "./rows/asset_index.ts";
import { brokenRows } from "./rows/losses.ts";
import { type LibraryReading, readingOf } from "./rows/reading.ts";
import {
  blobOf,
  isShown,
  isUnopened,
  newestFirst,
  type Row,
} from "./rows/rows.ts";
import type { SyncOptions, SyncReport } from "./rows/sync.ts";
import type { PhotoFlags } from "./showing/flags.ts";
import type { Custody } from "./trust/custody.ts";
import type { Deletions } from "./trust/deletions.ts";
import type { Origins } from "./trust/origins.ts";
import type { People } from "./trust/people.ts";
import type { Trust } from "./trust/trust.ts";
import type { SharedState } from "./vault/shared_state.ts";
import type { Vault } from "./vault/vault.ts";

const originalOf = (row: Row) => blobOf(row, "original")?.hash;

/** The functions that check whether the server still has what was stored. */
interface LibraryChecks {
  /** Asks the server whether it still has the assets; see `confirm.ts`. */
  confirm(options?: ConfirmOptions): Promise<ConfirmReport>;
  /** Verifies receipts that another device was given; see `proving.ts`. */
  prove(
    assetIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<ProvingReport>;
  /** Fetches every blob and compares it with its address. */
  readBack(options?: Omit<ConfirmOptions, "deep">): Promise<ConfirmReport>;
  /** Verifies the account's receipts by number; see `receipts.ts`. */
  receipts(options?: ReceiptsOptions): Promise<ReceiptsReport>;
  /** A report of what is missing or damaged; see `loss_report.ts`. */
  lossReport(): Promise<LossesReport>;
}

/** An account's library. */
export interface Library
  extends
    LibraryReading,
    LibraryTrash,
    LibraryAdding,
    LibraryChecks,
    LibraryInbox,
    LibraryLinks {
  readonly vault: Vault;
  readonly index: AssetIndex;
  readonly custody: Custody;
  /**
   * This device's store, sealed. The space `program` is for the program itself.
   */
  readonly store: Store;
  readonly albums: Albums;
  readonly people: People;
  /** What the account's devices have seen and verified; see `trust.ts`. */
  readonly trust: Trust;
  /** The server's public logs, and whose witnesses count; see `logs.ts`. */
  readonly logs: LibraryLogs;
  /** What the account deleted on purpose; see `deletions.ts`. */
  readonly deletions: Deletions;
  /** What the account's programs share about other servers. */
  abroad(): Promise<AbroadSlot>;
  /** Favourites and hidden photos. */
  readonly flags: PhotoFlags;
  /** Follows the feed to its end, and finishes what was being accepted. */
  sync(options?: SyncOptions): Promise<SyncReport>;
  /** When the last sync that came to its end began (ms); 0 before. */
  syncedAt(): number;
  /** The rows that a gallery shows, newest first. */
  list(): readonly Row[];
  /**
   * Live assets that the keys here do not open, each with its fault; not an own
   * photo in a former album, whose copy in the library opens.
   */
  unopened(): readonly Row[];
  /** Private lists; see `collections.ts`. */
  readonly collections: Collections;
  /** The state that the account's programs share; see `shared_state.ts`. */
  readonly state: SharedState;
  /** Where links with secrets stand; see `origins.ts`. */
  readonly origins: Origins;
  /** Links of which the person is yet to be told; see `editing_photo.ts`. */
  readonly stillShown: StillShownLinks;
}

/** Opens the library of a vault over this device's store. */
export async function openLibrary(
  vault: Vault,
  given: Store,
): Promise<Library> {
  const context = await openContext(vault, given);
  const { index, custody, store, albums, people, trust, logs } = context;
  const { abroad, deletions, flags, origins, state, stillShown } = context;
  const links = openLinks(context);
  const syncing = new LibrarySync(context, links);
  const sync = (options?: SyncOptions) => syncing.sync(options);
  return {
    vault,
    index,
    custody,
    store,
    albums,
    people,
    trust,
    logs,
    deletions,
    abroad: abroad.open,
    flags,
    sync,
    syncedAt: () => syncing.syncedAt,
    list: () => newestFirst([...index.rows()].filter(isShown)),
    unopened: () => unopenedIn(context),
    collections: openCollections(state, vault.session.platform),
    state,
    origins,
    stillShown,
    ...readingOf(context, (assetId) => rowIn(context, assetId)),
    ...syncing.trash,
    ...openAdding(context, links, sync),
    ...openChecks(context, syncing.trash.missing),
    ...openInbox(context, syncing.accepts),
    ...links,
  };
}

/** The rows of {@link Library.unopened}. */
function unopenedIn({ albums, index, vault }: LibraryContext): readonly Row[] {
  const known = new Set([...index.rows()].filter(isShown).map(originalOf));
  // Of an album that the account is no longer in, a copy suffices.
  return [...index.rows()].filter((row) =>
    isUnopened(row) && !(row.owner === vault.session.userId && row.album &&
      !albums.get(row.album) && known.has(originalOf(row)))
  );
}

/** Makes the functions that check; `missing` are the photos that are lost. */
function openChecks(
  context: LibraryContext,
  missing: () => readonly Row[],
): LibraryChecks {
  const { index, vault: { session: { userId } } } = context;
  return {
    confirm: async (options) =>
      await (await later()).confirmAssets(context, options),
    prove: (assetIds, signal) => proveAssets(context, assetIds, signal),
    readBack: async (options) =>
      await (await later()).readBackAssets(context, options),
    receipts: async (options) =>
      await (await later()).sweepReceipts(context, options),
    lossReport: async () =>
      await (await later()).reportLosses(context, [
        ...missing(),
        ...brokenRows(index, userId),
      ]),
  };
}
