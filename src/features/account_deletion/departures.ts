/**
 * The accounts that their owners have deleted and that are not emptied out yet:
 * one after the other, and after a crash with the next round of upkeep.
 *
 * @module
 */
import type { UserId } from "../../core/ids.ts";
import type { ServiceContext } from "../service_context.ts";
import { listDeparted } from "./closing_store.ts";
import { emptyOut } from "./emptying.ts";

export class Departures {
  /** Resolves when those before have ended. */
  #turn: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(private readonly context: ServiceContext) {}

  /** Deletes what a closed account has; never rejects. */
  finish(userId: UserId): Promise<void> {
    this.#turn = this.#turn.then(() => this.#finish(userId));
    return this.#turn;
  }

  /** Goes on with all that were begun; returns how many. */
  async resume(): Promise<number> {
    // Whoever is under way is done first, and then no more among them.
    await this.#turn;
    const left = await listDeparted(this.context.db);
    for (const userId of left) await this.finish(userId);
    return left.length;
  }

  /** Ends between two batches; what is left is gone on with another time. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turn;
  }

  async #finish(userId: UserId): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted) return;
    try {
      await emptyOut(this.context, userId, { signal });
    } catch (cause) {
      if (signal.aborted) return;
      this.context.platform.log.warn("account not deleted yet", {
        user_id: userId,
        cause: String(cause),
      });
    }
  }
}
