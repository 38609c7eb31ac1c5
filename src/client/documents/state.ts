/**
 * State slots (protocol/client-cryptography.md#state-slots): state that a
 * person's programs share and that is stored nowhere else. The slot `library`
 * is JSON, encrypted as a blob under the slot's key.
 *
 * Unknown keys are kept, so that an older program does not undo what a newer
 * one wrote. A removed entry stays with `removed` set, because otherwise a
 * merge would bring it back.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes, RandomBytes } from "../../core/bytes.ts";
import { parseRfc3339, toRfc3339 } from "../../core/time.ts";
import type { Primitives } from "../../crypto/primitives.ts";
import { count, hash, textBetween, utcInstant, uuid } from "./fields.ts";
import { compareTexts, decodeJson, encodeJson, isJsonMap } from "./json.ts";
import {
  ciphertextSize,
  decryptBytes,
  encryptBytes,
  SALT_BYTES,
} from "../stream/stream.ts";

/** The slot of {@link LibraryState}. */
export const LIBRARY_SLOT = "library";
/** The slot of people and albums of other servers. */
export const ABROAD_SLOT = "abroad";
/** Largest blob of a slot (bytes). */
export const STATE_MAX_BYTES: number = 4 * 1024 * 1024;

/** The fields of every entry. */
export interface StateEntry {
  /** When it was last changed: RFC 3339, UTC, `Z`. See {@link changedAt}. */
  readonly at: string;
  /** The entry was removed; its other fields no longer count. */
  readonly removed?: true | undefined;
}

/** A list of assets that is known only to the account's own programs. */
export interface Collection extends StateEntry {
  readonly title: string;
  /** Asset ids in their order. */
  readonly assets: readonly string[];
}

/** The account's marks on an asset, its own or someone else's. */
export interface AssetFlags extends StateEntry {
  readonly favourite?: boolean | undefined;
  readonly hidden?: boolean | undefined;
  readonly archived?: boolean | undefined;
}

/** The identity of a person at first sight. */
export interface AnchorPin extends StateEntry {
  /** `key_id` of their identity key, in hex. */
  readonly key_id: string;
  /** The account holder's name for that person. */
  readonly name?: string | undefined;
  /** When the safety numbers were last compared and found the same. */
}

/** A link that the account issued. */
export interface KeptLink extends StateEntry {
  readonly title: string;
  /** The asset that holds a share's index. */
  readonly asset_id?: string | undefined;
  /**
   * An upload link of the person's own: what comes by it is accepted without
   * asking.
   */
  readonly mine?: boolean | undefined;
  /** Of an upload link: whether a passphrase protects it. */
  readonly passphrase?: boolean | undefined;
  /**
   * The list that the link follows: `album/<id>`, `collection/<id>` or
   * `favourites`. Without {@link gives} the link is a picture frame's.
   */
  readonly follows?: string | undefined;
  readonly gives?: LinkGives | undefined;
  /**
   * Of the half of a link both ways: the list that what comes by it is for.
   * Nothing counts that is not bound to the link's gate.
   */
  readonly into?: string | undefined;
  /** With `into`: viewers of that album say something by it, and nothing else. */
  readonly viewers?: boolean | undefined;
  /** Of a share link: the id of the upload link by which viewers add photos. */
  readonly adds?: string | undefined;
  /** The number of guests' remarks that were taken in by it, about. */
  readonly said?: number | undefined;
}

/** How a link for people that follows a list gives its photos. */
export interface LinkGives {
  /** `kept`: originals, with their places. Any other: smaller copies. */
  readonly places?: string | undefined;
  /** `smaller`: videos in 720p. Any other: as they are. */
  readonly films?: string | undefined;
  /** It stays as it is: what comes later is not shown. */
  readonly still?: boolean | undefined;
  /** With `adds`: people may give hearts and comments, too. */
  readonly reacts?: boolean | undefined;
}

/** A setting that applies to all of the person's programs. */
export interface Setting extends StateEntry {
  /** Any JSON. */
  readonly value?: unknown;
}

/** Entries by their ids. */
export type Entries<T extends StateEntry> = Readonly<Record<string, T>>;

/** The content of the slot `library`. */
export interface LibraryState {
  readonly v: 1;
  readonly collections: Entries<Collection>;
  /** By asset ids. */
  readonly flags: Entries<AssetFlags>;
  /** By user ids. */
  readonly pins: Entries<AnchorPin>;
  /** By the links' opaque ids. */
  readonly links: Entries<KeptLink>;
  /** By their names. */
  readonly settings: Entries<Setting>;
}

const entry = {
  at: utcInstant,
  removed: z.optional(z.literal(true)),
};
const text = textBetween(0, 16_384);

const stateSchema: z.ZodMiniType<LibraryState> = z.looseObject({
  v: z.literal(1),
  collections: section({ title: text, assets: z.readonly(z.array(uuid)) }),
  flags: section({
    favourite: z.optional(z.boolean()),
    hidden: z.optional(z.boolean()),
    archived: z.optional(z.boolean()),
  }),
  pins: section({
    key_id: hash,
    name: z.optional(text),
  }),
  links: section({
    title: text,
    asset_id: z.optional(uuid),
    mine: z.optional(z.boolean()),
    passphrase: z.optional(z.boolean()),
    follows: z.optional(text),
    into: z.optional(text),
    viewers: z.optional(z.boolean()),
    adds: z.optional(text),
    said: z.optional(count),
    gives: z.optional(z.looseObject({
      places: z.optional(text),
      films: z.optional(text),
      still: z.optional(z.boolean()),
      reacts: z.optional(z.boolean()),
    })),
  }),
  // A setting that is over is written as null, which is read as absent.
  settings: section({ value: z.optional(z.unknown()) }),
});

/** Begins the settings that name edits which have not ended. */
export const BEGUN_EDIT = "edit/";

/** A state without entries. */
export function emptyState(): LibraryState {
  return {
    v: 1,
    collections: {},
    flags: {},
    pins: {},
    links: {},
    settings: {},
  };
}

/** The JSON bytes of a state. Throws DocumentError for values out of bounds. */
export function encodeState(state: LibraryState): Bytes {
  return encodeJson(stateSchema, state, "state");
}

/**
 * Reads a state from decrypted bytes; unknown keys stay in it. Throws
 * NewerDocumentError for a later version, which must not be overwritten, and
 * DocumentError for another shape.
 */
export function decodeState(bytes: Uint8Array): LibraryState {
  return decodeJson(stateSchema, bytes, "state");
}

/**
 * Makes the blob of a slot. `stateKey` is the slot's key (`identity.ts`).
 * Throws a RangeError for more than a slot can hold.
 */
export async function sealSlot(
  plaintext: Uint8Array,
  stateKey: Uint8Array,
  random: RandomBytes,
  primitives?: Primitives,
): Promise<Bytes> {
  if (ciphertextSize(plaintext.length) > STATE_MAX_BYTES) {
    throw new RangeError(`state: more than ${STATE_MAX_BYTES} bytes`);
  }
  return await encryptBytes(
    { fileKey: stateKey, ...(primitives === undefined ? {} : { primitives }) },
    random(SALT_BYTES),
    plaintext,
  );
}

/**
 * Opens the blob of a slot. Throws StreamError if it was changed or not sealed
 * with this key.
 */
export async function openSlot(
  blob: Uint8Array,
  stateKey: Uint8Array,
  primitives?: Primitives,
): Promise<Bytes> {
  return await decryptBytes(
    { fileKey: stateKey, ...(primitives === undefined ? {} : { primitives }) },
    blob,
  );
}

/**
 * Makes the blob of the slot `library`. Throws as {@link encodeState} and
 * {@link sealSlot} do.
 */
export async function sealState(
  state: LibraryState,
  stateKey: Uint8Array,
  random: RandomBytes,
  primitives?: Primitives,
): Promise<Bytes> {
  return await sealSlot(encodeState(state), stateKey, random, primitives);
}

/**
 * Opens the blob of the slot `library`. Throws as {@link openSlot} and
 * {@link decodeState} do. A server can return an older blob, so merge the state
 * with this device's own by {@link mergeStates}.
 */
export async function openState(
  blob: Uint8Array,
  stateKey: Uint8Array,
  primitives?: Primitives,
): Promise<LibraryState> {
  return decodeState(await openSlot(blob, stateKey, primitives));
}

/**
 * Merges two states, entry by entry; of each entry the latest change wins. The
 * order of the two does not matter, and merging again changes nothing, so
 * devices that merge at the same time get equal states.
 */
export function mergeStates(
  one: LibraryState,
  other: LibraryState,
): LibraryState {
  const [left, right] = [mapOf(one), mapOf(other)];
  const merged = namesOf(left, right).map((name) => {
    const [a, b] = [left[name], right[name]];
    return [
      name,
      isJsonMap(a) && isJsonMap(b) ? mergeEntries(a, b) : later(a, b),
    ];
  });
  return stateSchema.parse(Object.fromEntries(merged));
}

/** The entries that were not removed. */
export function present<T extends StateEntry>(
  entries: Entries<T>,
): [id: string, entry: T][] {
  return Object.entries(entries).filter(([, { removed }]) => removed !== true);
}

/**
 * The `at` of a change: now, or just after the entry's last change if the clock
 * that wrote that was ahead.
 */
export function changedAt(
  before: StateEntry | undefined,
  nowMs: number,
): string {
  const last = instantOf(before);
  return toRfc3339(last >= nowMs ? last + 1 : nowMs);
}

function section<T extends z.core.$ZodShape>(fields: T) {
  return z._default(
    z.record(
      z.string(),
      z.looseObject({ ...fields, ...entry }),
    ),
    {},
  );
}

type Json = Readonly<Record<string, unknown>>;

function mapOf(state: LibraryState): Json {
  return { ...state };
}

function namesOf(left: Json, right: Json): string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted();
}

function mergeEntries(left: Json, right: Json): Json {
  return Object.fromEntries(
    namesOf(left, right).map((id) => [id, later(left[id], right[id])]),
  );
}

/**
 * The later of two values; for equal times the choice does not depend on their
 * order.
 */
function later(a: unknown, b: unknown): unknown {
  if (a === undefined || b === undefined) return a ?? b;
  const difference = instantOf(a) - instantOf(b);
  if (difference !== 0) return difference > 0 ? a : b;
  return compareTexts(a, b) >= 0 ? a : b;
}

/** When an entry was changed; an entry without a time counts as the oldest. */
function instantOf(value: unknown): number {
  const at = isJsonMap(value) ? value["at"] : undefined;
  return typeof at === "string" ? parseRfc3339(at) ?? -Infinity : -Infinity;
}
