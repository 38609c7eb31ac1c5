/**
 * Fixed-window rate budgets, kept in memory (interface.md, Limits: "Counter
 * store").
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
  /** Keys that are counted at once; beyond them every new key is refused. */
  readonly maxKeys?: number;
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
   * again: the end of the key's own window or, when too many keys are counted,
   * at most one window ahead. The first charge of a window may be above the
   * limit: waiting would not make it any smaller.
   */
  charge(key: string, now: number, amount = 1): Refusal | undefined {
    const refusal = this.refusal(key, now, amount);
    if (refusal !== undefined) {
      this.countRefusal();
      return refusal;
    }
    const held = this.#windows.get(key);
    if (held !== undefined) held.used += amount;
    else {
      const endsAt = now + this.budget.windowMs;
      this.#windows.set(key, { endsAt, used: amount });
    }
    return undefined;
  }

  /** What {@link charge} would answer at this instant; nothing is spent. */
  refusal(key: string, now: number, amount = 1): Refusal | undefined {
    const { limit, windowMs, maxKeys = DEFAULT_MAX_KEYS } = this.budget;
    const held = this.#windows.get(key);
    // A clock set back must not make a window outlive its own length.
    if (
      held !== undefined && held.endsAt > now && held.endsAt - now <= windowMs
    ) return held.used + amount > limit ? { retryAt: held.endsAt } : undefined;
    this.#windows.delete(key);
    if (this.#windows.size >= maxKeys) this.#purge(now);
    if (this.#windows.size >= maxKeys) {
      const first = this.#windows.values().next().value;
      return { retryAt: Math.min(first?.endsAt ?? Infinity, now + windowMs) };
    }
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

  /** Counts a refusal that {@link refusal} foretold. */
  countRefusal(): void {
    this.#refused += 1;
  }

  /**
   * Drops lapsed windows. Windows are all of one length and are inserted in
   * the order in which they lapse, so the walk ends at the first that lives.
   */
  #purge(now: number): void {
    for (const [key, window] of this.#windows) {
      if (window.endsAt > now && window.endsAt - now <= this.budget.windowMs) {
        return;
      }
      this.#windows.delete(key);
    }
  }
}

/**
 * Spends one request of several budgets at an instant, or of none of them
 * where one refuses: what is refused costs nothing, and counts no new key.
 */
export function chargeAll(
  charges: readonly (readonly [limiter: Limiter, key: string])[],
  now: number,
): Refusal | undefined {
  for (const [limiter, key] of charges) {
    const refusal = limiter.refusal(key, now);
    if (refusal === undefined) continue;
    limiter.countRefusal();
    return refusal;
  }
  for (const [limiter, key] of charges) limiter.charge(key, now);
  return undefined;
}
