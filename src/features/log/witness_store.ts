import { type Selectable, sql } from "kysely";
import { type Db, transaction } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";

/** Why a witness does not cosign. */
export type Fault =
  /** It does not answer, or cannot. */
  | "silent"
  /** It asks to wait. */
  | "busy"
  /** Its operator did not add this log. */
  | "unknown_log"
  /** Its operator added another key of this log. */
  | "signature_refused"
  /** It says what no witness says. */
  | "wrong_answer"
  /** It has seen a larger tree. */
  | "ahead"
  /** It has seen another tree of a size. */
  | "contradicts";

/** A witness that is asked. */
export type WitnessRow = Selectable<Schema["log_witness"]>;

/** What a witness said of a log last. */
export type CosignatureRow = Selectable<Schema["log_cosignature"]>;

export function listWitnesses(db: Db): Promise<WitnessRow[]> {
  return db.selectFrom("log_witness")
    .selectAll()
    .orderBy("added_at")
    .orderBy("verifier_key")
    .execute();
}

/** Adds a witness, up to so many, or gives one another address. */
export function putWitness(
  db: Db,
  witness: WitnessRow,
  most: number,
): Promise<"added" | "moved" | "unchanged" | "full"> {
  return transaction(db, async (tx) => {
    const all = await listWitnesses(tx);
    const { verifier_key, url } = witness;
    const held = all.find((one) => one.verifier_key === verifier_key);
    if (held?.url === url) return "unchanged";
    if (held !== undefined) {
      await tx.updateTable("log_witness").set({ url })
        .where("verifier_key", "=", verifier_key)
        .execute();
      return "moved";
    }
    if (all.length >= most) return "full";
    await tx.insertInto("log_witness").values(witness).execute();
    return "added";
  });
}

/** Takes a witness away, with what it said. */
export async function deleteWitness(
  db: Db,
  verifierKey: string,
): Promise<void> {
  await db.deleteFrom("log_witness")
    .where("verifier_key", "=", verifierKey)
    .execute();
}

export function findCosignature(
  db: Db,
  origin: string,
  verifierKey: string,
): Promise<CosignatureRow | undefined> {
  return db.selectFrom("log_cosignature")
    .selectAll()
    .where("origin", "=", origin)
    .where("verifier_key", "=", verifierKey)
    .executeTakeFirst();
}

/** What all witnesses said of some logs. */
export function cosignaturesOfLogs(
  db: Db,
  origins: readonly string[],
): Promise<CosignatureRow[]> {
  return db.selectFrom("log_cosignature")
    .selectAll()
    .where("origin", "in", origins)
    .execute();
}

interface At {
  readonly origin: string;
  readonly verifier_key: string;
}

/** Records a cosignature, unless its witness was taken away meanwhile. */
export async function recordCosignature(
  db: Db,
  { origin, verifier_key }: At,
  { size, cosignature, cosignedAt }: {
    readonly size: number;
    readonly cosignature: string;
    readonly cosignedAt: number;
  },
): Promise<void> {
  await sql`
    insert into log_cosignature
      (origin, verifier_key, size, cosignature, cosigned_at)
    select ${origin}, verifier_key, ${size}, ${cosignature}, ${cosignedAt}
    from log_witness where verifier_key = ${verifier_key}
    on conflict (origin, verifier_key) do update set
      size = excluded.size, cosignature = excluded.cosignature,
      cosigned_at = excluded.cosigned_at, fault = null, fault_since = null`
    .execute(db);
}

/**
 * Records why there is no new cosignature, and keeps the last one and the time
 * of the first failure after it.
 */
export async function recordFault(
  db: Db,
  { origin, verifier_key }: At,
  { fault }: { readonly fault: Fault },
  now: number,
): Promise<void> {
  await sql`
    insert into log_cosignature
      (origin, verifier_key, fault, fault_since)
    select ${origin}, verifier_key, ${fault}, ${now}
    from log_witness where verifier_key = ${verifier_key}
    on conflict (origin, verifier_key) do update set
      fault = excluded.fault,
      fault_since = coalesce(fault_since, excluded.fault_since)`
    .execute(db);
}
