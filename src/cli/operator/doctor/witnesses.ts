/**
 * Whether the public logs are witnessed, and whether a witness has seen
 * something else.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
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
interface Witnessing {
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
      say(
        "the public logs began again on {1}: {2}",
        toRfc3339(begun.at),
        begun.reason,
      ),
      OLD_MEND,
    ));
  }
  findings.push(
    ...witnessStatus.flatMap((one) => judgeStatus(one, now) ?? []),
    ...contradicted.map((origin) =>
      warning(
        say(
          "{1}, which this server witnesses, signed two trees of one size",
          origin,
        ),
        "`strongroom witness ls --json` has both checkpoints: show them to " +
          "the people of that server",
      )
    ),
  );
  if (findings.length > 0 || witnessStatus.length === 0) return findings;
  const names = new Set(
    witnessStatus.map(({ witness }) => nameOfWitness(witness.verifier_key)),
  );
  return [ok(say("asked {1}: none contradicts", [...names].join(" and ")))];
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
        say(
          "{1} has seen {2} of {3}: this data directory is older, or that " +
            "witness lies",
          name,
          said.fault === "ahead" ? "more" : "another tree",
          origin,
        ),
        OLD_MEND + "; then restart the server: its logs get another name",
      );
    case "unknown_log":
    case "signature_refused":
      return warning(
        say(
          "{1} does not know {2}",
          name,
          said.fault === "unknown_log" ? origin : `the key of ${origin}`,
        ),
        "send its operator what `strongroom log show` prints, for " +
          "`strongroom witness add`",
      );
    case "wrong_answer":
      return warning(
        say(
          "{1} answers with a cosignature of another key, or not as a " +
            "witness does",
          name,
        ),
        "ask its operator what `strongroom witness key` prints now, and add " +
          "that",
      );
    case "silent":
    case "busy":
      return now - (said.fault_since ?? now) < SILENT_MS ? undefined : warning(
        say(
          "{1} has been silent since {2}",
          name,
          toRfc3339(said.fault_since ?? now),
        ),
        say(
          "check whether {1} can be reached from here, and ask its operator",
          witness.url,
        ),
      );
    default:
      return undefined;
  }
}
