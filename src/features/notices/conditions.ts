/**
 * What a running server looks at to tell its operator of trouble
 * (notices.md#events).
 *
 * @module
 */
import { sql } from "kysely";
import { bytesInWords } from "../../core/sizes.ts";
import { DAY_MS } from "../../core/time.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Files } from "../../store/files/files.ts";
import { oldAfter, readBackupNote } from "../backup/note.ts";
import { promised } from "../references.ts";
import { lastLife } from "../log/store.ts";
import { witnessStatus } from "../log/witness_operator.ts";
import type { ServiceContext } from "../service_context.ts";
import type { Condition, Facts } from "./events.ts";
import type { Notices } from "./notices.ts";
import { listWitnessed } from "../witness/store.ts";

/** So many locked accounts at once are more than people who mistype. */
const MANY_LOCKED = 5;
/** A certificate is told of so long before its end (ms). */
const ENDING_MS = 14 * DAY_MS;

/** What the conditions look at outside the database. */
export interface Sights {
  readonly files: Files;
  readonly root: string;
  /** When the server's certificate ends (ms); undefined: it has none. */
  readonly certificateEnds: () => number | undefined;
}

type Context = Pick<ServiceContext, "db" | "platform" | "limits" | "staging">;

/**
 * Looks at everything once, and raises or ends each. A check that fails says
 * so in the log and leaves the others their turn.
 */
export async function lookAround(
  context: Context,
  notices: Notices,
  sights: Sights,
): Promise<void> {
  if (!notices.isOn) return;
  const looks: readonly (readonly [
    readonly Condition[],
    () => Promise<Partial<Record<Condition, Facts>>>,
  ])[] = [
    [["disk_low", "disk_full"], () => lookAtDisk(context)],
    [["backup_old"], () => lookAtBackup(context, sights)],
    [["blob_missing", "blob_damaged"], () => lookAtBlobs(context.db)],
    [["certificate_ending"], () => lookAtCertificate(context, sights)],
    [["lockouts"], () => lookAtLocks(context)],
    [["witness_alarm"], () => lookAtWitnesses(context)],
  ];
  for (const [events, look] of looks) {
    try {
      const seen = await look();
      for (const event of events) await notices.judge(event, seen[event]);
    } catch (cause) {
      context.platform.log.warn("not looked at for notices", {
        events: events.join(),
        cause: String(cause),
      });
    }
  }
}

/** With fewer left, a disk's inodes are running out. */
const FEW_INODES = 1_000;

type Seen = Promise<Partial<Record<Condition, Facts>>>;

async function lookAtDisk({ staging, limits }: Context): Seen {
  const bytes = await staging.freeBytes();
  const { reservedDiskBytes: reserved } = limits;
  const free = bytesInWords(bytes);
  if (bytes < reserved || bytes === 0) return { disk_full: { free } };
  const why = await staging.obstacle();
  if (why !== undefined) return { disk_full: { free, why } };
  const files = await staging.freeInodes();
  if (files < FEW_INODES) return { disk_low: { free, files } };
  return bytes < 2 * reserved ? { disk_low: { free } } : {};
}

async function lookAtBackup(
  { db, platform }: Context,
  { files, root }: Sights,
): Seen {
  const now = platform.now();
  const note = readBackupNote(files, root);
  if (note !== undefined) {
    const age = now - note.made_at;
    return age > oldAfter(note)
      ? { backup_old: { days: Math.floor(age / DAY_MS) } }
      : {};
  }
  // An operator who only tries it out has a week.
  const { rows: [first] } = await sql<{ at: number | null }>`
    select min(stored_at) as at from blob`.execute(db);
  const since = first?.at ?? null;
  return since !== null && now - since > 7 * DAY_MS ? { backup_old: {} } : {};
}

/** What is noted of missing and damaged blobs. */
export async function lookAtBlobs(db: Db): Seen {
  const { rows: [lost] } = await sql<{ missing: number; damaged: number }>`
    select count(*) filter (where is_damaged = 0) as missing,
      count(*) filter (where is_damaged = 1) as damaged
    from lost_blob where ${promised(sql`hash`)}`.execute(db);
  const { missing = 0, damaged = 0 } = lost ?? {};
  return {
    ...missing > 0 ? { blob_missing: { count: missing } } : {},
    ...damaged > 0 ? { blob_damaged: { count: damaged } } : {},
  };
}

function lookAtCertificate(
  { platform }: Context,
  { certificateEnds }: Sights,
): Seen {
  const ends = certificateEnds();
  const left = ends === undefined ? Infinity : ends - platform.now();
  return Promise.resolve(
    left < ENDING_MS
      ? { certificate_ending: { days: Math.floor(left / DAY_MS) } }
      : {},
  );
}

async function lookAtLocks({ db, platform }: Context): Seen {
  const { rows: [locks] } = await sql<{ accounts: number }>`
    select (select count(distinct user_id) from password_lock
        where locked_until > ${platform.now()})
      + (select count(distinct subject) from unknown_lock
        where locked_until > ${platform.now()}) as accounts`.execute(db);
  const accounts = locks?.accounts ?? 0;
  return accounts >= MANY_LOCKED ? { lockouts: { accounts } } : {};
}

async function lookAtWitnesses({ db }: Context): Seen {
  const life = await lastLife(db);
  const said = life === undefined ? [] : await witnessStatus(db, life);
  const alarms =
    said.filter((one) =>
      one.said?.fault === "ahead" || one.said?.fault === "contradicts"
    ).length;
  const forks = (await listWitnessed(db))
    .filter((one) => one.contradicted_at !== null).length;
  return alarms + forks > 0 ? { witness_alarm: { count: alarms + forks } } : {};
}
