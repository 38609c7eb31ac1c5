/**
 * How far somebody is in signing up: kept until they are done, so that a reload
 * shows the words that they are writing down, and no others.
 *
 * @module
 */
import type { Keep } from "../../client/library/mod.ts";

/** What sign-up remembers. */
export interface Draft {
  /** The 24 words that are shown. Secret. */
  readonly words: string;
  readonly step: "words" | "check" | "phrase";
  /** The person writes words down another time, and other ones then. */
  readonly later?: boolean;
}

/** The draft that there is. */
export async function readDraft(keep: Keep): Promise<Draft | undefined> {
  const bytes = await keep.read();
  if (bytes === undefined) return undefined;
  // Of this program's own making, and sealed since.
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Keeps a draft in place of the one before. */
export async function writeDraft(keep: Keep, draft: Draft): Promise<Draft> {
  await keep.write(new TextEncoder().encode(JSON.stringify(draft)));
  return draft;
}
