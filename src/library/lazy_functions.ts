/**
 * Functions that few visits of a page need: their code is loaded when they are
 * first called. Each throws a ConnectionError if it cannot be loaded.
 *
 * @module
 */
import { loaded } from "./base/lazy_loading.ts";
import type { Enrolling, Joined, Joining } from "./account/devices.ts";
import type { NewDevice } from "../client/enrollment/enrollment.ts";
import type { GuestBox } from "./sharing/guest_box.ts";
import type { GuestJournal } from "./sharing/guest_journal.ts";
import type { LibraryPlatform } from "./base/platform.ts";
import type { Session } from "./vault/session.ts";
import type { Vault } from "./vault/vault.ts";

export { loaded };

const devices = () => loaded(import("./account/devices.ts"));

/**
 * Hands the account to another device, and adds that device to the directory.
 * Throws EnrollmentError, ApiProblem, and the signal's reason.
 */
export async function enrollDevice(
  vault: Vault,
  enrolling: Enrolling,
): Promise<NewDevice> {
  return await (await devices()).enrollDevice(vault, enrolling);
}

/**
 * Gets the master key from *old*; see `devices.ts`. Throws EnrollmentError,
 * ApiProblem, and a TypeError if the text is no link.
 */
export async function joinAccount(
  platform: LibraryPlatform,
  joining: Joining,
): Promise<Joined> {
  return await (await devices()).joinAccount(platform, joining);
}

/**
 * Opens the vault of a session with the result of {@link joinAccount}. Throws
 * VaultError if the session is of another account, or the server shows another
 * identity than *old* did.
 */
export async function adoptJoined(
  session: Session,
  joined: Joined,
): Promise<Vault> {
  return await (await devices()).adoptJoined(session, joined);
}

/**
 * Opens an upload link. Throws a TypeError if the text is no link, EscrowError
 * for a wrong passphrase, and DocumentError if the server's key is not that of
 * the link's owner, so that nothing is sealed to it.
 */
export async function openGuestBox(
  platform: LibraryPlatform,
  link: string,
  passphrase?: string,
  journal?: GuestJournal,
): Promise<GuestBox> {
  const { openGuestBox: open } = await loaded(import("./sharing/guest_box.ts"));
  return await open(platform, link, passphrase, journal);
}
