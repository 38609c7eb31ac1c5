/**
 * The draft of a sign-up. It is kept until sign-up is complete, so that a
 * reload shows the same words.
 *
 * @module
 */
import type { CredentialStore } from "../../../library/mod.ts";

/** The state of a sign-up. */
export interface Draft {
  /** The 24 words that are shown. Secret. */
  readonly words: string;
  readonly step: "words" | "check" | "phrase";
  /** Whether the person will write down words later; those will be new ones. */
  readonly later?: boolean;
}

/** Reads the draft, if there is one. */
export async function readDraft(
  credentials: CredentialStore,
): Promise<Draft | undefined> {
  const bytes = await credentials.read();
  if (bytes === undefined) return undefined;
  // This program wrote and sealed it, so it need not be checked.
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Stores a draft, replacing the previous one. */
export async function writeDraft(
  credentials: CredentialStore,
  draft: Draft,
): Promise<Draft> {
  await credentials.write(new TextEncoder().encode(JSON.stringify(draft)));
  return draft;
}
