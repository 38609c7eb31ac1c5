import type { UserId } from "../../core/ids.ts";
import type { Db, Tx } from "../../store/sqlite/database.ts";

/** Sets the identity anchor if the account has none yet. */
export async function anchorIdentity(
  tx: Tx,
  userId: UserId,
  identityKey: Uint8Array,
): Promise<void> {
  await tx.updateTable("account")
    .set({ identity_key: identityKey })
    .where("user_id", "=", userId)
    .where("identity_key", "is", null)
    .execute();
}

/** Stores a directory unless one of its version or a newer one is held. */
export async function putDirectory(
  tx: Tx,
  directory: {
    readonly userId: UserId;
    readonly version: number;
    readonly body: Uint8Array<ArrayBuffer>;
    readonly bodyHash: string;
    readonly publishedAt: number;
  },
): Promise<boolean> {
  const values = {
    version: directory.version,
    body: directory.body,
    body_hash: directory.bodyHash,
    published_at: directory.publishedAt,
  };
  const { numInsertedOrUpdatedRows } = await tx.insertInto("directory")
    .values({ user_id: directory.userId, ...values })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet(values)
        .where("directory.version", "<", directory.version)
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function noteDirectoryVersion(
  tx: Tx,
  userId: UserId,
  version: number,
): Promise<void> {
  await tx.updateTable("account")
    .set({ directory_version: version })
    .where("user_id", "=", userId)
    .execute();
}

export function findDirectory(db: Db, userId: UserId) {
  return db.selectFrom("directory")
    .select(["version", "body", "body_hash", "published_at"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}
