/**
 * The quarantine of a bucket: objects that the database does not know stay
 * where they are.
 *
 * @module
 */
import { type BlobHash, parseBlobHash } from "../../../core/ids.ts";
import type { Quarantine } from "../../blobs/blob_store.ts";
import type { Db } from "../../sqlite/database.ts";
import type { QuarantinedFile } from "../../blobs/quarantine_directory.ts";
import {
  doom,
  endQuarantine,
  findQuarantined,
  listQuarantined,
  quarantine,
} from "./ledger.ts";

export function quarantineOf(
  db: Db,
  sizeOf: (hash: BlobHash) => Promise<number | undefined>,
): Quarantine {
  return {
    isApart: () => false,
    keepsAll: () => Promise.resolve(false),
    add: (tx, { hash }, day) => quarantine(tx, hash, day),
    async *list() {
      let after = "";
      for (;;) {
        const page = await listQuarantined(db, after);
        yield* page;
        const last = page.at(-1);
        if (last === undefined) return;
        after = last.name;
      }
    },
    find: (hash) => findQuarantined(db, hash),
    async bytesOf({ name }: QuarantinedFile) {
      const hash = parseBlobHash(name);
      return hash === undefined ? 0 : await sizeOf(hash) ?? 0;
    },
    async remove(tx, { name }) {
      await endQuarantine(tx, name);
      const hash = parseBlobHash(name);
      if (hash !== undefined) await doom(tx, hash);
    },
    putBack: (tx, { name }) => endQuarantine(tx, name),
  };
}
