/**
 * Who needs a blob, as SQL over a row's hash: collection, backups and checks
 * ask the same of it.
 *
 * @module
 */
import { type RawBuilder, sql } from "kysely";

type Hash = RawBuilder<unknown>;
type Condition = RawBuilder<boolean>;

/** Somebody has been promised the blob's bytes: an asset, or a guest. */
export function promised(hash: Hash): Condition {
  return sql`(exists (select 1 from holding where holding.hash = ${hash})
    or exists (select 1 from guest_upload
      where guest_upload.ciphertext_hash = ${hash}
        and guest_upload.state = 'finalized'))`;
}

/**
 * The blob may come, or has come and is not anybody's yet: an open session, a
 * guest's session or contribution, or a note of a write under way names it.
 */
export function expected(hash: Hash): Condition {
  return sql`(exists (select 1 from upload
      where upload.ciphertext_hash = ${hash} and upload.state = 'open')
    or exists (select 1 from guest_upload
      where guest_upload.ciphertext_hash = ${hash})
    or exists (select 1 from pending_blob where pending_blob.hash = ${hash}))`;
}

/**
 * Somebody has this blob, or may be about to: every placing of a blob follows
 * a committed row, be it an open session, a guest's or a note. Once there is
 * no such row, nothing can be made of the blob's file without placing it anew.
 */
export function referenced(hash: Hash): Condition {
  return sql`(exists (select 1 from holding where holding.hash = ${hash})
    or ${expected(hash)})`;
}
