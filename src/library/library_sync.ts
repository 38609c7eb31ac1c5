/**
 * A sync of a library: the feed to its end, and then what was begun and waits
 * for it, such as edits, keys of albums that are gone, and lost photos that are
 * stored again.
 *
 * @module
 */
import { DAY_MS } from "../core/time.ts";
import {
  ABROAD_SLOT,
  BEGUN_EDIT,
  LIBRARY_SLOT,
  type LibraryState,
} from "../client/documents/state.ts";
import { freshNotes } from "./adding/fresh_notes.ts";
import { epochsToKeep } from "./albums/former_albums.ts";
import { isOfEverything } from "./base/faults.ts";
import { type LibraryTrash, openTrash } from "./care/trash.ts";
import { later, type LibraryContext, rowIn } from "./library_context.ts";
import type { LibraryLinks } from "./library_links.ts";
import type { Row } from "./rows/rows.ts";
import {
  type SyncContext,
  syncIndex,
  type SyncOptions,
  type SyncReport,
} from "./rows/sync.ts";
import type { AcceptContext } from "./sharing/accept.ts";
import { DELETIONS_SLOT } from "./trust/deletions_record.ts";
import { TRUST_SLOT } from "./trust/trust_record.ts";
import type { EscrowNews } from "./vault/kept_escrow.ts";

/** Syncs a library, and holds what only passes of the feed change. */
export class LibrarySync {
  /** The trash, which follows the feed once it was emptied. */
  readonly trash: LibraryTrash;
  /** What accepting guests' files works with. */
  readonly accepts: AcceptContext;
  readonly #syncing: SyncContext;
  /** Photos that the server was asked about, as their album is gone. */
  readonly #asked = new Set<string>();
  #syncedAt = 0;
  #isFirstPass = true;
  #isEscrowGiven = false;

  constructor(
    private readonly context: LibraryContext,
    private readonly links: LibraryLinks,
  ) {
    this.#syncing = {
      ...context,
      readSlots: () => this.#readSlots(),
      onSlots: (slots) => this.#onSlots(slots),
    };
    this.trash = openTrash(context, () => this.sync());
    this.accepts = {
      ...context,
      trash: this.trash.trash,
      catchUp: () => syncIndex(this.#syncing),
    };
  }

  /** When the last sync that came to its end began (ms); 0 before. */
  get syncedAt(): number {
    return this.#syncedAt;
  }

  /** Follows the feed to its end, and finishes what was being accepted. */
  async sync(options?: SyncOptions): Promise<SyncReport> {
    const { deletions, state, trust, vault } = this.context;
    const before = state.held;
    const begun = vault.session.platform.now();
    const report = await syncIndex(this.#syncing, options);
    this.#syncedAt = begun;
    await this.#readChangedSlots(report);
    await this.#finishEdits(before);
    await this.#leaveDeletedAlbums();
    await this.#keepAlbumKeys();
    await deletions.settle();
    await trust.vouch();
    await trust.settle();
    const escrow = await this.#giveEscrowBack(report.restored);
    const gone = await this.#letGoOfDuplicates();
    await this.#answerLosses();
    return {
      ...report,
      changed: [...report.changed, ...gone],
      ...(escrow === undefined ? {} : { escrow }),
    };
  }

  /**
   * Reads the slots that a pass needs and this program has not read yet;
   * returns those that changed what albums depend on.
   */
  async #readSlots(): Promise<ReadonlySet<string>> {
    const { deletions, index, state, trust } = this.context;
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
  }

  /** Reads slots that changed during a pass; whether albums depend on them. */
  async #onSlots(slots: ReadonlySet<string>): Promise<boolean> {
    const { abroad, trust } = this.context;
    // Another device may have left an album of another server.
    if (slots.has(ABROAD_SLOT)) {
      await (await abroad.opened())?.read({ again: true }).catch((error) => {
        if (isOfEverything(error)) throw error;
      });
    }
    if (!slots.has(TRUST_SLOT)) return false;
    await trust.read();
    await trust.attend();
    return true;
  }

  /** Reads the other slots that a pass found to have changed. */
  async #readChangedSlots(report: SyncReport): Promise<void> {
    const { deletions, state, trust } = this.context;
    if (
      !state.fresh || report.restored || report.slots.includes(LIBRARY_SLOT)
    ) await state.read();
    if (report.slots.includes(DELETIONS_SLOT)) await deletions.read();
    // What the slot may have got since it was read.
    if (trust.library === "behind") await state.read();
  }

  /** Finishes edits of several photos and links that were cut off. */
  async #finishEdits(before: LibraryState): Promise<void> {
    const { context, links } = this;
    const { index, state, stillShown, vault } = context;
    const isFirst = this.#isFirstPass;
    this.#isFirstPass = false;
    const isNone = Object.entries(state.held.settings).every((
      [name, { value }],
    ) => value === null || !name.startsWith(BEGUN_EDIT));
    if (isNone) return;
    const { amendAsset, finishEdits } = await later();
    await finishEdits(
      {
        vault,
        index,
        state,
        stillShown,
        shares: links.shares,
        shareContents: links.shareContents,
        changeShare: links.changeShare,
        amend: (id, amendment) =>
          amendAsset(context, rowIn(context, id), amendment),
      },
      isFirst,
      before,
    );
  }

  /** Takes own photos out of albums that are deleted. */
  async #leaveDeletedAlbums(): Promise<void> {
    const { albums, index, vault } = this.context;
    const isLonely = ({ id, owner, album }: Row) =>
      owner === vault.session.userId && album !== undefined &&
      album !== vault.libraryAlbumId && albums.get(album) === undefined &&
      !this.#asked.has(id);
    if (![...index.rows()].some(isLonely)) return;
    await (await later()).leaveDeletedAlbums(this.context, albums, this.#asked);
  }

  /** Keeps the keys of others' albums that open own photos. */
  async #keepAlbumKeys(): Promise<void> {
    const { albums, keys, state, vault } = this.context;
    const unkept = epochsToKeep(this.context, albums, state.held);
    if (unkept.size === 0) return;
    const { now } = vault.session.platform;
    await (await later()).keepAlbumKeys(keys, state, unkept, now);
  }

  /** Stores the escrow again where the server may have lost it. */
  async #giveEscrowBack(restored: boolean): Promise<EscrowNews | undefined> {
    const { state, vault: { session } } = this.context;
    const kept = session.escrow();
    const isDue = kept === undefined || restored ||
      (kept.due === true && !this.#isEscrowGiven) ||
      session.platform.now() - kept.at > DAY_MS;
    if (!isDue) return undefined;
    this.#isEscrowGiven = true;
    return await (await later()).giveBack(session, state, restored);
  }

  /** Of files that two devices stored at once one stays; returns the others. */
  async #letGoOfDuplicates(): Promise<Iterable<string>> {
    const notes = await freshNotes(this.context.store);
    if (notes.length === 0) return [];
    return (await (await later()).letGoOfDuplicates(this.accepts, notes))
      .keys();
  }

  /** Ends the losses of photos that were stored again. */
  async #answerLosses(): Promise<void> {
    if (this.trash.missing().length === 0) return;
    await (await later()).answerLosses(this.context);
  }
}
