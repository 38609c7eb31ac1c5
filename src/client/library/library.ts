/**
 * An account's library on this device: everything that an app does, over a
 * vault and a store. See `mod.ts` for a first session.
 *
 * @module
 */
import type { Bytes } from "../../core/bytes.ts";
import type { AssetResponse } from "../answers.ts";
import { type Albums, openAlbums } from "./albums.ts";
import { type AssetIndex, openIndex } from "./asset_index.ts";
import {
  confirmAssets,
  type ConfirmOptions,
  type ConfirmReport,
  readBackAssets,
} from "./confirm.ts";
import { type Custody, openCustody } from "./custody.ts";
import type { IntakeContext, IntakeOptions, Kept, NewFile } from "./intake.ts";
import type {
  MadeShare,
  NewShare,
  OwnShare,
  ShareChanges,
  ShareContents,
} from "./links.ts";
import { openFlags, type PhotoFlags } from "./flags.ts";
import { isOvertaken, type Opener } from "./opening.ts";
import { openPeople, type People } from "./people.ts";
import { primitivesOf } from "./platform.ts";
import type { AcceptContext } from "./finish_accepted.ts";
import { ACCEPTING_SLOT, openAccepting } from "./accepting.ts";
import type { Amendment } from "./amend.ts";
import type { Discarded } from "./album_ending.ts";
import { type Collections, openCollections } from "./collections.ts";
import {
  type ReceiptsOptions,
  type ReceiptsReport,
  sweepReceipts,
} from "./receipts.ts";
import { type LibraryReading, readingOf } from "./reading.ts";
import {
  type AcceptOptions,
  inbox,
  peekWaiting,
  refuseWaiting,
  type Waiting,
} from "./inbox.ts";
import {
  type MadeRequest,
  makeRequest,
  type NewRequest,
  type OwnRequest,
  ownRequests,
} from "./requests.ts";
import { openSharedState, type SharedState } from "./shared_state.ts";
import { hashOn } from "./sealed_part.ts";
import { isShown, isUnopened, type Row, takenAt } from "./rows.ts";
import { sealedStore, type Store } from "./store.ts";
import { proveAssets, type ProvingReport } from "./proving.ts";
import { syncIndex, type SyncOptions, type SyncReport } from "./sync.ts";
import type { TakeAllOptions, TakenAll } from "./take_all.ts";
import { ConnectionError } from "../transport.ts";
import type { Vault } from "./vault.ts";
import { DocumentError } from "../fields.ts";
import { changedAt, LIBRARY_SLOT } from "../state.ts";

/** A page that cannot load it has no connection, and may try again. */
const later = () =>
  import("./later.ts").catch((cause) => {
    throw new ConnectionError("the rest of the program cannot be loaded", {
      cause,
    });
  });

/** An account's library. */
export interface Library extends LibraryReading {
  readonly vault: Vault;
  readonly index: AssetIndex;
  readonly custody: Custody;
  /**
   * This device's store, sealed. The space `program` is for the program itself.
   */
  readonly store: Store;
  readonly albums: Albums;
  readonly people: People;
  /** Favourites and hidden photos. */
  readonly flags: PhotoFlags;
  /** Follows the feed to its end, and finishes what was being accepted. */
  sync(options?: SyncOptions): Promise<SyncReport>;
  /** The rows that a gallery shows, newest first. */
  list(): readonly Row[];
  /** Live assets that the keys here do not open, each with its fault. */
  unopened(): readonly Row[];
  /** Takes a file in; see `intake.ts`. */
  take(file: NewFile, options?: IntakeOptions): Promise<Kept>;
  /** Takes many files in, several at a time; see `take_all.ts`. */
  takeAll<F extends NewFile>(
    files: AsyncIterable<F> | Iterable<F>,
    options?: TakeAllOptions<F>,
  ): Promise<TakenAll>;
  /** SHA-256 of a plaintext, with this platform's implementation. */
  hash(source: NewFile["source"], options?: IntakeOptions): Promise<string>;
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
  /** Changes the metadata of an own asset; see `amend.ts`. */
  amend(assetId: string, amendment: Amendment): Promise<Row>;
  /** Puts an asset into an album without sending its bytes again. */
  copyInto(assetId: string, albumId: string): Promise<Kept>;
  /**
   * Takes photos out of an album: they go to the trash, or are deleted for ever
   * if the library has an own copy of them.
   */
  takeOutOf(assetIds: readonly string[]): Promise<void>;
  /** Ends an own album and keeps its photos; see `album_ending.ts`. */
  discardAlbum(albumId: string): Promise<Discarded>;
  /** Private lists; see `collections.ts`. */
  readonly collections: Collections;
  /** The rows in the trash, newest first. */
  trashed(): readonly Row[];
  /** Moves an asset to the trash. */
  trash(assetId: string): Promise<void>;
  /** Restores an asset from the trash. */
  restore(assetId: string): Promise<void>;
  /** Deletes an asset in the trash for ever. */
  purge(assetId: string): Promise<void>;
  /** Deletes everything in the trash for ever, except what must be kept. */
  emptyTrash(): Promise<{ readonly assets: number; readonly bytes: number }>;
  /** Makes an upload link; see `requests.ts`. */
  request(request: NewRequest): Promise<MadeRequest>;
  requests(): Promise<readonly OwnRequest[]>;
  revokeRequest(opaqueId: string): Promise<void>;
  /** Guests' files that are not accepted yet. */
  inbox(): Promise<readonly Waiting[]>;
  /** Takes a guest's file in, after reading and opening it; `accept.ts`. */
  accept(
    opaqueId: string,
    uploadId: string,
    options?: AcceptOptions,
  ): Promise<Kept>;
  /** Opens a guest's file to look at it; see `inbox.ts`. */
  peek(
    opaqueId: string,
    uploadId: string,
    maxBytes: number,
  ): Promise<{ readonly bytes: Bytes; readonly file: Waiting["file"] }>;
  refuse(opaqueId: string, uploadId: string): Promise<void>;
  /** The state that the account's programs share; see `shared_state.ts`. */
  readonly state: SharedState;
  share(share: NewShare): Promise<MadeShare>;
  shares(): Promise<readonly OwnShare[]>;
  shareContents(
    opaqueId: string,
    metadataHash?: string,
  ): Promise<ShareContents>;
  /** Changes an existing link; see `links.ts`. */
  changeShare(
    opaqueId: string,
    changes: ShareChanges,
  ): Promise<{ readonly leftOut: readonly string[] }>;
  revokeShare(opaqueId: string): Promise<void>;
}

/** Opens the library of a vault over this device's store. */
export async function openLibrary(
  vault: Vault,
  given: Store,
): Promise<Library> {
  const { session } = vault;
  const { account, platform } = session;
  const store = sealedStore(
    given,
    vault.derive("service-local-store/v1"),
    platform.random,
    primitivesOf(platform),
  );
  const index = await openIndex(store);
  const custody = openCustody(vault, store);
  const state = await openSharedState(vault, store);
  const people = openPeople(vault, store, state);
  const albums = await openAlbums(vault, people, store, state);
  const keys = albums;
  const opener: Opener = {
    vault,
    keys,
    blob: async (assetId, hash) => {
      const { stream } = await account.blob(assetId, hash);
      return new Uint8Array(await new Response(stream).arrayBuffer());
    },
    anchorOf: people.anchorOf,
  };
  const context: IntakeContext = {
    vault,
    keys,
    index,
    store,
    custody,
    opener,
    underWay: new Map(),
  };
  const rowOf = (assetId: string): Row => {
    const row = index.get(assetId);
    if (row !== undefined) return row;
    throw new DocumentError(`asset ${assetId} is not in the library`);
  };
  const moved = async (assetId: string, asset: AssetResponse) => {
    const row = index.get(assetId);
    if (row === undefined || isOvertaken(row, asset)) return;
    await index.append({ ...row, state: asset.state, seq: asset.sync_seq });
  };
  const noteLink = (opaqueId: string, title: string) =>
    state.change((held) => {
      const at = changedAt(held.links[opaqueId], platform.now());
      return { ...held, links: { ...held.links, [opaqueId]: { title, at } } };
    });
  const syncing = { opener, index, store, albums };
  const accepting = await openAccepting(vault, store);
  const accepts: AcceptContext = {
    ...context,
    accepting,
    state,
    catchUp: () => syncIndex(syncing),
  };
  const finishAccepted = async ({ slots }: SyncReport) => {
    const due = await accepting.due(slots.includes(ACCEPTING_SLOT));
    if (due.length === 0) return [];
    return await (await later()).finishAccepted(accepts, due);
  };
  const sync = async (options?: SyncOptions): Promise<SyncReport> => {
    // On a new device first: nothing hidden is to be shown meanwhile. What
    // cannot be read keeps no photo away, and is read again below.
    if (index.size === 0 && !state.fresh) await state.read().catch(() => {});
    const report = await syncIndex(syncing, options);
    if (!state.fresh || report.slots.includes(LIBRARY_SLOT)) await state.read();
    const finished = await finishAccepted(report);
    return { ...report, changed: [...report.changed, ...finished] };
  };
  return {
    vault,
    index,
    custody,
    store,
    albums,
    people,
    flags: openFlags(state, platform.now),
    sync,
    list: () =>
      [...index.rows()].filter(isShown).sort((a, b) => takenAt(b) - takenAt(a)),
    unopened: () => [...index.rows()].filter(isUnopened),
    take: async (file, options) =>
      await (await later()).takeIn(context, file, options),
    takeAll: async (files, options) =>
      await (await later()).takeAll(context, files, options),
    hash: (source, options) => hashOn(platform, source, options),
    ...readingOf(context, rowOf),
    confirm: (options) => confirmAssets(context, options),
    prove: (assetIds, signal) => proveAssets(context, assetIds, signal),
    readBack: (options) => readBackAssets(context, options),
    receipts: (options) => sweepReceipts(context, options),
    amend: async (id, amendment) =>
      await (await later()).amendAsset(context, rowOf(id), amendment),
    copyInto: async (id, albumId) =>
      await (await later()).copyInto(context, rowOf(id), albumId),
    takeOutOf: async (assetIds) =>
      await (await later()).takeOutOf(context, assetIds),
    discardAlbum: async (albumId) =>
      await (await later()).discardAlbum(context, albums, albumId, sync),
    collections: openCollections(state, platform),
    trashed: () =>
      [...index.rows()].filter(({ state }) => state === "deleted")
        .sort((a, b) => takenAt(b) - takenAt(a)),
    trash: async (id) => await moved(id, await account.deleteAsset(id)),
    restore: async (id) => await moved(id, await account.restoreAsset(id)),
    async purge(id) {
      await account.purgeAsset(id);
      index.remove(id);
      await index.commit();
    },
    async emptyTrash() {
      const emptied = await account.emptyTrash();
      // Retained and held assets stay; the feed says which were deleted.
      await sync();
      return emptied;
    },
    async request(request) {
      const made = await makeRequest(context, request);
      const { note } = request;
      if (note !== undefined) await noteLink(made.opaqueId, note);
      return made;
    },
    requests: () =>
      ownRequests(context, (id) => {
        const kept = state.held.links[id];
        return kept?.removed === true ? undefined : kept?.title;
      }),
    revokeRequest: (opaqueId) => account.revokeUploadLink(opaqueId),
    inbox: () => inbox(context),
    accept: async (opaqueId, uploadId, options) =>
      await (await later())
        .acceptWaiting(accepts, opaqueId, uploadId, options),
    peek: (opaqueId, uploadId, maxBytes) =>
      peekWaiting(context, opaqueId, uploadId, maxBytes),
    refuse: (opaqueId, uploadId) => refuseWaiting(context, opaqueId, uploadId),
    state,
    share: async (share) => await (await later()).shareAssets(context, share),
    shares: async () => await (await later()).ownShares(context),
    shareContents: async (opaqueId, metadataHash) =>
      await (await later()).shareContents(context, opaqueId, metadataHash),
    changeShare: async (opaqueId, changes) =>
      await (await later()).changeShare(context, opaqueId, changes),
    revokeShare: async (opaqueId) =>
      await (await later()).revokeShare(context, opaqueId),
  };
}
