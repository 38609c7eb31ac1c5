/**
 * Whether the public logs are witnessed, and whether a witness has seen
 * something else.
 *
 * @module
 */
import { DAY_MS, toRfc3339 } from "../../../core/time.ts";
import {
  nameOfWitness,
  type WitnessStatus,
} from "../../../features/log/witness_operator.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, fault } = findingsOf("witnesses");

/** A server may be off for so long. */
const SILENT_MS = DAY_MS;
/** For how long a new beginning of the logs is reported. */
const TOLD_MS = 30 * DAY_MS;

/** What there is to judge; instants in ms. */
export interface Witnessing {
  readonly witnessStatus: readonly WitnessStatus[];
  /** Why and when the logs began again without a restore. */
  readonly begun: { readonly reason: string; readonly at: number } | undefined;
  /** Origins of witnessed logs that signed two trees of one size. */
  readonly contradicted: readonly string[];
}

const OLD_MEND =
  "look for a newer copy of the data directory, and tell people to " +
  "keep their files: everything stored after this copy is missing; if there " +
  "is no newer one, stop the server and run strongroom adopt-copy";

/** Judges what witnesses said, where there are any. */
export function judgeWitnesses(
  { witnessStatus, begun, contradicted }: Witnessing,
  now: number,
): Finding[] {
  const findings: Finding[] = [];
  if (begun !== undefined && now - begun.at < TOLD_MS) {
    findings.push(fault(
      `the public logs began again on ${toRfc3339(begun.at)}: ` +
        `${begun.reason}`,
      OLD_MEND,
    ));
  }
  findings.push(
    ...witnessStatus.flatMap((one) => judgeStatus(one, now) ?? []),
    ...contradicted.map((origin) =>
      warning(
        `${origin}, which this server witnesses, signed two trees of one size`,
        "`strongroom witness ls --json` has both checkpoints: show them to " +
          "the people of that server",
      )
    ),
  );
  if (findings.length > 0 || witnessStatus.length === 0) return findings;
  const names = new Set(
    witnessStatus.map(({ witness }) => nameOfWitness(witness.verifier_key)),
  );
  return [ok(`asked ${[...names].join(" and ")}: none contradicts`)];
}

function judgeStatus(
  { witness, origin, said }: WitnessStatus,
  now: number,
): Finding | undefined {
  const name = nameOfWitness(witness.verifier_key);
  switch (said?.fault) {
    case "ahead":
    case "contradicts":
      return fault(
        `${name} has seen ${
          said.fault === "ahead" ? "more" : "another tree"
        } ` +
          `of ${origin}: this data directory is older, or that witness lies`,
        OLD_MEND + "; then restart the server: its logs get another name",
      );
    case "unknown_log":
    case "signature_refused":
      return warning(
        `${name} does not know ` +
          (said.fault === "unknown_log" ? origin : `the key of ${origin}`),
        "send its operator what `strongroom log show` prints, for " +
          "`strongroom witness add`",
      );
    case "wrong_answer":
      return warning(
        `${name} answers with a cosignature of another key, or not as a ` +
          "witness does",
        "ask its operator what `strongroom witness key` prints now, and add " +
          "that",
      );
    case "silent":
    case "busy":
      return now - (said.fault_since ?? now) < SILENT_MS ? undefined : warning(
        `${name} has been silent since ${toRfc3339(said.fault_since ?? now)}`,
        `check whether ${witness.url} can be reached from here, and ask ` +
          "its operator",
      );
    default:
      return undefined;
  }
}
