/**
 * What is not as it should be of a person's own photos.
 *
 * @module
 */
import type { Library, Row } from "../../client/library/mod.ts";
import type { VaultContext } from "./context.ts";

/** A photo that is not as it should be. */
export interface Alarm {
  readonly id: string;
  readonly name: string;
  readonly what:
    /** A part of it is not there, or the server knows nothing of it. */
    | "missing"
    /** A part of it is not what it was. */
    | "damaged"
    /** Taken down by whoever runs the server. */
    | "withheld"
    /** What describes it does not open: it was changed, or is another's. */
    | "forged";
}

/** The files of the person's own that are not in the trash. */
export function* ownRows({ index, vault }: Library): Generator<Row> {
  const { userId } = vault.session;
  for (const row of index.rows()) {
    const isFile = (row.metadata?.kind ?? "file") === "file";
    if (row.owner === userId && row.state !== "deleted" && isFile) yield row;
  }
}

/** Why a row alarms; undefined where it does not. */
export function alarmOf(row: Row): Alarm | undefined {
  const what = row.state === "missing" || row.custody === "missing"
    ? "missing"
    : row.custody === "damaged"
    ? "damaged"
    : row.state === "withheld"
    ? "withheld"
    : row.fault !== undefined
    ? "forged"
    : undefined;
  if (what === undefined) return undefined;
  return { id: row.id, name: row.metadata?.name ?? row.id, what };
}

/** Tells pages how many photos alarm, wherever in the app they are. */
export function tellAlarms(context: VaultContext): void {
  let count = 0;
  for (const row of ownRows(context.opened())) {
    if (alarmOf(row) !== undefined) count += 1;
  }
  context.tell("alarms", { count });
}
