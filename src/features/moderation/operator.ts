/**
 * What the operator does about accounts and assets
 * (accounts-and-moderation.md). Each change is one transaction, so the command
 * can run while the server does. It takes effect with the next request and adds
 * an event to the account's record (protocol/moderation.md#the-record).
 *
 * @module
 */
import { hasAtMost } from "../../core/characters.ts";
import { type AssetId, parseUuid, type UserId } from "../../core/ids.ts";
import { OperatorFault } from "../../core/operator.ts";
import { toRfc3339 } from "../../core/time.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import type {
  FeedAction,
  ModerationAction,
} from "../../store/sqlite/schema.ts";
import { requireAccount } from "../accounts/operator.ts";
import { appendFeed } from "../feed.ts";
import {
  findAsset,
  findGone,
  insertEvent,
  listBlobs,
  listEventsOf,
  type Mark,
  mark,
  readWholeAsset,
  reinstate,
  setPosition,
  suspend,
  unmark,
} from "./store.ts";

/** The longest reason that is kept (characters). */
const REASON_MAX = 2_000;

/** When the operator acts, and why; the account reads the reason. */
export interface Act {
  readonly reason?: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The asset that was acted on, and whose it is. */
export interface ActedOn {
  readonly assetId: AssetId;
  readonly ownerId: UserId;
}

/**
 * Suspends an account, named by its id or its address; returns its id. Throws
 * an {@link OperatorFault} for an unknown or suspended account.
 */
export function suspendAccount(
  db: Db,
  user: string,
  act: Act,
): Promise<UserId> {
  return onAccount(db, user, act, "suspended", async (tx, userId) => {
    if (await suspend(tx, userId, act.now)) return;
    throw new OperatorFault(
      `account ${user} is already suspended: reinstate it first to give ` +
        "another reason",
    );
  });
}

/**
 * Lifts an account's suspension; returns its id. Throws an
 * {@link OperatorFault} where there is no such account or suspension.
 */
export function reinstateAccount(
  db: Db,
  user: string,
  act: Act,
): Promise<UserId> {
  return onAccount(db, user, act, "reinstated", async (tx, userId) => {
    if (await reinstate(tx, userId)) return;
    throw new OperatorFault(
      `account ${user} is not suspended: there is nothing to do`,
    );
  });
}

/**
 * Withholds an asset from everybody, its owner too, and tells the feeds.
 * Throws an {@link OperatorFault} where it is unknown or taken down already.
 */
export function takeDownAsset(
  db: Db,
  assetId: string,
  act: Act,
): Promise<ActedOn> {
  return onAsset(db, assetId, act, {
    action: "taken_down",
    lays: "withheld_at",
    tells: "withheld",
    refusal: "is already taken down: reinstate it first to give another reason",
  });
}

/**
 * Ends a take-down and tells the feeds. Throws an {@link OperatorFault} where
 * the asset is unknown or not taken down.
 */
export function reinstateAsset(
  db: Db,
  assetId: string,
  act: Act,
): Promise<ActedOn> {
  return onAsset(db, assetId, act, {
    action: "reinstated",
    lifts: "withheld_at",
    tells: "reinstated",
    refusal: "is not taken down: there is nothing to do",
  });
}

/**
 * Puts an asset under legal hold: it cannot be deleted, and nothing but its
 * owner's record tells of it. Throws an {@link OperatorFault} where it is
 * unknown or held already.
 */
export function holdAsset(
  db: Db,
  assetId: string,
  act: Act,
): Promise<ActedOn> {
  return onAsset(db, assetId, act, {
    action: "legal_hold",
    lays: "held_at",
    refusal: "is already under legal hold: release it first to give another " +
      "reason",
  });
}

/**
 * Lifts a legal hold. Throws an {@link OperatorFault} where the asset is
 * unknown or not held.
 */
export function releaseAsset(
  db: Db,
  assetId: string,
  act: Act,
): Promise<ActedOn> {
  return onAsset(db, assetId, act, {
    action: "hold_lifted",
    lifts: "held_at",
    refusal: "is not under legal hold: there is nothing to do",
  });
}

async function onAccount(
  db: Db,
  user: string,
  act: Act,
  action: ModerationAction,
  change: (tx: Tx, userId: UserId) => Promise<void>,
): Promise<UserId> {
  const reason = readReason(act);
  return await transaction(db, async (tx) => {
    const { userId } = await requireAccount(tx, user);
    await change(tx, userId);
    await insertEvent(tx, {
      user_id: userId,
      action,
      asset_id: null,
      at: act.now,
      reason,
    });
    return userId;
  });
}

type Change =
  & (
    | { readonly lays: Mark }
    | { readonly lifts: Mark }
  )
  & {
    readonly action: ModerationAction;
    /** The feed entry; a hold has none. */
    readonly tells?: FeedAction;
    /** Why an asset that is so already is refused, and what to do. */
    readonly refusal: string;
  };

async function onAsset(
  db: Db,
  text: string,
  act: Act,
  change: Change,
): Promise<ActedOn> {
  const reason = readReason(act);
  const assetId = requireAssetId(text);
  return await transaction(db, async (tx) => {
    const asset = await findAsset(tx, assetId);
    if (asset === undefined) throw unknownAsset(assetId);
    const changed = "lays" in change
      ? await mark(tx, assetId, change.lays, act.now)
      : await unmark(tx, assetId, change.lifts);
    if (!changed) throw new OperatorFault(`asset ${assetId} ${change.refusal}`);
    const { owner_id: ownerId, album_owner_id: albumOwnerId } = asset;
    if (change.tells !== undefined) {
      const syncSeq = await appendFeed(tx, {
        userId: ownerId,
        action: change.tells,
        albumId: asset.album_id,
        albumOwnerId: albumOwnerId === ownerId ? null : albumOwnerId,
        assetId,
        chainHead: asset.chain_head,
        at: act.now,
      });
      await setPosition(tx, assetId, syncSeq);
    }
    await insertEvent(tx, {
      user_id: ownerId,
      action: change.action,
      asset_id: assetId,
      at: act.now,
      reason,
    });
    return { assetId, ownerId };
  });
}

/**
 * What the operator sees of an asset: never what it shows. Throws an
 * {@link OperatorFault} where there is none.
 */
export async function showAsset(db: Db, text: string) {
  const assetId = requireAssetId(text);
  const asset = await readWholeAsset(db, assetId);
  if (asset === undefined) {
    const gone = await findGone(db, assetId);
    throw gone === undefined ? unknownAsset(assetId) : new OperatorFault(
      `asset ${assetId} was deleted at ${toRfc3339(gone.gone_at)}: its ` +
        "id is never used again, and its receipts stay",
    );
  }
  return {
    asset,
    blobs: await listBlobs(db, asset.owner_id, assetId),
    events: await listEventsOf(db, asset.owner_id, assetId),
  };
}

function requireAssetId(text: string): AssetId {
  const assetId = parseUuid<AssetId>(text);
  if (assetId !== undefined) return assetId;
  throw new OperatorFault(
    `${JSON.stringify(text)} is not an asset id: give the lowercase ` +
      "UUID",
  );
}

function unknownAsset(assetId: AssetId): OperatorFault {
  return new OperatorFault(
    `there is no asset ${assetId}: check the id. An asset whose ` +
      "manifest was never applied, or that has left the trash, is not " +
      "shown",
  );
}

/** The reason as it is stored; a blank one counts as absent. */
function readReason({ reason = "" }: Act): string | null {
  const text = reason.trim();
  if (!hasAtMost(REASON_MAX, text) || !text.isWellFormed()) {
    throw new OperatorFault(
      `the reason must be text of at most ${REASON_MAX} characters: ` +
        "shorten it; the account reads it in its record",
    );
  }
  return text === "" ? null : text;
}
