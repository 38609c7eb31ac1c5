/**
 * `strongroom account create` and `account delete`.
 *
 * @module
 */
import { passwordCost } from "../../config.ts";
import { bytesInWords, counted } from "../../core/sizes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { createPasswords } from "../../crypto/password.ts";
import {
  createAccount,
  requireFreeAddress,
  requireNewPassword,
} from "../../features/accounts/operator.ts";
import {
  type Belongings,
  deleteAccount,
  type Doomed,
  weighAccount,
} from "../../features/account_deletion/deletion.ts";
import { passwordFromInput, passwordFromTerminal } from "./account_password.ts";
import { terminalProgress } from "../progress.ts";
import type { DatabaseCall, Said, Verb } from "../verb.ts";
import { refuseUnsaid } from "../phrasing.ts";

interface CreateOptions {
  readonly passwordStdin?: true;
}

interface DeleteOptions {
  readonly yes?: true;
}

/** `account create` and `account delete`. */
export const ENDS: readonly Verb[] = [
  {
    usage: "create <address>",
    description:
      "create an account, even if registration is closed. The password " +
      "is asked for on the terminal; it only signs in, and the first " +
      "client creates the keys",
    options: [[
      "--password-stdin",
      "read the password from standard input, one line",
    ]],
    example: "account create ada@example.org --password-stdin < password.txt",
    access: "write",
    run: create,
  },
  {
    usage: "delete <user>",
    description: "delete an account and all that it has, for good. Members " +
      "of its albums keep what is theirs; its receipts are kept; its blobs " +
      "leave the disk with the next collection",
    options: [[
      "--yes",
      "delete it; without this, only list what would be deleted",
    ]],
    example: "account delete ada@example.org --yes",
    access: "write",
    run: remove,
  },
];

async function create(
  call: DatabaseCall<CreateOptions>,
  given: string,
): Promise<Said> {
  const { db, config, platform, streams, options } = call;
  // Before anybody types a password in vain.
  await requireFreeAddress(db, given);
  const password = options.passwordStdin
    ? await passwordFromInput(streams)
    : await passwordFromTerminal(streams);
  requireNewPassword(password);
  const passwords = createPasswords(
    passwordCost(config),
    1,
    { ...platform, hasDescriptors: () => true },
  );
  try {
    const { userId: user_id, address } = await createAccount(
      call,
      passwords,
      { address: given, password },
    );
    return {
      json: { user_id, address },
      lines: [`account ${address} is created: ${user_id}`],
    };
  } finally {
    passwords.close();
  }
}

async function remove(
  call: DatabaseCall<DeleteOptions>,
  user: string,
): Promise<Said> {
  const progress = terminalProgress(
    call.platform.monotonic,
    call.streams.stderr,
  );
  const { belongings } = await weighAccount(call, user);
  if (!call.options.yes) {
    throw refuseUnsaid(
      `account ${user} would be deleted permanently, with ` +
        inWords(belongings).join(", "),
    );
  }
  try {
    const doomed = await deleteAccount(call, user, {
      onProgress: (done) =>
        progress.show("deleting assets", done, belongings.assets),
    });
    return { json: toJson(doomed), lines: toLines(user, doomed) };
  } finally {
    progress.end();
  }
}

function toJson({ userId, address, deletingAt, belongings }: Doomed) {
  return {
    user_id: userId,
    ...(address === null ? {} : { address }),
    outcome: "deleted",
    // Begun before, and finished now: the numbers are of what was left.
    ...(deletingAt === null ? {} : { begun_at: toRfc3339(deletingAt) }),
    deleted: {
      sessions: belongings.sessions,
      assets: belongings.assets,
      bytes: belongings.bytes,
      albums: belongings.albums,
      shares: belongings.shares,
      upload_links: belongings.upload_links,
      contributions: belongings.contributions,
      open_uploads: belongings.open_uploads,
      state_slots: belongings.state_slots,
    },
  };
}

function toLines(
  user: string,
  { userId, deletingAt, belongings }: Doomed,
): string[] {
  const begun = deletingAt === null
    ? ""
    : `, which was begun at ${toRfc3339(deletingAt)}; gone now`;
  return [
    `account ${user} (${userId}) is deleted${begun}: ${
      inWords(belongings).join(", ")
    }`,
    "the next collection removes its blobs from the disk: strongroom gc",
  ];
}

/** What an account has, as a list; what it has none of is left out. */
function inWords(has: Belongings): string[] {
  const { retained, members, foreign_assets } = has;
  const floors = retained === 0
    ? ""
    : `, ${retained} of them under a retention floor of their owner`;
  return [
    `${counted(has.assets, "asset")} (${bytesInWords(has.bytes)}${floors})`,
    ...has.albums === 0 ? [] : [
      `${counted(has.albums, "album")}${
        members === 0 ? "" : ` with ${counted(members, "other member")}`
      }${
        foreign_assets === 0
          ? ""
          : `, who keep ${counted(foreign_assets, "asset")} outside any album`
      }`,
    ],
    ...list(has.shares, "share link"),
    ...list(has.upload_links, "upload link"),
    ...list(has.contributions, "guest upload"),
    ...list(has.open_uploads, "open upload"),
    ...list(has.state_slots, "state slot"),
    ...list(has.sessions, "session"),
  ];
}

function list(count: number, noun: string): string[] {
  return count === 0 ? [] : [counted(count, noun)];
}
