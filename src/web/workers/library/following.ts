/**
 * Following the server's feed while the library is open.
 *
 * @module
 */
import { mayPass } from "../../../client/api/send.ts";
import { sleep } from "../../browser.ts";
import { tellAlarms } from "./alarms.ts";
import { tellEscrow } from "../vault/escrow_news.ts";
import { tellStillShown } from "../vault/still_shown.ts";
import type { VaultContext } from "../vault/context.ts";
import { SlotNews } from "./slot_news.ts";
import { faultOf } from "../../../client/stream/threads/thread_messages.ts";

/** Longest wait of the server for a change (seconds). */
const WAIT_SECONDS = 30;
const PAUSES_MS = [1_000, 5_000, 15_000, 60_000];

/** Starts everything that runs while the library is open. */
export function runBehind(context: VaultContext): void {
  context.presence.watch(context.closing.signal);
  followFeed(context);
}

/** Sends what was changed while the server could not be reached. */
async function resumeChanges(context: VaultContext): Promise<void> {
  const { ownChanges } = await import("./own_changes.ts");
  await (await ownChanges(context)).resume();
}

/** Follows the feed until the context closes; never rejects. */
async function followFeed(context: VaultContext): Promise<void> {
  const { signal } = context.closing;
  const library = context.opened();
  let failures = 0;
  let first = true;
  const news = new SlotNews();
  while (!signal.aborted) {
    try {
      if (first) context.tell("sync", { state: "working" });
      const before = library.trust.mayMissHidden;
      const report = await library.sync({
        signal,
        ...(first ? {} : { wait: WAIT_SECONDS }),
        onProgress: () => context.changed(),
      });
      news.add(report.slots);
      const isNews = [report.changed, report.albums, report.slots]
        .some(({ length }) => length > 0) ||
        library.trust.mayMissHidden !== before;
      if (first || isNews) {
        context.changed();
        tellAlarms(context);
        await context.cacheFirstScreen();
      }
      await tellEscrow(context, report.escrow, first);
      await tellStillShown(context);
      if (first || report.contributions) context.tell("guests", {});
      context.tell("sync", { state: "idle" });
      context.caughtUp.resolve();
      const isNew = first || report.changed.length > 0;
      [failures, first] = [0, false];
      // Loaded after the first photos; without a network, at a later round.
      const checks = await import("./checks.ts").catch(() => undefined);
      if (isNew) {
        await checks?.healLost(context);
        await checks?.proveFew(context);
      }
      await checks?.lookDaily(context);
      await checks?.readLogs(context);
      await checks?.fillAlbums(context);
      await checks?.followLinks(library);
      // Not awaited: other servers may answer late.
      checks?.followAbroad(context, report.contributions).catch(() => {});
      resumeChanges(context).catch(() => {});
      if (checks === undefined) continue;
      await news.read((slots) => checks.followFindings(context, slots));
    } catch (error) {
      if (signal.aborted) return;
      context.caughtUp.resolve();
      const { kind, message, code } = faultOf(error);
      if (code === "error.auth.session_token_invalid") {
        return await context.sessionEnded();
      }
      context.tell("sync", {
        state: mayPass(error) ? "offline" : "refused",
        message: `${kind}: ${message}`,
      });
      const pause = PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)];
      await sleep(pause ?? 0, signal);
    }
  }
}
