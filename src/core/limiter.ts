/**
 * Fixed-window rate budgets, kept in memory (protocol/transport.md#budgets).
 *
 * @module
 */

interface Window {
  readonly endsAt: number;
  used: number;
}

export interface Budget {
  /** What one key may spend in one window: requests, or bytes. */
  readonly limit: number;
  readonly windowMs: number;
  /** Keys that are counted at once; a further one takes the idlest's place. */
  readonly maxKeys?: number;
  /** Whether nothing may cost more than a window has, not the first either. */
  readonly whole?: boolean;
}

/** What a refused charge tells: when the caller may come again (ms). */
export interface Refusal {
  readonly retryAt: number;
}

const DEFAULT_MAX_KEYS = 100_000;

/** One kind of budget: its windows and its own ceiling of keys. */
export class Limiter {
  readonly #windows = new Map<string, Window>();
  #refused = 0;

  constructor(readonly budget: Budget) {}

  /**
   * Spends one request of a key's budget at an instant, or `amount` of another
   * unit. Answers undefined when it was there to spend, otherwise when to come
   * again: the end of the key's own window. The first charge of a window may
   * be above the limit, where the budget does not say otherwise: waiting would
   * not make it any smaller.
   */
  charge(key: string, now: number, amount = 1): Refusal | undefined {
    const refusal = this.refusal(key, now, amount);
    const held = this.#windows.get(key);
    // Again at the end: the order of the keys is that of their last use.
    this.#windows.delete(key);
    if (held !== undefined) this.#windows.set(key, held);
    if (refusal !== undefined) {
      this.#refused += 1;
      return refusal;
    }
    if (held !== undefined) {
      held.used += amount;
      return undefined;
    }
    this.#makeRoom();
    const endsAt = now + this.budget.windowMs;
    this.#windows.set(key, { endsAt, used: amount });
    return undefined;
  }

  /** What {@link charge} would answer at this instant; nothing is spent. */
  refusal(key: string, now: number, amount = 1): Refusal | undefined {
    const { limit, windowMs, whole = false } = this.budget;
    if (whole && amount > Math.max(1, limit)) {
      return { retryAt: now + windowMs };
    }
    const held = this.#windows.get(key);
    // A clock set back must not make a window outlive its own length.
    if (
      held !== undefined && held.endsAt > now && held.endsAt - now <= windowMs
    ) return held.used + amount > limit ? { retryAt: held.endsAt } : undefined;
    this.#windows.delete(key);
    return limit < 1 ? { retryAt: now + windowMs } : undefined;
  }

  /** Keys counted now, for metrics. */
  get size(): number {
    return this.#windows.size;
  }

  /** Charges refused so far, for metrics. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Forgets whoever has been idle longest. Refusing instead would let one
   * client that fills the table shut out everybody else.
   */
  #makeRoom(): void {
    const { maxKeys = DEFAULT_MAX_KEYS } = this.budget;
    for (const key of this.#windows.keys()) {
      if (this.#windows.size < maxKeys) return;
      this.#windows.delete(key);
    }
  }
}

/**
 * Spends an amount of several budgets at an instant, or of none of them where
 * one refuses: what is refused costs nothing, and counts no new key.
 */
export function chargeAll(
  charges: readonly (readonly [limiter: Limiter, key: string])[],
  now: number,
  amount = 1,
): Refusal | undefined {
  const refusing = charges.find(([limiter, key]) =>
    limiter.refusal(key, now, amount) !== undefined
  );
  if (refusing !== undefined) {
    return refusing[0].charge(refusing[1], now, amount);
  }
  for (const [limiter, key] of charges) limiter.charge(key, now, amount);
  return undefined;
}
