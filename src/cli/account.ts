/**
 * `strongroom account`: people, and what they store.
 *
 * @module
 */
import type { Command } from "commander";
import { readBytes } from "../core/sizes.ts";
import { OperatorFault } from "../core/operator.ts";
import {
  disableSecondFactor,
  listAccounts,
  type NamedAccount,
  type Quota,
  setQuota,
  signOut,
  unlock,
} from "../features/accounts/operator.ts";
import {
  reinstateAccount,
  suspendAccount,
} from "../features/moderation/operator.ts";
import { addAccountEnds } from "./account_ends.ts";
import { addInvitations } from "./account_invite.ts";
import { describeAccount } from "./account_show.ts";
import { accountLine, accountToJson } from "./account_words.ts";
import {
  answer,
  type CommandContext,
  operatorCommand,
  type OperatorOptions,
  withDatabase,
  withReading,
} from "./operator.ts";
import {
  bytesInWords,
  counted,
  REASON_HELP,
  type ReasonOptions,
} from "./words.ts";

/** Adds `account …` to the program. */
export function addAccountCommands(
  program: Command,
  context: CommandContext,
): void {
  const account = program.command("account")
    .description("people: USER is an account's id or its address");
  addAccountEnds(account, context);
  addInvitations(account, context);
  addReading(account, context);
  addStanding(account, context);
  addSigningIn(account, context);
  addQuota(account, context);
}

function addReading(account: Command, context: CommandContext): void {
  operatorCommand(
    account.command("list").description(
      "every account: id, address, standing, when it was made and last used, " +
        "what it stores, its name",
    ),
    "account list --json",
  ).action((options: OperatorOptions) =>
    withReading(options, async (db, config) => {
      const quota = config.STRONGROOM_ACCOUNT_QUOTA_BYTES;
      const accounts: unknown[] = [];
      let found = 0;
      for await (const rows of listAccounts(db)) {
        found += rows.length;
        for (const row of rows) {
          if (options.json) accounts.push(accountToJson(row, quota));
          else context.say(accountLine(row, quota));
        }
      }
      if (options.json) context.say(JSON.stringify({ accounts }));
      else if (found === 0) context.say("there is no account");
    })
  );

  operatorCommand(
    account.command("show <user>").description(
      "an account: sessions, second factor, identity provider, albums, what " +
        "it stores, lockouts, moderation record",
    ),
    "account show ada@example.org",
  ).action((user: string, options: OperatorOptions) =>
    withReading(options, async (db, config) => {
      const { json, lines } = await describeAccount(
        db,
        config,
        context.platform,
        user,
      );
      answer(context, options, json, lines);
    })
  );
}

function addStanding(account: Command, context: CommandContext): void {
  const { platform } = context;
  const say = (
    options: OperatorOptions,
    user: string,
    user_id: string,
    outcome: string,
  ) =>
    answer(context, options, { user_id, outcome }, [
      `account ${user} is ${outcome}`,
    ]);

  operatorCommand(
    account.command("suspend <user>").description(
      "let an account read, delete and sign in, and nothing else; its links " +
        "answer as if they did not exist",
    ).option("--reason <text>", REASON_HELP),
    'account suspend ada@example.org --reason "spam"',
  ).action(async (user: string, options: OperatorOptions & ReasonOptions) => {
    const act = { reason: options.reason, now: platform.now() };
    const userId = await withDatabase(
      options,
      (db) => suspendAccount(db, user, act),
    );
    say(options, user, userId, "suspended");
  });

  operatorCommand(
    account.command("reinstate <user>").description(
      "end an account's suspension; its record keeps both",
    ).option("--reason <text>", REASON_HELP),
    "account reinstate ada@example.org",
  ).action(async (user: string, options: OperatorOptions & ReasonOptions) => {
    const act = { reason: options.reason, now: platform.now() };
    const userId = await withDatabase(
      options,
      (db) => reinstateAccount(db, user, act),
    );
    say(options, user, userId, "reinstated");
  });
}

function addSigningIn(account: Command, context: CommandContext): void {
  operatorCommand(
    account.command("sign-out <user>").description(
      "close every session of an account: its tokens are refused from the " +
        "next request on, and it may sign in again",
    ),
    "account sign-out ada@example.org",
  ).action(async (user: string, options: OperatorOptions) => {
    const { userId: user_id, sessions } = await withDatabase(
      options,
      (db) => signOut(db, user),
    );
    answer(context, options, { user_id, closed_sessions: sessions }, [
      `account ${user} is signed out: ${counted(sessions, "session")} closed`,
    ]);
  });

  operatorCommand(
    account.command("unlock <user>").description(
      "lift the lockouts of an account's password and second factor, for one " +
        "client address and for all",
    ),
    "account unlock ada@example.org",
  ).action(async (user: string, options: OperatorOptions) => {
    const { userId: user_id, lifted } = await withDatabase(
      options,
      (db) => unlock(db, user),
    );
    const outcome = lifted ? "unlocked" : "unchanged";
    answer(context, options, { user_id, outcome }, [
      lifted
        ? `account ${user} is unlocked, and its failed attempts are forgotten`
        : `account ${user} was not locked`,
    ]);
  });

  operatorCommand(
    account.command("disable-second-factor <user>").description(
      "take an account's second factor away, for somebody who has lost it; " +
        "make sure who asks. The password alone signs in from then on",
    ),
    "account disable-second-factor ada@example.org",
  ).action(async (user: string, options: OperatorOptions) => {
    const { userId: user_id } = await withDatabase(
      options,
      (db) => disableSecondFactor(db, user),
    );
    answer(context, options, { user_id, outcome: "disabled" }, [
      `account ${user} has no second factor any more`,
    ]);
  });
}

function addQuota(account: Command, context: CommandContext): void {
  operatorCommand(
    account.command("quota <user> <bytes>").description(
      "how much an account may store, trash and open uploads included: bytes " +
        "(5000, 50GiB; KiB, MiB, GiB, TiB), none for no limit, or default " +
        "for STRONGROOM_ACCOUNT_QUOTA_BYTES. What it stores already stays",
    ),
    "account quota ada@example.org 50GiB",
  ).action(async (user: string, given: string, options: OperatorOptions) => {
    const quota = readQuota(given);
    const { named, configured } = await withDatabase(
      options,
      async (db, config): Promise<
        { named: NamedAccount; configured: number | undefined }
      > => ({
        named: await setQuota(db, user, quota),
        configured: config.STRONGROOM_ACCOUNT_QUOTA_BYTES,
      }),
    );
    const bytes = quota === "default"
      ? configured
      : quota === "none"
      ? undefined
      : quota;
    answer(context, options, {
      user_id: named.userId,
      ...(bytes === undefined ? {} : { quota_bytes: bytes }),
      is_default: quota === "default",
    }, [
      `account ${user} may store ${
        bytes === undefined
          ? "as much as there is room for"
          : bytesInWords(bytes)
      }${quota === "default" ? ", as configured for everybody" : ""}`,
    ]);
  });
}

function readQuota(text: string): Quota {
  if (text === "none" || text === "default") return text;
  const bytes = readBytes(text);
  if (bytes !== undefined) return bytes;
  throw new OperatorFault(
    `${
      JSON.stringify(text)
    } is no quota: give bytes, such as 50GiB, or none, ` +
      "or default",
  );
}
