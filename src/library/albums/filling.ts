/**
 * Albums that fill themselves: devices of the account add what a rule names, as
 * photos come. Rules are settings in the account's state
 * (protocol/client-cryptography.md#state-slots), so no member of an album knows
 * them. So is what was taken out by hand, which no device adds again.
 *
 * @module
 */
import * as z from "zod/mini";
import { MINUTE_MS, readTime, toRfc3339 } from "../../core/time.ts";
import { ApiProblem } from "../../client/api/api.ts";
import { instant } from "../../client/documents/fields.ts";
import {
  changedAt,
  type LibraryState,
  present,
} from "../../client/documents/state.ts";
import { freshNote } from "../adding/fresh_notes.ts";
import { isOfEverything } from "../base/faults.ts";
import { inParallel } from "../base/parallel.ts";
import type { Kept } from "../adding/upload_types.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import { isBroken, isShown, type Row, takenAt } from "../rows/rows.ts";
import type { Store } from "../base/store.ts";
import type { PhotoFlags } from "../showing/flags.ts";
import { hiddenFiles, isHidden } from "../showing/hidden_files.ts";
import type { Deletions } from "../trust/deletions.ts";
import { mayMissHiddenOnceRead, type Trust } from "../trust/trust.ts";
import {
  FILL_RULE,
  type SharedState,
  TAKEN_OUT,
} from "../vault/shared_state.ts";
import type { Vault } from "../vault/vault.ts";
import type { Albums } from "./albums.ts";

type Settings = LibraryState["settings"];

/** Hex digits that name a plaintext there. */
const NAME_DIGITS = 16;
/** People of one rule, and places. */
const MOST_NAMED = 100;
/** The earliest that a day begins anywhere, before it does in UTC (ms). */
const FIRST_ZONE_MS = 14 * 60 * MINUTE_MS;
/** Photos that one pass adds. */
const MOST_ADDED = 100;
/** A pass in which so many photos fail ends: it is not they. */
const MOST_FAILED = 8;
/** Pauses after a failure (ms), each twice the last one. */
const FIRST_PAUSE_MS = MINUTE_MS;
const LONGEST_PAUSE_MS = 60 * MINUTE_MS;
/**
 * Photos of one album that are noted as taken out. With more of them, no device
 * adds anything to the album: it could not tell what was taken out.
 */
const MOST_TAKEN_OUT = 2_000;
const AT_ONCE = 4;

/** What an album fills itself with. */
export interface FillRule {
  /** Groups of faces: photos of any of these people. */
  readonly persons: readonly string[];
  /**
   * Photos of any of these places: a country's code (`PT`), or that and a town
   * as the gazetteer calls it (`PT Lisbon`).
   */
  readonly places?: readonly string[] | undefined;
  /** Every photo that was added to the library from this time on (RFC 3339). */
  readonly since?: string | undefined;
  /** Of all these only photos that were taken on this day or later. */
  readonly from?: string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const ruleSchema = z.object({
  persons: z.catch(z.array(z.string()), []),
  places: z.optional(z.catch(z.array(z.string()), [])),
  since: z.optional(z.catch(z.optional(instant), undefined)),
  // A day that cannot be read is no reason to add all days.
  from: z.optional(z.string().check(z.regex(DAY))),
});

/** The rules of an account, by the ids of albums. */
export function fillRules(settings: Settings): ReadonlyMap<string, FillRule> {
  const rules = new Map<string, FillRule>();
  for (const [name, { value }] of present(settings)) {
    if (!name.startsWith(FILL_RULE)) continue;
    const { success, data } = ruleSchema.safeParse(value);
    if (!success || isOver(data)) continue;
    const { places, ...rest } = data;
    rules.set(name.slice(FILL_RULE.length), {
      ...rest,
      persons: data.persons.slice(0, MOST_NAMED),
      ...(places === undefined ? {} : { places: places.slice(0, MOST_NAMED) }),
    });
  }
  return rules;
}

/** Whether a rule names nothing. */
function isOver({ persons, places = [], since }: FillRule): boolean {
  return persons.length + places.length === 0 && since === undefined;
}

/**
 * The `since` of a rule for everything new: from now on, or from the day on that
 * the person chose. `before` is the rule until now.
 */
export function sinceOf(
  before: FillRule | undefined,
  from: string | undefined,
  now: number,
): string {
  if (before?.since !== undefined && before.from === from) return before.since;
  return from === undefined
    ? toRfc3339(now)
    : toRfc3339(Date.parse(`${from}T00:00:00Z`) - FIRST_ZONE_MS);
}

/** What a device knows of a photo besides its row. */
export interface FillFacts {
  /** Whether any of the rule's people is recognised in it. */
  readonly isOfPersons: (row: Row) => boolean;
  /** The places that it is in, as rules name them. */
  readonly placesOf: (row: Row) => readonly string[];
}

/** Makes the test whether a rule names a photo; it reads the rule's times once. */
export function wantedBy(
  { places = [], since, from }: FillRule,
  { isOfPersons, placesOf }: FillFacts,
): (row: Row) => boolean {
  const first = from === undefined
    ? undefined
    : Date.parse(`${from}T00:00:00Z`);
  const start = since === undefined ? undefined : readTime(since) ?? Infinity;
  return (row) => {
    if (first !== undefined) {
      const offset = row.metadata?.taken_offset ?? 0;
      const isLater = takenAt(row) + offset * MINUTE_MS >= first;
      if (!isLater) return false;
    }
    const isNew = start !== undefined && (readTime(row.at) ?? 0) >= start;
    return isNew || isOfPersons(row) ||
      (places.length > 0 && placesOf(row).some((one) => places.includes(one)));
  };
}

/** A rule that names more people or places than a device reads. */
class RuleTooLong extends RangeError {
  override readonly name = "RuleTooLong";
  /** The app says of it what it says of any full list. */
  readonly code = "error.account.limit_reached";
}

/**
 * The settings with another rule of an album; one that names nothing ends it.
 * Throws RuleTooLong for more than 100 people or places.
 */
export function withFillRule(
  settings: Settings,
  albumId: string,
  rule: FillRule,
  now: number,
): Settings {
  const { persons, places = [] } = rule;
  if (Math.max(persons.length, places.length) > MOST_NAMED) {
    throw new RuleTooLong(`more than ${MOST_NAMED} people or places`);
  }
  const name = `${FILL_RULE}${albumId}`;
  const value = isOver(rule) ? null : rule;
  const at = changedAt(settings[name], now);
  return { ...settings, [name]: { value, at } };
}

function outName(albumId: string, sha256: string): string {
  return `${TAKEN_OUT}${albumId}/${sha256.slice(0, NAME_DIGITS)}`;
}

/** Numbers of photos that were taken out, by albums. */
function takenOut(settings: Settings): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of Object.keys(settings)) {
    if (!name.startsWith(TAKEN_OUT)) continue;
    const [album = ""] = name.slice(TAKEN_OUT.length).split("/");
    counts.set(album, (counts.get(album) ?? 0) + 1);
  }
  return counts;
}

/** The settings with photos that no device is to add to their albums again. */
function withTakenOut(
  settings: Settings,
  rows: readonly Row[],
  now: number,
): Settings {
  const rules = fillRules(settings);
  const counts = takenOut(settings);
  const noted: Record<string, Settings[string]> = {};
  for (const { album = "", metadata } of rows) {
    if (!rules.has(album) || metadata === undefined) continue;
    const name = outName(album, metadata.sha256);
    const count = counts.get(album) ?? 0;
    const isNoted = settings[name]?.value === true || name in noted;
    if (isNoted || count >= MOST_TAKEN_OUT) continue;
    counts.set(album, count + 1);
    noted[name] = { value: true, at: changedAt(settings[name], now) };
  }
  return Object.keys(noted).length === 0 ? settings : { ...settings, ...noted };
}

/** Notes that photos are taken out of albums by hand, before they are. */
export async function noteTakenOut(
  { state, vault }: Pick<Filling, "state" | "vault">,
  rows: readonly Row[],
): Promise<void> {
  const { now } = vault.session.platform;
  const noted = (held: LibraryState) => {
    const settings = withTakenOut(held.settings, rows, now());
    return settings === held.settings ? held : { ...held, settings };
  };
  if (noted(state.held) !== state.held) await state.change(noted);
}

/** What filling works with: parts of a library. */
interface Filling {
  readonly albums: Pick<Albums, "get">;
  readonly copyInto: (assetId: string, albumId: string) => Promise<Kept>;
  readonly deletions: Pick<Deletions, "has" | "isSaidRestored">;
  readonly flags: PhotoFlags;
  readonly index: Pick<AssetIndex, "rows">;
  readonly state: SharedState;
  readonly store: Store;
  readonly trust: Trust;
  readonly vault: Vault;
}

/** When what failed is tried again (ms), and how often it failed. */
interface Failed {
  readonly times: number;
  readonly until: number;
}

/** What failed on this device, by albums, and by albums and photos. */
const failures = new WeakMap<Store, Map<string, Failed>>();

/** The failures of a device; `isDue` says whether something is to be tried. */
function failuresOf({ store, vault }: Pick<Filling, "store" | "vault">) {
  const { now } = vault.session.platform;
  const failed = failures.get(store) ?? new Map<string, Failed>();
  failures.set(store, failed);
  const timesOf = (name: string) => failed.get(name)?.times ?? 0;
  return {
    timesOf,
    isDue: (name: string) => (failed.get(name)?.until ?? 0) <= now(),
    passed: (name: string) => failed.delete(name),
    failed(name: string): void {
      const times = timesOf(name);
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** times, LONGEST_PAUSE_MS);
      failed.set(name, { times: times + 1, until: now() + pause });
    },
  };
}

/**
 * Adds own photos of the library to an album, as far as `isWanted`; returns how
 * many it added. A device in doubt adds nothing: one that may not know which
 * photos are hidden, or to which the album is frozen or not its own to add to.
 * What is or was in the album it does not add again. A photo that cannot be
 * copied holds up no other, and is tried again ever more seldom; so is an album
 * that takes none. Throws what is about more than one photo.
 */
export async function fillAlbum(
  library: Filling,
  albumId: string,
  isWanted: (row: Row) => boolean,
): Promise<number> {
  const { albums, deletions, flags, index, state, store, vault } = library;
  const { libraryAlbumId, session: { userId } } = vault;
  const album = albums.get(albumId);
  const isSure = album !== undefined && album.fault === undefined &&
    !album.isUnopened && !album.tombstoned && album.role !== "viewer" &&
    !await mayMissHiddenOnceRead(library);
  if (!isSure) return 0;
  const paces = failuresOf(library);
  const nameOf = ({ id }: Row) => `${albumId}/${id}`;
  const rows = [...index.rows()];
  const isOwn = ({ owner }: Row) => owner === userId;
  const inAlbum = rows.filter((row) => row.album === albumId);
  // What lies in the trash, or the album's owner deleted, was taken out. What
  // the server does not give was not.
  const out = inAlbum.filter((row) =>
    isOwn(row) && (row.state === "deleted" || row.state === "removed")
  );
  await noteTakenOut(library, out);
  const { settings } = state.held;
  const isFull = (takenOut(settings).get(albumId) ?? 0) >= MOST_TAKEN_OUT;
  if (isFull || !paces.isDue(albumId)) return 0;
  // What someone else put there is there, too.
  const known = new Set(
    inAlbum.filter((row) => isOwn(row) || row.state === "live")
      .map(({ metadata }) => metadata?.sha256),
  );
  const files = hiddenFiles(library);
  const wanted = rows.filter((row) => {
    const sha256 = row.metadata?.sha256 ?? "";
    return isOwn(row) && isShown(row) &&
      (row.album ?? libraryAlbumId) === libraryAlbumId &&
      row.fault === undefined && !isBroken(row) && !known.has(sha256) &&
      // What was not restored goes into no album, whatever the server says.
      !deletions.has(row.id) && !deletions.isSaidRestored(row.id) &&
      settings[outName(albumId, sha256)]?.value !== true &&
      !isHidden(library, row, files) && !flags.of(row).archived &&
      isWanted(row) && paces.isDue(nameOf(row));
  });
  // Those that never failed go first.
  const added = wanted.map((row) => ({
    row,
    times: paces.timesOf(nameOf(row)),
  }))
    .sort((a, b) => a.times - b.times).slice(0, MOST_ADDED);
  let [count, failed] = [0, 0];
  const adding = inParallel(added, AT_ONCE, async ({ row: own }) => {
    if (failed >= MOST_FAILED) return;
    try {
      const { outcome, row } = await library.copyInto(own.id, albumId);
      paces.passed(nameOf(own));
      if (outcome !== "kept") return;
      count += 1;
      // Another device may add it at this moment: one of the two goes again.
      await store.write([freshNote(row)]);
    } catch (error) {
      if (isOfEverything(error)) throw error;
      failed += 1;
      paces.failed(nameOf(own));
    }
  });
  try {
    await adding;
  } catch (error) {
    // The account is full, for one.
    if (error instanceof ApiProblem) paces.failed(albumId);
    throw error;
  }
  if (count > 0) paces.passed(albumId);
  else if (failed >= MOST_FAILED) paces.failed(albumId);
  return count;
}
