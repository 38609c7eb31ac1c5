/**
 * The database in a backup, as `check` does a server's: the same wherever the
 * backup is.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { PublishedKey } from "../../crypto/receipt_chain.ts";
import { directoriesOf } from "../../store/blobs/blobs.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Files } from "../../store/files/files.ts";
import { storedIn } from "../../store/blobs/small_blobs.ts";
import { type CheckStep, checkStore } from "../verification/check.ts";
import { DATABASE } from "./manifest.ts";
import { pageOfSmall } from "./store.ts";

/** A report keeps so many findings, and counts the others. */
export const MAX_FINDINGS = 10_000;

/** Fixes for faults that the server had before the backup. */
export const SERVER_MENDS = {
  /** An owner has no earlier manifest: `check` knows which it is. */
  blob_lost:
    "the server had already lost it when it was backed up: `strongroom check` " +
    "there says whether its owner can upload it again",
  server_fault:
    "run `strongroom check` on the server: it was already like this " +
    "when it was backed up",
} as const;

/** What of the database is checked; a backup checks its blobs by itself. */
const STEPS: readonly CheckStep[] = [
  "database",
  "holdings",
  "contributions",
  "state",
  "assets",
  "usage",
  "receipts",
];

/** What a backup's database is checked with. */
interface Checking {
  readonly files: Files;
  /** Where the backup has blobs, if it has them as files. */
  readonly dir: string;
  /** Without them only the small blobs are checked. */
  readonly keys: readonly PublishedKey[] | undefined;
  /** Gets each fault, which was the server's already. */
  readonly tell: (subject: string, detail: string) => void;
}

/** Checks the database of a backup; returns how many receipts it has. */
export async function checkDatabase(
  db: Db,
  { files, dir, keys, tell }: Checking,
): Promise<number> {
  let receipts = 0;
  if (keys !== undefined) {
    const stored = { db, ...storedIn(db, directoriesOf(files, dir)), keys };
    const report = await checkStore(stored, { steps: STEPS });
    for (const { kind, subject, detail } of report.findings) {
      tell(subject, `${kind}: ${detail}`);
    }
    receipts = report.summary.checked.receipts;
  }
  for await (const what of damagedSmall(db)) tell(DATABASE, what);
  return receipts;
}

/**
 * Names each small blob whose bytes are not those of its hash: they have no
 * file of their own, and the hash of the whole database says nothing of what
 * the server had of them.
 */
async function* damagedSmall(db: Db): AsyncGenerator<string> {
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
