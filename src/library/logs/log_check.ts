/**
 * What one check of the public logs works with, and what it has found so far.
 * The parts of the check (`log_following.ts`, `log_keys.ts` and the others) read
 * from it and report to it.
 *
 * @module
 */
import { toRfc3339 } from "../../core/time.ts";
import type { Custody } from "../trust/custody.ts";
import { isOfEverything } from "../base/faults.ts";
import type { LogName } from "./log_reading.ts";
import type {
  LogFault,
  LogFinding,
  LogsRecord,
  SeenCheckpoint,
} from "../trust/log_record.ts";
import type { LogState } from "./log_state.ts";
import type { ShownDirectories } from "../trust/log_shown.ts";
import type { Store } from "../base/store.ts";
import type { Trust } from "../trust/trust.ts";
import type { TrustRecord } from "../trust/trust_record.ts";
import type { Vault } from "../vault/vault.ts";

/** What checking works with. */
export interface LogContext {
  readonly vault: Vault;
  readonly store: Store;
  readonly trust: Trust;
  readonly custody: Custody;
  readonly shown: ShownDirectories;
}

/** One run of the check. */
export class LogCheck {
  /** The time of the check, which every finding has. */
  readonly now: string;
  readonly found: Record<string, LogFinding> = {};
  /** Logs that began again after a restore, and said so. */
  readonly restarted: string[] = [];

  constructor(
    readonly context: LogContext,
    /** What this device keeps of the logs; written when the check ends. */
    public state: LogState,
  ) {
    this.now = toRfc3339(context.vault.session.platform.now());
  }

  get trusted(): TrustRecord {
    return this.context.trust.record;
  }

  get record(): LogsRecord {
    return this.trusted.logs ?? { seen: {}, evidence: {} };
  }

  /** The newest checkpoint of a log that any device saw. */
  before(name: LogName): (SeenCheckpoint & { origin: string }) | undefined {
    const [newest] = Object.entries(this.record.seen)
      .filter(([origin]) => origin.includes(`/${name}/`))
      .map(([origin, seen]) => ({ ...seen, origin }))
      .toSorted((a, b) =>
        a.at === b.at ? b.size - a.size : a.at < b.at ? 1 : -1
      );
    return newest;
  }

  /** Adds a finding; one of the same kind and id stands once. */
  tell(kind: LogFault, id: string, detail: string, file?: string): void {
    this.found[`${kind} ${id}`] = {
      kind,
      detail,
      at: this.now,
      ...file === undefined ? {} : { file },
    };
  }

  /**
   * Does a part of the check. An answer that fits nothing becomes a finding:
   * otherwise a server could keep every check from coming to an end.
   */
  async attempt<T>(
    part: string,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isOfEverything(error)) throw error;
      const why = error instanceof Error ? error.message : String(error);
      this.tell(
        "gone",
        part,
        `the server cannot be checked (${part}): ${why}`,
      );
      return undefined;
    }
  }
}
