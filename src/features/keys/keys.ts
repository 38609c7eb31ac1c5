/**
 * Rotating and listing the server's keys (operator.md, `keys`; interface.md,
 * Credentials 5; completions.md sections 3 and 8).
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import type { Platform } from "../../core/platform.ts";
import { MINUTE_MS, parseRfc3339, toRfc3339 } from "../../core/time.ts";
import { readReceipt, ReceiptError } from "../../crypto/receipt.ts";
import { KEY_GRACE_MS } from "../../crypto/server_keys.ts";
import { type Db, transaction } from "../../store/database.ts";
import { keyGeneration, raiseKeyGeneration } from "../../store/generation.ts";
import { rotateKeyRing, settleKeyRing } from "../../store/keys.ts";
import { requireOwnKeys } from "./belonging.ts";
import { accessKeysAt, attestationKeysAt, type KeyPlace } from "./rings.ts";
import { newestReceipts } from "./store.ts";

/** The keys that are rotated, by what they sign for. */
export const ROTATED = ["access", "attestation"] as const;
/** One of {@link ROTATED}. */
export type RotatedPurpose = typeof ROTATED[number];

/** The clock may have been set back by this much since the newest receipt. */
const CLOCK_SLACK_MS = MINUTE_MS;

/** A key as the operator sees it: nothing of it is secret. */
export interface ListedKey {
  readonly purpose: RotatedPurpose;
  /** Lowercase hex: the `kid` of tokens, the `server_key_id` of receipts. */
  readonly keyId: string;
  /** Milliseconds since the Unix epoch, here and below. */
  readonly activeFrom: number;
  /** Null while it signs. */
  readonly activeTo: number | null;
  /** When tokens of a retired key end; null for receipts, which do not. */
  readonly graceEndsAt: number | null;
}

/**
 * Retires the key that signs and puts a fresh one in its place. A server that
 * runs signs with it from its next request on.
 *
 * The file is written inside the transaction, the one exception beside
 * collection to "a transaction holds SQL alone": nobody else can issue a
 * receipt or rotate meanwhile, so no receipt of the old key is dated after the
 * instant that is written, and what is committed is already on the disk.
 */
export function rotateKey(
  db: Db,
  { files, directory }: KeyPlace,
  purpose: RotatedPurpose,
  { now, random }: Pick<Platform, "now" | "random">,
): Promise<void> {
  return transaction(db, async (tx) => {
    const held = await keyGeneration(tx);
    for (const one of ROTATED) {
      await settleKeyRing(files, directory, one, held);
    }
    const keys = await attestationKeysAt({ files, directory }, held);
    await requireOwnKeys(tx, keys, directory);
    const at = purpose === "access"
      ? now()
      : afterReceipts(await newestReceipts(tx), now());
    const fresh = { now: at, random };
    await rotateKeyRing(files, directory, purpose, fresh, held + 1);
    await raiseKeyGeneration(tx, held + 1);
  });
}

/** An instant (ms), now if possible, that no receipt lies after. */
function afterReceipts(bodies: readonly Uint8Array[], now: number): number {
  const newest = bodies.reduce(
    (at, body) => Math.max(at, parseRfc3339(receivedAtOf(body)) ?? now),
    now,
  );
  if (newest <= now + CLOCK_SLACK_MS) return newest;
  throw new OperatorFault(
    `the newest receipt is dated ${toRfc3339(newest)} and this machine's ` +
      `clock says ${toRfc3339(now)}: set the clock right, then rotate`,
  );
}

/** When a receipt says that it was issued; empty for a damaged one. */
function receivedAtOf(body: Uint8Array): string {
  try {
    return readReceipt(body).received_at;
  } catch (error) {
    if (error instanceof ReceiptError) return "";
    throw error;
  }
}

/** Every key that was ever in force, by purpose, oldest first. */
export async function listKeys(db: Db, place: KeyPlace): Promise<ListedKey[]> {
  const generation = await keyGeneration(db);
  const access = await accessKeysAt(place, generation);
  const attestation = await attestationKeysAt(place, generation);
  return [
    ...access.map(({ key, activeFrom, activeTo }) => ({
      purpose: "access" as const,
      keyId: key.keyId,
      activeFrom,
      activeTo: activeTo ?? null,
      graceEndsAt: activeTo === undefined ? null : activeTo + KEY_GRACE_MS,
    })),
    ...attestation.map(({ signer, activeFrom, activeTo }) => ({
      purpose: "attestation" as const,
      keyId: signer.keyId,
      activeFrom,
      activeTo: activeTo ?? null,
      graceEndsAt: null,
    })),
  ];
}
