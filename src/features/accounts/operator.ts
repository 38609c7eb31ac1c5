/**
 * The operator's changes to accounts (accounts-and-moderation/people.md). Each
 * change is one transaction, so the command can run while the server does. It
 * takes effect with the next request.
 *
 * @module
 */
import { parseUuid, type UserId, uuidV4 } from "../../core/ids.ts";
import { OperatorFault } from "../../core/operator.ts";
import type { Passwords } from "../../crypto/password.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import {
  address as addressForm,
  newPassword,
  normaliseAddress,
} from "../../wire/bodies/accounts.ts";
import type { ServiceContext } from "../service_context.ts";
import { liftLocks, listLocks } from "../lockout/lockout.ts";
import { NO_QUOTA } from "../quota.ts";
import { deleteSessions, listSessions } from "../sessions/store.ts";
import {
  deleteFactor,
  deleteFailures,
  failedTimes,
  FAILURE_WINDOW_MS,
} from "../totp/store.ts";
import { ATTEMPTS } from "../totp/totp.ts";
import { setQuotaBytes } from "../usage.ts";
import {
  type AccountRow,
  countAlbums,
  findNamed,
  findRow,
  listIdentities,
  pageOfAddressed,
  pageOfNameless,
  readTraits,
} from "./operator_store.ts";
import { insertAccount } from "./store.ts";

export type { AccountRow } from "./operator_store.ts";

/** The account that a command is about. */
export interface NamedAccount {
  readonly userId: UserId;
  readonly address: string | null;
  /** Since when it is being deleted (ms); null: it is not. */
  readonly deletingAt: number | null;
}

/**
 * The account of an id or an address, one that is being deleted included.
 * Throws an {@link OperatorFault} where there is none.
 */
export async function findAccountOf(
  db: Db,
  user: string,
): Promise<NamedAccount> {
  const id = parseUuid<UserId>(user);
  const address = normaliseAddress(user);
  const found = id !== undefined
    ? await findNamed(db, { user_id: id })
    : address !== undefined
    ? await findNamed(db, { address })
    : undefined;
  if (found === undefined) {
    throw new OperatorFault(
      `there is no account ${JSON.stringify(user)}: find its id or address ` +
        "with strongroom account list",
    );
  }
  return {
    userId: found.user_id,
    address: found.address,
    deletingAt: found.deleting_at,
  };
}

/** The same, for what is not done any more once it is being deleted. */
export async function requireAccount(
  db: Db,
  user: string,
): Promise<NamedAccount> {
  const account = await findAccountOf(db, user);
  if (account.deletingAt === null) return account;
  throw new OperatorFault(
    `account ${user} is being deleted: finish that with strongroom account ` +
      `delete ${account.userId} --yes`,
  );
}

/**
 * Makes an account, whether or not registration is open. Throws an
 * {@link OperatorFault} for an address or a password that registration would
 * not take either, and for an address that is taken.
 */
export async function createAccount(
  { db, platform }: ServiceContext,
  passwords: Pick<Passwords, "hash">,
  given: { readonly address: string; readonly password: string },
): Promise<{ readonly userId: UserId; readonly address: string }> {
  const address = await requireFreeAddress(db, given.address);
  requireNewPassword(given.password);
  const passwordHash = await passwords.hash(given.password, "operator");
  const userId = uuidV4<UserId>(platform.random);
  const inserted = await transaction(db, (tx) =>
    insertAccount(tx, {
      userId,
      address,
      passwordHash,
      createdAt: platform.now(),
    }));
  if (!inserted) throw taken(address);
  return { userId, address };
}

/** An address in its normalised form, if it may be an account's. */
export async function requireFreeAddress(
  db: Db,
  given: string,
): Promise<string> {
  const read = addressForm.safeParse(given);
  if (!read.success) {
    const why = read.error.issues[0]?.message ?? "its form is different";
    throw new OperatorFault(
      `${JSON.stringify(given)} is not an address (${why}): give one ` +
        "such as ada@example.org",
    );
  }
  if (await findNamed(db, { address: read.data }) !== undefined) {
    throw taken(read.data);
  }
  return read.data;
}

function taken(address: string): OperatorFault {
  return new OperatorFault(
    `the address ${address} is taken: strongroom account show ` +
      `${address} shows whose it is`,
  );
}

/** Refuses a password that registration would refuse. Never shows it. */
export function requireNewPassword(password: string): void {
  const read = newPassword.safeParse(password);
  if (read.success) return;
  throw new OperatorFault(
    `the password is refused (${read.error.issues[0]?.message}): choose ` +
      "another",
  );
}

/**
 * Every account, those with an address first and in its order. A page at a
 * time: a server of any size takes the same memory.
 */
export async function* listAccounts(
  db: Db,
): AsyncGenerator<readonly AccountRow[]> {
  let rows = await pageOfAddressed(db, "");
  while (rows.length > 0) {
    yield rows;
    rows = await pageOfAddressed(db, rows.at(-1)?.address ?? "");
  }
  rows = await pageOfNameless(db, "");
  while (rows.length > 0) {
    yield rows;
    rows = await pageOfNameless(db, rows.at(-1)?.user_id ?? "");
  }
}

/** What the operator sees of an account; instants in milliseconds. */
export async function readAccount(
  { db, limits, platform }: ServiceContext,
  user: string,
) {
  const now = platform.now();
  const { userId } = await findAccountOf(db, user);
  const row = await findRow(db, userId);
  if (row === undefined) throw new Error("an account without usage");
  const traits = await readTraits(db, userId);
  const sessions = await listSessions(db, userId, now, limits);
  const failed = await failedTimes(db, userId, now - FAILURE_WINDOW_MS);
  return {
    row,
    sessions: sessions.length,
    hasPassword: traits.has_password === 1,
    secondFactor: traits.has_factor === 0
      ? "none"
      : traits.confirmed_at === null
      ? "pending"
      : "confirmed",
    directoryVersion: traits.directory_version,
    handle: traits.handle,
    identities: await listIdentities(db, userId),
    albums: await countAlbums(db, userId),
    locks: await listLocks(db, userId, now),
    /** Until when codes to confirm or disable are refused; null: they are not. */
    secondFactorLockedUntil: failed.length < ATTEMPTS
      ? null
      : (failed[0] ?? now) + FAILURE_WINDOW_MS,
  } as const;
}

/** Closes every session of an account; returns how many there were. */
export function signOut(db: Db, user: string): Promise<
  NamedAccount & { readonly sessions: number }
> {
  return onAccount(db, user, async (tx, userId) => ({
    sessions: await deleteSessions(tx, userId),
  }));
}

/**
 * Lifts the lockouts of an account, those of its password and of its second
 * factor, for one client address and for all, and forgets what had led there.
 */
export function unlock(db: Db, user: string): Promise<
  NamedAccount & { readonly lifted: boolean }
> {
  return onAccount(db, user, async (tx, userId) => {
    const password = await liftLocks(tx, userId);
    const factor = await deleteFailures(tx, userId);
    return { lifted: password || factor };
  });
}

/**
 * Takes an account's second factor away, as its owner would. Throws an
 * {@link OperatorFault} where there is none.
 */
export function disableSecondFactor(
  db: Db,
  user: string,
): Promise<NamedAccount> {
  return onAccount(db, user, async (tx, userId) => {
    if (await deleteFactor(tx, userId)) return {};
    throw new OperatorFault(
      `account ${user} has no second factor: there is nothing to do`,
    );
  });
}

/** How much an account may store: bytes, no limit, or what is configured. */
export type Quota = number | "none" | "default";

/** Sets an account's quota; what it stores already is never touched. */
export function setQuota(
  db: Db,
  user: string,
  quota: Quota,
): Promise<NamedAccount> {
  return onAccount(db, user, async (tx, userId) => {
    const bytes = quota === "none"
      ? NO_QUOTA
      : quota === "default"
      ? null
      : quota;
    await setQuotaBytes(tx, userId, bytes);
    return {};
  });
}

async function onAccount<T>(
  db: Db,
  user: string,
  work: (tx: Tx, userId: UserId) => Promise<T>,
): Promise<NamedAccount & T> {
  return await transaction(db, async (tx) => {
    const account = await requireAccount(tx, user);
    return { ...account, ...await work(tx, account.userId) };
  });
}
