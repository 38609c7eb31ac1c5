/**
 * Checking phrases that people choose: none may be the account's password,
 * which the server sees at every sign-in.
 *
 * @module
 */
import { type PhraseFault, phraseFault } from "../../client/library/mod.ts";
import type { VaultContext } from "./context.ts";

/** A phrase was refused. */
export class PhraseRefused extends Error {
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
 * Throws {@link PhraseRefused} for a phrase that is not allowed. If the
 * password was not typed since this page was opened, the person is asked for
 * it.
 */
export async function checkPhrase(
  context: VaultContext,
  phrase: string,
): Promise<void> {
  const { account } = context.signedIn();
  let { password } = context;
  if (password === undefined && (await account.profile()).has_password) {
    password = await context.ask("password");
    if (password === undefined) throw new PhraseRefused("cancelled");
    await account.reauthenticate(password);
    context.password = password;
  }
  const fault = phraseFault(phrase, password);
  if (fault !== undefined) throw new PhraseRefused(fault);
}

/**
 * Seals what this browser keeps under a phrase; undefined removes the phrase.
 */
export async function sealBrowser(
  context: VaultContext,
  phrase: string | undefined,
): Promise<void> {
  if (phrase !== undefined) await checkPhrase(context, phrase);
  await context.signedIn().settled();
  await context.keep.sealUnder(phrase);
}
