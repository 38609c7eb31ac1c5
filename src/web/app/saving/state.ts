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
  /** Files of a zip that are in it, of all, where that is followed. */
  readonly files?: { readonly done: number; readonly of: number };
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

/** Sends the bytes of a file over a port. */
export type Open = (port: MessagePort) => unknown;

/** What of a download one zip is. */
export interface Share {
  readonly part: number;
  readonly parts: number;
  /** Files that are in none. */
  readonly left: number;
  /** Files in this one. */
  readonly files?: number;
  /** Files and bytes of the parts so far, which each part adds to. */
  readonly saved?: { files: number; bytes: number };
  /** The name by which the vault tells its progress. */
  readonly job?: string | undefined;
}

/** All of it is one zip. */
export const WHOLE: Share = { part: 1, parts: 1, left: 0 };

/** The download under way; there is one at a time. */
export const saving = signal<Saving | undefined>(undefined);
