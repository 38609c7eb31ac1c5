/**
 * What a server has of the process that it runs in, and what a test gives it
 * instead.
 *
 * @module
 */
import type { Config } from "../config.ts";
import type { Log } from "../core/platform.ts";
import { descriptorLimit } from "../store/descriptors.ts";
import { startLogging } from "./logging.ts";
import { listenForSignals, type Signals } from "./signals.ts";

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
}

/** A process that may have so many open is not counted any further. */
const MANY_DESCRIPTORS = 4_096;

/** A process of its own: its signals, and its standard error for the log. */
export const OWN_PROCESS: Host = {
  signals: listenForSignals,
  startLogging,
  descriptorLimit: (directory) => descriptorLimit(directory, MANY_DESCRIPTORS),
};
