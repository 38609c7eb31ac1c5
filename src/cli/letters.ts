/**
 * Links that a command mails to whom they are for.
 *
 * @module
 */
import { isMailAddress } from "../core/notify_settings.ts";
import { OperatorFault } from "../core/operator.ts";
import type { Letter } from "../features/notices/people.ts";
import { noticesOf, sendNow } from "./notices.ts";
import type { DatabaseCall } from "./verb.ts";

/**
 * What mails a letter; undefined where no address is given. Refuses an address
 * that no mail can go to before anything is made.
 */
export async function postOf(
  { db, config, platform }: DatabaseCall,
  address: string | undefined,
): Promise<((letter: Letter) => Promise<void>) | undefined> {
  if (address === undefined) return undefined;
  const notices = await noticesOf(db, config, platform);
  if (!notices.hasMail) {
    throw new OperatorFault(
      "no mail server is set: name one in STRONGROOM_NOTIFY, such as " +
        "smtp://user:password@mail.example.org?from=…&to=…, or leave --mail " +
        "out and hand the link over yourself",
    );
  }
  if (!isMailAddress(address)) {
    throw new OperatorFault(
      `${JSON.stringify(address)} is no address that mail can go to: hand ` +
        "the link over yourself",
    );
  }
  return async (letter) => {
    await notices.write(address, letter);
    await sendNow(notices, platform);
  };
}

/** What is said of a letter that was written. */
export function mailLine(address: string | undefined): string[] {
  return address === undefined
    ? []
    : [`it is mailed to ${address}; strongroom notify ls tells if it waits`];
}
