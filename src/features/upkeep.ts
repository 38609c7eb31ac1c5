/**
 * The periodic task of a server: it deletes what has expired, as long as the
 * clock by which it has is to be believed, repairs the dates of a clock that was
 * ahead, and reads a slice of the blobs again.
 *
 * @module
 */
import { DAY_MS, toRfc3339 } from "../core/time.ts";
import type { Files } from "../store/files/files.ts";
import { type Db, transaction } from "../store/sqlite/database.ts";
import { SIGN_IN_MS } from "./accounts/set_password.ts";
import { repairSignInDates } from "./accounts/set_password_store.ts";
import { repairCeremonyDates } from "./album_upgrade/store.ts";
import type { App } from "./app.ts";
import type { ClockWatch } from "./clock/clock.ts";
import { collectGarbage, isNothing } from "./garbage_collection/collection.ts";
import { LOCK_MS } from "./lockout/lockout.ts";
import { repairLockoutDates } from "./lockout/store.ts";
import { purgeExpired } from "./purge.ts";
import type { Limits } from "./service_context.ts";
import { repairSessionDates } from "./sessions/store.ts";
import { repairSecondFactorDates } from "./totp/store.ts";
import { repairUploadDates } from "./uploads/store.ts";
import { recountUnknown } from "./usage.ts";
import { RollingCheck } from "./verification/rolling.ts";

/** A clock that is not believed is complained of in every so many rounds. */
const COMPLAIN_EVERY = 6;

/**
 * Walking through all of `blobs/` reads every directory, for what only a crash
 * or a refused write leaves behind: it is done the first time, and then once a
 * day.
 */
export class Upkeep {
  #walkedAt = -Infinity;
  #doubtedRounds = 0;
  readonly #check: RollingCheck;

  constructor(
    private readonly app: App,
    private readonly clock: ClockWatch,
    private readonly signal: AbortSignal,
    place: { readonly files: Files; readonly root: string },
    private readonly emptyLog: () => Promise<void>,
  ) {
    this.#check = new RollingCheck(app, place);
  }

  /** Does one round. */
  async run(): Promise<void> {
    await this.#clean();
    await this.emptyLog();
    try {
      await this.#check.run(this.signal);
    } catch (cause) {
      this.app.platform.log.warn("the deep check did not go on", {
        cause: String(cause),
      });
    }
  }

  async #clean(): Promise<void> {
    const { app } = this;
    if (await app.departures.resume() > 0) app.signals.feedNotifier.notify();
    await this.#recount();
    const { verdict, now, knownAt } = await this.clock.look();
    if (verdict === "ahead") return this.#complain(now, knownAt);
    this.#doubtedRounds = 0;
    if (verdict === "believed") {
      await repairFutureDates(app.db, now, app.limits);
    }
    await purgeExpired(app, now);
    await this.#collect();
  }

  async #recount(): Promise<void> {
    const accounts = await recountUnknown(this.app.db);
    if (accounts === 0) return;
    this.app.platform.log.warn(
      "counted again what accounts store, because a counter was wrong: " +
        "`strongroom check` looks whether more is",
      { accounts },
    );
  }

  #complain(now: number, knownAt: number): void {
    if (this.#doubtedRounds++ % COMPLAIN_EVERY !== 0) return;
    this.app.platform.log.error(
      "the clock is far ahead of when this server ran last, so nothing is " +
        "deleted: set it right; a right one is believed once the server has " +
        "run for a day with it, or after `strongroom gc --clock-is-right`",
      { clock: toRfc3339(now), last_ran: toRfc3339(Math.round(knownAt)) },
    );
  }

  async #collect(): Promise<void> {
    const { app, signal } = this;
    const elapsed = app.platform.monotonic() - this.#walkedAt;
    const walk = elapsed >= DAY_MS;
    const collected = await collectGarbage(app, { walk, signal });
    if (walk) this.#walkedAt = app.platform.monotonic();
    if (isNothing(collected)) return;
    app.platform.log.info("garbage collected", { ...collected });
  }
}

/**
 * Moves dates in the future to now, by a trusted clock: nothing may last until
 * that time has come and for its own length on top.
 */
function repairFutureDates(
  db: Db,
  now: number,
  limits: Pick<Limits, "sessionLifetimeMs" | "uploadTtlMs">,
): Promise<void> {
  return transaction(db, async (tx) => {
    await repairLockoutDates(tx, now, LOCK_MS);
    await repairSecondFactorDates(tx, now);
    await repairSessionDates(tx, now, limits.sessionLifetimeMs);
    await repairUploadDates(tx, now, limits.uploadTtlMs);
    await repairCeremonyDates(tx, now);
    await repairSignInDates(tx, now + SIGN_IN_MS);
  });
}
