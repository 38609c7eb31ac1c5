/**
 * The vault's calls about the server's public logs and their witnesses.
 *
 * @module
 */
import type { LogsReport } from "../../../library/logs/log_checks.ts";
import type { ListedFinding } from "../../../library/logs/logs.ts";
import { ownDevices } from "../../../library/mod.ts";
import {
  policyWith,
  policyWithout,
} from "../../../library/logs/witness_choice.ts";
import {
  leastOf,
  LogPolicyError,
  parseLogPolicy,
} from "../../../crypto/logs/log_policy.ts";
import { tellAlarms } from "./alarms.ts";
import type { VaultContext } from "../vault/context.ts";

/** A change of the account's keys. */
interface KeyChange {
  readonly version: number;
  readonly isOurs: boolean;
  /** The name of the device that made it, where it noted so. */
  readonly device?: string | undefined;
  readonly at?: string | undefined;
}

/** What Safety shows of the logs. */
export interface LogSummary {
  readonly state: LogsReport["state"];
  readonly logs: LogsReport["logs"];
  readonly isWitnessed: boolean;
  readonly witnesses: readonly string[];
  /** Witnesses that have to agree; 0 where none is believed. */
  readonly need: number;
  readonly changes: readonly KeyChange[];
  readonly findings: readonly ListedFinding[];
  readonly receipts: number;
  readonly restarted: boolean;
  /** Files of the app in this browser that are those of the list. */
  readonly appFiles: number;
  /** How this server cosigns; undefined where it is no witness. */
  readonly ownKey: string | undefined;
}

/** The calls of the group `logs`. */
export function logCalls(context: VaultContext) {
  const logs = () => context.opened().logs;
  const choose = async (policy: () => string): Promise<string | undefined> => {
    try {
      await logs().choose(policy());
      return undefined;
    } catch (error) {
      if (error instanceof LogPolicyError) return error.message;
      throw error;
    }
  };
  return {
    /** Checks both logs, and says what is known of them. */
    async summary(): Promise<LogSummary> {
      const { vault } = context.opened();
      const report = await logs().check();
      tellAlarms(context);
      const text = logs().policy;
      const policy = text === undefined ? undefined : parseLogPolicy(text);
      const devices = new Map(
        (await ownDevices(vault)).map(({ id, name }) => [id, name]),
      );
      const config = await vault.session.client.appConfig();
      return {
        state: report.state,
        logs: report.logs,
        isWitnessed: report.isWitnessed,
        witnesses: policy?.witnesses.map(({ name }) => name) ?? [],
        need: policy === undefined ? 0 : leastOf(policy),
        changes: report.own.filter(({ what }) => what === "directory")
          .map(({ version, isOurs, by, at }) => ({
            version,
            isOurs,
            device: by === undefined ? undefined : devices.get(by),
            at,
          })),
        findings: report.findings.filter(({ answered_at }) =>
          answered_at === undefined
        ),
        receipts: report.receipts,
        restarted: report.restarted.length > 0,
        appFiles: report.appFiles,
        ownKey: config.witness_key ?? undefined,
      };
    },

    /** Believes a witness; what is wrong with its key, if anything. */
    believe: (key: string) => choose(() => policyWith(logs().policy, key)),

    /** Believes a witness no more. */
    doubt: (name: string) => choose(() => policyWithout(logs().policy, name)),

    /** Notes that the person knows of something that was found. */
    async answer(id: string): Promise<void> {
      await logs().answer(id);
      tellAlarms(context);
    },

    /** The file that proves a contradiction; undefined where there is none. */
    evidence(): Blob | undefined {
      const file = logs().findings().find((one) => one.file)?.file;
      return file === undefined
        ? undefined
        : new Blob([file], { type: "application/json" });
    },
  };
}
