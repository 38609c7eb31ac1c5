/**
 * Assets that receipts prove and nothing else tells of: the server confirmed
 * that it stored them, and this device has no row of them and no deletion. They
 * are asked for by name; what the server denies becomes a row, missing.
 *
 * @module
 */
import { toHex } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import { readReceipt } from "../../crypto/receipt.ts";
import { persist } from "../../client/api/send.ts";
import { DEFAULT_CHUNK_SIZE } from "../../client/documents/suite.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import type { Custody } from "../trust/custody.ts";
import type { Deletions } from "../trust/deletions.ts";
import { isOfEverything } from "../base/faults.ts";
import { type Opener, putFresh } from "../rows/opening.ts";
import { inParallel } from "../base/parallel.ts";
import { type Row, triedAgain } from "../rows/rows.ts";
import type { Vault } from "../vault/vault.ts";

const PAGE = 1_000;
const AT_ONCE = 4;

/** What looking works with. */
export interface VanishedContext {
  readonly vault: Vault;
  readonly index: AssetIndex;
  readonly custody: Custody;
  readonly deletions: Deletions;
  readonly opener: Opener;
}

/** Finds such assets; returns the ids of those that are missing now. */
export async function findVanished(
  context: VanishedContext,
): Promise<readonly string[]> {
  const { vault, index, deletions } = context;
  const { account } = vault.session;
  await deletions.read();
  const found = await provenRows(context);
  const missing: string[] = [];
  await inParallel([...found.values()], AT_ONCE, async (row) => {
    try {
      const ask = () => account.asset(row.id);
      await putFresh(context.opener, index, await persist(account, ask, {}));
    } catch (error) {
      if (isOfEverything(error)) throw error;
      if (index.get(row.id) !== undefined) return;
      missing.push(row.id);
      index.put(row);
    }
  });
  await index.commit();
  return missing;
}

/** Rows of assets with a manifest, made from their receipts. */
async function provenRows(
  { vault, index, custody, deletions }: VanishedContext,
): Promise<Map<string, Row>> {
  const { platform, userId } = vault.session;
  const now = platform.now();
  const rows = new Map<string, Row>();
  for (let after = 0, more = true; more;) {
    const held = await custody.held(after, PAGE);
    more = held.length === PAGE;
    for (const { seq, assetId, cbor } of held) {
      after = seq;
      const isKnown = assetId === undefined || cbor === undefined ||
        index.get(assetId) !== undefined || deletions.has(assetId);
      if (isKnown) continue;
      const receipt = readReceipt(cbor);
      const blob = {
        hash: toHex(receipt.ciphertext_hash),
        role: receipt.blob_role,
        size: receipt.size,
      };
      const before: Row = rows.get(assetId) ?? {
        id: assetId,
        owner: userId,
        head: "",
        seq: 0,
        state: "missing",
        at: receipt.received_at,
        blobs: [],
        epoch: 0,
        chunk_size: DEFAULT_CHUNK_SIZE,
        fault: "only its receipts are left",
        custody: "missing",
        custody_at: toRfc3339(now),
        ...triedAgain({}, now),
      };
      rows.set(assetId, {
        ...before,
        blobs: [...before.blobs, blob],
        ...(blob.role === "provenance" ? { head: blob.hash } : {}),
      });
    }
  }
  // Without a manifest an upload was never finished.
  for (const [id, { head }] of rows) {
    if (head === "") rows.delete(id);
  }
  return rows;
}
