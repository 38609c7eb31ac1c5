/**
 * What a server has of the process that it runs in, and what a test gives it
 * instead.
 *
 * @module
 */
import type { Config } from "../config.ts";
import type { Log } from "../core/platform.ts";
import { startLogging } from "./logging.ts";
import { listenForSignals, type Signals } from "./signals.ts";

export interface Host {
  /** Listens for what the operator, or the system, tells it. */
  readonly signals: (log: Log) => Signals;
  /** Sends the platform's log to where it belongs. */
  readonly startLogging: (config: Config) => Promise<void>;
}

/** A process of its own: its signals, and its standard error for the log. */
export const OWN_PROCESS: Host = { signals: listenForSignals, startLogging };
