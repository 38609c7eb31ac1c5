/**
 * `strongroom account invite`, `invitations` and `uninvite`: who may register
 * where registration is not open.
 *
 * @module
 */
import type { Command } from "commander";
import { canonicalOrigin, type Config } from "../config.ts";
import { OperatorFault } from "../core/operator.ts";
import { readBytes } from "../core/sizes.ts";
import { DAY_MS, toRfc3339 } from "../core/time.ts";
import {
  type Invitation,
  invite,
  listInvitations,
  uninvite,
} from "../features/accounts/invitations.ts";
import { listNames } from "../features/keys/store.ts";
import type { Db } from "../store/database.ts";
import {
  answer,
  type CommandContext,
  operatorCommand,
  type OperatorOptions,
  withDatabase,
} from "./operator.ts";
import { bytesInWords } from "./words.ts";

const DEFAULT_DAYS = 7;
const MAX_DAYS = 365;

interface InviteOptions extends OperatorOptions {
  readonly expires?: string;
  readonly quota?: string;
}

/** Adds the three commands to `account`. */
export function addInvitations(
  account: Command,
  context: CommandContext,
): void {
  const { platform } = context;
  operatorCommand(
    account.command("invite").description(
      "print a link with which one person registers, however registration is " +
        "set. It is shown this once; whoever has it may use it, one time",
    ).option(
      "--expires <days>",
      `for how long it may be used, 1 to ${MAX_DAYS} days; default: ` +
        String(DEFAULT_DAYS),
    ).option(
      "--quota <bytes>",
      "how much the account may store (5000, 50GiB); default: as configured " +
        "for everybody",
    ),
    "account invite --expires 3 --quota 50GiB",
  ).action(async (options: InviteOptions) => {
    const given = {
      livesMs: readDays(options.expires) * DAY_MS,
      quotaBytes: readQuota(options.quota),
    };
    const { made, origin } = await withDatabase(options, async (db, config) => {
      const origin = await originOf(db, config);
      return { made: await invite(db, platform, given), origin };
    });
    const link = `${origin}/#/invited/${made.code}`;
    const { id, expires_at, quota } = invitationToJson(made);
    answer(context, options, {
      id,
      link,
      expires_at,
      ...(quota === undefined ? {} : { quota }),
    }, [
      link,
      `lets one person register until ${expires_at}; take it back with ` +
      `strongroom account uninvite ${id}`,
    ]);
  });

  operatorCommand(
    account.command("invitations").description(
      "the invitations that nobody has used yet; their links are shown no " +
        "second time",
    ),
    "account invitations --json",
  ).action(async (options: OperatorOptions) => {
    const invitations = await withDatabase(
      options,
      (db) => listInvitations(db, platform.now()),
    );
    answer(
      context,
      options,
      invitations.map(invitationToJson),
      invitations.length === 0
        ? ["nobody is invited"]
        : invitations.map(invitationLine),
    );
  });

  operatorCommand(
    account.command("uninvite <id>").description(
      "take an invitation back: its link lets nobody register any more",
    ),
    "account uninvite 3f1c1f0e-7d0c-4d0a-9c8c-0b7f5a0f6a51",
  ).action(async (given: string, options: OperatorOptions) => {
    const id = await withDatabase(
      options,
      (db) => uninvite(db, given, platform.now()),
    );
    answer(context, options, { id, outcome: "uninvited" }, [
      `invitation ${id} is taken back`,
    ]);
  });
}

function invitationToJson({ id, expiresAt, quotaBytes }: Invitation) {
  return {
    id,
    expires_at: toRfc3339(expiresAt),
    ...(quotaBytes === null ? {} : { quota: quotaBytes }),
  };
}

function invitationLine({ id, expiresAt, quotaBytes }: Invitation): string {
  return [
    id,
    `until ${toRfc3339(expiresAt)}`,
    ...quotaBytes === null ? [] : [`quota ${bytesInWords(quotaBytes)}`],
  ].join("  ");
}

function readDays(text = String(DEFAULT_DAYS)): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MAX_DAYS) return days;
  throw new OperatorFault(
    `${JSON.stringify(text)} is no number of days: give 1 to ${MAX_DAYS}`,
  );
}

function readQuota(text: string | undefined): number | null {
  if (text === undefined) return null;
  const bytes = readBytes(text);
  if (bytes !== undefined) return bytes;
  throw new OperatorFault(
    `${JSON.stringify(text)} is no quota: give bytes, such as 50GiB`,
  );
}

/** Where people reach the server: as it is configured, or as it last ran. */
async function originOf(db: Db, config: Config): Promise<string> {
  const origin = config.STRONGROOM_BASE_URL ??
    (await listNames(db)).at(-1)?.server_id ?? canonicalOrigin(config);
  if (origin !== undefined) return origin;
  throw new OperatorFault(
    "nobody knows where people reach this server: set STRONGROOM_BASE_URL",
  );
}
