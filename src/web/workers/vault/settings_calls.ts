/**
 * The vault's calls of the settings: profile, security, sessions, devices,
 * storage, and this browser.
 *
 * @module
 */
import {
  deleteAccount,
  ownDevices,
  publicClient,
  renameDevice,
  signOutEverywhere,
  type Vault,
} from "../../../library/mod.ts";
import { wantsStacks, withStacks } from "../../../library/showing/stacks.ts";
import { ownRows } from "../library/alarms.ts";
import type { VaultContext } from "./context.ts";
import { eachOnce } from "../media/zip_plan.ts";
import { runBehind } from "../library/following.ts";
import { followLockSetting } from "./keys_here.ts";
import { keepLockMinutes, lockMinutes } from "./lock_setting.ts";
import { needsPassword, sealBrowser } from "./phrases.ts";
import { forgetHiddenPin, openHidden, setHiddenPin } from "./hidden_pin.ts";
import { leave } from "./leaving.ts";

/** The lock of hidden photos in this browser. */
interface HiddenLockState {
  /** Whether there is a PIN, which locks them. */
  readonly isSet: boolean;
  readonly isOpen: boolean;
}

/** The calls of the group `settings`. */
export function settingsCalls(context: VaultContext) {
  const account = () => context.signedIn().account;
  /** Runs a call that ends the session; if it fails, the library goes on. */
  const ending = async (end: (vault: Vault) => Promise<unknown>) => {
    const { vault } = context.opened();
    context.closing.abort();
    try {
      await end(vault);
    } catch (error) {
      context.closing = new AbortController();
      runBehind(context);
      throw error;
    }
    await leave(context, vault.session.userId);
  };
  return {
    async profile() {
      const { userId } = context.signedIn();
      const [profile, user] = await Promise.all([
        account().profile(),
        account().lookUp({ user_id: userId }),
      ]);
      return { ...profile, handle: user.handle ?? undefined };
    },
    rename: (name: string) => account().rename(name === "" ? null : name),
    /**
     * Sets the name by which others find the person; an empty one removes it.
     */
    setHandle: (handle: string) =>
      handle === ""
        ? account().withdrawRecord()
        : account().publishRecord(handle),
    async changePassword(current: string, next: string) {
      await context.signedIn().changePassword(current, next);
      context.password = next;
    },
    /**
     * Begins a second factor for an authenticator app; it is active only after
     * a code confirms it.
     */
    beginSecondFactor: () =>
      context.signedIn().recently(() => account().enrollTotp()),
    confirmSecondFactor: (code: string) => account().confirmTotp(code),
    endSecondFactor: (code: string) => account().disableTotp(code),
    devices: () => ownDevices(context.opened().vault),
    /** How far this browser can vouch for what it knows. */
    trustStatus: () => Promise.resolve(context.opened().trust.status),
    /** Whether photos that are hidden elsewhere may be visible here. */
    mayMissHidden: () => Promise.resolve(context.opened().trust.mayMissHidden),
    /** Goes on without what the account's lost devices knew. */
    goOn: (only: "people" | "library") => context.opened().trust.goOn(only),
    nameDevice: (id: string, name: string) =>
      renameDevice(context.opened().vault, id, name),
    endSession: (id: string) => account().revokeSession(id),
    /**
     * Ends every session of the account. Throws NoWayBack without words.
     */
    signOutEverywhere: () => ending(signOutEverywhere),
    /** Whether a new phrase needs the password, too. */
    needsPassword: () => needsPassword(context),
    /**
     * The used room, and the own photos: the server counts assets, so that a
     * copy in an album is one, although its bytes count once.
     */
    async usage() {
      const usage = await account().usage();
      const library = context.opened();
      const photos = eachOnce([...ownRows(library)], library.vault).length;
      return { ...usage, photos };
    },
    record: () => account().moderationRecord(),
    /** Whether photos of one moment are one in a list. */
    wantsStacks: () => wantsStacks(context.opened().state.held.settings),
    async turnStacks(isOn: boolean) {
      await context.opened().state.change((held) => ({
        ...held,
        settings: withStacks(held.settings, isOn, context.platform.now()),
      }));
      context.changed();
    },
    lockMinutes: () => lockMinutes(),
    async setLockMinutes(minutes: number) {
      await keepLockMinutes(minutes);
      await followLockSetting(context);
    },
    /**
     * Seals what this browser keeps under a phrase; undefined removes the
     * phrase.
     */
    async sealBrowser(phrase: string | undefined, password?: string) {
      await sealBrowser(context, phrase, password);
      await followLockSetting(context);
      context.tell("sessionState", await context.sessionState());
    },
    /** Whether a PIN locks hidden photos, and whether they are open. */
    hiddenLock(): HiddenLockState {
      const { isSet = true, isOpen = false } = context.hidden?.lock ?? {};
      return { isSet, isOpen };
    },
    /** Opens hidden photos for a while; false if the PIN is wrong. */
    openHidden: (pin: string) => openHidden(context, pin),
    /** Sets their PIN, or removes it; while they are open only. */
    setHiddenPin: (pin: string | undefined) => setHiddenPin(context, pin),
    /**
     * Removes a PIN that was forgotten, with the password, or the 24 words of an
     * account without one; false if they are wrong.
     */
    forgetHiddenPin: (proof: string) => forgetHiddenPin(context, proof),
    closeHidden: () => context.closeHidden(),
    async about() {
      const client = publicClient(context.platform, context.server);
      const { version } = await client.appConfig();
      const { signer } = context.opened().vault.identity;
      return { version, fingerprint: signer.keyId };
    },
    /** The origin of links, and the one at which the person signed in. */
    origins(): { readonly links: string; readonly opened: string } {
      const { links, opened } = context.opened().origins;
      return { links, opened };
    },
    /** The origin that the server names, if it is not that of links. */
    suggestedOrigin: () => context.opened().origins.suggested(),
    /** Makes an origin that the person confirmed the one of links. */
    confirmOrigin: (origin: string) => context.opened().origins.confirm(origin),
    /** Deletes the account and everything in it, for ever. */
    deleteAccount: () => ending(deleteAccount),
  };
}
