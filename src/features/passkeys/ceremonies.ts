/**
 * Challenges of passkeys that wait for an answer, in memory: nobody without an
 * account writes to the disk (protocol/authentication.md#passkeys).
 *
 * @module
 */
import type { Subject } from "../lockout/store.ts";
import { livesUntil, MINUTE_MS } from "../../core/time.ts";

/** For how long a challenge may be answered (ms). */
export const CHALLENGE_MS = 5 * MINUTE_MS;
/** Challenges of one account that may be open at once. */
const OF_ONE = 5;

/** Who signs in with the answer to a challenge. */
export interface SigningIn {
  /** Of the address that was named: an account's, or nobody's. */
  readonly subject: Subject | undefined;
}

/** A challenge, and for whom it is. */
export interface PasskeyCeremony<W> {
  /** Base64url, as the client returns it. */
  readonly challenge: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
  readonly who: W;
}

/** Open challenges of one kind. */
export class PasskeyCeremonies<W> {
  readonly #pending = new Map<string, PasskeyCeremony<W>>();

  constructor(private readonly capacity: number) {}

  /**
   * Keeps a challenge; false when there is no room for it. Of those of one
   * `owner` the oldest ends where there are too many.
   */
  begin(
    id: string,
    ceremony: PasskeyCeremony<W>,
    now: number,
    isOfOwner: (who: W) => boolean = () => false,
  ): boolean {
    const own: string[] = [];
    for (const [key, { expiresAt, who }] of this.#pending) {
      if (!livesUntil(expiresAt, CHALLENGE_MS, now)) this.#pending.delete(key);
      else if (isOfOwner(who)) own.push(key);
    }
    for (const key of own.slice(0, Math.max(0, own.length + 1 - OF_ONE))) {
      this.#pending.delete(key);
    }
    if (this.#pending.size >= this.capacity) return false;
    this.#pending.set(id, ceremony);
    return true;
  }

  /** Takes a challenge out: whatever comes of it, it is spent. */
  burn(id: string, now: number): PasskeyCeremony<W> | undefined {
    const ceremony = this.#pending.get(id);
    this.#pending.delete(id);
    return ceremony !== undefined &&
        livesUntil(ceremony.expiresAt, CHALLENGE_MS, now)
      ? ceremony
      : undefined;
  }
}
