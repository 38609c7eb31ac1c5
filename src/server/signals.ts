/**
 * What the operator, or the system, tells a server that runs.
 *
 * @module
 */
import type { Log } from "../core/platform.ts";

export interface Signals {
  /** SIGTERM or SIGINT, or the terminal that it was started from is gone. */
  readonly stop: Promise<void>;
  /** A second signal to stop: whoever sent it will not wait. */
  readonly hurry: Promise<void>;
  /** Calls `reload` at every SIGHUP that is no lost terminal. */
  readonly onReload: (reload: () => void) => void;
}

/** Listens for signals from here on, for as long as the process lives. */
export function listenForSignals(log: Log): Signals {
  const stop = Promise.withResolvers<void>();
  const hurry = Promise.withResolvers<void>();
  let told = 0;
  const onStop = () => (told += 1) === 1 ? stop.resolve() : hurry.resolve();
  let reload: (() => void) | undefined;
  Deno.addSignalListener("SIGINT", onStop);
  if (Deno.build.os !== "windows") {
    Deno.addSignalListener("SIGTERM", onStop);
    const attended = Deno.stdin.isTerminal();
    Deno.addSignalListener("SIGHUP", () => {
      if (attended) return onStop();
      log.info("reloading");
      reload?.();
    });
  }
  return {
    stop: stop.promise,
    hurry: hurry.promise,
    onReload: (given) => reload = given,
  };
}
