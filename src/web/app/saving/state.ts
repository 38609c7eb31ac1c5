/**
 * The state of the download under way, for the views that show it.
 *
 * @module
 */
import { signal } from "@preact/signals";

/** A download that is under way. */
export interface Saving {
  readonly name: string;
  readonly done: number;
  readonly bytes: number;
  /** The number of this zip, of several. */
  readonly part: number;
  readonly parts: number;
  /** Saves the complete file, which waits for the person. */
  readonly save?: () => void;
  /** Names of files that could not be read. */
  readonly unread: readonly string[];
  /** Files that are too large for this browser. */
  readonly left: number;
  readonly fault?: string;
  readonly isOver?: boolean;
  readonly cancel: () => void;
}

/** The download under way; there is one at a time. */
export const saving = signal<Saving | undefined>(undefined);
