/**
 * Time that passes when a test says so: whoever sleeps for a second or more is
 * woken by what they wait for, or by the test, and never by a machine's clock.
 *
 * @module
 */
import { sleep } from "../../src/server/sleep.ts";

/** Shorter sleeps only give way to others: they are slept. */
const HELD_MS = 1_000;

export class HeldTime {
  /** Milliseconds that have passed. */
  passed = 0;
  readonly #asleep = new Set<{ readonly endsAt: number; wake(): void }>();
  readonly #watchers = new Set<() => void>();
  /** Sleeps that were held so far, by their length (ms). */
  readonly begun: number[] = [];

  /** As the platform's. */
  readonly sleep = (ms: number, signal: AbortSignal): Promise<void> => {
    if (ms < HELD_MS || signal.aborted) return sleep(ms, signal);
    return new Promise((resolve) => {
      const sleeper = {
        endsAt: this.passed + ms,
        wake: () => {
          this.#asleep.delete(sleeper);
          signal.removeEventListener("abort", sleeper.wake);
          this.#tell();
          resolve();
        },
      };
      this.#asleep.add(sleeper);
      this.begun.push(ms);
      signal.addEventListener("abort", sleeper.wake);
      this.#tell();
    });
  };

  /** Lets time pass: who sleeps no longer than that wakes. */
  advance(ms: number): void {
    this.passed += ms;
    for (const sleeper of [...this.#asleep]) {
      if (sleeper.endsAt <= this.passed) sleeper.wake();
    }
  }

  /** Resolves once so many sleep for at least so long. */
  async asleep(count: number, leastMs: number): Promise<void> {
    const isSo = () =>
      [...this.#asleep]
        .filter(({ endsAt }) => endsAt - this.passed >= leastMs)
        .length >= count;
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        const look = () => {
          this.#watchers.delete(look);
          resolve();
        };
        this.#watchers.add(look);
      });
    }
  }

  #tell(): void {
    for (const look of [...this.#watchers]) look();
  }
}
