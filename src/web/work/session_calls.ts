/**
 * Signing up, signing in, opening the keys, and leaving.
 *
 * @module
 */
import {
  askProvider,
  beginKeys,
  type EscrowEntry,
  escrowLabelsOf,
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
import { browserName } from "./browser_name.ts";
import type { Standing, VaultContext } from "./context.ts";
import { knownDevice, rememberDevice } from "./device_id.ts";
import { type Draft, readDraft, writeDraft } from "./draft.ts";
import { runBehind } from "./following.ts";
import { putRecord, record } from "./keep.ts";
import { leave } from "./leaving.ts";
import { PairingDesk } from "./pairing.ts";
import { askPassword, checkPhrase, sealBrowser } from "./phrases.ts";
import { lockMinutes } from "./lock_setting.ts";

/** What a person gives to get in. */
export interface Credentials {
  readonly address: string;
  readonly password: string;
  /** Of the operator's, for somebody new. */
  readonly invitation?: string;
}

/** The calls of the group `session`. */
export function sessionCalls(context: VaultContext) {
  const entrance = {
    server: context.server,
    device: { name: browserName(navigator.userAgent), platform: "web" },
    keep: context.keep,
    present: () => askPassword(context),
  } as const;
  const desk = new PairingDesk(context);
  /** The same device each time, in a browser that forgot everything else. */
  const asDevice = async (address: string) => {
    const device_id = await knownDevice(address);
    return device_id === undefined
      ? entrance
      : { ...entrance, device: { ...entrance.device, device_id } };
  };

  const opened = async (vault: Vault) => {
    await context.open(vault);
    context.presence.minutes = await lockMinutes();
    runBehind(context);
    return await context.standing();
  };

  /** Opens what can be opened without asking the person anything. */
  const enter = async (session: Session) => {
    context.session = session;
    context.ended = false;
    await rememberDevice(session);
    try {
      return await opened(await openVault(session, { makeKeys: false }));
    } catch (error) {
      const fault = error instanceof VaultError ? error.fault : undefined;
      if (fault !== "locked" && fault !== "no_keys") throw error;
      context.waiting = fault === "locked" ? "locked" : "new";
      const standing = await context.standing();
      context.tell("standing", standing);
      return standing;
    }
  };

  const resume = async () => {
    if (context.session !== undefined) return await context.standing();
    try {
      const session = await resumeSession(context.platform, entrance);
      return await enter(session);
    } catch (error) {
      if (!(error instanceof NotSignedIn)) throw error;
      context.ended = await context.keep.read() !== undefined;
      return await context.standing();
    }
  };

  return {
    standing: () => context.standing(),
    /** Goes on with what this browser keeps. */
    resume,
    /** What the server says of itself before anybody signs in. */
    server: () => publicClient(context.platform, context.server).appConfig(),
    /** A page is being looked at. */
    looked: () => context.presence.looked(),
    async register({ address, password, invitation }: Credentials) {
      const session = await registerAccount(context.platform, {
        ...entrance,
        address,
        password,
        ...(invitation === undefined ? {} : { invitation }),
      });
      context.password = password;
      return await enter(session);
    },
    async signIn({ address, password }: Credentials) {
      const session = await signIn(context.platform, {
        ...await asDevice(address),
        address,
        password,
        code: (attempt) => context.ask("code", attempt),
      });
      context.password = password;
      return await enter(session);
    },
    /** Where the person goes to sign in elsewhere, and comes back from. */
    askProvider: () =>
      askProvider(context.platform, context.server, `${context.server}/`),
    /** Goes on with the address that they came back by. */
    async signInReturned(returned: string, state: string) {
      const session = await signInReturned(context.platform, {
        ...entrance,
        returned,
        state,
        code: (attempt) => context.ask("code", attempt),
      });
      return await enter(session);
    },
    ...signUpCalls(context, opened),
    ...unlockCalls(context, desk, opened, resume),
    /** Hands the account to another device; its name. */
    giveDevice: () => desk.give(context.opened().vault),
    pairingAnswer: (same: boolean) => desk.answer(same),
    pairingStop: () => desk.stop(),
    answer: (id: number, answer: string | undefined) =>
      context.answer(id, answer),
    /** Ends this thread and the keys with it, in every tab. */
    lock: () => context.presence.leave("locked"),
    /** Ends the session, and forgets the keys and what was kept of photos. */
    async signOut() {
      const session = context.signedIn();
      context.closing.abort();
      await session.signOut().catch(async () => {
        // Without a network, or ended elsewhere: what is here goes all the same.
        await session.forget();
      });
      await leave(context, session.userId);
    },
    /** Forgets who was signed in, of whom no session is left. */
    async forget() {
      await context.keep.remove();
      await context.draft.remove();
      context.ended = false;
      await context.close();
      return await context.standing();
    },
  };
}

/** What a person has to know, wherever they are in the app. */
async function notices(context: VaultContext) {
  const [wordsDue, { standing }] = await Promise.all([
    areWordsDue(context),
    context.signedIn().account.moderationRecord(),
  ]);
  return { wordsDue, suspended: standing === "suspended" };
}

/** Asked of the server until it is so: another device may write them down. */
async function areWordsDue(context: VaultContext): Promise<boolean> {
  const { userId } = context.signedIn();
  const name = `words-kept-${userId}`;
  if (await record<boolean>(name) === true) return false;
  const labels = await context.opened().vault.escrowLabels();
  const kept = labels.includes(WORDS_LABEL);
  if (kept) await putRecord(name, true);
  return !kept;
}

/** The second half of signing up, which a reload does not lose. */
function signUpCalls(
  context: VaultContext,
  opened: (vault: Vault) => Promise<Standing>,
) {
  const draft = async (): Promise<Draft> => {
    const held = await readDraft(context.draft);
    if (held !== undefined) return held;
    const words = await newRecoveryWords(context.platform.random);
    return await writeDraft(context.draft, { words, step: "words" });
  };
  return {
    /** How far sign-up is, and the words that it shows. */
    draft,
    /** Refuses what may be no phrase. */
    checkPhrase: (phrase: string) => checkPhrase(context, phrase),
    saveDraft: (draft: Draft) => writeDraft(context.draft, draft),
    /** Makes the keys, keeps the words and the phrase, and opens the library. */
    async finishSignUp({ phrase, unlockPhrase }: {
      readonly phrase?: string;
      readonly unlockPhrase?: string;
    }) {
      const session = context.signedIn();
      const { words, later } = await draft();
      const entries: EscrowEntry[] = [];
      // Put off, they are made anew: nobody wrote these down.
      if (later !== true) {
        entries.push({ label: WORDS_LABEL, passphrase: words });
      }
      if (phrase !== undefined) {
        await checkPhrase(context, phrase);
        entries.push({ label: PHRASE_LABEL, passphrase: phrase });
      }
      if (unlockPhrase !== undefined) await sealBrowser(context, unlockPhrase);
      await beginKeys(session, entries);
      const standing = await opened(await openVault(session));
      await context.draft.remove();
      return standing;
    },
  };
}

/** The ways to the keys on a device that has none. */
function unlockCalls(
  context: VaultContext,
  desk: PairingDesk,
  opened: (vault: Vault) => Promise<Standing>,
  resume: () => Promise<Standing>,
) {
  return {
    /** Opens what this browser keeps; undefined where the phrase is wrong. */
    async unlock(phrase: string) {
      return await context.keep.unlock(phrase) ? await resume() : undefined;
    },
    /** Opens the keys with recovery words or a phrase. */
    recover: async (typed: string) =>
      await opened(await recoverVault(context.signedIn(), typed)),
    /** Opens the keys with what another device shows. */
    takeDevice: async (given: string) => await opened(await desk.take(given)),
    /** What is in escrow: `words`, `phrase`. */
    escrowLabels: () => escrowLabelsOf(context.signedIn()),
    /** What the person is told at the head of every page. */
    notices: () => notices(context),
    newWords: () => newRecoveryWords(context.platform.random),
    /** Puts the keys into escrow under recovery words, in place of others. */
    async keepWords(passphrase: string) {
      const { vault } = context.opened();
      await vault.escrow({ label: WORDS_LABEL, passphrase });
    },
    readWords: (typed: string) => readRecoveryWords(typed),
    wordsBeginningWith: (start: string) => wordsBeginningWith(start),
  };
}
