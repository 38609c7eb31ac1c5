/**
 * The small blobs in a backup's database: they have no file of their own, and
 * the hash of the whole database says nothing of what the server had of them.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Db } from "../../store/database.ts";
import { pageOfSmall } from "./store.ts";

/** Names each small blob whose bytes are not those of its hash. */
export async function* damagedSmall(db: Db): AsyncGenerator<string> {
  let page = await pageOfSmall(db, undefined);
  while (page.length > 0) {
    for (const { hash, size, bytes } of page) {
      const actual = createHash("sha256").update(bytes).digest("hex");
      if (bytes.length === size && actual === hash) continue;
      yield `${hash} in the database has the hash ${actual}`;
    }
    page = await pageOfSmall(db, page.at(-1));
  }
}
