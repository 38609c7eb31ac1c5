/**
 * Whether the sealing keys are those that second factors were sealed with.
 *
 * @module
 */
import { openAtRest } from "../../crypto/seal.ts";
import type { Db } from "../../store/database.ts";
import { findAnyFactor } from "./store.ts";
import { contextOf } from "./totp.ts";

/** True too where nothing is sealed yet. */
export async function opensFactors(
  db: Db,
  keys: readonly Uint8Array[],
): Promise<boolean> {
  const factor = await findAnyFactor(db);
  if (factor === undefined) return true;
  try {
    openAtRest(keys, factor.sealed_secret, contextOf(factor.user_id));
    return true;
  } catch {
    return false;
  }
}
