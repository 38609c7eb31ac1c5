/**
 * Vectors of what an account's devices remember together: the trust record,
 * deletions, and what they published.
 *
 * @module
 */
import { toHex, utf8 } from "../../src/core/bytes.ts";
import {
  decodeDeletions,
  mergeDeletions,
} from "../../src/library/trust/deletions_record.ts";
import { withDocuments } from "../../src/library/vault/published.ts";
import {
  decodeTrust,
  mergeTrust,
  type TrustRecord,
} from "../../src/library/trust/trust_record.ts";
import {
  anchorInForce,
  claimInForce,
} from "../../src/library/trust/trust_rules.ts";
import {
  handedTrust,
  trustStatusOf,
} from "../../src/library/trust/trust_status.ts";
import { DEVICE_ID, FILE_ID, secretOf, SERVER_ID, USER_ID } from "./seeds.ts";

const at = (minute: number) =>
  `2026-10-01T12:${String(minute).padStart(2, "0")}:00.000Z`;
const key = (name: string) => toHex(secretOf(name));
const LAPTOP = DEVICE_ID;
const PHONE = DEVICE_ID.replace(/^7/, "8");
const COPIES = ["00000000000000aa", "00000000000000bb"] as const;
const ALBUMS = [1, 2, 3].map((n) => `01930b6e-7a30-8c3a-8a8e-00000000000${n}`);
const PEOPLE = [1, 2, 3, 4].map((n) =>
  `01930b6e-7a30-7c3a-8a8e-00000000000${n}`
);

/** The numbered entries that one device has of a section with a limit. */
function numbered<T>(
  count: number,
  nameOf: (n: number) => string,
  entryOf: (n: number) => T,
  isHere: (n: number) => boolean,
): Record<string, T> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => n).filter(isHere)
      .map((n) => [nameOf(n), entryOf(n)]),
  );
}

/** More than a record keeps, of both kinds, shared between two devices. */
function logsOf(isHere: (n: number) => boolean) {
  return {
    seen: numbered(
      17,
      (n) => `strongroom.example/keys/${n}`,
      (n) => ({ size: n, root: key("root"), note: "note", at: at(n) }),
      isHere,
    ),
    evidence: numbered(
      33,
      (n) => `finding ${n}`,
      (n) => ({ kind: "gone", detail: "x", at: at(40 - n) }),
      isHere,
    ),
  };
}

/** Claims have the names that the record gives them. */
function claim(anchor: string, rest: object) {
  return {
    [`${key(anchor)} ${USER_ID}`]: {
      owner: USER_ID,
      anchor: key(anchor),
      ...rest,
    },
  };
}

const [SUMMER = "", WINTER = "", SPRING = ""] = ALBUMS;
const [BEN = "", CEM = "", DEA = "", EVE = ""] = PEOPLE;

const LAPTOPS = {
  v: 1,
  writes: 5,
  slots: { deletions: 3, [`library/${COPIES[0]}`]: 7 },
  people: {
    [BEN]: {
      key_id: key("ben"),
      first_seen: at(1),
      compared: { key_id: key("ben"), at: at(2), by: LAPTOP },
      nickname: "B",
    },
    [CEM]: {
      key_id: key("cem of later"),
      first_seen: at(2),
      blocked_at: at(3),
    },
    [DEA]: {
      key_id: key("dea"),
      first_seen: at(1),
      decided: { key_id: key("dea of one"), at: at(4) },
    },
  },
  albums: {
    [SUMMER]: {
      claims: {
        ...claim("ada", {
          first_seen: at(2),
          own: true,
          roster_version: 4,
          amk_epoch: 2,
          roster: key("roster of one"),
        }),
        ...claim("not ada", {
          first_seen: at(1),
          roster_version: 9,
          amk_epoch: 9,
          roster: key("planted roster"),
        }),
      },
    },
    [WINTER]: {
      claims: claim("ada", {
        first_seen: at(3),
        roster_version: 7,
        amk_epoch: 1,
        roster: key("another roster 7"),
        forks: [key("roster 7")],
      }),
      accepted_at: at(4),
    },
  },
  directory: { version: 3, state_counter: 8 },
  devices: {
    [LAPTOP]: { came: "first", at: at(0) },
    [PHONE]: {
      came: "words",
      at: at(1),
      confirmed_by: LAPTOP,
      confirmed_at: at(7),
    },
  },
  copies: {
    [COPIES[1]]: {
      device: PHONE,
      at: at(1),
      vouched_by: LAPTOP,
      vouched_at: at(8),
    },
  },
  server: {
    origins: {
      [SERVER_ID]: { how: "confirmed", at: at(0) },
      "https://photos.example": { how: "inherited", at: at(2) },
    },
    server_ids: [SERVER_ID],
    keys: { [key("attestation")]: 1_000, [key("next")]: 3_000 },
    receipt: { seq: 9, sha256: key("receipt 9") },
  },
  logs: {
    policy: { text: "quorum none\n", at: at(1) },
    begun_at: at(5),
    ...logsOf((n) => n % 2 === 0),
  },
  tomorrow: { both: { a: [1], list: [{ "10": 1, "9": 2 }] }, one: true },
};

const PHONES = {
  v: 1,
  writes: 4,
  slots: {
    deletions: 1,
    [`library/${COPIES[0]}`]: 6,
    [`library/${COPIES[1]}`]: 2,
  },
  people: {
    [BEN]: {
      key_id: key("ben"),
      first_seen: at(3),
      // Two texts of one instant, and one that is greater and earlier.
      compared: { key_id: key("ben"), at: "2026-10-01T12:02:00Z", by: PHONE },
      decided: { key_id: key("ben of later"), at: at(5) },
      nickname: "Ben",
    },
    [CEM]: {
      key_id: key("cem"),
      first_seen: at(1),
      blocked_at: "2026-10-01T12:02:59.9Z",
      unblocked_at: at(2),
    },
    [DEA]: {
      key_id: key("dea"),
      first_seen: at(1),
      decided: { key_id: key("dea of another"), at: at(4) },
      others: { [key("dea of one")]: at(2) },
    },
    [EVE]: { key_id: key("eve"), first_seen: at(6) },
  },
  albums: {
    [SUMMER]: {
      claims: claim("ada", {
        first_seen: at(4),
        roster_version: 4,
        amk_epoch: 3,
        roster: key("roster of another"),
        colour: "red",
      }),
    },
    [WINTER]: {
      claims: claim("ada", {
        first_seen: at(1),
        roster_version: 8,
        amk_epoch: 1,
        roster: key("roster 8"),
      }),
      accepted_at: at(2),
      left_at: at(3),
    },
    [SPRING]: {
      claims: {
        ...claim("one", { first_seen: at(3), roster_version: 1, amk_epoch: 0 }),
        ...claim("two", { first_seen: at(3), roster_version: 2, amk_epoch: 0 }),
        ...claim("three", {
          first_seen: at(4),
          decided_at: at(5),
          roster_version: 1,
          amk_epoch: 0,
        }),
      },
      left_at: at(9),
    },
  },
  directory: { version: 4, state_counter: 6 },
  devices: {
    [PHONE]: {
      came: "words",
      at: at(1),
      confirmed_by: "witnesses",
      confirmed_at: at(6),
    },
    "a tablet": { came: "passkey", at: at(9), battery: 7 },
  },
  copies: {
    [COPIES[1]]: {
      device: PHONE,
      at: at(1),
      vouched_by: "a tablet",
      vouched_at: at(9),
    },
  },
  server: {
    origins: {
      [SERVER_ID]: { how: "opened", at: at(3) },
      "https://photos.example": { how: "confirmed", at: at(3) },
    },
    server_ids: ["https://photos.example"],
    keys: { [key("attestation")]: 2_000 },
    receipt: { seq: 8, sha256: key("receipt 8") },
  },
  logs: {
    policy: { text: "quorum none\n# again\n", at: at(2) },
    begun_at: at(4),
    ...logsOf((n) => n % 2 === 1),
    seen: {
      ...logsOf((n) => n % 2 === 1).seen,
      "strongroom.example/keys/16": {
        size: 20,
        root: key("root"),
        note: "longer",
        at: at(1),
      },
    },
    evidence: {
      ...logsOf((n) => n % 2 === 1).evidence,
      "finding 32": {
        kind: "a_new_kind",
        detail: "y",
        at: at(7),
        answered_at: at(9),
      },
    },
  },
  tomorrow: { both: { a: [2], list: [{ "10": 2, "9": 1 }] }, other: "x" },
};

/** What a record says: who counts, whose an album is, and what a device knows. */
export function saidBy(record: TrustRecord) {
  const each = <T, U>(section: Record<string, T>, of: (one: T) => U) =>
    Object.fromEntries(
      Object.entries(section).map(([id, one]) => [id, of(one)]),
    );
  return {
    people: each(record.people, anchorInForce),
    albums: each(record.albums, (album) => {
      const claim = claimInForce(album);
      return claim === undefined ? null : `${claim.anchor} ${claim.owner}`;
    }),
    devices: Object.fromEntries(
      [...Object.keys(record.devices), "another"]
        .map((id) => [id, trustStatusOf(record, id)]),
    ),
  };
}

const deletionsOf = (writes: number, assets: object) => ({
  v: 1,
  writes,
  assets,
});
const asset = (n: number) => FILE_ID.replace(/^0/, String(n));

/** Two devices' records of each kind, and what both come to. */
export function rememberedVectors() {
  const json = (value: unknown) => utf8(JSON.stringify(value));
  const [laptop, phone] = [LAPTOPS, PHONES].map((one) =>
    decodeTrust(json(one))
  );
  if (laptop === undefined || phone === undefined) throw new Error("no record");
  const merged = mergeTrust(laptop, phone);
  const deletions = [
    deletionsOf(6, {
      [asset(1)]: [5_000, 1, "AAAAAAAAAAAAAAAAAAAAAA", 0],
      [asset(2)]: [5_000, 1, "", 0],
      [asset(3)]: [5_000, 1, "", 9_000],
      [asset(4)]: [5_000, 1, "", 0],
      [asset(6)]: [5_000, 1, "", 9_000],
      [asset(7)]: [5_000, 3, "", 0],
      [asset(8)]: [5_000, 3, "", 9_000],
      [asset(9)]: [5_000, 3, "", 0],
    }),
    deletionsOf(7, {
      [asset(1)]: [6_000, 0, "AAAAAAAAAAAAAAAAAAAAAA", 0],
      [asset(2)]: [5_000, 0, "", 0],
      [asset(3)]: [5_000, 1, "AAAAAAAAAAAAAAAAAAAAAA", 8_000],
      [asset(5)]: [1_000, 1, "", 0],
      // The server says that they were restored.
      [asset(6)]: [5_000, 2, "", 0],
      [asset(7)]: [5_000, 2, "", 0],
      [asset(8)]: [5_000, 4, "", 0],
      [asset(9)]: [5_000, 0, "", 0],
    }),
  ].map((one) => decodeDeletions(json(one)));
  const [deleted, restored] = deletions;
  if (deleted === undefined || restored === undefined) throw new Error("none");
  const documents = [
    {
      [key("directory")]: { what: "directory", at: at(2), by: LAPTOP },
      [key("roster")]: { what: "roster", at: at(3), by: LAPTOP },
    },
    {
      [key("directory")]: { what: "directory", at: at(1), by: PHONE },
      [key("succession")]: { what: "succession", at: at(4), to: 7 },
    },
  ];
  const published = documents.map((one) => ({ v: 1 as const, documents: one }));
  const [noted, later] = published;
  if (noted === undefined || later === undefined) throw new Error("none");
  return {
    trust: {
      laptop,
      phone,
      merged,
      says: [laptop, phone, merged].map(saidBy),
    },
    handed: [4_000, 2_000, 1_000].map((most_bytes) => ({
      most_bytes,
      copy: COPIES[1],
      trust: JSON.parse(handedTrust(laptop, COPIES[1], most_bytes)),
    })),
    deletions: {
      laptop: deleted,
      phone: restored,
      merged: mergeDeletions(deleted, restored),
    },
    published: {
      laptop: noted,
      phone: later,
      merged: withDocuments(noted, later.documents),
    },
  };
}
