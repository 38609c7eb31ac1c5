/**
 * `push --watch`: what appears in folders is kept once it is still.
 *
 * @module
 */
import { MINUTE_MS, SECOND_MS } from "../../../core/time.ts";
import type { CliContext } from "../cli_context.ts";

/** Notices are lost by some systems: everything is looked at so often. */
const RESCAN_MS = 15 * MINUTE_MS;
/** A file is still being written until nothing happened for so long. */
const STILL_MS = 5 * SECOND_MS;
const LOOK_MS = SECOND_MS / 2;
/** In between, the server is asked so often what other devices changed. */
const FOLLOW_MS = 20 * SECOND_MS;

/**
 * Pushes, and again whenever something changed and it has been still since;
 * until the person ends it. In between it does what is to be done regularly.
 */
export async function watch(
  { platform, monotonic, signal, tell }:
    & Pick<
      CliContext,
      "monotonic" | "signal" | "tell"
    >
    & { readonly platform: Pick<CliContext["platform"], "wait"> },
  paths: readonly string[],
  push: () => Promise<void>,
  follow: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  using watcher = Deno.watchFs([...paths]);
  let changedAt: number | undefined;
  const noticing = (async () => {
    for await (const { kind } of watcher) {
      if (kind !== "access") changedAt = monotonic();
    }
  })();
  const end = () => watcher.close();
  signal.addEventListener("abort", end, { once: true });
  try {
    for (;;) {
      const begun = monotonic();
      let followed = begun;
      changedAt = undefined;
      await push();
      tell({ event: "watching" }, "watching; end with Ctrl-C");
      while (
        !(changedAt !== undefined && monotonic() - changedAt >= STILL_MS) &&
        monotonic() - begun < RESCAN_MS
      ) {
        signal.throwIfAborted();
        await platform.wait(LOOK_MS);
        if (monotonic() - followed < FOLLOW_MS) continue;
        await follow();
        followed = monotonic();
      }
    }
  } finally {
    signal.removeEventListener("abort", end);
    if (!signal.aborted) watcher.close();
    await noticing.catch(() => undefined);
  }
}
