/**
 * The trust record of an account: what its devices have seen and verified, and
 * what they therefore refuse to believe later
 * (protocol/client-cryptography.md#trust-record). The rules are pure;
 * `trust.ts` holds the record, `trust_rules.ts` judges by it.
 *
 * A change only ever adds: entries are merged by the rules below, so the order
 * of merges does not matter and an older record takes nothing away.
 *
 * @module
 */
import * as z from "zod/mini";
import type { Bytes } from "../../core/bytes.ts";
import {
  count,
  hash,
  textBetween,
  utcInstant,
} from "../../client/documents/fields.ts";
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import { type LogsRecord, logsSchema, mergeLogs } from "./log_record.ts";
import {
  compareKeys,
  earliest,
  inOrder,
  instantOf,
  latestAs,
  latestEntry,
  mergeRest,
  mergeSection,
  mergeSome,
  orderOf,
} from "../base/merging.ts";

/** The state slot of the record. */
export const TRUST_SLOT = "trust";

/** What a newer program added is kept: any JSON under other keys. */
interface Extensible {
  [key: string]: unknown;
}

/** What is remembered of a person. */
export interface TrustedPerson extends Extensible {
  /** `key_id` of the identity key that was seen first. */
  key_id: string;
  first_seen: string;
  /** The key whose safety number the people compared, and the device. */
  compared?: KeyDecision & { by?: string | undefined } | undefined;
  /** The key that the account holder accepted in place of the first. */
  decided?: KeyDecision | undefined;
  /** Other keys that a server showed for them, with the time. */
  others?: Record<string, string> | undefined;
  /**
   * Of people of other servers: SHA-256 of the sealing key on the first card of
   * each identity, by `key_id`s. Both keys come of one master key.
   */
  sealing?: Record<string, string> | undefined;
  blocked_at?: string | undefined;
  unblocked_at?: string | undefined;
}

/** A decision of the person about a key. */
interface KeyDecision extends Extensible {
  key_id: string;
  at: string;
}

/** What is remembered of an album's rosters by one identity. */
export interface RosterClaim extends Extensible {
  /** The owner's user id and the `key_id` of their identity key. */
  owner: string;
  anchor: string;
  first_seen: string;
  /** It is the account's own. */
  own?: true | undefined;
  /** When the person accepted this identity of the owner. */
  decided_at?: string | undefined;
  roster_version: number;
  amk_epoch: number;
  /** SHA-256 of the roster of that version. */
  roster?: string | undefined;
  /** Other rosters of the same version that a device was shown. */
  forks?: string[] | undefined;
}

/** What is remembered of an album. */
export interface TrustedAlbum extends Extensible {
  /**
   * The rosters of one album by those who signed them; {@link claimInForce}
   * says which one counts. More than one means that a device was lied to.
   */
  claims: Record<string, RosterClaim>;
  accepted_at?: string | undefined;
  left_at?: string | undefined;
}

/** What is remembered of a device of the account. */
interface TrustedDevice extends Extensible {
  /**
   * `first`, `enrolled` or `words`; a word of a newer program counts as
   * `words`.
   */
  came: string;
  at: string;
  /** The device that has confirmed the record of one that came by words. */
  confirmed_by?: string | undefined;
  confirmed_at?: string | undefined;
}

/**
 * A copy of the slot `library` that began with nothing but the server's word;
 * see `state_copies.ts`.
 */
interface DoubtedCopy extends Extensible {
  /** The device that has it. */
  device: string;
  at: string;
  /** The device that vouched for it, by what it knows itself, and when. */
  vouched_by?: string | undefined;
  vouched_at?: string | undefined;
}

/** What is remembered of the account's own signed device directory. */
interface DirectorySeen extends Extensible {
  version: number;
  state_counter: number;
}

/** How an origin came to be trusted, and when. */
interface TrustedOrigin extends Extensible {
  /** `opened` or `confirmed`; with another word it counts as neither. */
  how: string;
  at: string;
}

/** A verified receipt, by its number and the SHA-256 of it, in hex. */
export interface NewestReceipt extends Extensible {
  seq: number;
  sha256: string;
}

/** What is remembered of an album on another server. */
export interface AlbumAbroad extends Extensible {
  /** The owner's user id there and the `key_id` of their identity key. */
  owner: string;
  anchor: string;
  roster_version: number;
  amk_epoch: number;
  /** SHA-256 of the roster of that version. */
  roster: string;
  /** The number of the newest pickup, and the SHA-256 of its grant. */
  pickup_seq: number;
  pickup: string;
  /**
   * The roster that this grant names. No older one counts, and a later grant
   * may name another: one signature alone ends no album permanently.
   */
  told_version?: number | undefined;
  told_epoch?: number | undefined;
  told_roster?: string | undefined;
  /**
   * When the person took it from another owner, or another identity of theirs.
   */
  decided_at?: string | undefined;
  accepted_at?: string | undefined;
  left_at?: string | undefined;
}

/** What is remembered of another server. */
interface ServerAbroad extends Extensible {
  /** `key_id`s of its attestation keys, with the start of their time. */
  keys: Record<string, number>;
  /** By album ids. */
  albums: Record<string, AlbumAbroad>;
}

/** What is remembered of the server. */
export interface TrustedServer extends Extensible {
  /** Origins that the person opened, or confirmed when asked. */
  origins: Record<string, TrustedOrigin>;
  server_ids: string[];
  /** `key_id`s of the attestation keys, with the start of their time. */
  keys: Record<string, number>;
  /** The receipt of the highest number that any device verified. */
  receipt?: NewestReceipt | undefined;
}

/** What an account's devices remember; see the module. */
export interface TrustRecord extends Extensible {
  v: 1;
  /** Number of writes to the slot. */
  writes: number;
  /**
   * Number of writes to other slots, by their names; to `library` by each of
   * its copies, as `library/<id>`.
   */
  slots: Record<string, number>;
  /** By user ids. */
  people: Record<string, TrustedPerson>;
  /** By album ids. */
  albums: Record<string, TrustedAlbum>;
  /** The account's own signed device directory. */
  directory?: DirectorySeen | undefined;
  /** The account's devices, by their ids. */
  devices: Record<string, TrustedDevice>;
  /** Copies of the slot `library` that someone has to vouch for, by ids. */
  copies?: Record<string, DoubtedCopy> | undefined;
  server: TrustedServer;
  /** Other servers, by their ids. */
  abroad?: Record<string, ServerAbroad> | undefined;
  /** The public logs; `log_record.ts`. */
  logs?: LogsRecord | undefined;
}

const text = textBetween(1, 1_024);
const at = z.optional(utcInstant);

const personSchema = z.looseObject({
  key_id: hash,
  first_seen: utcInstant,
  compared: z.optional(
    z.looseObject({ key_id: hash, at: utcInstant, by: z.optional(text) }),
  ),
  decided: z.optional(z.looseObject({ key_id: hash, at: utcInstant })),
  others: z.optional(z.record(hash, utcInstant)),
  sealing: z.optional(z.record(hash, hash)),
  blocked_at: at,
  unblocked_at: at,
});

const claimSchema = z.looseObject({
  owner: text,
  anchor: hash,
  first_seen: utcInstant,
  own: z.optional(z.literal(true)),
  decided_at: at,
  roster_version: count,
  amk_epoch: count,
  roster: z.optional(hash),
  forks: z.optional(z.array(hash)),
});
const albumSchema = z.looseObject({
  claims: z.record(z.string(), claimSchema),
  accepted_at: at,
  left_at: at,
});

const deviceSchema = z.looseObject({
  came: text,
  at: utcInstant,
  confirmed_by: z.optional(text),
  confirmed_at: at,
});

const copySchema = z.looseObject({
  device: text,
  at: utcInstant,
  vouched_by: z.optional(text),
  vouched_at: at,
});

const directorySchema = z.looseObject({
  version: count,
  state_counter: z._default(count, 0),
});

const originSchema = z.looseObject({
  how: text,
  at: utcInstant,
});
const serverSchema = z.looseObject({
  origins: z._default(z.record(z.string(), originSchema), {}),
  server_ids: z._default(z.array(text), []),
  keys: z._default(z.record(hash, z.int()), {}),
  receipt: z.optional(z.looseObject({ seq: count, sha256: hash })),
});

const albumAbroadSchema = z.looseObject({
  owner: text,
  anchor: hash,
  roster_version: count,
  amk_epoch: count,
  roster: hash,
  pickup_seq: count,
  pickup: hash,
  told_version: z.optional(count),
  told_epoch: z.optional(count),
  told_roster: z.optional(hash),
  decided_at: at,
  accepted_at: at,
  left_at: at,
});
const abroadSchema = z.looseObject({
  keys: z._default(z.record(hash, z.int()), {}),
  albums: z._default(z.record(z.string(), albumAbroadSchema), {}),
});

const trustSchema = z.looseObject({
  v: z.literal(1),
  writes: z._default(count, 0),
  slots: z._default(z.record(z.string(), count), {}),
  people: z._default(z.record(z.string(), personSchema), {}),
  albums: z._default(z.record(z.string(), albumSchema), {}),
  directory: z.optional(directorySchema),
  devices: z._default(z.record(z.string(), deviceSchema), {}),
  copies: z.optional(z.record(z.string(), copySchema)),
  server: z._default(serverSchema, { origins: {}, server_ids: [], keys: {} }),
  abroad: z.optional(z.record(z.string(), abroadSchema)),
  logs: z.optional(logsSchema),
});

/** A record without entries. */
export function emptyTrust(): TrustRecord {
  return trustSchema.parse({ v: 1 });
}

/** The JSON bytes of a record. Throws a DocumentError. */
export function encodeTrust(record: TrustRecord): Bytes {
  return encodeJson(trustSchema, record, "trust record");
}

/** Reads a record; unknown keys stay in it. Throws a DocumentError. */
export function decodeTrust(bytes: Uint8Array): TrustRecord {
  return decodeJson(trustSchema, bytes, "trust record");
}

/** Merges two records; see the module. */
export function mergeTrust(one: TrustRecord, other: TrustRecord): TrustRecord {
  const directory = mergeSome(one.directory, other.directory, mergeDirectory);
  const logs = mergeSome(one.logs, other.logs, mergeLogs);
  const copies = mergeSome(
    one.copies,
    other.copies,
    (a, b) => mergeSection(a, b, mergeCopy),
  );
  const abroad = mergeSome(
    one.abroad,
    other.abroad,
    (a, b) => mergeSection(a, b, mergeAbroad),
  );
  return {
    ...mergeRest(one, other, trustSchema.shape),
    v: 1,
    writes: Math.max(one.writes, other.writes),
    slots: mergeSection(one.slots, other.slots, Math.max),
    people: mergeSection(one.people, other.people, mergePerson),
    albums: mergeSection(one.albums, other.albums, mergeAlbum),
    devices: mergeSection(one.devices, other.devices, mergeDevice),
    server: mergeServer(one.server, other.server),
    ...(directory === undefined ? {} : { directory }),
    ...(copies === undefined ? {} : { copies }),
    ...(abroad === undefined ? {} : { abroad }),
    ...(logs === undefined ? {} : { logs }),
  };
}

function mergeAbroad(a: ServerAbroad, b: ServerAbroad): ServerAbroad {
  return {
    ...mergeRest(a, b, abroadSchema.shape),
    keys: mergeSection(a.keys, b.keys, Math.min),
    albums: mergeSection(a.albums, b.albums, mergeAlbumAbroad),
  };
}

/** What the grant of a pickup named. */
function toldOf(
  { told_version, told_epoch, told_roster }: AlbumAbroad,
): Pick<AlbumAbroad, "told_version" | "told_epoch" | "told_roster"> {
  return told_version === undefined
    ? {}
    : { told_version, told_epoch, told_roster };
}

/**
 * The highest of each; two of one number have an order of their own. Of two
 * owners the one who was decided last counts, and what was seen of that one.
 */
function mergeAlbumAbroad(a: AlbumAbroad, b: AlbumAbroad): AlbumAbroad {
  const isOne = a.owner === b.owner && a.anchor === b.anchor;
  const [other, last] = inOrder(
    a,
    b,
    ({ decided_at, anchor, owner }) => [instantOf(decided_at), anchor, owner],
  );
  const [one, two] = isOne ? [other, last] : [last, last];
  const [, roster] = inOrder(
    one,
    two,
    (each) => [each.roster_version, each.roster],
  );
  const [, pickup] = inOrder(
    one,
    two,
    (each) => [each.pickup_seq, each.pickup],
  );
  return {
    ...mergeRest(a, b, albumAbroadSchema.shape),
    owner: last.owner,
    anchor: last.anchor,
    roster_version: roster.roster_version,
    amk_epoch: Math.max(one.amk_epoch, two.amk_epoch),
    roster: roster.roster,
    pickup_seq: pickup.pickup_seq,
    pickup: pickup.pickup,
    ...toldOf(pickup),
    ...latestAs("decided_at", a.decided_at, b.decided_at),
    ...latestAs("accepted_at", a.accepted_at, b.accepted_at),
    ...latestAs("left_at", a.left_at, b.left_at),
  };
}

/** Merges what is remembered of a person. */
export function mergePerson(a: TrustedPerson, b: TrustedPerson): TrustedPerson {
  const [first, second] = inOrder(
    a,
    b,
    ({ first_seen, key_id }) => orderOf(first_seen, key_id),
  );
  const others = mergeSection(
    mergeSection(a.others ?? {}, b.others ?? {}, earliest),
    first.key_id === second.key_id
      ? {}
      : { [second.key_id]: second.first_seen },
    earliest,
  );
  delete others[first.key_id];
  const sealing = mergeSection(
    a.sealing ?? {},
    b.sealing ?? {},
    (one, other) => one < other ? one : other,
  );
  const compared = latestEntry(a.compared, b.compared);
  const decided = latestEntry(a.decided, b.decided);
  return {
    ...mergeRest(a, b, personSchema.shape),
    key_id: first.key_id,
    first_seen: first.first_seen,
    ...(compared === undefined ? {} : { compared }),
    ...(decided === undefined ? {} : { decided }),
    ...(Object.keys(others).length === 0 ? {} : { others }),
    ...(Object.keys(sealing).length === 0 ? {} : { sealing }),
    ...latestAs("blocked_at", a.blocked_at, b.blocked_at),
    ...latestAs("unblocked_at", a.unblocked_at, b.unblocked_at),
  };
}

/** Merges what is remembered of an album. */
export function mergeAlbum(a: TrustedAlbum, b: TrustedAlbum): TrustedAlbum {
  return {
    ...mergeRest(a, b, albumSchema.shape),
    claims: mergeSection(a.claims, b.claims, mergeClaim),
    ...latestAs("accepted_at", a.accepted_at, b.accepted_at),
    ...latestAs("left_at", a.left_at, b.left_at),
  };
}

function mergeClaim(a: RosterClaim, b: RosterClaim): RosterClaim {
  const { roster_version } = a.roster_version >= b.roster_version ? a : b;
  const rosters = [a, b].flatMap((one) =>
    one.roster_version === roster_version
      ? [one.roster, ...one.forks ?? []]
      : []
  );
  const [roster, ...forks] = [...new Set(rosters)]
    .filter((one) => one !== undefined).toSorted();
  return {
    ...mergeRest(a, b, claimSchema.shape),
    owner: a.owner,
    anchor: a.anchor,
    first_seen: earliest(a.first_seen, b.first_seen),
    ...(a.own === true || b.own === true ? { own: true } : {}),
    ...latestAs("decided_at", a.decided_at, b.decided_at),
    roster_version,
    amk_epoch: Math.max(a.amk_epoch, b.amk_epoch),
    ...(roster === undefined ? {} : { roster }),
    ...(forks.length === 0 ? {} : { forks }),
  };
}

function mergeDevice(a: TrustedDevice, b: TrustedDevice): TrustedDevice {
  const [first] = inOrder(a, b, (one) => orderOf(one.at, one.came));
  const [confirmed] = [a, b]
    .filter((one) => one.confirmed_at !== undefined)
    .toSorted((x, y) =>
      compareKeys(
        orderOf(x.confirmed_at, x.confirmed_by ?? ""),
        orderOf(y.confirmed_at, y.confirmed_by ?? ""),
      )
    );
  return {
    ...mergeRest(a, b, deviceSchema.shape),
    came: first.came,
    at: first.at,
    ...(confirmed === undefined ? {} : {
      confirmed_at: confirmed.confirmed_at,
      confirmed_by: confirmed.confirmed_by,
    }),
  };
}

function mergeCopy(a: DoubtedCopy, b: DoubtedCopy): DoubtedCopy {
  const [first] = inOrder(a, b, (one) => orderOf(one.at, one.device));
  const [vouched] = [a, b]
    .filter((one) => one.vouched_at !== undefined)
    .toSorted((x, y) =>
      compareKeys(
        orderOf(x.vouched_at, x.vouched_by ?? ""),
        orderOf(y.vouched_at, y.vouched_by ?? ""),
      )
    );
  return {
    ...mergeRest(a, b, copySchema.shape),
    device: first.device,
    at: first.at,
    ...(vouched === undefined ? {} : {
      vouched_at: vouched.vouched_at,
      vouched_by: vouched.vouched_by,
    }),
  };
}

function mergeDirectory(a: DirectorySeen, b: DirectorySeen): DirectorySeen {
  return {
    ...mergeRest(a, b, directorySchema.shape),
    version: Math.max(a.version, b.version),
    state_counter: Math.max(a.state_counter, b.state_counter),
  };
}

function mergeServer(a: TrustedServer, b: TrustedServer): TrustedServer {
  const receipt = mergeSome(
    a.receipt,
    b.receipt,
    (x, y) => inOrder(x, y, ({ seq, sha256 }) => [seq, sha256])[1],
  );
  return {
    ...mergeRest(a, b, serverSchema.shape),
    origins: mergeSection(
      a.origins,
      b.origins,
      (x, y) =>
        inOrder(x, y, (one) => [
          one.how === "opened" ? 0 : 1,
          ...orderOf(one.at, ""),
        ])[0],
    ),
    server_ids: [...new Set([...a.server_ids, ...b.server_ids])].toSorted(),
    keys: mergeSection(a.keys, b.keys, Math.min),
    ...(receipt === undefined ? {} : { receipt }),
  };
}
