/**
 * `strongroom account set-password`: a password for a person who forgot theirs.
 *
 * @module
 */
import { passwordCost } from "../../config.ts";
import { counted } from "../../core/sizes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { createPasswords } from "../../crypto/password.ts";
import {
  requirePasswordOf,
  setPassword,
} from "../../features/accounts/set_password.ts";
import { passwordFromInput, passwordFromTerminal } from "./account_password.ts";
import { noticesOf, sendNow } from "./notices.ts";
import type { DatabaseCall, Verb } from "../verb.ts";

/** `account set-password`. */
export const SET_PASSWORD: Verb = {
  usage: "set-password <user>",
  description: "set a password for a person who forgot theirs; verify first " +
    "who asks. It signs in once within 24 hours, and has to be changed then " +
    "before anything else. Every session ends, the second factor stays. It " +
    "opens no photos on a new device: that needs another device or the 24 " +
    "words",
  options: [[
    "--password-stdin",
    "read the password from standard input, one line",
  ]],
  example: "account set-password ada@example.org",
  access: "write",
  async run(
    call: DatabaseCall<{ readonly passwordStdin?: true }>,
    user,
  ) {
    const { db, config, platform, streams, options } = call;
    await requirePasswordOf(db, user);
    const password = options.passwordStdin
      ? await passwordFromInput(streams)
      : await passwordFromTerminal(streams);
    const passwords = createPasswords(
      passwordCost(config),
      1,
      { ...platform, hasDescriptors: () => true },
    );
    try {
      const { userId: user_id, address, until, sessions } = await setPassword(
        call,
        passwords,
        user,
        password,
      );
      const notices = await noticesOf(db, config, platform);
      const at = toRfc3339(platform.now());
      await notices.tell(address, { kind: "password_set", at }, user_id);
      if (notices.hasMail) await sendNow(notices, platform);
      const expires_at = toRfc3339(until);
      return {
        json: { user_id, expires_at, closed_sessions: sessions },
        lines: [
          `account ${user} can sign in with the password once, until ` +
          `${expires_at}, and has to change it then`,
          `it is signed out everywhere: ${
            counted(sessions, "session")
          } closed; the second factor stays, and photos open with another ` +
          "device or the 24 words as before",
        ],
      };
    } finally {
      passwords.close();
    }
  },
};
