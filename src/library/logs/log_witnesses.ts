/**
 * What the person's witnesses say of a checkpoint.
 *
 * @module
 */
import { DAY_MS, toRfc3339 } from "../../core/time.ts";
import {
  judgeNote,
  LogPolicyError,
  parseLogPolicy,
} from "../../crypto/logs/log_policy.ts";
import { parseNote } from "../../crypto/logs/signed_note.ts";
import type { LogName, SignedHead } from "./log_reading.ts";
import { entryOf } from "../base/merging.ts";
import type { LogCheck } from "./log_check.ts";

/** A log as it is shown now, and who cosigned its checkpoint. */
export interface WitnessedLog {
  readonly name: LogName;
  readonly origin: string;
  readonly size: number;
  readonly isWitnessed: boolean;
  readonly witnesses: readonly {
    readonly name: string;
    readonly at: string;
  }[];
}

/** Witnesses cosign again once a day. */
const STALE_MS = 3 * DAY_MS;

/** Judges a checkpoint by the person's policy, and keeps the verdict. */
export async function judgeWitnesses(
  check: LogCheck,
  head: SignedHead,
): Promise<WitnessedLog> {
  const { name, origin, size } = head;
  const text = check.record.policy?.text;
  const note = parseNote(head.note);
  const policy = text === undefined ? undefined : policyOf(text);
  const verdict = policy === undefined || note === undefined
    ? { isMet: false, by: [] }
    : await judgeNote(policy, note);
  const witnesses = verdict.by.map(({ witness, at }) => ({
    name: witness.name,
    at: toRfc3339(at),
  }));
  const before = entryOf(check.state.standing, name);
  const met_at = verdict.isMet && witnesses.length > 0
    ? witnesses.map(({ at }) => at).toSorted()[0]
    : before?.origin === origin
    ? before.met_at
    : undefined;
  check.state = {
    ...check.state,
    standing: {
      ...check.state.standing,
      [name]: {
        origin,
        size,
        is_met: verdict.isMet,
        witnesses,
        ...met_at === undefined ? {} : { met_at },
      },
    },
  };
  // A cosignature of last week says nothing of what is signed since.
  const isWitnessed = verdict.isMet &&
    witnesses.every(({ at }) =>
      Date.parse(check.now) - Date.parse(at) < STALE_MS
    );
  return { name, origin, size, isWitnessed, witnesses };
}

/** A policy; undefined for one that only a newer program reads. */
function policyOf(text: string) {
  try {
    return parseLogPolicy(text);
  } catch (error) {
    if (error instanceof LogPolicyError) return undefined;
    throw error;
  }
}
