/**
 * Alarms about a person's own photos.
 *
 * @module
 */
import type { Library, Row } from "../../client/library/mod.ts";
import type { VaultContext } from "./context.ts";

/** A photo with an alarm. */
export interface Alarm {
  readonly id: string;
  readonly name: string;
  readonly what:
    /** A blob of it is missing, or the server does not know the photo. */
    | "missing"
    /** The bytes of a blob have changed. */
    | "damaged"
    /** The operator has taken it down. */
    | "withheld"
    /** Its metadata does not open: it was changed or belongs to another. */
    | "forged";
}

/** The person's own files that are not in the trash. */
export function* ownRows({ index, vault }: Library): Generator<Row> {
  const { userId } = vault.session;
  for (const row of index.rows()) {
    const isFile = (row.metadata?.kind ?? "file") === "file";
    if (row.owner === userId && row.state !== "deleted" && isFile) yield row;
  }
}

/**
 * The same by photo: what lies in albums of the person's own as well is one
 * photo to people, and several assets to the server.
 */
export function ownPhotos(library: Library): Row[][] {
  const photos = new Map<string, Row[]>();
  for (const row of ownRows(library)) {
    const photo = row.metadata?.sha256 ?? row.id;
    const rows = photos.get(photo);
    if (rows === undefined) photos.set(photo, [row]);
    else rows.push(row);
  }
  return [...photos.values()];
}

/** Why the first of a photo's rows that does so alarms. */
export function alarmOfPhoto(rows: readonly Row[]): Alarm | undefined {
  for (const row of rows) {
    const alarm = alarmOf(row);
    if (alarm !== undefined) return alarm;
  }
  return undefined;
}

/** Why a row alarms; undefined where it does not. */
function alarmOf(row: Row): Alarm | undefined {
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

/** Tells all pages the number of photos with an alarm. */
export function tellAlarms(context: VaultContext): void {
  const count = ownPhotos(context.opened())
    .filter((rows) => alarmOfPhoto(rows) !== undefined).length;
  context.tell("alarms", { count });
}
