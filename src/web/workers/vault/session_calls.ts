/**
 * The vault's calls for signing up, signing in, opening the keys, and signing
 * out.
 *
 * @module
 */
import {
  askProvider,
  escrowLabelsOf,
  keepWords,
  newRecoveryWords,
  NotSignedIn,
  openVault,
  publicClient,
  readRecoveryWords,
  recoverVault,
  registerAccount,
  resumeSession,
  type Session,
  signIn,
  signInReturned,
  type Vault,
  VaultError,
  WORDS_LABEL,
  wordsBeginningWith,
} from "../../../library/mod.ts";
import { keepEscrow } from "../../../library/vault/kept_escrow.ts";
import { forgetEscrow } from "./escrow_news.ts";
import { spoken } from "./spoken.ts";
import type { VaultContext } from "./context.ts";
import { runBehind } from "../library/following.ts";
import { putRecord, record } from "./credential_store.ts";
import { leave } from "./leaving.ts";
import type { PairingFlow } from "./pairing.ts";
import { askPassword, sealBrowser } from "./phrases.ts";
import {
  dropHere,
  followLockSetting,
  forgetHere,
  keysHere,
} from "./keys_here.ts";
import type { SessionState } from "./session_state.ts";
import { utf8 } from "../../../core/bytes.ts";
import { sha256Hex } from "../../../crypto/sha256.ts";

/** The inputs of a sign-in or sign-up. */
interface Credentials {
  readonly address: string;
  readonly password: string;
  /** The operator's invitation, for a new account. */
  readonly invitation?: string;
  /** What this browser is called among the devices. */
  readonly browser: string;
}

/** The calls of the group `session`. */
export function sessionCalls(context: VaultContext) {
  const keeping = {
    credentials: context.credentials,
    present: () => askPassword(context),
  };
  const entrance = (browser: string) => ({
    ...keeping,
    server: context.server,
    device: { name: browser, platform: "web" },
  } as const);
  let flow: PairingFlow | undefined;
  const pairing = async () => {
    const { PairingFlow } = await import("./pairing.ts");
    return flow ??= new PairingFlow(context);
  };
  /**
   * The entrance with the device id that this browser remembers for an account.
   */
  const asDevice = async (address: string, browser: string) => {
    const device_id = await knownDevice(address);
    const given = entrance(browser);
    return device_id === undefined
      ? given
      : { ...given, device: { ...given.device, device_id } };
  };

  const opened = async (vault: Vault) => {
    const { session } = vault;
    if (session.escrow() === undefined) {
      // Whether these are the only keys is known from the first page on.
      // Without an answer, the sync asks again.
      await keepEscrow(session, false).catch(() => {});
    }
    await context.open(vault);
    context.overtaken = false;
    await followLockSetting(context);
    runBehind(context);
    return await context.sessionState();
  };

  /** Opens everything that needs no answer of the person. */
  const enter = async (session: Session) => {
    context.session = session;
    context.ended = false;
    await rememberDevice(session);
    if (session.mustChangePassword()) {
      const state = await context.sessionState();
      context.tell("sessionState", state);
      return state;
    }
    try {
      return await opened(await openVault(session, { makeKeys: false }));
    } catch (error) {
      const fault = error instanceof VaultError ? error.fault : undefined;
      if (fault !== "locked" && fault !== "no_keys") throw error;
      context.waiting = fault === "locked" ? "locked" : "new";
      // The keys that this browser made have never been the account's.
      context.overtaken = fault === "locked" &&
        session.masterKey() !== undefined;
      const state = await context.sessionState();
      context.tell("sessionState", state);
      return state;
    }
  };

  const resume = async () => {
    if (context.session !== undefined) return await context.sessionState();
    try {
      const session = await resumeSession(context.platform, keeping);
      return await enter(session);
    } catch (error) {
      if (!(error instanceof NotSignedIn)) throw error;
      context.ended = await context.credentials.read() !== undefined;
      context.endedAddress = error.address;
      return await context.sessionState();
    }
  };

  return {
    state: () => context.sessionState(),
    /** Resumes the session that this browser keeps. */
    resume,
    /** The server's facts for the pages before sign-in. */
    server: () => publicClient(context.platform, context.server).appConfig(),
    /** Takes the language of the pages. */
    speaks(language: string): void {
      if (spoken.language === language) return;
      spoken.language = language;
      if (context.library !== undefined) context.changed();
    },
    /** Notes that a page is looked at. */
    looked: () => context.presence.looked(),
    async register(
      { address, password, invitation, browser }: Credentials,
    ) {
      const session = await registerAccount(context.platform, {
        ...entrance(browser),
        address,
        password,
        ...(invitation === undefined ? {} : { invitation }),
      });
      context.password = password;
      return await enter(session);
    },
    async signIn({ address, password, browser }: Credentials) {
      const session = await signIn(context.platform, {
        ...await asDevice(address, browser),
        address,
        password,
        code: (attempt) => context.ask("code", attempt),
      });
      context.password = password;
      return await enter(session);
    },
    /**
     * Replaces a password that the operator set by the person's own, and goes
     * on; `given` is the operator's, unless it was typed just now. Undefined if
     * the two are the same.
     */
    async replacePassword(next: string, given?: string) {
      const session = context.signedIn();
      const current = given ?? context.password ?? "";
      if (next === current) return undefined;
      await session.changePassword(current, next);
      context.password = next;
      return await enter(session);
    },
    /** Begins a sign-in at the identity provider. */
    askProvider: () =>
      askProvider(context.platform, context.server, `${context.server}/`),
    /** Completes it with the address by which the person came back. */
    async signInReturned(returned: string, state: string, browser: string) {
      const session = await signInReturned(context.platform, {
        ...entrance(browser),
        returned,
        state,
        code: (attempt) => context.ask("code", attempt),
      });
      return await enter(session);
    },
    ...signUpCalls(context, opened),
    ...unlockCalls(context, pairing, opened, resume),
    /** Hands the account to another device; resolves to that device's name. */
    giveDevice: async () =>
      await (await pairing()).give(context.opened().vault),
    pairingAnswer: async (same: boolean) => (await pairing()).answer(same),
    pairingStop: async () => (await pairing()).stop(),
    answer: (id: number, answer: string | undefined) =>
      context.answer(id, answer),
    /** Ends this thread, and its keys with it, in every tab. */
    lock: () => context.presence.leave("locked"),
    /** The keys of this browser, and what else opens the account. */
    keysHere: () => keysHere(context),
    /**
     * Ends the session, and forgets the keys and the stored data about photos;
     * without a network only here. Throws NoWayBack if nothing else opens the
     * account.
     */
    async signOut() {
      const { userId } = context.signedIn();
      await dropHere(context);
      await leave(context, userId);
    },
    /**
     * Forgets the person whose session has ended, or whose browser is locked.
     * Throws NoWayBack as {@link signOut} does.
     */
    async forget() {
      await forgetHere(context);
      context.ended = false;
      await context.close();
      return await context.sessionState();
    },
  };
}

/** The notices that the app shows on every page. */
async function notices(context: VaultContext) {
  const { account } = context.signedIn();
  const [wordsDue, { standing }] = await Promise
    .all([areWordsDue(context), account.moderationRecord()]);
  return {
    wordsDue,
    suspended: standing === "suspended",
  };
}

/**
 * Asks the server until words are kept, because another device may keep them.
 */
async function areWordsDue(context: VaultContext): Promise<boolean> {
  const { userId } = context.signedIn();
  const name = `words-kept-${userId}`;
  if (await record<boolean>(name) === true) return false;
  const labels = await context.opened().vault.escrowLabels();
  const kept = labels.includes(WORDS_LABEL);
  if (kept) await putRecord(name, true);
  return !kept;
}

/** The second half of sign-up, which a reload begins again. */
function signUpCalls(
  context: VaultContext,
  opened: (vault: Vault) => Promise<SessionState>,
) {
  return {
    /**
     * Makes the keys and opens the library. With a phrase, this browser keeps
     * the keys under it.
     */
    async finishSignUp(unlockPhrase: string | undefined) {
      const session = context.signedIn();
      if (unlockPhrase !== undefined) await sealBrowser(context, unlockPhrase);
      try {
        return await opened(await openVault(session));
      } catch (error) {
        const isOvertaken = error instanceof VaultError &&
          error.fault === "locked";
        if (!isOvertaken) throw error;
        context.waiting = "locked";
        context.overtaken = true;
        const state = await context.sessionState();
        context.tell("sessionState", state);
        return state;
      }
    },
  };
}

/** The calls that open the keys on a device that has none. */
function unlockCalls(
  context: VaultContext,
  pairing: () => Promise<PairingFlow>,
  opened: (vault: Vault) => Promise<SessionState>,
  resume: () => Promise<SessionState>,
) {
  return {
    /** Opens what this browser keeps; undefined if the phrase is wrong. */
    async unlock(phrase: string) {
      return await context.credentials.unlock(phrase)
        ? await resume()
        : undefined;
    },
    /** Opens the keys with what the person wrote down. */
    recover: async (typed: string) =>
      await opened(await recoverVault(context.signedIn(), typed)),
    /** Gets the keys from another device by its link or code. */
    takeDevice: async (given: string) =>
      await opened(await (await pairing()).take(given)),
    /** The labels of the boxes in escrow. */
    escrowLabels: () => escrowLabelsOf(context.signedIn()),
    /** The notices that the app shows on every page. */
    notices: () => notices(context),
    /** Whether the account has photos that could be lost with its keys. */
    hasPhotos: () => context.opened().index.size > 0,
    /** Notes that the person has read what became of recovery words. */
    noteEscrow: () => forgetEscrow(context),
    newWords: () => newRecoveryWords(context.platform.random),
    /**
     * Puts the keys into escrow under recovery words, which replace earlier
     * ones.
     */
    async keepWords(words: string) {
      const { vault } = context.opened();
      await keepWords(vault, words);
      await forgetEscrow(context);
      await followLockSetting(context);
      context.tell("sessionState", await context.sessionState());
    },
    readWords: (typed: string) => readRecoveryWords(typed),
    wordsBeginningWith: (start: string) => wordsBeginningWith(start),
  };
}

/**
 * The device id that an account had here. It stays after signing out, so that a
 * new sign-in adds no new device to the account's list. It is no secret, and no
 * address can be read from its record.
 */
function knownDevice(address: string): Promise<string | undefined> {
  return record<string>(nameOf(address));
}

/** Remembers the id; an account without an address gets a new one each time. */
async function rememberDevice(session: Session): Promise<void> {
  if (session.address === undefined) return;
  await putRecord(nameOf(session.address), session.device.device_id);
}

function nameOf(address: string): string {
  return `device-${sha256Hex(utf8(address.trim().toLowerCase()))}`;
}
