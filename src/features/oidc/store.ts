import type { UserId } from "../../core/ids.ts";
import type { Tx } from "../../store/sqlite/database.ts";

export async function findIdentity(
  tx: Tx,
  issuer: string,
  subject: string,
): Promise<UserId | undefined> {
  const row = await tx.selectFrom("oidc_identity")
    .select("user_id")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.user_id;
}

export async function insertIdentity(
  tx: Tx,
  identity: {
    readonly issuer: string;
    readonly subject: string;
    readonly userId: UserId;
  },
): Promise<void> {
  await tx.insertInto("oidc_identity")
    .values({
      issuer: identity.issuer,
      subject: identity.subject,
      user_id: identity.userId,
    })
    .execute();
}
