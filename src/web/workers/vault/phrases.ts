/**
 * Checking phrases that people choose: none may be the account's password,
 * which the server sees at every sign-in.
 *
 * @module
 */
import {
  type PhraseFault,
  phraseFault,
  requireWayBack,
  waysBack,
} from "../../../library/mod.ts";
import type { VaultContext } from "./context.ts";

/** A phrase was refused. */
class PhraseRefused extends Error {
  override readonly name = "PhraseRefused";
  constructor(readonly fault: PhraseFault | "cancelled") {
    super(fault);
  }
}

/** Asks the person for the password and remembers it. */
export async function askPassword(
  context: VaultContext,
): Promise<string | undefined> {
  const { account } = context.signedIn();
  // An account that signs in through a provider has no password; it presents a
  // fresh sign-in instead.
  if (!(await account.profile()).has_password) return undefined;
  const password = await context.ask("password");
  if (password !== undefined) context.password = password;
  return password;
}

/**
 * Whether the password is needed to check a phrase: it was not typed since
 * this page was opened.
 */
export async function needsPassword(context: VaultContext): Promise<boolean> {
  return context.password === undefined &&
    (await context.signedIn().account.profile()).has_password;
}

/**
 * Throws {@link PhraseRefused} for a phrase that is not allowed. If the
 * password is needed and was not typed with the phrase, the person is asked for
 * it. The server says whether it is the right one: only then has the phrase
 * been compared with the password.
 */
async function checkPhrase(
  context: VaultContext,
  phrase: string,
  typed?: string,
): Promise<void> {
  if (await needsPassword(context)) {
    const password = typed ?? await context.ask("password");
    if (password === undefined) throw new PhraseRefused("cancelled");
    await context.signedIn().account.reauthenticate(password);
    context.password = password;
  }
  const fault = phraseFault(phrase, context.password);
  if (fault !== undefined) throw new PhraseRefused(fault);
}

/**
 * Seals what this browser keeps under a phrase; undefined removes the phrase.
 * Throws NoWayBack where that would delete the only key: over plain http a
 * browser stores it only under a phrase.
 */
export async function sealBrowser(
  context: VaultContext,
  phrase: string | undefined,
  password?: string,
): Promise<void> {
  if (phrase !== undefined) await checkPhrase(context, phrase, password);
  else if (!context.credentials.lasts) {
    const { vault } = context.opened();
    requireWayBack(await waysBack(vault.session, vault));
  }
  await context.signedIn().settled();
  await context.credentials.sealUnder(phrase);
}
