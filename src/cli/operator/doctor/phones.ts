/**
 * Whether telephones that used to send to `strongroom receive` on this machine
 * still do.
 *
 * @module
 */
import { counted } from "../../../core/sizes.ts";
import { silentDays, silentDevices } from "../../receive/silence.ts";
import type { LastReceived } from "../../receive/spool.ts";
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
    return [ok(`${counted(phones.length, "phone")}, none silent for a week`)];
  }
  return silent.map((phone) =>
    warning(
      `${phone.name} has sent nothing for ` +
        counted(silentDays(phone, now), "day"),
      "open the app that uploads on the phone; strongroom receive status " +
        "tells more",
    )
  );
}
