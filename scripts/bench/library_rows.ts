/**
 * Rows of a library of any size, written straight into the database: what an
 * account would have uploaded in years. Receipts are stand-ins, and originals
 * have no files.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { COUNT_LIBRARIES } from "../schema.ts";

/** Writes the rows of so many assets, numbered above those that are there. */
export function writeLibraryRows(
  path: string,
  userId: string,
  assets: number,
): void {
  const database = new DatabaseSync(path);
  const now = Date.now();
  const number = `with recursive number(i) as (
    select 1 union all select i + 1 from number where i < ${assets})`;
  const asset = `printf('%08x-0000-4000-8000-%012x', i, i)`;
  const hash = (part: number) => `printf('%064x', i * 4 + ${part})`;
  const user = `'${userId}'`;
  database.exec("pragma synchronous = off; begin");
  for (const [part, role] of ["original", "metadata", "provenance"].entries()) {
    database.exec(`${number} insert into blob (hash, size, stored_at)
      select ${hash(part)}, 1000, ${now} from number`);
    database.exec(`${number} insert into holding
      (owner_id, asset_id, role, hash, size, upload_id, finalized_at,
        receipt_seq, applied)
      select ${user}, ${asset}, '${role}', ${hash(part)}, 1000, ${asset},
        ${now}, 1000000 + i * 3 + ${part}, 1 from number`);
    database.exec(`${number} insert into receipt
      (receipt_seq, owner_id, asset_id, upload_id, receipt_hash, body)
      select 1000000 + i * 3 + ${part}, ${user}, ${asset}, ${asset},
        ${hash(part)}, x'00' from number`);
  }
  database.exec(`${number} insert into feed
    (user_id, action, asset_id, chain_head, at)
    select ${user}, 'create', ${asset}, ${hash(2)}, ${now} from number`);
  database.exec(`${number} insert into asset
    (asset_id, owner_id, state, chain_head, sync_seq, created_at, updated_at)
    select ${asset}, ${user}, 'live', ${hash(2)}, 1000 + i, ${now}, ${now}
    from number`);
  database.exec(`${number} insert into manifest
    (owner_id, asset_id, manifest_hash, action, envelope, sync_seq,
      receipt_seq, applied_at)
    select ${user}, ${asset}, ${hash(2)}, 'create', '{}', 1000 + i,
      1000000 + i * 3 + 2, ${now} from number`);
  database.exec(`update usage set used_bytes = used_bytes + ${assets * 3_000}
    where user_id = ${user}`);
  database.exec(COUNT_LIBRARIES);
  database.exec("commit; pragma wal_checkpoint(truncate)");
  database.close();
}
