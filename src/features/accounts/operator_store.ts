import { sql } from "kysely";
import type { UserId } from "../../core/ids.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { readable } from "../usage.ts";

/** Accounts that are read at once. */
const PAGE = sql.lit(500);

/** An account as the operator's list shows it; instants in milliseconds. */
export interface AccountRow {
  readonly user_id: UserId;
  readonly address: string | null;
  readonly display_name: string | null;
  readonly created_at: number;
  readonly suspended_at: number | null;
  readonly deleting_at: number | null;
  /** Since when it has the operator's page. */
  readonly operator_since: number | null;
  /** The newest use that is still known of. */
  readonly last_used_at: number | null;
  readonly used_bytes: number;
  readonly reserved_bytes: number;
  readonly trash_bytes: number;
  /** Null: the configured quota. */
  readonly quota_bytes: number | null;
}

/** What `account list` and `account show` have in common. */
const SELECT_ROW = sql`
  select account.user_id, address, display_name, created_at, suspended_at,
    deleting_at, operator_since, (
      select max(at) from (
        select max(last_used_at) as at from session
        where session.user_id = account.user_id
        union all
        select max(last_seen) from cohort
        where cohort.user_id = account.user_id
      )
    ) as last_used_at,
    ${readable(sql`used_bytes`)} as used_bytes,
    ${readable(sql`reserved_bytes`)} as reserved_bytes,
    ${readable(sql`trash_bytes`)} as trash_bytes, quota_bytes
  from account join usage on usage.user_id = account.user_id`;

/** A page of the accounts with an address, in the order of the addresses. */
export async function pageOfAddressed(
  db: Db,
  after: string,
): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`${SELECT_ROW}
    where address > ${after} order by address limit ${PAGE}`.execute(db);
  return rows;
}

/** A page of the accounts without an address, in the order of the ids. */
export async function pageOfNameless(
  db: Db,
  after: string,
): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`${SELECT_ROW}
    where account.user_id > ${after} and address is null
    order by account.user_id limit ${PAGE}`.execute(db);
  return rows;
}

export async function findRow(
  db: Db,
  userId: UserId,
): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`${SELECT_ROW}
    where account.user_id = ${userId}`.execute(db);
  return rows[0];
}

/** An account of an id or of an address in its normalised form. */
export function findNamed(
  db: Db,
  name: { readonly user_id: UserId } | { readonly address: string },
) {
  const query = db.selectFrom("account")
    .select(["user_id", "address", "suspended_at", "deleting_at"]);
  return ("user_id" in name
    ? query.where("user_id", "=", name.user_id)
    : query.where("address", "=", name.address)).executeTakeFirst();
}

/** Identities of a provider that sign in to an account. */
export function listIdentities(db: Db, userId: UserId) {
  return db.selectFrom("oidc_identity")
    .select(["issuer", "subject"])
    .where("user_id", "=", userId)
    .orderBy("issuer")
    .orderBy("subject")
    .execute();
}

/** Whether an account has a password, a directory and a public record. */
export async function readTraits(db: Db, userId: UserId) {
  return await db.selectFrom("account")
    .leftJoin("public_record", "public_record.user_id", "account.user_id")
    .leftJoin("totp", "totp.user_id", "account.user_id")
    .select([
      sql<0 | 1>`password_hash is not null`.as("has_password"),
      "directory_version",
      "public_record.handle",
      "totp.confirmed_at",
      sql<0 | 1>`totp.user_id is not null`.as("has_factor"),
    ])
    .where("account.user_id", "=", userId)
    .executeTakeFirstOrThrow();
}

/** Albums of an account, and those whose roster names it. */
export async function countAlbums(
  db: Db,
  userId: UserId,
): Promise<{ readonly own: number; readonly shared: number }> {
  const { rows } = await sql<{ own: number; shared: number }>`
    select (select count(*) from album where owner_id = ${userId}) as own,
      (select count(*) from roster_member where member = ${userId}) as shared
  `.execute(db);
  return rows[0] ?? { own: 0, shared: 0 };
}
