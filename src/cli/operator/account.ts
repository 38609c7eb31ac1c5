/**
 * `strongroom account`: people, and what they store.
 *
 * @module
 */
import type { Command } from "commander";
import { OperatorFault } from "../../core/operator.ts";
import { bytesInWords, counted, readBytes } from "../../core/sizes.ts";
import {
  disableSecondFactor,
  listAccounts,
  type Quota,
  setQuota,
  signOut,
  unlock,
} from "../../features/accounts/operator.ts";
import {
  reinstateAccount,
  suspendAccount,
} from "../../features/moderation/operator.ts";
import { nameOperator } from "../../features/operators/operators.ts";
import { ENDS } from "./account_ends.ts";
import { INVITATIONS } from "./account_invite.ts";
import { SET_PASSWORD } from "./account_set_password.ts";
import { describeAccount } from "./account_show.ts";
import { accountLine, accountToJson } from "./account_messages.ts";
import {
  addVerbs,
  type CommandContext,
  type DatabaseCall,
  sayRows,
  type Verb,
} from "../verb.ts";
import { REASON_HELP, type ReasonOptions } from "../phrasing.ts";

/** Adds `account …` to the program. */
export function addAccountCommands(
  program: Command,
  context: CommandContext,
): void {
  const account = program.command("account")
    .description("accounts of people; USER is an account's id or address");
  addVerbs(account, context, [...ENDS, ...INVITATIONS, SET_PASSWORD, ...VERBS]);
}

const VERBS: readonly Verb[] = [
  {
    usage: "list",
    description:
      "list every account: id, address, status, when it was created and " +
      "last used, how much it stores, its name",
    example: "account list --json",
    access: "read",
    run(call) {
      const quota = call.config.STRONGROOM_ACCOUNT_QUOTA_BYTES;
      return sayRows(call, listAccounts(call.db), {
        name: "accounts",
        toJson: (row) => accountToJson(row, quota),
        toLine: (row) => accountLine(row, quota),
        none: "there is no account",
      });
    },
  },
  {
    usage: "show <user>",
    description:
      "show an account: sessions, second factor, identity provider, " +
      "albums, storage, lockouts, moderation record",
    example: "account show ada@example.org",
    access: "read",
    run: describeAccount,
  },
  {
    usage: "suspend <user>",
    description:
      "allow an account only to sign in, read and delete; its links " +
      "answer as if they did not exist",
    options: [["--reason <text>", REASON_HELP]],
    example: 'account suspend ada@example.org --reason "spam"',
    access: "write",
    async run(call: DatabaseCall<ReasonOptions>, user) {
      const user_id = await suspendAccount(call.db, user, actOf(call));
      return outcome(user, user_id, "suspended");
    },
  },
  {
    usage: "reinstate <user>",
    description: "end an account's suspension; its record shows both",
    options: [["--reason <text>", REASON_HELP]],
    example: "account reinstate ada@example.org",
    access: "write",
    async run(call: DatabaseCall<ReasonOptions>, user) {
      const user_id = await reinstateAccount(call.db, user, actOf(call));
      return outcome(user, user_id, "reinstated");
    },
  },
  {
    usage: "sign-out <user>",
    description:
      "end every session of an account: its tokens are refused from the " +
      "next request on, and it can sign in again",
    example: "account sign-out ada@example.org",
    access: "write",
    async run({ db }, user) {
      const { userId: user_id, sessions } = await signOut(db, user);
      return {
        json: { user_id, closed_sessions: sessions },
        lines: [
          `account ${user} is signed out: ${
            counted(sessions, "session")
          } closed`,
        ],
      };
    },
  },
  {
    usage: "unlock <user>",
    description: "lift the lockouts of an account's password and second " +
      "factor, for one client address and for all",
    example: "account unlock ada@example.org",
    access: "write",
    async run({ db }, user) {
      const { userId: user_id, lifted } = await unlock(db, user);
      return {
        json: { user_id, outcome: lifted ? "unlocked" : "unchanged" },
        lines: [
          lifted
            ? `account ${user} is unlocked, and its failed attempts are ` +
              "forgotten"
            : `account ${user} was not locked`,
        ],
      };
    },
  },
  {
    usage: "disable-second-factor <user>",
    description:
      "remove an account's second factor if its owner lost it; verify first " +
      "who asks. From then on the password is enough to sign in",
    example: "account disable-second-factor ada@example.org",
    access: "write",
    async run({ db }, user) {
      const { userId: user_id } = await disableSecondFactor(db, user);
      return {
        json: { user_id, outcome: "disabled" },
        lines: [`account ${user} has no second factor any more`],
      };
    },
  },
  {
    usage: "operator <user> <on|off>",
    description: "give an account the operator's page in the app, or take it " +
      "away. Nothing else does. The page wants a second factor",
    example: "account operator ada@example.org on",
    access: "write",
    async run({ db, platform }, user, given) {
      if (given !== "on" && given !== "off") {
        throw new OperatorFault(
          `${JSON.stringify(given)} is neither on nor off: say which`,
        );
      }
      const isOn = given === "on";
      const { userId: user_id, hasFactor } = await nameOperator(
        db,
        user,
        isOn,
        platform.now(),
      );
      return {
        json: { user_id, outcome: given },
        lines: [
          isOn
            ? `account ${user} has the operator's page` +
              (hasFactor
                ? ""
                : ", which opens once it has a second factor: set one up in " +
                  "the app, under Settings")
            : `account ${user} has the operator's page no more`,
        ],
      };
    },
  },
  {
    usage: "quota <user> <bytes>",
    description:
      "set how much an account may store, including its trash and open " +
      "uploads: bytes (5000, 50GiB; KiB, MiB, GiB, TiB), none for no " +
      "limit, or default for STRONGROOM_ACCOUNT_QUOTA_BYTES. What it " +
      "already stores stays",
    example: "account quota ada@example.org 50GiB",
    access: "write",
    async run({ db, config }, user, given) {
      const quota = readQuota(given);
      const { userId: user_id } = await setQuota(db, user, quota);
      const is_default = quota === "default";
      const quota_bytes = is_default
        ? config.STRONGROOM_ACCOUNT_QUOTA_BYTES
        : quota === "none"
        ? undefined
        : quota;
      const amount = quota_bytes === undefined
        ? "as much as there is room for"
        : bytesInWords(quota_bytes);
      return {
        json: {
          user_id,
          ...(quota_bytes === undefined ? {} : { quota_bytes }),
          is_default,
        },
        lines: [
          `account ${user} may store ${amount}${
            is_default ? ", as configured for everyone" : ""
          }`,
        ],
      };
    },
  },
];

function actOf({ options, platform }: DatabaseCall<ReasonOptions>) {
  return { reason: options.reason, now: platform.now() };
}

function outcome(user: string, user_id: string, outcome: string) {
  return {
    json: { user_id, outcome },
    lines: [`account ${user} is ${outcome}`],
  };
}

function readQuota(text: string): Quota {
  if (text === "none" || text === "default") return text;
  const bytes = readBytes(text);
  if (bytes !== undefined) return bytes;
  throw new OperatorFault(
    `${JSON.stringify(text)} is not a quota: give bytes, such as ` +
      "50GiB, or none, or default",
  );
}
