/**
 * An account's library on this device: everything that an app does, over a
 * vault and a store. See `mod.ts` for a first session.
 *
 * @module
 */
import type { Bytes } from "../core/bytes.ts";
import { DAY_MS } from "../core/time.ts";
import type { AbroadSlot } from "./trust/abroad_state.ts";
import { type Albums, openAlbums } from "./albums/albums.ts";
import { type AssetIndex, openIndex } from "./rows/asset_index.ts";
import type { ConfirmOptions, ConfirmReport } from "./care/confirm.ts";
import { type Custody, openCustody } from "./trust/custody.ts";
import type {
  Kept,
  NewFile,
  UploadContext,
  UploadOptions,
} from "./adding/upload.ts";
import type {
  MadeShare,
  NewShare,
  OwnShare,
  Said,
  ShareChanges,
  ShareContents,
} from "./sharing/links.ts";
import type { LossesReport } from "./care/loss_report.ts";
import { openFlags, type PhotoFlags } from "./showing/flags.ts";
import type { Opener } from "./rows/opening.ts";
import { readSmallBlob } from "./rows/small_blob.ts";
import { openPeople, type People } from "./trust/people.ts";
import { isOfEverything } from "./base/faults.ts";
import { primitivesOf } from "./base/platform.ts";
import type { AcceptContext } from "./sharing/accept.ts";
import type { Ahead, TakenUp } from "./adding/background_upload.ts";
import { loaded } from "./lazy_functions.ts";
import { type LibraryLogs, openLogs } from "./logs/logs.ts";
import { openShown } from "./trust/log_shown.ts";
import { openOrigins, type Origins } from "./trust/origins.ts";
import type { Amendment } from "./adding/amend.ts";
import type { LinkNote } from "./sharing/link_notes.ts";
import type { Discarded } from "./albums/album_ending.ts";
import { type Collections, openCollections } from "./albums/collections.ts";
import type { ReceiptsOptions, ReceiptsReport } from "./care/receipts.ts";
import { type LibraryReading, readingOf } from "./rows/reading.ts";
import type { PlainSource } from "../client/stream/sealed_source.ts";
import type { AcceptOptions, Waiting } from "./sharing/inbox.ts";
import type {
  MadeRequest,
  NewRequest,
  OwnRequest,
} from "./sharing/upload_links.ts";
import { type Deletions, openDeletions } from "./trust/deletions.ts";
import { DELETIONS_SLOT } from "./trust/deletions_record.ts";
import { openSharedState, type SharedState } from "./vault/shared_state.ts";
import { openCopy } from "./vault/state_copies.ts";
import {
  assertHiddenKnown,
  mayMissHiddenOnceRead,
  openTrust,
  type Trust,
} from "./trust/trust.ts";
import { hashOn } from "./adding/sealed_part.ts";
import {
  blobOf,
  isShown,
  isUnopened,
  newestFirst,
  type Row,
} from "./rows/rows.ts";
import { sealedStore, type Store } from "./base/store.ts";
import { proveAssets, type ProvingReport } from "./adding/proving.ts";
import { type LibraryTrash, openTrash } from "./care/trash.ts";
import { brokenRows } from "./rows/losses.ts";
import { freshNotes } from "./adding/fresh_notes.ts";
import {
  type SyncContext,
  syncIndex,
  type SyncOptions,
  type SyncReport,
} from "./rows/sync.ts";
import type { TakeAllOptions, TakenAll } from "./adding/take_all.ts";
import { TRUST_SLOT } from "./trust/trust_record.ts";
import type { Vault } from "./vault/vault.ts";
import { epochsToKeep } from "./albums/former_albums.ts";
import { BEGUN_EDIT, type LinkGives } from "../client/documents/state.ts";
import { DocumentError } from "../client/documents/fields.ts";
import { ABROAD_SLOT, LIBRARY_SLOT } from "../client/documents/state.ts";

const later = () => loaded(import("./lazy_parts.ts"));

const originalOf = (row: Row) => blobOf(row, "original")?.hash;

/** An account's library. */
export interface Library extends LibraryReading, LibraryTrash {
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
  /** Takes a file in; see `upload.ts`. */
  take(file: NewFile, options?: UploadOptions): Promise<Kept>;
  /** Seals a file for something else to send; see `background_upload.ts`. */
  sealAhead(
    file: NewFile,
    note: string,
    options?: UploadOptions,
  ): Promise<Ahead | undefined>;
  /** Looks what became of files that something else was to send. */
  takeUp(isOver: boolean): Promise<readonly TakenUp[]>;
  /** Takes many files in, several at a time; see `take_all.ts`. */
  takeAll<F extends NewFile>(
    files: AsyncIterable<F> | Iterable<F>,
    options?: TakeAllOptions<F>,
  ): Promise<TakenAll>;
  /** SHA-256 of a plaintext, with this platform's implementation. */
  hash(source: NewFile["source"], options?: UploadOptions): Promise<string>;
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
  /** Changes the metadata of an own asset; see `amend.ts`. */
  amend(assetId: string, amendment: Amendment): Promise<Row>;
  /** Puts an asset into an album without sending its bytes again. */
  copyInto(
    assetId: string,
    albumId: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Kept>;
  /**
   * Takes photos out of an album: they go to the trash, or are deleted for ever
   * if the library has an own copy of them, as hidden ones get before.
   */
  takeOutOf(assetIds: readonly string[]): Promise<void>;
  /**
   * Takes own photos out of an album that is left; returns how many stay. See
   * `album_ending.ts`.
   */
  takeOwnAlong(albumId: string): Promise<number>;
  /** Ends an own album and keeps its photos; see `album_ending.ts`. */
  discardAlbum(albumId: string): Promise<Discarded>;
  /** Private lists; see `collections.ts`. */
  readonly collections: Collections;
  /** Makes an upload link; see `upload_links.ts`. */
  request(request: NewRequest): Promise<MadeRequest>;
  requests(): Promise<readonly OwnRequest[]>;
  revokeRequest(opaqueId: string): Promise<void>;
  /** Says whether an upload link is for the person's own devices. */
  markMine(opaqueId: string, mine: boolean): Promise<void>;
  /** Guests' files that are not accepted yet; of all links, or of some. */
  inbox(links?: readonly string[]): Promise<readonly Waiting[]>;
  /** A guest's file, to be read in parts; see `inbox.ts`. */
  waiting(opaqueId: string, uploadId: string): Promise<PlainSource>;
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
  /** Where links with secrets stand; see `origins.ts`. */
  readonly origins: Origins;
  /**
   * Makes a link. Throws UnconfirmedState for one that follows a list, as long
   * as the list may have photos that are hidden elsewhere.
   */
  share(share: NewShare): Promise<MadeShare>;
  shares(): Promise<readonly OwnShare[]>;
  shareContents(
    opaqueId: string,
    metadataHash?: string,
  ): Promise<ShareContents>;
  /**
   * Brings a link to exactly these assets, also to none; whether it changed. An
   * asset that cannot be shown without its place stays out, unless the link
   * gives places. As long as photos that are hidden elsewhere may be among them
   * (`trust.mayMissHidden`), it only removes. `said` replaces what guests said.
   */
  keepShareAt(
    opaqueId: string,
    assetIds: readonly string[] | "as_shown",
    said?: Said,
  ): Promise<boolean>;
  /**
   * Changes how a link follows its list, and whether it does. Throws
   * UnconfirmedState for one that is to follow again, as `share` does.
   */
  followList(opaqueId: string, change: LinkGives): Promise<void>;
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
  const copy = await openCopy(store, platform);
  const state = await openSharedState(vault, store, copy.id);
  const trust = await openTrust(vault, store, { state, copy });
  const custody = openCustody(vault, store, trust);
  const shown = await openShown(store);
  let slot: Promise<AbroadSlot> | undefined;
  const abroad = () =>
    slot ??= loaded(import("./trust/abroad_state.ts")).then(
      ({ openAbroadSlot }) => openAbroadSlot(vault, store),
    ).catch((error) => {
      slot = undefined;
      throw error;
    });
  const photoLinks = async () =>
    await (await later()).photoLinks({ vault, state }, abroad);
  const people = openPeople(vault, store, state, trust, shown, abroad);
  const albums = await openAlbums(vault, people, store, state, trust, abroad);
  const origins = await openOrigins(session, state, trust);
  const keys = albums;
  const opener: Opener = {
    vault,
    keys,
    blob: (assetId, blob) => readSmallBlob(account, assetId, blob),
    anchorOf: people.anchorOf,
    mayAdd: albums.mayAdd,
  };
  const deletions = await openDeletions(vault, store, trust);
  const context: UploadContext = {
    vault,
    keys,
    index,
    store,
    custody,
    opener,
    deletions,
    underWay: new Map(),
  };
  const logs = openLogs({ vault, store, trust, custody, shown });
  shown.readLog = async () => {
    await logs.check({ receipts: "none" });
  };
  const linking = { ...context, origins };
  const rowOf = (assetId: string): Row => {
    const row = index.get(assetId);
    if (row !== undefined) return row;
    throw new DocumentError(`asset ${assetId} is not in the library`);
  };
  const noteLink = async (opaqueId: string, note: LinkNote) => {
    const { noteLink } = await later();
    await noteLink(state, opaqueId, note, platform.now());
  };
  const syncing: SyncContext = {
    opener,
    index,
    store,
    albums,
    deletions,
    async readSlots() {
      const isKnown = trust.fresh;
      await Promise.all([
        // On a new device, where nothing hidden is to be shown. What cannot be
        // read keeps no photo away, and is read again after the pass.
        index.size === 0 && !state.fresh ? state.read().catch(() => {}) : null,
        // What other devices have verified bounds what this one believes.
        isKnown ? null : trust.read().then(() => trust.attend()),
        deletions.fresh ? null : deletions.read(),
      ]);
      return new Set(!isKnown && trust.fresh ? [TRUST_SLOT] : []);
    },
    async onSlots(slots) {
      // Another device may have left an album of another server.
      if (slots.has(ABROAD_SLOT)) {
        await (await slot)?.read({ again: true }).catch((error) => {
          if (isOfEverything(error)) throw error;
        });
      }
      if (!slots.has(TRUST_SLOT)) return false;
      await trust.read();
      await trust.attend();
      return true;
    },
  };
  let isGiven = false;
  const givenBack = async (restored: boolean) => {
    const kept = session.escrow();
    const isDue = kept === undefined || restored ||
      (kept.due === true && !isGiven) || platform.now() - kept.at > DAY_MS;
    if (!isDue) return undefined;
    isGiven = true;
    return await (await later()).giveBack(session, state, restored);
  };
  const asked = new Set<string>();
  let isFirstPass = true;
  const finishEdits = async () => {
    const isFirst = isFirstPass;
    isFirstPass = false;
    const isNone = Object.entries(state.held.settings).every((
      [name, { value }],
    ) => value === null || !name.startsWith(BEGUN_EDIT));
    if (isNone) return;
    await (await later()).finishEdits(library, isFirst);
  };
  let syncedAt = 0;
  const sync = async (options?: SyncOptions): Promise<SyncReport> => {
    const begun = platform.now();
    const report = await syncIndex(syncing, options);
    syncedAt = begun;
    if (
      !state.fresh || report.restored || report.slots.includes(LIBRARY_SLOT)
    ) await state.read();
    if (report.slots.includes(DELETIONS_SLOT)) await deletions.read();
    // What the slot may have got since it was read.
    if (trust.library === "behind") await state.read();
    await finishEdits();
    const isLonely = ({ id, owner, album }: Row) =>
      owner === session.userId && album !== undefined &&
      album !== vault.libraryAlbumId && albums.get(album) === undefined &&
      !asked.has(id);
    if ([...index.rows()].some(isLonely)) {
      await (await later()).leaveDeletedAlbums(context, albums, asked);
    }
    const unkept = epochsToKeep(context, albums, state.held);
    if (unkept.size > 0) {
      await (await later()).keepAlbumKeys(keys, state, unkept, platform.now);
    }
    await deletions.settle();
    await trust.vouch();
    await trust.settle();
    const escrow = await givenBack(report.restored);
    const notes = await freshNotes(store);
    const gone = notes.length === 0 ? [] : (await (await later())
      .letGoOfDuplicates(accepts, notes)).keys();
    if (bin.missing().length > 0) {
      await (await later()).answerLosses({ ...context, state });
    }
    return {
      ...report,
      changed: [...report.changed, ...gone],
      ...(escrow === undefined ? {} : { escrow }),
    };
  };
  const bin = openTrash({ opener, index, deletions }, sync);
  const accepts: AcceptContext = {
    ...context,
    state,
    trash: bin.trash,
    catchUp: () => syncIndex(syncing),
  };
  const flags = openFlags(
    state,
    platform.now,
    () => trust.library === "whole",
  );
  const library: Library = {
    vault,
    index,
    custody,
    store,
    albums,
    people,
    trust,
    logs,
    deletions,
    abroad,
    flags,
    sync,
    syncedAt: () => syncedAt,
    list: () => newestFirst([...index.rows()].filter(isShown)),
    unopened: () => {
      const known = new Set(
        [...index.rows()].filter(isShown).map(originalOf),
      );
      // Of an album that the account is no longer in, a copy suffices.
      return [...index.rows()].filter((row) =>
        isUnopened(row) && !(row.owner === session.userId && row.album &&
          !albums.get(row.album) && known.has(originalOf(row)))
      );
    },
    async take(file, options) {
      const { moveLinks, takeIn } = await later();
      const kept = await takeIn(context, file, options);
      if (!kept.replaced?.length) return kept;
      const { row: { id } } = kept;
      const assets = kept.replaced.map((hash) => [hash, id] as const);
      const unreached = await moveLinks(library, Object.fromEntries(assets));
      return { ...kept, unreached };
    },
    sealAhead: async (file, note, options) =>
      await (await later()).sealAhead(context, file, note, options),
    takeUp: async (isOver) => await (await later()).takeUp(context, isOver),
    takeAll: async (files, options) =>
      await (await later()).takeAll(library.take, files, options),
    hash: (source, options) => hashOn(platform, source, options),
    ...readingOf(context, rowOf),
    confirm: async (options) =>
      await (await later()).confirmAssets(context, options),
    prove: (assetIds, signal) => proveAssets(context, assetIds, signal),
    readBack: async (options) =>
      await (await later()).readBackAssets(context, options),
    lossReport: async () =>
      await (await later()).reportLosses(context, [
        ...bin.missing(),
        ...brokenRows(index, session.userId),
      ]),
    receipts: async (options) =>
      await (await later()).sweepReceipts(context, options),
    amend: async (id, amendment) =>
      await (await later()).amendAsset(context, rowOf(id), amendment),
    copyInto: async (id, albumId, options) =>
      await (await later()).copyInto(context, rowOf(id), albumId, options),
    takeOutOf: async (assetIds) =>
      await (await later()).takeOutOf({ context, flags, state }, assetIds),
    takeOwnAlong: async (albumId) =>
      await (await later()).takeOwnAlong({ context, flags }, albumId),
    discardAlbum: async (albumId) =>
      await (await later()).discardAlbum(
        { context, albums, flags, sync },
        albumId,
      ),
    collections: openCollections(state, platform),
    ...bin,
    async request(request) {
      return await (await later()).makeRequest(linking, request, noteLink);
    },
    requests: async () =>
      await (await later()).ownRequests(linking, await photoLinks(), (id) => {
        const kept = state.held.links[id];
        return kept?.removed === true ? undefined : kept;
      }),
    revokeRequest: (opaqueId) => account.revokeUploadLink(opaqueId),
    markMine: async (opaqueId, mine) => {
      await noteLink(opaqueId, { mine });
    },
    inbox: async (links) =>
      await (await later()).inbox(
        { ...context, state, albums },
        links ??
          (await photoLinks()).map((one) => one.opaque_id),
      ),
    waiting: async (opaqueId, uploadId) =>
      await (await later()).openWaiting(
        { ...context, state },
        opaqueId,
        uploadId,
      ),
    accept: async (opaqueId, uploadId, options) =>
      await (await later())
        .acceptWaiting(accepts, opaqueId, uploadId, options),
    peek: async (opaqueId, uploadId, maxBytes) =>
      await (await later())
        .peekWaiting({ ...context, state }, opaqueId, uploadId, maxBytes),
    refuse: async (opaqueId, uploadId) =>
      await (await later()).refuseWaiting(context, opaqueId, uploadId),
    state,
    origins,
    share: async (share) => {
      // What a list has could be hidden; photos that were picked are seen.
      if (share.follows !== undefined && share.gives?.still !== true) {
        await assertHiddenKnown(library);
      }
      const made = await (await later()).shareAssets(linking, share);
      const { title = "", follows, gives, adds, places, films } = share;
      if (follows === undefined) return made;
      try {
        await noteLink(made.opaqueId, {
          title,
          follows,
          ...(adds === undefined ? {} : { adds: adds.opaque_id }),
          ...(gives === undefined
            ? {}
            : { gives: { ...gives, places, films } }),
        });
      } catch (error) {
        // A link that follows nothing would show for ever what is in it now.
        await (await later()).revokeShare(linking, made.opaqueId)
          .catch(() => {});
        throw error;
      }
      return made;
    },
    keepShareAt: async (opaqueId, assetIds, said) => {
      const { givenBy, keepShareAt } = await later();
      return await keepShareAt(linking, opaqueId, assetIds, {
        ...givenBy(state.held.links[opaqueId]),
        removesOnly: await mayMissHiddenOnceRead(library),
        said,
      });
    },
    followList: async (opaqueId, change) => {
      const { gives } = state.held.links[opaqueId] ?? {};
      if (change.still === false) await assertHiddenKnown(library);
      await noteLink(opaqueId, { gives: { ...gives, ...change } });
    },
    shares: async () => await (await later()).ownShares(linking),
    shareContents: async (opaqueId, metadataHash) =>
      await (await later()).shareContents(linking, opaqueId, metadataHash),
    changeShare: async (opaqueId, changes) => {
      const { adds } = state.held.links[opaqueId] ?? {};
      const { changeShare, endAddingBefore } = await later();
      if (adds !== undefined) {
        await endAddingBefore(account, adds, changes.expiresAt);
      }
      return await changeShare(linking, opaqueId, changes);
    },
    revokeShare: async (opaqueId) => {
      const { endAdding, forgetLink, revokeShare } = await later();
      const { adds } = state.held.links[opaqueId] ?? {};
      // First: while the link is there, the person can try again.
      if (adds !== undefined) await endAdding(account, adds);
      await revokeShare(linking, opaqueId);
      // The link is gone: a note that stays says nothing of any other.
      await forgetLink(state, opaqueId, platform.now()).catch(() => {});
    },
  };
  return library;
}
