/**
 * The operator's page (protocol/operators.md): who may have it, what it shows,
 * and what it does. Nothing here destroys.
 *
 * @module
 */
import { parseUuid, type UserId } from "../../core/ids.ts";
import { isMailAddress } from "../../core/notify_settings.ts";
import { OperatorFault } from "../../core/operator.ts";
import type { ProblemCode } from "../../core/problem.ts";
import { DAY_MS, livesUntil, MINUTE_MS, toRfc3339 } from "../../core/time.ts";
import { transaction } from "../../store/sqlite/database.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { invite, listInvitations, uninvite } from "../accounts/invitations.ts";
import {
  findAccountOf,
  type NamedAccount,
  type Quota,
  requireAccount,
  setQuota,
  signOut,
} from "../accounts/operator.ts";
import { requirePassword } from "../accounts/password.ts";
import type { App } from "../app.ts";
import type { Call, CallBy } from "../call.ts";
import { readDatabaseBytes } from "../metrics/store.ts";
import { reinstateAccount, suspendAccount } from "../moderation/operator.ts";
import { NO_QUOTA } from "../quota.ts";
import { hasConfirmedFactor } from "../totp/store.ts";
import { spendCode } from "../totp/totp.ts";
import {
  type ActRow,
  deleteAct,
  findPerson,
  growthByMonth,
  insertAct,
  noteFactor,
  pageOfActs,
  pageOfPeople,
  type PersonRow,
  readFactorAt,
  setOperator,
  sumAccounts,
} from "./store.ts";

export { isOperator } from "./store.ts";

/** For how long a presentation with the second factor counts (ms). */
const PRESENTED_MS = 10 * MINUTE_MS;
/** Growth is told of so long. */
const GROWTH_MS = 365 * DAY_MS;
const PEOPLE_PAGE = 200;
const ACTS_PAGE = 500;

type Operator<C extends ProblemCode = never> = CallBy<
  "session",
  "error.auth.reauthentication_required" | C
>;

/**
 * Names an account an operator, or takes that back. Throws an
 * {@link OperatorFault} where it is so already.
 */
export async function nameOperator(
  db: Db,
  user: string,
  isOn: boolean,
  now: number,
): Promise<NamedAccount & { readonly hasFactor: boolean }> {
  return await transaction(db, async (tx) => {
    const account =
      await (isOn ? requireAccount(tx, user) : findAccountOf(tx, user));
    if (!await setOperator(tx, account.userId, isOn ? now : null)) {
      throw new OperatorFault(
        isOn
          ? `account ${user} is an operator's already: nothing is to be done`
          : `account ${user} is no operator's: nothing is to be done`,
      );
    }
    const hasFactor = await hasConfirmedFactor(tx, account.userId);
    return { ...account, hasFactor };
  });
}

/** Every act, oldest first, a page at a time. */
export async function* listActs(db: Db) {
  let rows = await pageOfActs(db, 0, ACTS_PAGE);
  while (rows.length > 0) {
    yield rows;
    rows = await pageOfActs(db, rows.at(-1)?.act_seq ?? 0, ACTS_PAGE);
  }
}

/**
 * Refuses a session that has not presented its second factor in the last ten
 * minutes: an unattended device can do nothing here.
 */
export async function requirePresented(call: Operator): Promise<void> {
  const { app, caller, now, raise } = call;
  const at = await readFactorAt(app.db, caller.sessionId);
  if (
    at === null || !livesUntil(at + PRESENTED_MS, PRESENTED_MS, now) ||
    !await hasConfirmedFactor(app.db, caller.userId)
  ) throw raise("error.auth.reauthentication_required");
}

/** Takes the password and a code; returns until when they count (ms). */
export async function present(
  call: CallBy<
    "session",
    | "error.auth.password_incorrect"
    | "error.auth.account_locked"
    | "error.auth.unavailable"
    | "error.auth.second_factor_code_refused"
    | "error.auth.second_factor_attempts_exhausted"
    | "error.auth.second_factor_not_confirmed"
  >,
  given: {
    readonly password: string;
    readonly code: string;
    readonly clientAddress: string;
  },
): Promise<number> {
  const { app, caller } = call;
  await requirePassword(call, given);
  await spendCode(call, given.code);
  const now = app.platform.now();
  await noteFactor(app.db, caller.sessionId, now);
  return now + PRESENTED_MS;
}

/** The page's first look, in its wire form. */
export async function readOverview({ app, now }: Operator) {
  const { db, limits, server, notices } = app;
  const [sums, databaseBytes, freeBytes, targets, sights, growth] =
    await Promise.all([
      sumAccounts(db),
      readDatabaseBytes(db),
      app.staging.freeBytes(),
      notices.states(),
      app.sights(),
      growthByMonth(db, now - GROWTH_MS),
    ]);
  const { backup, check, certificateEnds, findings } = sights;
  const { registration } = server;
  return {
    version: server.version,
    server_id: server.serverId,
    registration: typeof registration === "string"
      ? registration
      : "domains" as const,
    mail: notices.hasMail,
    accounts: sums.accounts,
    room: {
      used_bytes: sums.used,
      trash_bytes: sums.trash,
      database_bytes: databaseBytes,
      free_bytes: freeBytes,
      reserved_bytes: limits.reservedDiskBytes,
    },
    growth,
    ...backup === undefined ? {} : {
      backup: {
        made_at: toRfc3339(backup.madeAt),
        damaged: backup.damaged,
        ...backup.blobs === undefined ? {} : { blobs: backup.blobs },
        ...backup.bytes === undefined ? {} : { bytes: backup.bytes },
        is_old: now - backup.madeAt > backup.oldAfterMs,
      },
    },
    ...check === undefined ? {} : {
      check: {
        began_at: toRfc3339(check.beganAt),
        ...check.endedAt === null ? {} : { ended_at: toRfc3339(check.endedAt) },
        done_bytes: check.doneBytes,
        total_bytes: check.totalBytes,
        lost: check.lost,
      },
    },
    ...certificateEnds === undefined
      ? {}
      : { certificate: { ends_at: toRfc3339(certificateEnds) } },
    notices: targets.map((target) => ({
      target: target.name,
      waiting: target.waiting,
      ...target.sentAt === null ? {} : { sent_at: toRfc3339(target.sentAt) },
      ...target.failingSince === null ? {} : {
        failing_since: toRfc3339(target.failingSince),
        fault: target.fault ?? "",
      },
    })),
    findings: findings.map(({ detail, mend, ...one }) => ({
      ...one,
      detail: { says: detail.says, values: [...detail.values] },
      mend: { says: mend.says, values: [...mend.values] },
    })),
  };
}

/** A page of the people, in its wire form. */
export async function readPeople({ app }: Operator, after: string) {
  const rows = await pageOfPeople(app.db, after, PEOPLE_PAGE);
  const last = rows.at(-1);
  return {
    people: rows.map((row) => personToWire(app, row)),
    ...rows.length === PEOPLE_PAGE && last !== undefined
      ? { next: last.user_id }
      : {},
  };
}

function personToWire(app: App, row: PersonRow) {
  const isDefault = row.quota_bytes === null;
  const quota = isDefault
    ? app.limits.accountQuotaBytes
    : row.quota_bytes === NO_QUOTA
    ? undefined
    : row.quota_bytes;
  return {
    user_id: row.user_id,
    ...row.address === null ? {} : { address: row.address },
    ...row.display_name === null ? {} : { display_name: row.display_name },
    created_at: toRfc3339(row.created_at),
    ...row.last_used_at === null
      ? {}
      : { last_used_at: toRfc3339(row.last_used_at) },
    ...row.suspended_at === null
      ? {}
      : { suspended_at: toRfc3339(row.suspended_at) },
    is_deleting: row.deleting_at !== null,
    is_operator: row.operator_since !== null,
    used_bytes: row.used_bytes,
    trash_bytes: row.trash_bytes,
    ...quota === undefined || quota === null ? {} : { quota_bytes: quota },
    quota_is_default: isDefault,
    second_factor: row.has_factor === 0
      ? "none" as const
      : row.confirmed_at === null
      ? "pending" as const
      : "confirmed" as const,
    has_password: row.has_password === 1,
    sessions: row.sessions,
  };
}

/** The unused invitations, in their wire form. */
export async function readInvitations({ app, now }: Operator) {
  const invitations = await listInvitations(app.db, now);
  return {
    invitations: invitations.map(({ id, expiresAt, quotaBytes }) => ({
      invitation_id: id,
      expires_at: toRfc3339(expiresAt),
      ...quotaBytes === null ? {} : { quota_bytes: quotaBytes },
    })),
  };
}

/** Makes an invitation, and mails it where that is asked for and can be. */
export async function makeInvitation(
  call: Operator,
  given: {
    readonly days: number;
    readonly quotaBytes: number | undefined;
    readonly mailTo: string | undefined;
  },
) {
  const { app } = call;
  const quotaBytes = given.quotaBytes ?? null;
  const livesMs = given.days * DAY_MS;
  const { id, code, expiresAt } = await acting(
    call,
    { act: "invite", subject: null, detail: null },
    () => invite(app.db, app.platform, { livesMs, quotaBytes }),
  );
  const link = `${app.server.serverId}/#/invited/${code}`;
  const until = toRfc3339(expiresAt);
  const mailed = given.mailTo !== undefined && isMailAddress(given.mailTo) &&
    await app.notices.write(given.mailTo, { kind: "invitation", link, until });
  return {
    invitation_id: id,
    expires_at: until,
    ...quotaBytes === null ? {} : { quota_bytes: quotaBytes },
    link,
    mailed,
  };
}

/** Takes an invitation back; one that is gone already is no fault. */
export async function takeBackInvitation(
  call: Operator,
  id: string,
): Promise<void> {
  const { app, now } = call;
  await acting(
    call,
    { act: "uninvite", subject: id, detail: null },
    async () => {
      try {
        await uninvite(app.db, id, now);
      } catch (error) {
        if (!(error instanceof OperatorFault)) throw error;
      }
    },
  );
}

type Missing = "error.user.not_found";

/** How much a person may store. */
export async function changeQuota(
  call: Operator<Missing>,
  userId: UserId,
  quota: Quota,
): Promise<void> {
  await requirePerson(call, userId);
  await actingOn(
    call,
    { act: "quota", subject: userId, detail: String(quota) },
    () => setQuota(call.app.db, userId, quota),
  );
}

/** Suspends or reinstates; what is so already stays so. */
export async function changeSuspension(
  call: Operator<Missing>,
  userId: UserId,
  { suspended, reason }: {
    readonly suspended: boolean;
    readonly reason: string | undefined;
  },
): Promise<void> {
  const { app, now } = call;
  const person = await requirePerson(call, userId);
  if ((person.suspended_at !== null) === suspended) return;
  await actingOn(
    call,
    {
      act: suspended ? "suspend" : "reinstate",
      subject: userId,
      detail: reason ?? null,
    },
    () =>
      suspended
        ? suspendAccount(app.db, userId, { reason, now })
        : reinstateAccount(app.db, userId, { reason, now }),
  );
}

/** Closes every session of a person; returns how many there were. */
export async function signOutPerson(
  call: Operator<Missing>,
  userId: UserId,
): Promise<number> {
  await requirePerson(call, userId);
  const done = await actingOn(
    call,
    { act: "sign-out", subject: userId, detail: null },
    () => signOut(call.app.db, userId),
  );
  return done?.sessions ?? 0;
}

async function requirePerson(
  { app, raise }: Call<Missing>,
  userId: UserId,
): Promise<PersonRow> {
  const id = parseUuid<UserId>(userId);
  const person = id && await findPerson(app.db, id);
  if (person === undefined || person.deleting_at !== null) {
    throw raise("error.user.not_found");
  }
  return person;
}

/**
 * Does an act on a person. Returns undefined if another operator did the same
 * at the same moment. A person who was deleted by then is unknown.
 */
async function actingOn<T>(
  call: Operator<Missing>,
  act: Parameters<typeof acting>[1] & { readonly subject: UserId },
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await acting(call, act, work);
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    await requirePerson(call, act.subject);
    return undefined;
  }
}

/**
 * Does an act and records it first, so that each act can be read later.
 */
async function acting<T>(
  { app, caller, now }: Operator,
  { act, subject, detail }: {
    readonly act: string;
    readonly subject: string | null;
    readonly detail: string | null;
  },
  work: () => Promise<T>,
): Promise<T> {
  const row: ActRow = {
    at: now,
    operator_id: caller.userId,
    act,
    subject_id: subject,
    detail,
  };
  const place = await insertAct(app.db, row);
  let done: T;
  try {
    done = await work();
  } catch (error) {
    await deleteAct(app.db, place);
    throw error;
  }
  app.platform.log.info("an operator acted", {
    act,
    operator: caller.userId,
    ...subject === null ? {} : { subject },
  });
  return done;
}
