import { OperatorFault } from "../../core/operator.ts";
import { SCHEMA } from "../../store/sqlite/migrations.ts";
import type { SnapshotRecord } from "./manifest.ts";

/** Refuses a backup from a newer program ({@link OperatorFault}). */
export function refuseNewer({ schema }: SnapshotRecord, dir: string): void {
  if (schema <= SCHEMA) return;
  throw new OperatorFault(
    `the database in ${dir} has schema ${schema}, this program knows ` +
      `${SCHEMA}: run the newer program that made the backup`,
  );
}
