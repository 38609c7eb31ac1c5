/**
 * What a server has of the process that it runs in, and what a test gives it
 * instead.
 *
 * @module
 */
import type { OpenOptions } from "../app.ts";
import type { Config } from "../config.ts";
import type { Log } from "../core/platform.ts";
import { descriptorLimit } from "../store/files/descriptors.ts";
import { startLogging } from "./log/logging.ts";

export interface Host {
  /** Listens for what the operator, or the system, tells it. */
  readonly signals: (log: Log) => Signals;
  /** Sends the platform's log to where it belongs. */
  readonly startLogging: (config: Config) => Promise<void>;
  /**
   * How many descriptors the process may have open, or a number that is never
   * reached; found out with the help of a directory that can be read.
   */
  readonly descriptorLimit: (directory: string) => number;
  /** Starts the threads that write and that hash; workers if not given. */
  readonly threads?: Pick<OpenOptions, "startWriter" | "startArgon2">;
}

/** A process that may have so many open is not counted any further. */
const MANY_DESCRIPTORS = 4_096;

/** A process of its own: its signals, and its standard error for the log. */
export const OWN_PROCESS: Host = {
  signals: listenForSignals,
  startLogging,
  descriptorLimit: (directory) => descriptorLimit(directory, MANY_DESCRIPTORS),
};

interface Signals {
  /** SIGTERM or SIGINT, or the terminal that it was started from is gone. */
  readonly stop: Promise<void>;
  /** A second signal to stop: its sender does not want to wait. */
  readonly hurry: Promise<void>;
  /** Calls `reload` at every SIGHUP that is no lost terminal. */
  readonly onReload: (reload: () => void) => void;
}

/** Listens for signals from here on, for as long as the process lives. */
function listenForSignals(log: Log): Signals {
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
