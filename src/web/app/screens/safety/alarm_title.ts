/**
 * The sentence about photos with an alarm.
 *
 * @module
 */
import type { VaultEvents } from "../../../workers/vault/context.ts";
import { messages } from "../../messages.ts";

/** What the server lost is called so; anything else is said more broadly. */
export function alarmTitle(
  { count, lost }: Pick<VaultEvents["alarms"], "count" | "lost">,
): string {
  const { safety } = messages.value;
  return lost === count
    ? safety.lost({ n: count })
    : safety.alarm({ n: count });
}
