/**
 * The server's public logs as an account sees them: whose witnesses it
 * believes, and what was found (protocol/logs.md#whom-a-client-believes). What
 * checks them is loaded when it is needed.
 *
 * @module
 */
import { DAY_MS, parseRfc3339, toRfc3339 } from "../../core/time.ts";
import { loaded } from "../base/lazy_loading.ts";
import type { LogsOptions, LogsReport } from "./log_checks.ts";
import type { LogFinding } from "../trust/log_record.ts";
import type { ShownDirectories } from "../trust/log_shown.ts";
import { after, entryOf } from "../base/merging.ts";
import type { Custody } from "../trust/custody.ts";
import type { Store } from "../base/store.ts";
import type { Trust } from "../trust/trust.ts";
import { withLogs } from "../trust/trust_rules.ts";
import type { Vault } from "../vault/vault.ts";

/** A finding with its id. */
export type ListedFinding = LogFinding & { readonly id: string };

/** The server's public logs. */
export interface LibraryLogs {
  /** The policy as text of tlog-policy; undefined where none was chosen. */
  readonly policy: string | undefined;
  /** Chooses another one. Throws a LogPolicyError. */
  choose(policy: string): Promise<void>;
  /** What was found on any device and not answered yet. */
  findings(): readonly ListedFinding[];
  /** Notes that the person knows of a finding: it is told no more. */
  answer(id: string): Promise<void>;
  /**
   * Checks both logs; see `log_checks.ts`. Throws what is about the connection
   * or the session.
   */
  check(options?: LogsOptions): Promise<LogsReport>;
  /**
   * The same, unless this program did it, and this device within a day. A
   * device's first check leaves the browser's cache out, which would slow down
   * the first photos; the next call looks at it.
   */
  checkIfDue(): Promise<LogsReport | undefined>;
  /** The last report of this program. */
  readonly last: LogsReport | undefined;
}

/** Opens the logs of a vault's server. */
export function openLogs(
  context: {
    readonly vault: Vault;
    readonly store: Store;
    readonly trust: Trust;
    readonly custody: Custody;
    readonly shown: ShownDirectories;
  },
): LibraryLogs {
  const { trust, store, vault: { session: { platform } } } = context;
  let last: LogsReport | undefined;
  let running: Promise<LogsReport> | undefined;
  const checks = () => loaded(import("./log_checks.ts"));
  const findings = () =>
    Object.entries(trust.record.logs?.evidence ?? {})
      .filter(([, { answered_at }]) => answered_at === undefined)
      .map(([id, finding]) => ({ id, ...finding }));
  let wasWhole = false;
  const run = (options?: LogsOptions) => {
    running ??= checks()
      .then(({ checkLogs }) => checkLogs(context, options))
      .then((report) => {
        wasWhole = options?.app !== "pages";
        return last = report;
      })
      .finally(() => running = undefined);
    return running;
  };
  const check: LibraryLogs["check"] = async (options) => {
    const report = await run(options);
    // It may have waited for one that left the cache out.
    return wasWhole || options?.app === "pages" ? report : await run(options);
  };
  return {
    get policy() {
      const text = trust.record.logs?.policy?.text;
      return text === "" ? undefined : text;
    },
    get last() {
      return last;
    },
    findings,
    check,
    async choose(text) {
      if (text !== "") {
        const { parseLogPolicy } = await checks();
        parseLogPolicy(text);
      }
      await trust.change((record) => {
        const at = after(platform.now(), record.logs?.policy?.at);
        return withLogs(record, { policy: { text, at } });
      });
      await trust.settle();
    },
    async answer(id) {
      const finding = entryOf(trust.record.logs?.evidence ?? {}, id);
      if (finding === undefined) return;
      const answered_at = toRfc3339(platform.now());
      await trust.change((record) => {
        const next = withLogs(record, {});
        const evidence = {
          ...next.logs?.evidence,
          [id]: { ...finding, answered_at },
        };
        return { ...next, logs: { seen: {}, ...next.logs, evidence } };
      });
      await trust.settle();
    },
    async checkIfDue() {
      const { readLogState } = await loaded(import("./log_state.ts"));
      const { checked_at } = await readLogState(store);
      if (checked_at === undefined) return await check({ app: "pages" });
      const at = parseRfc3339(checked_at) ?? -Infinity;
      const isDue = !wasWhole || Math.abs(platform.now() - at) > DAY_MS;
      return isDue ? await check() : undefined;
    },
  };
}
