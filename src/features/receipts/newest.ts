import type { Platform } from "../../core/platform.ts";
import { parseRfc3339, SECOND_MS, toRfc3339 } from "../../core/time.ts";
import { readReceipt, ReceiptError } from "../../crypto/receipt.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { readNewest } from "./store.ts";

/** As far as a clock may be behind a receipt before that is told. */
const CLOCK_SLACK_MS = 5 * SECOND_MS;

/** Receipts that lie ahead of the clock are told of before others follow. */
export async function tellClock(
  db: Db,
  { now, log }: Pick<Platform, "now" | "log">,
): Promise<void> {
  const receivedAt = await newestReceiptAt(db);
  if (receivedAt === undefined || receivedAt - now() <= CLOCK_SLACK_MS) return;
  log.error(
    "this machine's clock is behind the newest receipt: it was set back, or " +
      "was ahead then; set it right, and look with strongroom doctor",
    { clock: toRfc3339(now()), newest_receipt: toRfc3339(receivedAt) },
  );
}

/**
 * When the newest receipt was given (ms); undefined before the first, and for
 * a damaged one, which `strongroom check` names.
 */
export async function newestReceiptAt(db: Db): Promise<number | undefined> {
  const body = await readNewest(db);
  if (body === undefined) return undefined;
  try {
    return parseRfc3339(readReceipt(body).received_at);
  } catch (error) {
    if (error instanceof ReceiptError) return undefined;
    throw error;
  }
}
