/**
 * The sentence about photos with an alarm.
 *
 * @module
 */
import type { VaultEvents } from "../../../workers/context.ts";
import { words } from "../../words.ts";

/** What the server lost is called so; anything else is said more broadly. */
export function alarmTitle(
  { count, lost }: Pick<VaultEvents["alarms"], "count" | "lost">,
): string {
  const { kept } = words.value;
  return lost === count ? kept.lost(count) : kept.alarm(count);
}
