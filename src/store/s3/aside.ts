/**
 * Objects that the database does not know, set aside: they lie where they lay.
 *
 * @module
 */
import { type BlobHash, parseBlobHash } from "../../core/ids.ts";
import type { Aside } from "../blob_store.ts";
import type { Db } from "../database.ts";
import type { LostFile } from "../lost.ts";
import { doom, endAside, findAside, listAside, setAside } from "./ledger.ts";

export function asideOf(
  db: Db,
  sizeOf: (hash: BlobHash) => Promise<number | undefined>,
): Aside {
  return {
    isApart: () => false,
    setAside: (tx, { hash }, day) => setAside(tx, hash, day),
    async *list() {
      let after = "";
      for (;;) {
        const page = await listAside(db, after);
        yield* page;
        const last = page.at(-1);
        if (last === undefined) return;
        after = last.name;
      }
    },
    find: (hash) => findAside(db, hash),
    async bytesOf({ name }: LostFile) {
      const hash = parseBlobHash(name);
      return hash === undefined ? 0 : await sizeOf(hash) ?? 0;
    },
    async remove(tx, { name }) {
      await endAside(tx, name);
      const hash = parseBlobHash(name);
      if (hash !== undefined) await doom(tx, hash);
    },
    putBack: (tx, { name }) => endAside(tx, name),
  };
}
