/**
 * Pending sign-in ceremonies, in memory
 * (protocol/authentication.md#the-ceremony).
 *
 * @module
 */
import { MINUTE_MS } from "../../core/time.ts";

/** How long a ceremony lives (ms). */
export const CEREMONY_MS = 10 * MINUTE_MS;

export interface Ceremony {
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Replayed byte for byte to the token endpoint. */
  readonly redirectUri: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

export class Ceremonies {
  readonly #pending = new Map<string, Ceremony>();

  constructor(private readonly capacity: number) {}

  /** Whether there is room; what has expired is purged first. */
  hasRoom(now: number): boolean {
    // All live equally long, so they expire in the order of their beginning.
    for (const [state, { expiresAt }] of this.#pending) {
      if (isLive(expiresAt, now)) break;
      this.#pending.delete(state);
    }
    return this.#pending.size < this.capacity;
  }

  /** Keeps a ceremony; false when there is no room for it. */
  begin(state: string, ceremony: Ceremony, now: number): boolean {
    if (!this.hasRoom(now)) return false;
    this.#pending.set(state, ceremony);
    return true;
  }

  /** Takes a ceremony out: whatever comes of it, its state is spent. */
  burn(state: string, now: number): Ceremony | undefined {
    const ceremony = this.#pending.get(state);
    this.#pending.delete(state);
    return ceremony !== undefined && isLive(ceremony.expiresAt, now)
      ? ceremony
      : undefined;
  }
}

/**
 * A clock that is set back must not make a ceremony outlive its length by
 * much, and one that is only put right must not end those in flight.
 */
function isLive(expiresAt: number, now: number): boolean {
  return expiresAt > now && expiresAt - now <= CEREMONY_MS + MINUTE_MS;
}
