/**
 * Checking a whole data directory (upkeep/check.md#is-everything-still-there):
 * the database, the references both ways, the blobs, the receipt chain. It only
 * reads, and a server may run meanwhile: what looks wrong only because of work
 * under way is looked at twice.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { BlobHash } from "../../core/ids.ts";
import { reasonOf } from "../../core/reason.ts";
import type { PublishedKey } from "../../crypto/receipt_chain.ts";
import type { AttestationKey } from "../app.ts";
import { isUnknown } from "../usage.ts";
import { auditLogs } from "../log/audit.ts";
import { isDamaged } from "../../store/failure.ts";
import type { Loss } from "../lost_blobs.ts";
import { checkBlobs, checkFiles } from "./check_files.ts";
import { checkReceipts } from "./check_receipts.ts";
import { type Check, type CheckedStore, walk } from "./check_step.ts";
import {
  type AssetRow,
  brokenReferences,
  countRows,
  type HoldingRow,
  integrityOf,
  miscountedMonths,
  pageOfAssets,
  pageOfContributions,
  pageOfHoldings,
  pageOfSlots,
  pageOfUsage,
  type SlotRow,
  USAGE_COUNTERS,
  type UsageRow,
} from "./check_store.ts";
import { type Finding, type FindingKind, Findings, MENDS } from "./findings.ts";

const COUNTED_SOON =
  "the server counts it again by itself, at the latest within its next " +
  "periodic round; until then no more fits into the account's quota";
const RECOUNT_MONTHS =
  "`strongroom check --recount` counts it again; only the operator's page and " +
  "the metrics show it";

/** Findings that are handed back; past them they are only counted. */
const MAX_FINDINGS = 10_000;

/** The parts of a check, in their order. */
export type CheckStep =
  | "database"
  | "holdings"
  | "contributions"
  | "state"
  | "assets"
  | "usage"
  | "receipts"
  | "logs"
  | "blobs"
  | "files";

export interface CheckProgress {
  readonly step: CheckStep;
  readonly done: number;
  /** Undefined if it is unknown before the end. */
  readonly total: number | undefined;
}

export interface CheckOptions {
  /** Reads and hashes every blob again. */
  readonly deep?: boolean;
  readonly onProgress?: (progress: CheckProgress) => void;
  readonly maxFindings?: number;
  /** Is told of each blob whose file is missing or damaged. */
  readonly onLost?: (hash: BlobHash, loss: Loss) => void;
  /** The parts to do; all of them if not said. */
  readonly steps?: readonly CheckStep[];
}

export interface CheckReport {
  /** In the order of the steps; at most `maxFindings`. */
  readonly findings: readonly Finding[];
  readonly summary: {
    /** Whether the bytes of the blobs were read. */
    readonly deep: boolean;
    /** What was looked at, by step. */
    readonly checked: Readonly<Record<CheckStep, number>>;
    /** All findings, those beyond `maxFindings` included. */
    readonly found: number;
    readonly kinds: Readonly<Partial<Record<FindingKind, number>>>;
  };
}

/**
 * Checks a data directory in batches; a library of any size takes the same
 * memory. Never throws for what it finds, an unreadable database included.
 */
export async function checkStore(
  store: CheckedStore,
  options: CheckOptions = {},
): Promise<CheckReport> {
  const { deep = false, onProgress, maxFindings = MAX_FINDINGS } = options;
  const onLost = options.onLost ?? (() => {});
  const findings = new Findings(maxFindings, MENDS);
  const checked = nothingChecked();
  const run = async (
    step: CheckStep,
    work: (check: Check) => Promise<void>,
  ) => {
    if (options.steps?.includes(step) === false) return;
    const advance = (count: number, total?: number) => {
      checked[step] += count;
      onProgress?.({ step, done: checked[step], total });
    };
    try {
      await work({ ...store, findings, advance, onLost });
    } catch (error) {
      findings.add(
        isDamaged(error) ? "database_damaged" : "unreadable",
        step,
        `the check stopped: ${reasonOf(error)}`,
      );
    }
  };
  await run("database", checkDatabase);
  await run("holdings", checkHoldings);
  await run("contributions", checkContributions);
  await run("state", checkState);
  await run("assets", checkAssets);
  await run("usage", checkUsage);
  await run("receipts", checkReceipts);
  await run("logs", checkLogs);
  await run("blobs", (check) => checkBlobs(check, deep));
  await run("files", checkFiles);
  return reportOf(findings, checked, deep);
}

/** The report of a database that is too damaged to be opened. */
export function reportOfDamage(detail: string, deep: boolean): CheckReport {
  const findings = new Findings(1, MENDS);
  findings.add("database_damaged", "database", detail);
  return reportOf(findings, nothingChecked(), deep);
}

function nothingChecked(): Record<CheckStep, number> {
  return {
    database: 0,
    holdings: 0,
    contributions: 0,
    state: 0,
    assets: 0,
    usage: 0,
    receipts: 0,
    logs: 0,
    blobs: 0,
    files: 0,
  };
}

function reportOf(
  findings: Findings,
  checked: Record<CheckStep, number>,
  deep: boolean,
): CheckReport {
  return {
    findings: findings.kept,
    summary: {
      deep,
      checked,
      found: findings.found,
      kinds: Object.fromEntries(findings.counts),
    },
  };
}

/** Attestation keys as receipts are checked against them. */
export function publishedKeys(
  keys: readonly AttestationKey[],
): PublishedKey[] {
  return keys.map(({ signer, activeFrom, activeTo }) => ({
    keyId: signer.keyId,
    publicKey: signer.publicKey,
    activeFrom,
    activeTo: activeTo ?? null,
  }));
}

async function checkDatabase({ db, findings, advance }: Check) {
  for (const line of await integrityOf(db)) {
    findings.add("database_damaged", "database", line);
  }
  for (const { table, parent, count } of await brokenReferences(db)) {
    const what = `${count} of its rows refer to a row that is not in ${parent}`;
    findings.add("reference_broken", table, what);
  }
  advance(1, 1);
}

async function checkLogs({ db, tiles, findings, advance }: Check) {
  if (tiles === undefined) return;
  await auditLogs({
    db,
    ...tiles,
    tell: ({ kind, subject, detail }) => findings.add(kind, subject, detail),
    advance,
  });
}

async function checkHoldings({ db, findings, advance }: Check) {
  const total = await countRows(db, "holding");
  const visit = (rows: readonly HoldingRow[]) => {
    for (const one of rows) {
      const { hash, asset_id, owner_id } = one;
      const what = `${one.role} of asset ${asset_id} of account ${owner_id}`;
      if (one.blob_size === null) {
        findings.add("holding_without_blob", hash, `${what}: no such blob`);
      } else if (one.blob_size !== one.size) {
        const sizes = `${one.size} bytes, the blob has ${one.blob_size}`;
        findings.add("holding_of_other_size", hash, `${what}: ${sizes}`);
      }
      if (one.applied === 1 && one.has_asset === 0) {
        findings.add("holding_without_asset", hash, `${what}: no such asset`);
      }
      if (one.has_receipt === 0) {
        const which = `receipt ${one.receipt_seq} is missing`;
        findings.add("holding_without_receipt", hash, `${what}: ${which}`);
      }
    }
    advance(rows.length, total);
  };
  await walk(
    (after: HoldingRow | undefined) => pageOfHoldings(db, after),
    visit,
  );
}

async function checkContributions({ db, findings, advance }: Check) {
  const total = await countRows(db, "guest_upload");
  type Row = Awaited<ReturnType<typeof pageOfContributions>>[number];
  const visit = (rows: readonly Row[]) => {
    for (const { upload_id, ciphertext_hash, size, blob_size, state } of rows) {
      if (state === "open" || size === blob_size) continue;
      const what = `contribution ${upload_id}: no such blob of ${size} bytes`;
      findings.add("contribution_without_blob", ciphertext_hash, what);
    }
    advance(rows.length, total);
  };
  await walk((after: Row | undefined) => pageOfContributions(db, after), visit);
}

async function checkState({ db, findings, advance }: Check) {
  const total = await countRows(db, "state_slot");
  const visit = (rows: readonly SlotRow[]) => {
    for (const { user_id, slot, size, body_hash, body } of rows) {
      const hash = createHash("sha256").update(body).digest("hex");
      if (body.length === size && hash === body_hash) continue;
      const what =
        `slot ${slot} does not contain the bytes that were stored there`;
      findings.add("state_damaged", user_id, what);
    }
    advance(rows.length, total);
  };
  await walk((after: SlotRow | undefined) => pageOfSlots(db, after), visit);
}

async function checkAssets({ db, findings, advance }: Check) {
  const total = await countRows(db, "asset");
  const visit = (rows: readonly AssetRow[]) => {
    for (const one of rows) {
      const { asset_id, chain_head } = one;
      const head = `its chain head ${chain_head} is no`;
      if (one.has_manifest === 0) {
        findings.add("asset_without_manifest", asset_id, `${head} manifest`);
      }
      if (one.has_provenance === 0) {
        const what = `${head} provenance blob of it`;
        findings.add("asset_without_provenance", asset_id, what);
      }
      if (one.has_original === 0) {
        findings.add("asset_without_original", asset_id, "it has no original");
      }
    }
    advance(rows.length, total);
  };
  await walk((after: AssetRow | undefined) => pageOfAssets(db, after), visit);
}

async function checkUsage({ db, findings, advance }: Check) {
  const total = await countRows(db, "usage");
  const visit = (rows: readonly UsageRow[]) => {
    for (const one of rows) {
      for (const name of USAGE_COUNTERS) {
        const { [name]: said, [`${name}_counted` as const]: counted } = one;
        if (said === counted) continue;
        const what = isUnknown(said)
          ? `${name} had left its range, the tables add up to ${counted}`
          : `${name} says ${said}, the tables add up to ${counted}`;
        const mend = isUnknown(said) ? COUNTED_SOON : undefined;
        findings.add("usage_miscounted", one.user_id, what, mend);
      }
      if (one.mismarked === 0) continue;
      const what = `in_use is wrong for ${one.mismarked} of its holdings, so ` +
        "the counters go wrong as these change";
      findings.add("usage_miscounted", one.user_id, what);
    }
    advance(rows.length, total);
  };
  await walk((after: UsageRow | undefined) => pageOfUsage(db, after), visit);
  for (const one of await miscountedMonths(db)) {
    const { month, count, bytes, counted, summed } = one;
    const what = `blob_month says ${count} blobs of ${bytes} bytes, the ` +
      `table blob adds up to ${counted} of ${summed}`;
    findings.add("usage_miscounted", month, what, RECOUNT_MONTHS);
  }
}
