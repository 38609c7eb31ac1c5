/**
 * What an account's programs share about people and albums of other servers
 * (protocol/albums-abroad.md#state): the state slot `abroad`. Copies are merged
 * entry by entry; of two versions of an entry the newest counts, and of tokens
 * the one that expires last.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes } from "../../core/bytes.ts";
import { DAY_MS, parseRfc3339, toRfc3339 } from "../../core/time.ts";
import {
  DocumentError,
  hash,
  textBetween,
  utcInstant,
  uuid,
} from "../../client/documents/fields.ts";
import {
  base64UpTo,
  decodeJson,
  encodeJson,
  key,
} from "../../client/documents/json.ts";
import {
  type ContactCard,
  memberOf,
  verifyCard,
} from "../../client/documents/contact_card.ts";
import { ABROAD_SLOT } from "../../client/documents/state.ts";
import { opaqueId } from "../../wire/fields.ts";
import {
  entryOf,
  inOrder,
  instantOf,
  mergeRest,
  mergeSection,
} from "../base/merging.ts";
import type { Store } from "../base/store.ts";
import { type HeldSlot, openHeldSlot } from "../vault/slot.ts";
import type { Vault } from "../vault/vault.ts";

/** Entries of each kind, those that were removed included. */
const MOST_ENTRIES = 2_000;
/** Grants of before that an entry names. */
export const MOST_FORMER = 64;
/**
 * What was removed is known for so long, so that no old copy brings it back.
 */
const REMOVED_KEPT_MS = 400 * DAY_MS;

const text = textBetween(1, 1_024);
const pickup = z.object({ opaque_id: opaqueId, secret: key });
const at = utcInstant;
const removed = z.looseObject({ at, removed: z.literal(true) });
const scope = z.enum(["read", "read-derivative-only"]);

const cardSchema = z.looseObject({
  at,
  removed: z.optional(z.undefined()),
  opaque_id: opaqueId,
  /** The upload link for knocks. */
  box: z.optional(opaqueId),
  expires_at: utcInstant,
});
const joinedSchema = z.looseObject({
  at,
  removed: z.optional(z.undefined()),
  /** As the grant names the account: its server may have another id by now. */
  member: text,
  owner: uuid,
  pickup,
  token: textBetween(1, 4_096),
  /** Of the first token, and the secret that renews it. */
  jti: uuid,
  renewal: key,
  expires_at: utcInstant,
  not_after: utcInstant,
  scope,
  /** The owner's upload link for replies. */
  reply: z.optional(z.looseObject({
    opaque_id: opaqueId,
    fingerprint: key,
    expires_at: utcInstant,
  })),
  /** Of the last reply, and when the person last asked the owner. */
  reply_seq: z.optional(z.int().check(z.gte(1))),
  asked_at: z.optional(utcInstant),
});
const invitedSchema = z.looseObject({
  at,
  removed: z.optional(z.undefined()),
  owner: uuid,
  name: z.optional(textBetween(1, 128)),
  pickup,
  /** The card that the knock answered, in hex. */
  card_id: z.optional(textBetween(1, 64)),
});
const contactSchema = z.looseObject({
  at,
  removed: z.optional(z.undefined()),
  /** The signed card. */
  card: base64UpTo(16 * 1024),
  name: z.optional(textBetween(1, 128)),
});
const givenSchema = z.looseObject({
  at,
  removed: z.optional(z.undefined()),
  jti: uuid,
  not_after: utcInstant,
  scope,
  renewal: key,
  pickup,
  seq: z.int().check(z.gte(1)),
  /** Of the member's identity key: the pickup is only for them. */
  key_id: z.optional(hash),
  /** The server's `feed_epoch` when it was minted: a restore ends grants. */
  feed_epoch: z.optional(text),
  /** Grants of before that may not be revoked yet, the newest first. */
  former: z.optional(z.array(uuid).check(z.maxLength(MOST_FORMER))),
  /**
   * What is being done: removing the member, or writing the pickup, after which
   * the former grants are revoked.
   */
  journal: z.optional(z.looseObject({ what: z.enum(["removing", "writing"]) })),
  /**
   * The member was removed; the pickup and its number are for the next time.
   */
  ended: z.optional(z.literal(true)),
  /** The upload link for the member's replies, and what came by it. */
  reply: z.optional(z.looseObject({
    opaque_id: opaqueId,
    expires_at: utcInstant,
    /** Of the newest reply. */
    seq: z.optional(z.int().check(z.gte(1))),
    /** When the member last asked. */
    asked_at: z.optional(utcInstant),
    /** What they say, while that waits for the owner's decision. */
    text: z.optional(textBetween(0, 500)),
  })),
  /** The server's id when the pickup was first written. */
  server_id: z.optional(text),
  /** The pickup under a former id of the server, which does not say so yet. */
  moved: z.optional(z.looseObject({ server_id: text, pickup })),
});

/** A card that this account made, by `card_id` in hex. */
type OwnCard = z.output<typeof cardSchema>;
/** An album abroad that the person is in, by `<album_id>@<server_id>`. */
export type Joined = z.output<typeof joinedSchema>;
/** An invitation that a knock led to, by `<album_id>@<server_id>`. */
type Invited = z.output<typeof invitedSchema>;
/** Someone abroad, by member name. */
type Contact = z.output<typeof contactSchema>;
/** A grant of an own album, by `<album_id>/<member>`. */
export type Given = z.output<typeof givenSchema>;

const sectionOf = <T extends z.ZodMiniType>(entry: T) =>
  z._default(z.record(z.string(), z.union([entry, removed])), {});
const stateSchema = z.looseObject({
  v: z.literal(1),
  cards: sectionOf(cardSchema),
  joined: sectionOf(joinedSchema),
  invited: sectionOf(invitedSchema),
  contacts: sectionOf(contactSchema),
  given: sectionOf(givenSchema),
});
/** The content of the slot. */
export type AbroadState = z.output<typeof stateSchema>;

/** An entry as it is put, without the time of its change. */
export type Unstamped<T> = {
  [K in keyof T as string extends K ? never : Exclude<K, "at" | "removed">]:
    T[K];
};

/** The entries of one kind. */
interface Entries<T> {
  get(id: string): T | undefined;
  list(): readonly (readonly [id: string, entry: T])[];
  /** Puts an entry, without `at`; undefined removes it. */
  put(id: string, entry: Unstamped<T> | undefined): Promise<void>;
  /**
   * Puts what is made of the present entry, which another device may have
   * changed since it was read here. `get` returns the present ones.
   */
  change(
    id: string,
    next: (
      present: T | undefined,
      get: (id: string) => T | undefined,
    ) => Unstamped<T> | undefined,
  ): Promise<void>;
}

/** The slot `abroad` of an account. */
export interface AbroadSlot {
  /**
   * Fetches what other devices wrote: once while the program runs, or again.
   */
  read(options?: { readonly again?: boolean }): Promise<void>;
  readonly cards: Entries<OwnCard>;
  readonly joined: Entries<Joined>;
  readonly invited: Entries<Invited>;
  readonly contacts: Entries<Contact>;
  readonly given: Entries<Given>;
  /**
   * The card of a member of another server, verified: what is held here, else
   * what other devices wrote. Undefined without a card of this member.
   */
  cardOf(member: string): Promise<ContactCard | undefined>;
  /** The upload links for knocks and replies, which bring no photos. */
  boxes(): ReadonlySet<string>;
}

type Removed = z.output<typeof removed>;
type Section<T> = Readonly<Record<string, T | Removed>>;

/** Opens the slot of a vault's account over this device's store. */
export async function openAbroadSlot(
  vault: Vault,
  store: Store,
): Promise<AbroadSlot> {
  const { hybrid, now } = vault.session.platform;
  const slot: HeldSlot<AbroadState> = await openHeldSlot(vault, store, {
    slot: ABROAD_SLOT,
    empty: emptyAbroad,
    encode: encodeAbroad,
    decode: decodeAbroad,
    merge: mergeAbroadStates,
    written: (state) => compacted(state, now()),
  }, { space: "pins", key: ABROAD_SLOT });
  const entriesOf = <T extends Entry & { removed?: undefined }>(
    of: (state: AbroadState) => Section<T>,
    withEntries: (state: AbroadState, section: Section<T>) => AbroadState,
  ): Entries<T> => {
    const entryIn = (section: Section<T>, id: string): T | undefined => {
      const entry = entryOf(section, id);
      return entry === undefined || isRemoved(entry) ? undefined : entry;
    };
    const get = (id: string) => entryIn(of(slot.held), id);
    const change: Entries<T>["change"] = async (id, nextOf) => {
      await slot.change((state) => {
        const section = of(state);
        const present = entryOf(section, id);
        const entry = nextOf(
          entryIn(section, id),
          (one) => entryIn(section, one),
        );
        const before = instantOf(present?.at);
        const at = toRfc3339(Math.max(now(), before + 1));
        const next: T | Removed = entry === undefined
          ? { at, removed: true }
          // Only what is added next to it is left out.
          : { ...entry, at } as T;
        const entries = { ...section, [id]: next };
        if (Object.keys(entries).length > MOST_ENTRIES) {
          throw new DocumentError("you have reached the limit of these");
        }
        return withEntries(state, entries);
      });
    };
    return {
      get,
      list: () =>
        Object.keys(of(slot.held)).flatMap((id) => {
          const entry = get(id);
          return entry === undefined ? [] : [[id, entry] as const];
        }),
      put: (id, entry) => change(id, () => entry),
      change,
    };
  };
  const read: AbroadSlot["read"] = async ({ again = false } = {}) => {
    if (again || !slot.fresh) await slot.read();
  };
  const contacts = entriesOf(
    ({ contacts }) => contacts,
    (state, contacts) => ({ ...state, contacts }),
  );
  return {
    read,
    contacts,
    async cardOf(member) {
      if (contacts.get(member) === undefined) await read();
      const contact = contacts.get(member);
      if (contact === undefined) return undefined;
      const card = await verifyCard(contact.card, hybrid);
      return memberOf(card) === member ? card : undefined;
    },
    cards: entriesOf(
      ({ cards }) => cards,
      (state, cards) => ({ ...state, cards }),
    ),
    joined: entriesOf(
      ({ joined }) => joined,
      (state, joined) => ({ ...state, joined }),
    ),
    invited: entriesOf(
      ({ invited }) => invited,
      (state, invited) => ({ ...state, invited }),
    ),
    given: entriesOf(
      ({ given }) => given,
      (state, given) => ({ ...state, given }),
    ),
    boxes: () =>
      new Set([
        ...Object.values(slot.held.cards).map((card) =>
          isRemoved(card) ? undefined : card.box
        ),
        ...Object.values(slot.held.given).map((one) =>
          isRemoved(one) ? undefined : one.reply?.opaque_id
        ),
      ].filter((id) => id !== undefined)),
  };
}

/** A state without entries. */
export function emptyAbroad(): AbroadState {
  const sections = { cards: {}, joined: {}, invited: {} };
  return { v: 1, ...sections, contacts: {}, given: {} };
}

/** The JSON bytes of a state. Throws a DocumentError. */
export function encodeAbroad(state: AbroadState): Bytes {
  return encodeJson(stateSchema, state, "state of albums abroad");
}

/** Reads a state; unknown keys stay in it. Throws a DocumentError. */
export function decodeAbroad(bytes: Uint8Array): AbroadState {
  return decodeJson(stateSchema, bytes, "state of albums abroad");
}

/** Merges two states; see the module. */
export function mergeAbroadStates(
  one: AbroadState,
  other: AbroadState,
): AbroadState {
  return {
    ...mergeRest(one, other, stateSchema.shape),
    v: 1,
    cards: mergeSection(one.cards, other.cards, newest),
    joined: mergeSection(one.joined, other.joined, mergeJoined),
    invited: mergeSection(one.invited, other.invited, newest),
    contacts: mergeSection(one.contacts, other.contacts, newest),
    given: mergeSection(one.given, other.given, newest),
  };
}

type Entry = { readonly at: string };

function newest<T extends Entry>(a: T, b: T): T {
  return inOrder(a, b, (one) => [instantOf(one.at)])[1];
}

function mergeJoined(
  a: AbroadState["joined"][string],
  b: AbroadState["joined"][string],
): AbroadState["joined"][string] {
  const latest = newest(a, b);
  if (latest.removed || a.removed || b.removed || a.jti !== b.jti) {
    return latest;
  }
  // Devices that refresh at different times have tokens of one grant.
  const [, last] = inOrder(a, b, (one) => [instantOf(one.expires_at)]);
  const { token, expires_at } = last;
  return { ...latest, token, expires_at };
}

function isRemoved(
  entry: { readonly removed?: true | undefined },
): entry is Removed {
  return entry.removed === true;
}

/** Without what was removed long ago. */
function compacted(state: AbroadState, now: number): AbroadState {
  const kept = <T extends { at: string; removed?: true | undefined }>(
    section: Readonly<Record<string, T>>,
  ): Record<string, T> =>
    Object.fromEntries(
      Object.entries(section).filter(([, one]) =>
        one.removed !== true ||
        now - (parseRfc3339(one.at) ?? 0) < REMOVED_KEPT_MS
      ),
    );
  return {
    ...state,
    cards: kept(state.cards),
    joined: kept(state.joined),
    invited: kept(state.invited),
    contacts: kept(state.contacts),
    given: kept(state.given),
  };
}
