/**
 * Whether the sealing keys are those that second factors were sealed with.
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import { openAtRest } from "../../crypto/seal.ts";
import type { Db } from "../../store/sqlite/database.ts";
import { listSomeFactors } from "./store.ts";
import { contextOf } from "./totp.ts";

/** True too where nothing is sealed yet; one that opens vouches for all. */
export async function opensFactors(
  db: Db,
  keys: readonly Uint8Array[],
): Promise<boolean> {
  const factors = await listSomeFactors(db);
  return factors.length === 0 ||
    factors.some(({ user_id, sealed_secret }) => {
      try {
        openAtRest(keys, sealed_secret, contextOf(user_id));
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * Refuses sealing keys that open none of the second factors
 * ({@link OperatorFault}): what is sealed with them would be lost as soon as
 * the right ones are put back.
 */
export async function requireSealingKeys(
  db: Db,
  keys: readonly Uint8Array[],
  directory: string,
): Promise<void> {
  if (await opensFactors(db, keys)) return;
  throw new OperatorFault(
    `${directory}/sealing.json does not open the second factors of ` +
      "this database: restore the key file that belongs to it, from the " +
      "same backup",
  );
}
