/**
 * Announced protocol cutoffs, as the operator makes them
 * (protocol/transport.md#deprecation;
 * upkeep/old-dates.md#ending-old-protocol-dates).
 *
 * @module
 */
import type { Insertable } from "kysely";
import { OperatorFault } from "../../core/operator.ts";
import {
  type Deprecation,
  parseProtocolDate,
  PROTOCOL_MAX,
  type ProtocolDate,
  windowAt,
} from "../../core/protocol.ts";
import { DAY_MS, parseRfc3339, toRfc3339 } from "../../core/time.ts";
import { compiledList } from "../../store/sqlite/compiled.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import type { Schema } from "../../store/sqlite/schema.ts";

/** Farther ahead a cutoff is a slip of the pen. */
const MAX_AHEAD_MS = 10 * 366 * DAY_MS;
const MAX_URL_CHARACTERS = 2_000;

/** The announcements that a running server goes by. */
export class Announcements {
  #current: readonly Deprecation[] = [];

  private constructor(private readonly db: Db) {}

  static async open(db: Db): Promise<Announcements> {
    const announcements = new Announcements(db);
    await announcements.refresh();
    return announcements;
  }

  /** In the order in which they were announced. */
  get current(): readonly Deprecation[] {
    return this.#current;
  }

  async refresh(): Promise<void> {
    this.#current = await listDeprecations(this.db);
  }
}

/** What is announced, in the words of the command line. */
interface Announcement {
  readonly min: string;
  readonly cutoff: string;
  readonly detailUrl?: string | undefined;
}

/**
 * Announces that dates below `min` are refused from the cutoff on. Throws an
 * {@link OperatorFault} for a malformed date, for one that is refused already
 * or that no client could speak, for a cutoff in the past, for an address
 * without https, and for a date that is announced already.
 */
export async function announceDeprecation(
  db: Db,
  announcement: Announcement,
  now: number,
): Promise<Deprecation> {
  const made: Deprecation = {
    minProtocolVersion: requireDate(announcement.min),
    announcedAt: now,
    cutoff: requireCutoff(announcement.cutoff, now),
    detailUrl: requireUrl(announcement.detailUrl),
  };
  const { minProtocolVersion: date } = made;
  if (date > PROTOCOL_MAX) {
    throw new OperatorFault(
      `this program speaks ${PROTOCOL_MAX} at most, so a minimum of ${date} ` +
        "would refuse every client: announce it once a newer program runs",
    );
  }
  return await transaction(db, async (tx) => {
    const { min } = windowAt(await listDeprecations(tx), now);
    if (date <= min) {
      throw new OperatorFault(
        `dates below ${min} are already refused: ${date} would change ` +
          "nothing",
      );
    }
    const inserted = await insertDeprecation(tx, {
      min_protocol_version: date,
      announced_at: now,
      cutoff: made.cutoff,
      detail_url: made.detailUrl,
    });
    if (inserted) return made;
    throw new OperatorFault(
      `${date} is already announced: to give it another cutoff, run ` +
        `strongroom deprecation withdraw ${date} first`,
    );
  });
}

/** Takes an announcement back; throws an {@link OperatorFault} for none. */
export async function withdrawDeprecation(
  db: Db,
  text: string,
): Promise<ProtocolDate> {
  const date = requireDate(text);
  if (await deleteDeprecation(db, date)) return date;
  throw new OperatorFault(
    `${date} is not announced: strongroom deprecation list shows what ` +
      "is",
  );
}

/** Every announcement, in their order; cutoffs that have passed included. */
export async function listDeprecations(db: Db): Promise<Deprecation[]> {
  const rows = await selectDeprecations(db);
  return rows.map((row) => ({
    minProtocolVersion: row.min_protocol_version,
    announcedAt: row.announced_at,
    cutoff: row.cutoff,
    detailUrl: row.detail_url,
  }));
}

function requireDate(text: string): ProtocolDate {
  const date = parseProtocolDate(text);
  if (date !== undefined) return date;
  throw new OperatorFault(
    `${JSON.stringify(text)} is not a date: write YYYY-MM-DD, a day ` +
      "that exists",
  );
}

function requireCutoff(text: string, now: number): number {
  const cutoff = parseRfc3339(text);
  if (cutoff === undefined) {
    throw new OperatorFault(
      `${JSON.stringify(text)} is not a time: write it in full, such as ` +
        "2027-03-01T00:00:00Z",
    );
  }
  if (cutoff <= now) {
    throw new OperatorFault(
      `the cutoff ${toRfc3339(cutoff)} has passed: give a time in the ` +
        "future",
    );
  }
  if (cutoff > now + MAX_AHEAD_MS) {
    throw new OperatorFault("the cutoff is more than ten years ahead");
  }
  return cutoff;
}

function requireUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isGood = url?.protocol === "https:" && url.username === "" &&
    url.password === "" && url.href.length <= MAX_URL_CHARACTERS &&
    !/\s/.test(text);
  if (isGood) return url.href;
  throw new OperatorFault(
    `${JSON.stringify(text.slice(0, 200))} is not an address for ` +
      "details: give an https:// address without a password",
  );
}

/** Every announcement, in their order; asked after each commit. */
const selectDeprecations = compiledList((db) =>
  db.selectFrom("deprecation")
    .select(["min_protocol_version", "announced_at", "cutoff", "detail_url"])
    .orderBy("announcement_seq")
);

/** Adds an announcement; false where its date has one already. */
async function insertDeprecation(
  tx: Tx,
  row: Insertable<Schema["deprecation"]>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.insertInto("deprecation")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("min_protocol_version").doNothing()
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes an announcement; false where there was none. */
async function deleteDeprecation(
  db: Db,
  date: ProtocolDate,
): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("deprecation")
    .where("min_protocol_version", "=", date)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
