/**
 * Albums that fill themselves: devices of the account add what a rule names, as
 * photos come. Rules are settings in the account's state
 * (protocol/client-cryptography.md#state-slots), so no member of an album knows
 * them. So is what was taken out by hand, which no device adds again.
 *
 * @module
 */
import * as z from "zod/mini";
import { instant } from "../../client/documents/fields.ts";
import {
  changedAt,
  type LibraryState,
  present,
} from "../../client/documents/state.ts";
import { freshNote } from "../adding/fresh_notes.ts";
import { inParallel } from "../base/parallel.ts";
import type { Kept } from "../adding/upload_types.ts";
import type { AssetIndex } from "../rows/asset_index.ts";
import { isBroken, isShown, type Row } from "../rows/rows.ts";
import type { Store } from "../base/store.ts";
import type { PhotoFlags } from "../showing/flags.ts";
import { hiddenFiles, isHidden } from "../showing/hidden_files.ts";
import type { Deletions } from "../trust/deletions.ts";
import { mayMissHiddenOnceRead, type Trust } from "../trust/trust.ts";
import type { SharedState } from "../vault/shared_state.ts";
import type { Vault } from "../vault/vault.ts";
import type { Albums } from "./albums.ts";

type Settings = LibraryState["settings"];

/** Begins the settings with rules, by the ids of albums. */
const RULE = "fill-album/";
/** Begins those that say what was taken out of an album by hand. */
const TAKEN_OUT = "fill-out/";
/** Hex digits that name a plaintext there. */
const NAME_DIGITS = 16;
/** People of one rule. */
const MOST_PERSONS = 100;
/** Photos that one pass adds. */
const MOST_ADDED = 100;
const AT_ONCE = 4;

/** What an album fills itself with. */
export interface FillRule {
  /** Groups of faces: photos of any of these people. */
  readonly persons: readonly string[];
  /** Every photo that was added to the library from this time on (RFC 3339). */
  readonly since?: string | undefined;
}

const ruleSchema = z.object({
  persons: z.catch(z.array(z.string()), []),
  since: z.optional(z.catch(z.optional(instant), undefined)),
});

/** The rules of an account, by the ids of albums. */
export function fillRules(settings: Settings): ReadonlyMap<string, FillRule> {
  const rules = new Map<string, FillRule>();
  for (const [name, { value }] of present(settings)) {
    if (!name.startsWith(RULE)) continue;
    const { success, data } = ruleSchema.safeParse(value);
    if (!success || isOver(data)) continue;
    const persons = data.persons.slice(0, MOST_PERSONS);
    rules.set(name.slice(RULE.length), { ...data, persons });
  }
  return rules;
}

/** Whether a rule names nothing. */
function isOver({ persons, since }: FillRule): boolean {
  return persons.length === 0 && since === undefined;
}

/** The settings with another rule of an album; one that names nothing ends it. */
export function withFillRule(
  settings: Settings,
  albumId: string,
  rule: FillRule,
  now: number,
): Settings {
  const name = `${RULE}${albumId}`;
  const value = isOver(rule) ? null : rule;
  const at = changedAt(settings[name], now);
  return { ...settings, [name]: { value, at } };
}

function outName(albumId: string, sha256: string): string {
  return `${TAKEN_OUT}${albumId}/${sha256.slice(0, NAME_DIGITS)}`;
}

/** The settings with photos that no device is to add to their albums again. */
function withTakenOut(
  settings: Settings,
  rows: readonly Row[],
  now: number,
): Settings {
  const rules = fillRules(settings);
  const noted: Record<string, Settings[string]> = {};
  for (const { album = "", metadata } of rows) {
    if (!rules.has(album) || metadata === undefined) continue;
    const name = outName(album, metadata.sha256);
    if (settings[name]?.value === true) continue;
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

/**
 * Adds own photos of the library to an album, as far as `isWanted`; returns how
 * many it added. A device in doubt adds nothing: one that may not know which
 * photos are hidden, or to which the album is frozen or not its own to add to.
 * What is or was in the album it does not add again.
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
  const own = [...index.rows()].filter(({ owner }) => owner === userId);
  const inAlbum = own.filter((row) => row.album === albumId);
  // What lies in the trash, or the album's owner deleted, was taken out.
  await noteTakenOut(library, inAlbum.filter(({ state }) => state !== "live"));
  const known = new Set(inAlbum.map(({ metadata }) => metadata?.sha256));
  const { settings } = state.held;
  const files = hiddenFiles(library);
  const added = own.filter((row) => {
    const sha256 = row.metadata?.sha256 ?? "";
    return (row.album ?? libraryAlbumId) === libraryAlbumId && isShown(row) &&
      row.fault === undefined && !isBroken(row) && !known.has(sha256) &&
      // What was not restored goes into no album, whatever the server says.
      !deletions.has(row.id) && !deletions.isSaidRestored(row.id) &&
      settings[outName(albumId, sha256)]?.value !== true &&
      !isHidden(library, row, files) && !flags.of(row).archived &&
      isWanted(row);
  }).slice(0, MOST_ADDED);
  let count = 0;
  await inParallel(added, AT_ONCE, async ({ id }) => {
    const { outcome, row } = await library.copyInto(id, albumId);
    if (outcome !== "kept") return;
    count += 1;
    // Another device may add it at this moment: one of the two goes again.
    await store.write([freshNote(row)]);
  });
  return count;
}
