/**
 * Blobs that a lifecycle write takes from where they are
 * (protocol/manifests.md#lifecycle-write): a guest's contribution is adopted, or
 * a blob is copied, in the same transaction as the manifest that names it.
 *
 * @module
 */
import type { UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";
import type { OpBlob } from "../../wire/bodies/uploads.ts";
import type { CallBy } from "../call.ts";
import type { TakenBlob } from "../lifecycle/ops.ts";
import { isHeld } from "../lifecycle/store.ts";
import { trashHorizon } from "../trash.ts";
import { moveUsage, takeQuota } from "../usage.ts";
import { findContribution, takeContribution } from "./contributions.ts";
import { hasCopyable, isWhole } from "./copy.ts";

type TakeProblem = "error.account.limit_reached";

/** Where the blobs are that a request names. */
export function takenBlobs(
  call: CallBy<"session", TakeProblem>,
  blobs: readonly OpBlob[],
): readonly TakenBlob[] {
  const copies: OpBlob[] = [];
  return blobs.map((one) => {
    const { blob_role: role, ciphertext_hash: hash, size } = one;
    const { isThere, take } = typeof one.adopts === "string"
      ? adopted(call, one)
      : copied(call, one, [...copies]);
    if (typeof one.copies === "string") copies.push(one);
    return { role, hash, size, isThere, take };
  });
}

type Taking = Pick<TakenBlob, "isThere" | "take">;

function adopted(
  { app, caller: { userId } }: CallBy<"session", TakeProblem>,
  { adopts, blob_role, ciphertext_hash, size }: OpBlob,
): Taking {
  const find = async (db: Db) => {
    if (adopts === undefined || adopts === null) return undefined;
    if (blob_role !== "original") return undefined;
    const now = app.platform.now();
    const held = await findContribution(db, userId, adopts, now);
    return held?.ciphertext_hash === ciphertext_hash && held.size === size
      ? held
      : undefined;
  };
  return {
    isThere: async () => await find(app.db) !== undefined,
    // The bytes change hands: counted once, before and after.
    take: async (tx) => {
      const held = await find(tx);
      return held !== undefined && await takeContribution(tx, held);
    },
  };
}

function copied(
  call: CallBy<"session", TakeProblem>,
  one: OpBlob,
  /** What is copied before it with the same manifest. */
  before: readonly OpBlob[],
): Taking {
  const { copies, blob_role: role, ciphertext_hash: hash, size } = one;
  const { app, caller: { userId }, raise } = call;
  const blob = { role, hash, size };
  const has = async (db: Db) =>
    copies !== undefined && copies !== null &&
    await hasCopyable(call, db, copies, blob);
  return {
    isThere: async () => await has(app.db) && await isWhole(app, blob),
    take: async (tx: Tx) => {
      if (!await has(tx)) return false;
      const used = await newBytes(tx, userId, [...before, one]);
      // Room is asked for here; what is held is counted where it is held.
      const isRoom = await takeQuota(tx, userId, { used }, {
        quotaBytes: app.limits.accountQuotaBytes ?? null,
        trash: trashHorizon(app.platform.now(), app.limits.trashMs),
      });
      // A lifecycle write has no 507 (protocol/manifests.md#lifecycle-write).
      if (!isRoom) {
        throw raise("error.account.limit_reached", {
          extra: { limit: "quota" },
        });
      }
      await moveUsage(tx, userId, { used: -used });
      return true;
    },
  };
}

/** Bytes of the blobs that an account does not hold yet, each once. */
async function newBytes(
  tx: Tx,
  userId: UserId,
  blobs: readonly OpBlob[],
): Promise<number> {
  const sizes = new Map(
    blobs.map((one) => [one.ciphertext_hash, one.size] as const),
  );
  let bytes = 0;
  for (const [hash, size] of sizes) {
    if (!await isHeld(tx, userId, hash)) bytes += size;
  }
  return bytes;
}
