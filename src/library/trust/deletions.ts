/**
 * The account's deletions as this device knows them: in its store, and mirrored
 * sealed in the state slot `deletions`. A program notes a deletion here before
 * it asks the server for it.
 *
 * @module
 */
import { takingTurns } from "../../core/turns.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { DocumentError } from "../../client/documents/fields.ts";
import { StreamError } from "../../client/stream/stream.ts";
import { ConnectionError } from "../../client/api/transport.ts";
import {
  compacted,
  decodeDeletions,
  deletedFiles,
  DELETIONS_SLOT,
  type DeletionsRecord,
  emptyDeletions,
  encodeDeletions,
  fileOf,
  isDeleted,
  isSaidRestored,
  mergeDeletions,
  type Moved,
  withBackInTrash,
  withMoved,
  withSaidRestored,
  withSeenGone,
} from "./deletions_record.ts";
import type { Row } from "../rows/rows.ts";
import { openHeldSlot } from "../vault/slot.ts";
import type { Store } from "../base/store.ts";
import type { Trust } from "./trust.ts";
import type { Vault } from "../vault/vault.ts";

/** What the account deleted on purpose. */
export interface Deletions {
  /** Whether this account deleted the asset. */
  has(assetId: string): boolean;
  /** Whether this account deleted a file with this plaintext hash. */
  hasFile(sha256: string): boolean;
  /**
   * The same for something that was said of a photo: no one restores that, so
   * it stays deleted where the server alone says that it was restored.
   */
  hasSaid(sha256: string): boolean;
  /** Whether the slot was read since the program was started. */
  readonly fresh: boolean;
  /**
   * Notes that assets are about to be deleted. When it resolves, the server may
   * be asked. Throws ConnectionError; what the server refuses to store stays
   * noted on this device until it takes it.
   */
  record(rows: readonly Row[]): Promise<void>;
  /** Notes that assets are about to be restored. */
  undo(assetIds: readonly string[]): Promise<void>;
  /** Notes that assets are restored, as the server says. */
  saidRestored(assetIds: readonly string[]): Promise<void>;
  /**
   * Whether the server alone says that an asset was restored: whoever did it
   * would have noted it before.
   */
  isSaidRestored(assetId: string): boolean;
  /**
   * Notes that the server has assets in the trash: those of which it said that
   * they were restored are deleted again.
   */
  backInTrash(assetIds: readonly string[]): Promise<void>;
  /** Notes that deleted assets were seen to be gone. */
  seenGone(assetIds: readonly string[]): Promise<void>;
  /** Merges what the account's other devices noted. */
  read(): Promise<void>;
  /** Writes what the slot does not have yet, if the server takes it. */
  settle(): Promise<void>;
}

/** Opens the deletions of a vault's account over this device's store. */
export async function openDeletions(
  vault: Vault,
  store: Store,
  trust: Pick<Trust, "change">,
): Promise<Deletions> {
  const { now } = vault.session.platform;
  const slot = await openHeldSlot(vault, store, {
    slot: DELETIONS_SLOT,
    empty: emptyDeletions,
    encode: encodeDeletions,
    decode: decodeDeletions,
    merge: mergeDeletions,
    written: (record) => ({
      ...compacted(record, now()),
      writes: record.writes + 1,
    }),
  }, { space: "pins", key: DELETIONS_SLOT });
  const filesOf = (of: DeletionsRecord) => ({
    of,
    files: deletedFiles(of),
    said: deletedFiles(of, { withSaidRestored: true }),
  });
  let known = filesOf(slot.held);
  const current = () => {
    if (known.of !== slot.held) known = filesOf(slot.held);
    return known;
  };
  let fresh = false;
  const inTurn = takingTurns();
  /**
   * Whether the slot lacks a deletion that this device knows, or says of one
   * that the server restored it where it is in the trash again.
   */
  const isBehind = (): boolean => {
    const { held, shown = emptyDeletions() } = slot;
    return Object.entries(compacted(held, now()).assets).some(([id, [at]]) =>
      shown.assets[id]?.[0] !== at ||
      (isSaidRestored(shown, id) && !isSaidRestored(held, id))
    );
  };
  let settled: DeletionsRecord | undefined;
  const write = async () => {
    // Of many at once, the first write has them all.
    if (!isBehind()) return;
    const { writes } = await slot.change((record) => record);
    await trust.change((record) => ({
      ...record,
      slots: { ...record.slots, [DELETIONS_SLOT]: writes },
    }));
  };
  const note = async (
    change: (record: DeletionsRecord) => DeletionsRecord,
  ): Promise<void> => {
    await inTurn(() => slot.note(change));
    await inTurn(() =>
      write().catch((error) => {
        if (!isRefused(error)) throw error;
      })
    );
  };
  const moved = (assets: readonly Moved[], deleted: boolean) => {
    // What the server alone restored is neither deleted nor restored yet.
    const news = assets.filter(({ id }) =>
      isDeleted(slot.held, id) !== deleted || isSaidRestored(slot.held, id)
    );
    if (news.length === 0 && !isBehind()) return Promise.resolve();
    return note((record) => withMoved(record, news, deleted, now()));
  };
  return {
    has: (assetId) => isDeleted(slot.held, assetId),
    hasFile: (sha256) => current().files.has(fileOf(sha256)),
    hasSaid: (sha256) => current().said.has(fileOf(sha256)),
    get fresh() {
      return fresh;
    },
    record: (rows) => moved(rows.map(movedOf), true),
    undo: (assetIds) =>
      moved(
        assetIds.filter((id) =>
          isDeleted(slot.held, id) || isSaidRestored(slot.held, id)
        ).map((id) => ({ id })),
        false,
      ),
    async saidRestored(assetIds) {
      const known = assetIds.filter((id) => isDeleted(slot.held, id));
      if (known.length === 0) return;
      await inTurn(() =>
        slot.note((record) => withSaidRestored(record, known))
      );
    },
    isSaidRestored: (assetId) => isSaidRestored(slot.held, assetId),
    async backInTrash(assetIds) {
      const said = assetIds.filter((id) => isSaidRestored(slot.held, id));
      if (said.length === 0) return;
      await inTurn(() =>
        slot.note((record) => withBackInTrash(record, said, now()))
      );
    },
    async seenGone(assetIds) {
      const known = assetIds.filter((id) => isDeleted(slot.held, id));
      if (known.length === 0) return;
      // It is only there to keep the record short: the next write has it.
      await inTurn(() =>
        slot.note((record) => withSeenGone(record, known, now()))
      );
    },
    read: () =>
      inTurn(async () => {
        try {
          await slot.read();
          fresh = true;
        } catch (error) {
          // No device of this account wrote it, so it deleted nothing.
          if (!isForeign(error)) throw error;
        }
      }),
    settle: () =>
      inTurn(async () => {
        if (slot.held === settled) return;
        try {
          await write();
          settled = slot.held;
        } catch (error) {
          if (!isRefused(error) && !(error instanceof ConnectionError)) {
            throw error;
          }
        }
      }),
  };
}

function movedOf({ id, metadata }: Row): Moved {
  return { id, sha256: metadata?.sha256 };
}

/** Whether a slot holds what no device of this account wrote. */
function isForeign(error: unknown): boolean {
  return error instanceof DocumentError || error instanceof StreamError;
}

/** Whether the server does not take the record now; it stays on this device. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem || error instanceof RangeError ||
    isForeign(error);
}
