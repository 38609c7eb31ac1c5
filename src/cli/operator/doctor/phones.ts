/**
 * Whether telephones that used to send to `strongroom receive` on this machine
 * still do.
 *
 * @module
 */
import { say } from "../../../core/sentence.ts";
import { counted } from "../../../core/sizes.ts";
import { silentDays, silentDevices } from "../../receive/silence.ts";
import type { LastReceived } from "../../receive/spool_schema.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning } = findingsOf("phones");

/** Judges when telephones sent last. */
export function judgePhones(
  phones: readonly LastReceived[],
  now: number,
): Finding[] {
  if (phones.length === 0) {
    return [ok("none sends to strongroom receive on this machine")];
  }
  const silent = silentDevices(phones, now);
  if (silent.length === 0) {
    return [
      ok(say("{1}, none silent for a week", counted(phones.length, "phone"))),
    ];
  }
  return silent.map((phone) =>
    warning(
      say(
        "{1} has sent nothing for {2}",
        phone.name,
        counted(silentDays(phone, now), "day"),
      ),
      "open the app that uploads on the phone; strongroom receive status " +
        "tells more",
    )
  );
}
