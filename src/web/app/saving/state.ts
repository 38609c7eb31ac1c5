/**
 * What is being saved, for whoever draws it.
 *
 * @module
 */
import { signal } from "@preact/signals";

/** A download that is under way. */
export interface Saving {
  readonly name: string;
  readonly done: number;
  readonly bytes: number;
  /** Of several zips, which one this is. */
  readonly part: number;
  readonly parts: number;
  /** It is whole, and waits for the person to save it. */
  readonly save?: () => void;
  /** Names of files that could not be read. */
  readonly unread: readonly string[];
  /** Files that are too large for this browser. */
  readonly left: number;
  readonly fault?: string;
  readonly isOver?: boolean;
  readonly cancel: () => void;
}

/** What is being saved now; one thing at a time. */
export const saving = signal<Saving | undefined>(undefined);
