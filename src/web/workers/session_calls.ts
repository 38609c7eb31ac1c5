/**
 * The vault's calls for signing up, signing in, opening the keys, and signing
 * out.
 *
 * @module
 */
import {
  askProvider,
  beginKeys,
  type EscrowEntry,
  escrowLabelsOf,
  hasWayBack,
  newRecoveryWords,
  NotSignedIn,
  openVault,
  PHRASE_LABEL,
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
} from "../../client/library/mod.ts";
import type { SignedByPasskey } from "../../client/passkey_calls.ts";
import { forgetEscrow } from "./escrow_news.ts";
import type { VaultContext } from "./context.ts";
import { knownDevice, rememberDevice } from "./device_id.ts";
import { type Draft, readDraft, writeDraft } from "./draft.ts";
import { runBehind } from "./following.ts";
import { putRecord, record } from "./credential_store.ts";
import { leave } from "./leaving.ts";
import type { PairingFlow } from "./pairing.ts";
import { askPassword, checkPhrase, sealBrowser } from "./phrases.ts";
import { lockMinutes } from "./lock_setting.ts";
import type { SessionState } from "./session_state.ts";

/** The inputs of a sign-in or sign-up. */
export interface Credentials {
  readonly address: string;
  readonly password: string;
  /** The operator's invitation, for a new account. */
  readonly invitation?: string;
  /** What this browser is called among the devices. */
  readonly browser: string;
}

/** Fetched when one is presented. */
const passkeys = () => import("../../client/library/passkeys.ts");

/** What an authenticator signed, and what its PRF gave, if it has one. */
export interface Presented {
  readonly signed: SignedByPasskey;
  readonly prf?: Uint8Array | undefined;
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
    await context.open(vault);
    context.overtaken = false;
    context.presence.minutes = await lockMinutes();
    runBehind(context);
    return await context.sessionState();
  };

  /** Opens everything that needs no answer of the person. */
  const enter = async (session: Session, passkey?: Presented) => {
    context.session = session;
    context.ended = false;
    await rememberDevice(session);
    try {
      return await opened(await openVault(session, { makeKeys: false }));
    } catch (error) {
      const fault = error instanceof VaultError ? error.fault : undefined;
      if (fault !== "locked" && fault !== "no_keys") throw error;
      if (fault === "locked" && passkey?.prf !== undefined) {
        const { signed, prf } = passkey;
        const { recoverWithPasskey } = await passkeys();
        const vault = await recoverWithPasskey(session, signed.id, prf);
        if (vault !== undefined) return await opened(vault);
      }
      context.waiting = fault === "locked" ? "locked" : "new";
      // The keys that this browser made have never been the account's.
      context.overtaken = fault === "locked" &&
        session.masterKey() !== undefined;
      if (context.overtaken) await context.draft.remove();
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
    /** Sets a new password with the code of an operator's link. */
    resetPassword: (code: string, password: string) =>
      publicClient(context.platform, context.server)
        .resetPassword(code, password),
    /** Notes that somebody looks at a page. */
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
    /** A challenge for a passkey, of the account with an address or of any. */
    async askPasskey(address?: string) {
      const { askPasskey } = await passkeys();
      return await askPasskey(context.platform, context.server, address);
    },
    /** Signs in with a passkey; its PRF opens the keys where it can. */
    async signInWithPasskey(
      { challengeId, presented, address, browser }: {
        readonly challengeId: string;
        readonly presented: Presented;
        readonly address?: string;
        readonly browser: string;
      },
    ) {
      const library = await passkeys();
      const session = await library.signInWithPasskey(context.platform, {
        ...(address === undefined
          ? entrance(browser)
          : { ...await asDevice(address, browser), address }),
        challengeId,
        signed: presented.signed,
      });
      return await enter(session, presented);
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
    /** Hands a picture frame its link by a code. */
    giveFrame: async (link: string) =>
      await (await pairing()).giveFrame(context.opened().vault, link),
    pairingAnswer: async (same: boolean) => (await pairing()).answer(same),
    pairingStop: async () => (await pairing()).stop(),
    answer: (id: number, answer: string | undefined) =>
      context.answer(id, answer),
    /** Ends this thread, and its keys with it, in every tab. */
    lock: () => context.presence.leave("locked"),
    /**
     * Ends the session, and forgets the keys and the stored data about photos.
     */
    async signOut() {
      const session = context.signedIn();
      context.closing.abort();
      await session.signOut().catch(async () => {
        // Without a network, or if the session has ended already, the local
        // data is removed anyway.
        await session.forget();
      });
      await leave(context, session.userId);
    },
    /** Forgets the person, whose session has ended. */
    async forget() {
      await context.credentials.remove();
      await context.draft.remove();
      context.ended = false;
      await context.close();
      return await context.sessionState();
    },
  };
}

/** The notices that the app shows on every page. */
async function notices(context: VaultContext) {
  const { account } = context.signedIn();
  const [wordsDue, { standing }, { password_reset_at: at }] = await Promise
    .all([areWordsDue(context), account.moderationRecord(), account.profile()]);
  const isNew = at !== null && at !== undefined &&
    await record<string>(resetNoted(context)) !== at;
  return {
    wordsDue,
    suspended: standing === "suspended",
    ...(isNew ? { passwordResetAt: at } : {}),
  };
}

/** The record of the last reset of the password that the person noted here. */
function resetNoted(context: VaultContext): string {
  return `reset-noted-${context.signedIn().userId}`;
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

/** The calls of the second half of sign-up, which survives a reload. */
function signUpCalls(
  context: VaultContext,
  opened: (vault: Vault) => Promise<SessionState>,
) {
  const draft = async (): Promise<Draft> => {
    const held = await readDraft(context.draft);
    if (held !== undefined) return held;
    const words = await newRecoveryWords(context.platform.random);
    return await writeDraft(context.draft, { words, step: "words" });
  };
  return {
    /** The draft of the sign-up, with its words. */
    draft,
    /** Throws for a phrase that is not allowed. */
    checkPhrase: (phrase: string) => checkPhrase(context, phrase),
    saveDraft: (draft: Draft) => writeDraft(context.draft, draft),
    /**
     * Makes the keys, puts them into escrow under the words and the phrase, and
     * opens the library.
     */
    async finishSignUp({ phrase, unlockPhrase }: {
      readonly phrase?: string;
      readonly unlockPhrase?: string;
    }) {
      const session = context.signedIn();
      const { words, later } = await draft();
      const entries: EscrowEntry[] = [];
      // If the person writes words down later, these are not used: new ones
      // will be made.
      if (later !== true) {
        entries.push({ label: WORDS_LABEL, passphrase: words });
      }
      if (phrase !== undefined) {
        await checkPhrase(context, phrase);
        entries.push({ label: PHRASE_LABEL, passphrase: phrase });
      }
      if (unlockPhrase !== undefined) await sealBrowser(context, unlockPhrase);
      try {
        await beginKeys(session, entries);
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
      } finally {
        // After any other failure, the person goes on with the same words.
        if (context.library !== undefined || context.overtaken) {
          await context.draft.remove();
        }
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
    /** Opens the keys with recovery words or a phrase. */
    recover: async (typed: string) =>
      await opened(await recoverVault(context.signedIn(), typed)),
    /** Gets the keys from another device by its link or code. */
    takeDevice: async (given: string) =>
      await opened(await (await pairing()).take(given)),
    /** The labels of the boxes in escrow: `words`, `phrase`. */
    escrowLabels: () => escrowLabelsOf(context.signedIn()),
    /** Whether words or a sentence open the keys again; asks the server. */
    hasWayBack: () => hasWayBack(context.opened().vault),
    /** The notices that the app shows on every page. */
    notices: () => notices(context),
    /** Notes that the person has read of a reset of the password. */
    noteReset: (at: string) => putRecord(resetNoted(context), at),
    /** Notes that the person has read what became of recovery words. */
    noteEscrow: () => forgetEscrow(context),
    newWords: () => newRecoveryWords(context.platform.random),
    /**
     * Puts the keys into escrow under recovery words, which replace earlier
     * ones.
     */
    async keepWords(passphrase: string) {
      const { vault } = context.opened();
      await vault.escrow({ label: WORDS_LABEL, passphrase });
      await forgetEscrow(context);
    },
    readWords: (typed: string) => readRecoveryWords(typed),
    wordsBeginningWith: (start: string) => wordsBeginningWith(start),
  };
}
