/**
 * A report of own photos that the server no longer has, whole or in part, with
 * the receipts by which it confirmed that it stored them. Anyone can verify it
 * with nothing but the server's attestation keys.
 *
 * @module
 */
import { toBase64, toHex } from "../../core/bytes.ts";
import { toRfc3339 } from "../../core/time.ts";
import type { Custody } from "../trust/custody.ts";
import { isRolledBack, type Row } from "../rows/rows.ts";
import type { Vault } from "../vault/vault.ts";

const PAGE = 1_000;

/** A report of losses; JSON can hold it. */
export interface LossesReport {
  readonly v: 1;
  readonly made_at: string;
  readonly server: string;
  readonly user_id: string;
  readonly rows: readonly {
    readonly asset_id: string;
    /** `damaged`: what the server has of it differs from what was stored. */
    readonly fault: "missing" | "damaged" | "rolled_back";
    readonly since?: string;
    readonly name?: string;
    readonly size?: number;
    readonly sha256?: string;
    readonly taken_at?: string;
    /** SHA-256 of the newest manifest, and of the older one that is shown. */
    readonly chain_head: string;
    readonly shown?: string;
    readonly blobs: Row["blobs"];
  }[];
  readonly receipts: readonly {
    readonly receipt_seq: number;
    readonly asset_id: string;
    readonly sha256: string;
    /** Base64; absent if only digests are kept. */
    readonly receipt_cbor?: string;
  }[];
  /** The attestation keys that this device has pinned. */
  readonly keys: readonly {
    readonly key_id: string;
    readonly public: string;
    readonly active_from: number;
    readonly active_to: number | null;
  }[];
}

/** A report as every program saves it. */
export function textOfLosses(report: LossesReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** Makes the report of lost rows. */
export async function reportLosses(
  { vault, custody }: { readonly vault: Vault; readonly custody: Custody },
  rows: readonly Row[],
): Promise<LossesReport> {
  const { server, userId, platform } = vault.session;
  const ids = new Set(rows.map(({ id }) => id));
  const receipts: LossesReport["receipts"][number][] = [];
  for (let after = 0, more = ids.size > 0; more;) {
    const held = await custody.held(after, PAGE);
    for (const { seq, assetId, cbor, digest } of held) {
      after = seq;
      if (assetId === undefined || !ids.has(assetId)) continue;
      receipts.push({
        receipt_seq: seq,
        asset_id: assetId,
        sha256: toHex(digest()),
        ...(cbor === undefined ? {} : { receipt_cbor: toBase64(cbor) }),
      });
    }
    more = held.length === PAGE;
  }
  const { keys } = await custody.keys();
  return {
    v: 1,
    made_at: toRfc3339(platform.now()),
    server,
    user_id: userId,
    rows: rows.map(rowOf),
    receipts,
    keys: keys.map((key) => ({
      key_id: key.keyId,
      public: toBase64(key.publicKey),
      active_from: key.activeFrom,
      active_to: key.activeTo,
    })),
  };
}

function rowOf(row: Row): LossesReport["rows"][number] {
  const { name, size, sha256, taken_at } = row.metadata ?? {};
  return {
    asset_id: row.id,
    fault: isRolledBack(row)
      ? "rolled_back"
      : row.custody === "damaged"
      ? "damaged"
      : "missing",
    ...(row.custody_at === undefined ? {} : { since: row.custody_at }),
    ...(name === undefined ? {} : { name }),
    ...(size === undefined ? {} : { size }),
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(taken_at === undefined ? {} : { taken_at }),
    chain_head: row.head,
    ...(row.shown === undefined ? {} : { shown: row.shown }),
    blobs: row.blobs,
  };
}
