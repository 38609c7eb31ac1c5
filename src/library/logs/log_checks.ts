/**
 * Checking the server's public logs: that each goes on from what this account
 * has seen of it, that witnesses whom the person believes saw the same, and
 * that what it says of this account is what its devices did
 * (protocol/logs.md#what-a-client-checks).
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import { sha256Hex } from "../../crypto/sha256.ts";
import { userSubject } from "./log_entries.ts";
import type { SignedHead } from "./log_reading.ts";
import type {
  LogFault,
  LogFinding,
  SeenCheckpoint,
} from "../trust/log_record.ts";
import { readLogState, writeLogState } from "./log_state.ts";
import { type LogReceipts, lookUpReceipts } from "./log_receipts.ts";
import { entryOf } from "../base/merging.ts";
import { directoryOf } from "../vault/naming.ts";
import { withLogs } from "../trust/trust_rules.ts";
import { LogCheck, type LogContext } from "./log_check.ts";
import { followLog } from "./log_following.ts";
import { checkOwnEntries, type OwnPublication } from "./log_own.ts";
import { checkPeople } from "./log_people.ts";
import { checkApp } from "./log_app.ts";
import { judgeWitnesses, type WitnessedLog } from "./log_witnesses.ts";

export { parseLogPolicy } from "../../crypto/logs/log_policy.ts";

/** What a check found. */
export interface LogsReport {
  readonly at: string;
  /** `off`: the server has no logs, and never showed any. */
  readonly state: "checked" | "off";
  readonly logs: readonly WitnessedLog[];
  /**
   * Whether enough witnesses saw every log that this server ever showed, as it
   * is shown now.
   */
  readonly isWitnessed: boolean;
  /** The account's own entries, oldest first. */
  readonly own: readonly OwnPublication[];
  /** SHA-256 of the web app that the log names last. */
  readonly app: string | undefined;
  /** Files of the web app here that are those of the log; 0 outside browsers. */
  readonly appFiles: number;
  /** Receipts that were found in the log. */
  readonly receipts: number;
  /** Logs that began again after a restore, and said so. */
  readonly restarted: readonly string[];
  /** What is wrong. */
  readonly findings: readonly (LogFinding & { readonly id: string })[];
}

/** What a check looks at. */
export interface LogsOptions {
  /** Default: `sample`. */
  readonly receipts?: LogReceipts;
  /** Of the web app: `pages` leaves the browser's cache out. Default: `whole`. */
  readonly app?: "whole" | "pages";
}

/** Checks both logs. Throws what is about the connection or the session. */
export async function checkLogs(
  context: LogContext,
  { receipts = "sample", app = "whole" }: LogsOptions = {},
): Promise<LogsReport> {
  const { trust, store, vault: { session } } = context;
  if (!trust.fresh) await trust.read();
  const check = new LogCheck(context, await readLogState(store));
  const keys = await check.attempt("keys", () => followLog(check, "keys"));
  const custody = await check.attempt(
    "custody",
    () => followLog(check, "custody"),
  );
  const entries = keys === undefined
    ? { own: [], appFiles: 0 }
    : await compareEntries(check, app === "whole");
  const looked = custody === undefined
    ? 0
    : await check.attempt("receipts", () => lookFor(check, custody, receipts));
  const logs: WitnessedLog[] = [];
  for (const head of [keys, custody]) {
    if (head !== undefined) logs.push(await judgeWitnesses(check, head));
  }
  await remember(check, [keys, custody].filter((one) => one !== undefined));
  await writeLogState(store, { ...check.state, checked_at: check.now });
  // Before the first receipt there is no log of receipts.
  const isWhole = keys !== undefined &&
    (custody !== undefined || check.before("custody") === undefined);
  const isWitnessed = isWhole && logs.every((one) => one.isWitnessed);
  const isSound = Object.keys(check.found).length === 0;
  if (isSound && isWitnessed && trust.status === "unconfirmed") {
    await confirm(check, session.device.device_id);
  }
  await trust.settle();
  const evidence = trust.record.logs?.evidence ?? {};
  return {
    at: check.now,
    state: logs.length === 0 && Object.keys(check.record.seen).length === 0
      ? "off"
      : "checked",
    logs,
    isWitnessed,
    ...entries,
    app: check.state.keys?.app,
    receipts: looked ?? 0,
    restarted: check.restarted,
    // What was answered stays answered.
    findings: Object.entries({ ...check.found, ...evidence })
      .map(([id, finding]) => ({ id, ...finding })),
  };
}

/** Compares what the keys log says with what is known here. */
async function compareEntries(
  check: LogCheck,
  inCache: boolean,
): Promise<Pick<LogsReport, "own" | "appFiles">> {
  const own = await check.attempt("own", () => checkOwnEntries(check));
  await check.attempt("people", () => checkPeople(check));
  const appFiles = await check.attempt("app", () => checkApp(check, inCache));
  return { own: own ?? [], appFiles: appFiles ?? 0 };
}

/** Looks receipts up in the custody log; how many were found. */
async function lookFor(
  check: LogCheck,
  custody: SignedHead,
  receipts: LogReceipts,
): Promise<number> {
  if (receipts === "none") return 0;
  const { custody: held, vault: { session } } = check.context;
  return await lookUpReceipts(
    { custody: held, session },
    custody,
    receipts,
    (seq) =>
      check.tell(
        "receipt_missing",
        `${custody.origin} ${seq}`,
        `receipt ${seq}, which the server signed, is not in ` +
          custody.origin,
      ),
  );
}

/** Remembers the checkpoints that were verified and what was found. */
async function remember(
  check: LogCheck,
  heads: readonly SignedHead[],
): Promise<void> {
  const seen: Record<string, SeenCheckpoint> = {};
  for (const { origin, size, root, note } of heads) {
    const before = entryOf(check.record.seen, origin);
    if (before !== undefined && before.size >= size) continue;
    seen[origin] = { size, root: toHex(root), note, at: check.now };
  }
  // What may pass, such as a server without logs today, is not kept.
  const evidence = Object.fromEntries(
    Object.entries(check.found).filter(([, { kind }]) => LASTING.has(kind)),
  );
  await check.context.trust.change((record) =>
    withLogs(record, { seen, evidence })
  );
}

/**
 * The newest public entry for this account is the directory that the server
 * shows, so its counter bounds what the slots have to hold.
 */
async function confirm(check: LogCheck, deviceId: string): Promise<void> {
  const { trust, vault: { session } } = check.context;
  const bytes = await directoryOf(session);
  const subject = userSubject(session.userId);
  const newest = entryOf(check.state.keys?.newest ?? {}, subject);
  if (bytes === undefined || newest?.sha256 !== sha256Hex(bytes)) return;
  await trust.change((record) => {
    const device = entryOf(record.devices, deviceId);
    if (device === undefined) return record;
    const confirmed = {
      ...device,
      confirmed_by: "witnesses",
      confirmed_at: check.now,
    };
    return {
      ...record,
      devices: { ...record.devices, [deviceId]: confirmed },
    };
  });
}

const LASTING: ReadonlySet<string> = new Set<LogFault>([
  "entry_lost",
  "contradiction",
  "other_app",
  "went_back",
  "begun_anew",
  "receipt_missing",
  "not_ours",
  "other_directory",
  "other_roster",
]);
