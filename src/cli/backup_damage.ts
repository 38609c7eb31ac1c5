/**
 * What a backup says of a server that is damaged.
 *
 * @module
 */
import { counted, numberInWords } from "../core/sizes.ts";
import type { BackupReport } from "../features/backup/backup.ts";

/** Hashes and numbers that are named; the commands named beside tell all. */
const NAMED = 3;

/**
 * One line for the blobs that are not whole on the server and one for damaged
 * receipts; none where nothing is damaged.
 */
export function damageLines(
  { lost, faulty, damagedReceipts }: Pick<
    BackupReport,
    "lost" | "faulty" | "damagedReceipts"
  >,
): string[] {
  return [
    ...blobLine(lost, faulty),
    ...receiptLine(damagedReceipts),
  ];
}

function blobLine(
  lost: BackupReport["lost"],
  faulty: BackupReport["faulty"],
): string[] {
  // Those that no backup holds are named first.
  const all = [...lost, ...faulty];
  if (all.length === 0) return [];
  const kinds = Map.groupBy(all, ({ because }) => because).entries()
    .map(([because, { length }]) => `${numberInWords(length)} ${because}`);
  const where = faulty.length === 0
    ? "not in this backup"
    : lost.length === 0
    ? "still in this backup"
    : `${numberInWords(lost.length)} of them not in this backup`;
  const are = all.length === 1 ? "is" : "are";
  return [
    `${counted(all.length, "blob")} ${are} not whole on the server ` +
    `(${[...kinds].join(", ")}) and ${where}: ` +
    `${some(all.map(({ hash }) => hash))}; ` +
    "`strongroom check --deep` names every one and what mends it",
  ];
}

function receiptLine(damaged: readonly number[]): string[] {
  if (damaged.length === 0) return [];
  const numbers = some(damaged.map(String));
  const are = damaged.length === 1
    ? `receipt ${numbers} is`
    : `receipts ${numbers} are`;
  return [
    `${are} damaged in the database, and so in this backup: ` +
    "`strongroom check` names every one and what mends it",
  ];
}

function some(names: readonly string[]): string {
  const left = names.length - NAMED;
  const named = names.slice(0, NAMED).join(", ");
  return left > 0 ? `${named} and ${numberInWords(left)} more` : named;
}
