/** @module */
import { compiledOnce } from "../../store/compiled.ts";
import type { Db } from "../../store/database.ts";

function users(db: Db) {
  return db.selectFrom("account")
    .leftJoin("public_record", "public_record.user_id", "account.user_id")
    .select([
      "account.user_id",
      "account.display_name",
      "account.directory_version",
      "account.identity_key",
      "public_record.handle",
    ]);
}

/** The user of a normalised address. */
export const findByAddress = compiledOnce((db, address: string) =>
  users(db).where("account.address", "=", address)
);

/** The user who opted into anonymous lookup under a handle. */
export const findByHandle = compiledOnce((db, handle: string) =>
  users(db).where("public_record.handle", "=", handle)
);
