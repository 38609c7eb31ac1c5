/**
 * What a backup says of a server that is damaged, and verifying one of its
 * faults.
 *
 * @module
 */
import { counted, numberInWords } from "../../core/sizes.ts";
import type { BackupReport } from "../../features/backup/backup.ts";
import type { Finding } from "../../features/verification/findings.ts";

/** Hashes and numbers that are named; the commands that are named list all. */
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

/** The same for programs. */
export function damageJson(
  { snapshot, faulty, damagedReceipts }: Pick<
    BackupReport,
    "snapshot" | "faulty" | "damagedReceipts"
  >,
) {
  return {
    lost: snapshot.lost,
    faulty: faulty.map(({ hash }) => hash).toSorted(),
    damaged_receipts: damagedReceipts,
  };
}

/** One line for what was damaged in the backup; none where nothing was. */
export function repairedLines({ replaced }: BackupReport): string[] {
  if (replaced === 0) return [];
  return [`${counted(replaced, "blob")} damaged there, now repaired`];
}

/** One line for each fault that is kept, and one for the others. */
export function findingLines(
  { findings, found }: {
    readonly findings: readonly Finding<string>[];
    readonly found: number;
  },
): string[] {
  const left = found - findings.length;
  return [
    ...findings.map(({ subject, detail, mend }) =>
      `${subject}: ${detail}; ${mend}`
    ),
    ...left > 0 ? [`and ${left} faults more`] : [],
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
    "`strongroom check --deep` lists each with its fix",
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
    "`strongroom check` lists each with its fix",
  ];
}

function some(names: readonly string[]): string {
  const left = names.length - NAMED;
  const named = names.slice(0, NAMED).join(", ");
  return left > 0 ? `${named} and ${numberInWords(left)} more` : named;
}
