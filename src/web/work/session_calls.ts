/**
 * Signing up, signing in, opening the keys, and leaving.
 *
 * @module
 */
import {
  newRecoveryWords,
  NotSignedIn,
  openVault,
  recoverVault,
  registerAccount,
  resumeSession,
  type Session,
  signIn,
  VaultError,
  WORDS_LABEL,
} from "../../client/library/mod.ts";
import { removeDatabase } from "./databases.ts";
import { storeName } from "./browser_store.ts";
import type { VaultContext } from "./context.ts";
import { followFeed } from "./following.ts";

/** What a person gives to get in. */
export interface Credentials {
  readonly address: string;
  readonly password: string;
  /** Of the operator's, for somebody new. */
  readonly invitation?: string;
}

/** The calls of the group `session`. */
export function sessionCalls(context: VaultContext) {
  const present = () => context.ask("password");
  const device = {
    name: browserName(navigator.userAgent),
    platform: "web",
  } as const;
  const entrance = {
    server: context.server,
    device,
    keep: context.keep,
    present,
  };

  /** Opens what can be opened without asking the person anything. */
  const enter = async (session: Session) => {
    context.session = session;
    try {
      await context.open(await openVault(session));
      followFeed(context);
    } catch (error) {
      const locked = error instanceof VaultError && error.fault === "locked";
      if (!locked) throw error;
      context.tell("standing", context.standing());
    }
    return context.standing();
  };

  return {
    standing: () => context.standing(),
    /** Goes on with what this browser keeps. */
    async resume() {
      if (context.session !== undefined) return context.standing();
      try {
        const session = await resumeSession(context.platform, {
          keep: context.keep,
          present,
        });
        return await enter(session);
      } catch (error) {
        if (error instanceof NotSignedIn) return context.standing();
        throw error;
      }
    },
    async register({ address, password, invitation }: Credentials) {
      const session = await registerAccount(context.platform, {
        ...entrance,
        address,
        password,
        ...(invitation === undefined ? {} : { invitation }),
      });
      return await enter(session);
    },
    async signIn({ address, password }: Credentials) {
      const session = await signIn(context.platform, {
        ...entrance,
        address,
        password,
        code: (attempt) => context.ask("code", attempt),
      });
      return await enter(session);
    },
    /** Opens the keys with recovery words or a phrase. */
    async recover(typed: string) {
      await context.open(await recoverVault(context.signedIn(), typed));
      followFeed(context);
      return context.standing();
    },
    /** New recovery words; nothing is kept of them until `keepWords`. */
    newWords: () => newRecoveryWords(context.platform.random),
    /** Puts the master key into escrow under recovery words. */
    async keepWords(words: string) {
      await context.opened().vault.escrow({
        label: WORDS_LABEL,
        passphrase: words,
      });
    },
    escrowLabels: () => context.opened().vault.escrowLabels(),
    answer: (id: number, answer: string | undefined) =>
      context.answer(id, answer),
    /** Ends the session, and forgets the keys and what was kept of photos. */
    async signOut() {
      const session = context.signedIn();
      const { userId } = session;
      context.closing.abort();
      await session.signOut().catch(async (error) => {
        // Without a network, or ended elsewhere: what is here goes all the same.
        await session.forget();
        if (error instanceof Error) return;
      });
      context.close();
      await removeDatabase(storeName(userId));
    },
  };
}

/** What this browser is called in the list of devices. */
export function browserName(agent: string): string {
  const browser = [
    ["Edg/", "Edge"],
    ["OPR/", "Opera"],
    ["Firefox/", "Firefox"],
    ["Chrome/", "Chrome"],
    ["Safari/", "Safari"],
  ].find(([mark = ""]) => agent.includes(mark))?.[1] ?? "Browser";
  const system = [
    ["Android", "Android"],
    ["iPhone", "iPhone"],
    ["iPad", "iPad"],
    ["Mac OS X", "Mac"],
    ["Windows", "Windows"],
    ["Linux", "Linux"],
  ].find(([mark = ""]) => agent.includes(mark))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}
