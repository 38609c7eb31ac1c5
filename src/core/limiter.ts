/**
 * Rate budgets in fixed windows, kept in memory
 * (protocol/transport.md#budgets).
 *
 * @module
 */

interface Window {
  readonly endsAt: number;
  used: number;
}

interface Budget {
  /** What one key may spend in one window: requests, or bytes. */
  readonly limit: number;
  readonly windowMs: number;
  /** Keys counted at once; one more takes the place of the longest idle. */
  readonly maxKeys?: number;
  /** Whether the first charge of a window, too, must stay within the limit. */
  readonly whole?: boolean;
}

/** The answer to a refused charge: when the caller may try again (ms). */
interface Refusal {
  readonly retryAt: number;
}

const DEFAULT_MAX_KEYS = 100_000;

/** The windows of all keys of one budget. */
export class Limiter {
  readonly #windows = new Map<string, Window>();
  #refused = 0;

  constructor(readonly budget: Budget) {}

  /**
   * Spends one request of a key's budget at an instant, or `amount` of another
   * unit. Returns undefined if the budget had that much left, otherwise the end
   * of the key's window. Unless the budget is `whole`, the first charge of a
   * window may exceed the limit: waiting would not make it any smaller.
   */
  charge(key: string, now: number, amount = 1): Refusal | undefined {
    const refusal = this.refusal(key, now, amount);
    const held = this.#windows.get(key);
    // Moved to the end: the map orders the keys by their last use.
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

  /** What {@link charge} would return at this instant; spends nothing. */
  refusal(key: string, now: number, amount = 1): Refusal | undefined {
    const { limit, windowMs, whole = false } = this.budget;
    if (whole && amount > Math.max(1, limit)) {
      return { retryAt: now + windowMs };
    }
    const held = this.#windows.get(key);
    // A window that ends later than its length allows is from before the clock
    // was set back.
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
   * Forgets the keys that have been idle longest. If a full table refused new
   * keys, one client that fills it would shut out everybody else.
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
 * Spends an amount of several budgets at an instant. If one of them refuses,
 * none is charged and no new key is counted.
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
