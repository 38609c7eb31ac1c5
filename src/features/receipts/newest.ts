/** @module */
import { parseRfc3339 } from "../../core/time.ts";
import { readReceipt, ReceiptError } from "../../crypto/receipt.ts";
import type { Db } from "../../store/database.ts";
import { readNewest } from "./store.ts";

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
