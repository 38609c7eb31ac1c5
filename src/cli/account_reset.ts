/**
 * `strongroom account reset-password`: a new password for somebody who forgot
 * theirs.
 *
 * @module
 */
import { passwordCost } from "../app.ts";
import { toRfc3339 } from "../core/time.ts";
import { createPasswords } from "../crypto/password.ts";
import {
  offerReset,
  requirePasswordOf,
  setPassword,
} from "../features/accounts/reset.ts";
import { originOf } from "./account_invite.ts";
import { passwordFromInput } from "./account_password.ts";
import { mailLine, postOf } from "./letters.ts";
import { noticesOf, sendNow } from "./notices.ts";
import type { DatabaseCall, Said, Verb } from "./verb.ts";

interface ResetOptions {
  readonly mail?: true;
  readonly passwordStdin?: true;
}

/** What both ways leave as it was. */
const STAYS = "the second factor stays, and photos open with another device " +
  "or the 24 words as before";

/** `account reset-password`. */
export const RESET: Verb = {
  usage: "reset-password <user>",
  description:
    "print a link with which somebody who forgot the password can set " +
    "a new one, once and within 24 hours; verify first who asks. The " +
    "link is shown only now. Using it ends every session, and the next " +
    "sign-in says so. It opens no photos on a new device: that needs " +
    "another device or the 24 words",
  options: [[
    "--password-stdin",
    "set the password now; read it from standard input, one line",
  ], [
    "--mail",
    "also mail the link to the account's address, by the mail server of " +
    "STRONGROOM_NOTIFY",
  ]],
  example: "account reset-password ada@example.org",
  access: "write",
  run: (call: DatabaseCall<ResetOptions>, user) =>
    call.options.passwordStdin ? setNow(call, user) : offer(call, user),
};

async function offer(
  call: DatabaseCall<ResetOptions>,
  user: string,
): Promise<Said> {
  const origin = await originOf(call);
  const { address } = await requirePasswordOf(call.db, user);
  const to = call.options.mail ? address ?? "" : undefined;
  const post = await postOf(call, to);
  const { userId: user_id, code, expiresAt } = await offerReset(call, user);
  const link = `${origin}/#/reset/${code}`;
  const expires_at = toRfc3339(expiresAt);
  await post?.({ kind: "reset", link, until: expires_at });
  return {
    json: { user_id, link, expires_at },
    lines: [
      link,
      `${user} can set a new password with it once, until ${expires_at}; ` +
      `${STAYS}`,
      ...mailLine(to),
    ],
  };
}

async function setNow(
  call: DatabaseCall<ResetOptions>,
  user: string,
): Promise<Said> {
  const { db, config, platform, streams } = call;
  await requirePasswordOf(db, user);
  const password = await passwordFromInput(streams);
  const passwords = createPasswords(
    passwordCost(config),
    1,
    { ...platform, hasDescriptors: () => true },
  );
  try {
    const { userId: user_id, address } = await setPassword(
      call,
      passwords,
      user,
      password,
    );
    const notices = await noticesOf(db, config, platform);
    const at = toRfc3339(platform.now());
    await notices.tell(address, { kind: "password_set", at });
    if (notices.hasMail) await sendNow(notices, platform);
    return {
      json: { user_id, outcome: "changed" },
      lines: [
        `account ${user} has the new password and is signed out everywhere; ` +
        STAYS,
      ],
    };
  } finally {
    passwords.close();
  }
}
