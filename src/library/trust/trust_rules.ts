/**
 * What the trust record says: which identity and which roster count, what is
 * refused, and how a device adds what it saw. The record itself and how two of
 * them are merged are in `trust_record.ts`.
 *
 * @module
 */
import { toRfc3339 } from "../../core/time.ts";
import type { LogsRecord } from "./log_record.ts";
import {
  after,
  compareKeys,
  entryOf,
  instantOf,
  isLater,
  latestEntry,
  mergeSome,
  type OrderKey,
} from "../base/merging.ts";
import {
  emptyTrust,
  mergeAlbum,
  mergePerson,
  mergeTrust,
  type NewestReceipt,
  type RosterClaim,
  type TrustedAlbum,
  type TrustedPerson,
  type TrustRecord,
} from "./trust_record.ts";

/** The identity key in force for a person: what people decided beats sight. */
export function anchorInForce(person: TrustedPerson): string {
  const { compared, decided, key_id } = person;
  return latestEntry(compared, decided)?.key_id ?? key_id;
}

/**
 * The owner of an album and the newest roster of theirs. An own album stays
 * one's own; otherwise a decision of the person counts, then first sight.
 */
export function claimInForce(
  album: TrustedAlbum | undefined,
): RosterClaim | undefined {
  return Object.values(album?.claims ?? {}).toSorted((a, b) =>
    compareKeys(orderOfClaim(a), orderOfClaim(b))
  )[0];
}

function orderOfClaim(claim: RosterClaim): OrderKey {
  const { own, decided_at: decided, first_seen, owner, anchor } = claim;
  return [
    own === true ? 0 : 1,
    -instantOf(decided),
    instantOf(first_seen),
    keyOfClaim({ owner, anchor }),
  ];
}

function keyOfClaim(
  { owner, anchor }: Pick<RosterClaim, "owner" | "anchor">,
): string {
  return `${anchor} ${owner}`;
}

/** Whether the account holder blocked a person. */
export function isBlocked(record: TrustRecord, userId: string): boolean {
  const person = entryOf(record.people, userId);
  return isLater(person?.blocked_at, person?.unblocked_at);
}

/** Whether the account holder accepted to be in an album. */
export function isAccepted(album: TrustedAlbum | undefined): boolean {
  return claimInForce(album)?.own === true ||
    isLater(album?.accepted_at, album?.left_at);
}

/** Notes an identity key that was shown for a person. */
export function seePerson(
  record: TrustRecord,
  userId: string,
  keyId: string,
  now: number,
): TrustRecord {
  const before = entryOf(record.people, userId);
  if (before !== undefined && anchorInForce(before) === keyId) return record;
  return withPerson(record, userId, {
    key_id: keyId,
    first_seen: toRfc3339(now),
  });
}

/** Notes that two people compared their safety number. */
export function comparePerson(
  record: TrustRecord,
  userId: string,
  compared: { readonly key_id: string; readonly by?: string },
  now: number,
): TrustRecord {
  const before = entryOf(record.people, userId);
  const then = after(now, before?.compared?.at, before?.decided?.at);
  return withPerson(record, userId, {
    key_id: before?.key_id ?? compared.key_id,
    first_seen: before?.first_seen ?? then,
    compared: { ...compared, at: then },
  });
}

/** Notes the sealing key on the first card of an identity. */
export function seeSealingKey(
  record: TrustRecord,
  member: string,
  { keyId, sealing }: { readonly keyId: string; readonly sealing: string },
): TrustRecord {
  const before = entryOf(record.people, member);
  if (before === undefined || entryOf(before.sealing ?? {}, keyId)) {
    return record;
  }
  const { key_id, first_seen } = before;
  const seen = { ...before.sealing, [keyId]: sealing };
  return withPerson(record, member, { key_id, first_seen, sealing: seen });
}

/** Notes that the account holder accepted another identity of a person. */
export function decidePerson(
  record: TrustRecord,
  userId: string,
  keyId: string,
  now: number,
): TrustRecord {
  const before = entryOf(record.people, userId);
  const then = after(now, before?.compared?.at, before?.decided?.at);
  return withPerson(record, userId, {
    key_id: before?.key_id ?? keyId,
    first_seen: before?.first_seen ?? then,
    decided: { key_id: keyId, at: then },
  });
}

/** Blocks a person whose identity is known, or unblocks them. */
export function blockPerson(
  record: TrustRecord,
  userId: string,
  blocked: boolean,
  now: number,
): TrustRecord {
  const before = entryOf(record.people, userId);
  if (before === undefined) return record;
  const then = after(now, before.blocked_at, before.unblocked_at);
  return withPerson(record, userId, {
    ...before,
    ...(blocked ? { blocked_at: then } : { unblocked_at: then }),
  });
}

/** A roster whose signature was verified. */
export interface SeenRoster {
  readonly owner: string;
  /** `key_id` of the identity key that signed it. */
  readonly anchor: string;
  readonly version: number;
  readonly epoch: number;
  /** SHA-256, in hex. */
  readonly sha256: string;
}

/** Why a roster is refused. */
export type RosterFault =
  | "another_owner"
  | "another_identity"
  | "older_version"
  | "older_epoch"
  | "other_bytes";

/** Compares a verified roster with what is remembered of its album. */
export function judgeRoster(
  record: TrustRecord,
  albumId: string,
  seen: SeenRoster,
): RosterFault | undefined {
  const known = claimInForce(entryOf(record.albums, albumId));
  if (known === undefined) return undefined;
  if (known.owner !== seen.owner) return "another_owner";
  if (known.anchor !== seen.anchor && !isDecided(record, seen)) {
    return "another_identity";
  }
  if (seen.version < known.roster_version) return "older_version";
  if (seen.epoch < known.amk_epoch) return "older_epoch";
  const same = seen.version === known.roster_version;
  const other = known.roster !== undefined && known.roster !== seen.sha256;
  const forked = known.forks !== undefined && known.forks.length > 0;
  return same && (other || forked) ? "other_bytes" : undefined;
}

/** Notes a roster that was judged and taken, and whose album it is. */
export function seeRoster(
  record: TrustRecord,
  albumId: string,
  seen: SeenRoster,
  { own, now }: { readonly own: boolean; readonly now: number },
): TrustRecord {
  const known = claimInForce(entryOf(record.albums, albumId));
  const { owner, anchor } = seen;
  const decided = known !== undefined && isDecided(record, seen) &&
    keyOfClaim(known) !== keyOfClaim(seen);
  const claim: RosterClaim = {
    owner,
    anchor,
    first_seen: toRfc3339(now),
    roster_version: seen.version,
    amk_epoch: seen.epoch,
    roster: seen.sha256,
    ...(own ? { own } : {}),
    ...(decided ? { decided_at: after(now, known.decided_at) } : {}),
  };
  return withAlbum(record, albumId, { claims: { [keyOfClaim(seen)]: claim } });
}

/** Notes that the account holder accepts an album, or left it. */
export function consentTo(
  record: TrustRecord,
  albumId: string,
  consents: boolean,
  now: number,
): TrustRecord {
  const before = entryOf(record.albums, albumId);
  if (before === undefined || isAccepted(before) === consents) return record;
  const then = after(now, before.accepted_at, before.left_at);
  return withAlbum(record, albumId, {
    ...before,
    ...(consents ? { accepted_at: then } : { left_at: then }),
  });
}

/** Notes the attestation keys of a server that this device pinned. */
export function seeServer(
  record: TrustRecord,
  { serverId, formerIds = [], keys }: {
    readonly serverId: string;
    readonly formerIds?: readonly string[] | undefined;
    readonly keys: readonly {
      readonly keyId: string;
      readonly activeFrom: number;
    }[];
  },
): TrustRecord {
  const empty = emptyTrust();
  const server = {
    ...empty.server,
    server_ids: [serverId, ...formerIds],
    keys: Object.fromEntries(
      keys.map(({ keyId, activeFrom }) => [keyId, activeFrom]),
    ),
  };
  return mergeTrust(record, { ...empty, server });
}

/** Of two receipts the one of the higher number. */
export function newestReceipt(
  a: NewestReceipt | undefined,
  b: NewestReceipt | undefined,
): NewestReceipt | undefined {
  return a === undefined || (b !== undefined && b.seq > a.seq) ? b : a;
}

/** Notes a verified receipt of the server. */
export function seeReceipt(
  record: TrustRecord,
  { seq, sha256 }: NewestReceipt,
): TrustRecord {
  const { server } = record;
  const receipt = newestReceipt(server.receipt, { seq, sha256 });
  return { ...record, server: { ...server, receipt } };
}

/** Notes the account's own directory, whose signature was verified. */
export function seeDirectory(
  record: TrustRecord,
  directory: NonNullable<TrustRecord["directory"]>,
): TrustRecord {
  return mergeTrust(record, { ...emptyTrust(), directory });
}

/** Adds to the section of the logs. */
export function withLogs(
  record: TrustRecord,
  more: Partial<LogsRecord>,
): TrustRecord {
  const before = record.logs ?? { seen: {}, evidence: {} };
  return {
    ...record,
    logs: {
      ...before,
      ...more,
      seen: { ...before.seen, ...more.seen },
      evidence: { ...more.evidence, ...before.evidence },
    },
  };
}

function isDecided(record: TrustRecord, { owner, anchor }: SeenRoster) {
  const person = entryOf(record.people, owner);
  const { decided } = person ?? {};
  return decided?.key_id === anchor && person !== undefined &&
    anchorInForce(person) === anchor;
}

function withPerson(
  record: TrustRecord,
  userId: string,
  entry: TrustedPerson,
): TrustRecord {
  const before = entryOf(record.people, userId);
  const next = mergeSome(before, entry, mergePerson) ?? entry;
  return { ...record, people: { ...record.people, [userId]: next } };
}

function withAlbum(
  record: TrustRecord,
  albumId: string,
  entry: TrustedAlbum,
): TrustRecord {
  const before = entryOf(record.albums, albumId);
  const next = mergeSome(before, entry, mergeAlbum) ?? entry;
  return { ...record, albums: { ...record.albums, [albumId]: next } };
}
