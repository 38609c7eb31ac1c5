import { CLOCK_SLACK_MS } from "../../core/time.ts";
import type { Db } from "../../store/database.ts";

/**
 * Lets failures of the future have been now, and locks of the future end when
 * their length has passed from now.
 */
export async function repairLockoutDates(
  db: Db,
  now: number,
  lockMs: number,
): Promise<void> {
  for (const table of ["password_failure", "unknown_failure"] as const) {
    await db.updateTable(table).set({ failed_at: now })
      .where("failed_at", ">", now + CLOCK_SLACK_MS)
      .execute();
  }
  for (const table of ["password_lock", "unknown_lock"] as const) {
    await db.updateTable(table).set({ locked_until: now + lockMs })
      .where("locked_until", ">", now + lockMs + CLOCK_SLACK_MS)
      .execute();
  }
}
