/**
 * Deleting an account (accounts-and-moderation/delete-an-account.md):
 * everything that it has goes, and other people lose nothing.
 *
 * An account may have any number of assets, and whoever writes holds up all
 * others. So it is closed first, in one transaction: from then on it is
 * suspended, and nothing signs in to it. What it has then goes in small
 * batches, each whole by itself, and its row last. Killed at any point, the
 * account stays closed, and deleting it again goes on from there.
 *
 * Blobs are left to collection. Receipts are kept for ever, and so are the ids
 * of assets, albums and links, so that no other account can get one of them.
 * Members keep their own photos of its albums, outside any album.
 *
 * @module
 */
import { findAccountOf, type NamedAccount } from "../accounts/operator.ts";
import type { ServiceContext } from "../service_context.ts";
import { emptyOut, refuseHeld, type RemovalOptions } from "./emptying.ts";
import { type Belongings, countBelongings } from "./store.ts";

export type { RemovalOptions } from "./emptying.ts";
export type { Belongings } from "./store.ts";

/** An account that could be deleted, and all that would go with it. */
export interface Doomed extends NamedAccount {
  readonly belongings: Belongings;
}

/**
 * What deleting an account would delete. Throws an {@link OperatorFault} where
 * there is no such account, or something of it is under legal hold.
 */
export async function weighAccount(
  { db, platform }: ServiceContext,
  user: string,
): Promise<Doomed> {
  const account = await findAccountOf(db, user);
  await refuseHeld(db, account.userId);
  const now = platform.now();
  const belongings = await countBelongings(db, account.userId, now);
  return { ...account, belongings };
}

/**
 * Deletes an account for good, or goes on deleting it. Throws an
 * {@link OperatorFault} as {@link weighAccount} does; where a hold is laid
 * while it is being deleted, the account stays closed.
 */
export async function deleteAccount(
  context: ServiceContext,
  user: string,
  options: RemovalOptions = {},
): Promise<Doomed> {
  const doomed = await weighAccount(context, user);
  await emptyOut(context, doomed.userId, options);
  return doomed;
}
