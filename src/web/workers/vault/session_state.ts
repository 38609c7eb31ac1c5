/**
 * The state of a person's session in this browser: out, locked, or with an open
 * library.
 *
 * @module
 */

/** The phases of a person's sign-in. */
type Phase =
  /** No one is signed in here. */
  | "out"
  /**
   * Someone is signed in; the unlock phrase is needed to open what this
   * browser keeps.
   */
  | "sealed"
  /** Signed in with the operator's password: the person chooses their own. */
  | "password"
  /** Signed in to an account without keys: sign-up continues. */
  | "new"
  /** Signed in; this device does not have the account's keys. */
  | "locked"
  /** The library is open. */
  | "open";

/** Whether the person is signed in, and how. */
export interface SessionState {
  readonly phase: Phase;
  readonly userId?: string;
  readonly address?: string;
  readonly deviceId?: string;
  /** Set if the server ended the session. */
  readonly ended?: true;
  /** Set if another device made the keys while this one was about to. */
  readonly overtaken?: true;
  /** Whether the password of the phase `password` was typed just now. */
  readonly knowsPassword?: true;
  /** Whether an unlock phrase opens what this browser keeps. */
  readonly phrase?: boolean;
  /** Whether this browser remembers the person beyond the page. */
  readonly lasts?: boolean;
  /** Set if the keys go with the page, and nothing else opens the account. */
  readonly onlyHere?: true;
}
