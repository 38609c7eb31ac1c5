/**
 * State slots (protocol/client-cryptography.md#state-slots): what a person's
 * programs share and no other place holds. Slot `library` is JSON, encrypted as
 * a blob under the slot's key.
 *
 * Keys that this version does not know are kept, so that an older program does
 * not undo what a newer one wrote. What is taken out stays as an entry with
 * `removed`, because a merge would bring it back otherwise.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes, RandomBytes } from "../core/bytes.ts";
import { parseRfc3339, toRfc3339 } from "../core/time.ts";
import type { Primitives } from "../crypto/primitives.ts";
import { hash, textBetween, utcInstant, uuid } from "./fields.ts";
import { decodeJson, encodeJson } from "./json.ts";
import {
  ciphertextSize,
  decryptBytes,
  encryptBytes,
  SALT_BYTES,
} from "./stream.ts";

/** The slot that {@link LibraryState} lies in. */
export const LIBRARY_SLOT = "library";
/** Bytes of a slot's blob at most. */
export const STATE_MAX_BYTES: number = 4 * 1024 * 1024;

/** What every entry has. */
export interface StateEntry {
  /** When it was last changed: RFC 3339, UTC, `Z`. See {@link changedAt}. */
  readonly at: string;
  /** It was taken out; nothing else of it counts. */
  readonly removed?: true | undefined;
}

/** A list of assets that only the account's own programs know. */
export interface Collection extends StateEntry {
  readonly title: string;
  /** Asset ids in their order. */
  readonly assets: readonly string[];
}

/** What the account thinks of an asset, its own or another's. */
export interface AssetFlags extends StateEntry {
  readonly favourite?: boolean | undefined;
  readonly hidden?: boolean | undefined;
}

/** The identity that somebody had when they were first seen. */
export interface AnchorPin extends StateEntry {
  /** `key_id` of their identity key, in hex. */
  readonly key_id: string;
  /** What the person calls them. */
  readonly name?: string | undefined;
  /** When the safety numbers were last compared and found the same. */
  readonly compared_at?: string | undefined;
}

/** A link that the account gave out. */
export interface KeptLink extends StateEntry {
  readonly title: string;
  /** The asset that holds a share's index. */
  readonly asset_id?: string | undefined;
}

/** A choice of the person's that goes for all their programs. */
export interface Setting extends StateEntry {
  /** Any JSON. */
  readonly value?: unknown;
}

/** Entries by their ids. */
export type Entries<T extends StateEntry> = Readonly<Record<string, T>>;

/** What lies in the slot `library`. */
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
  }),
  pins: section({
    key_id: hash,
    name: z.optional(text),
    compared_at: z.optional(utcInstant),
  }),
  links: section({ title: text, asset_id: z.optional(uuid) }),
  settings: section({ value: z.unknown() }),
});

/** A state with nothing in it. */
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
 * A state out of decrypted bytes; keys that are not known stay in it. Throws
 * NewerDocumentError for a later version, which must not be written over, and
 * DocumentError for another shape.
 */
export function decodeState(bytes: Uint8Array): LibraryState {
  return decodeJson(stateSchema, bytes, "state");
}

/**
 * The bytes for the slot. `stateKey` is that of the slot (`identity.ts`). Throws
 * as {@link encodeState} does, and a RangeError for more than a slot holds.
 */
export async function sealState(
  state: LibraryState,
  stateKey: Uint8Array,
  random: RandomBytes,
  primitives?: Primitives,
): Promise<Bytes> {
  const plaintext = encodeState(state);
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
 * What lies in the slot. Throws StreamError for what was not sealed with this
 * key or was changed, and as {@link decodeState} does. A server can give back
 * what lay there before: hold it against what this device knows with
 * {@link mergeStates}.
 */
export async function openState(
  blob: Uint8Array,
  stateKey: Uint8Array,
  primitives?: Primitives,
): Promise<LibraryState> {
  return decodeState(
    await decryptBytes(
      {
        fileKey: stateKey,
        ...(primitives === undefined ? {} : { primitives }),
      },
      blob,
    ),
  );
}

/**
 * Both states in one, entry by entry: the one changed last wins. The same
 * whichever is named first, and however often, so that devices which merge at
 * the same time come out equal.
 */
export function mergeStates(
  one: LibraryState,
  other: LibraryState,
): LibraryState {
  const [left, right] = [mapOf(one), mapOf(other)];
  const merged = namesOf(left, right).map((name) => {
    const [a, b] = [left[name], right[name]];
    return [name, isMap(a) && isMap(b) ? mergeEntries(a, b) : later(a, b)];
  });
  return stateSchema.parse(Object.fromEntries(merged));
}

/** The entries that were not taken out. */
export function present<T extends StateEntry>(
  entries: Entries<T>,
): [id: string, entry: T][] {
  return Object.entries(entries).filter(([, { removed }]) => removed !== true);
}

/**
 * The `at` of a change: now, and in any case after what is changed, even where
 * the clock that wrote that was ahead.
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

function isMap(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

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

/** Of two values the one changed later; of the same time always the same one. */
function later(a: unknown, b: unknown): unknown {
  if (a === undefined || b === undefined) return a ?? b;
  const difference = instantOf(a) - instantOf(b);
  if (difference !== 0) return difference > 0 ? a : b;
  return sortedText(a) >= sortedText(b) ? a : b;
}

/** When an entry was changed; what does not say so, before everything else. */
function instantOf(value: unknown): number {
  const at = isMap(value) ? value["at"] : undefined;
  return typeof at === "string" ? parseRfc3339(at) ?? -Infinity : -Infinity;
}

function sortedText(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, item: unknown) =>
      isMap(item)
        ? Object.fromEntries(
          Object.entries(item).toSorted(([a], [b]) => a < b ? -1 : 1),
        )
        : item,
  );
}
