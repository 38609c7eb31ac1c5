import assert from "node:assert/strict";
import { entryOf } from "../base/merging.ts";
import {
  decodeTrust,
  emptyTrust,
  encodeTrust,
  mergeTrust,
  type TrustRecord,
} from "./trust_record.ts";
import {
  anchorInForce,
  blockPerson,
  claimInForce,
  comparePerson,
  consentTo,
  decidePerson,
  isAccepted,
  isBlocked,
  judgeRoster,
  seeDirectory,
  type SeenRoster,
  seePerson,
  seeRoster,
} from "./trust_rules.ts";
import { stateCounter } from "./trust_status.ts";

const NOW = Date.parse("2026-11-23T12:00:00Z");
const BOB = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const ALBUM = "16fd2706-8baf-433b-82eb-8c7fada847da";
const [KEY, OTHER_KEY, BYTES, OTHER_BYTES] = ["a1", "b2", "c3", "d4"]
  .map((two) => two.repeat(32)) as [string, string, string, string];
const ROSTER: SeenRoster = {
  owner: BOB,
  anchor: KEY,
  version: 3,
  epoch: 1,
  sha256: BYTES,
};
const joined = seeRoster(emptyTrust(), ALBUM, ROSTER, { own: false, now: NOW });

const claimOf = ({ albums }: TrustRecord) => claimInForce(albums[ALBUM]);

/** Both orders of a merge, which must give the same. */
function merged(one: TrustRecord, other: TrustRecord): TrustRecord {
  const both = mergeTrust(one, other);
  assert.deepEqual(mergeTrust(other, one), both);
  assert.deepEqual(mergeTrust(both, one), both);
  assert.deepEqual(mergeTrust(both, other), both);
  assert.deepEqual(decodeTrust(encodeTrust(both)), both);
  return both;
}

Deno.test("a second identity of a person never replaces the first, and a comparison beats sight", () => {
  const first = seePerson(emptyTrust(), BOB, KEY, NOW);
  const later = seePerson(emptyTrust(), BOB, OTHER_KEY, NOW + 1);
  const both = merged(first, later).people[BOB];
  assert.ok(both !== undefined);
  assert.equal(anchorInForce(both), KEY);
  assert.deepEqual(Object.keys(both.others ?? {}), [OTHER_KEY]);
  const again = seePerson(first, BOB, OTHER_KEY, NOW + 2).people[BOB];
  assert.equal(again && anchorInForce(again), KEY);

  const compared = comparePerson(later, BOB, { key_id: OTHER_KEY }, NOW + 3);
  const beaten = merged(first, compared).people[BOB];
  assert.equal(beaten && anchorInForce(beaten), OTHER_KEY);
  const decided = decidePerson(merged(first, compared), BOB, KEY, NOW);
  const last = merged(compared, decided).people[BOB];
  assert.equal(last && anchorInForce(last), KEY);
});

Deno.test("a roster is refused for another owner or identity, a lower version or epoch, and other bytes of the same version", () => {
  const judged = (over: Partial<SeenRoster>) =>
    judgeRoster(joined, ALBUM, { ...ROSTER, ...over });
  assert.equal(judged({}), undefined);
  assert.equal(
    judged({ version: 4, epoch: 2, sha256: OTHER_BYTES }),
    undefined,
  );
  assert.equal(judged({ version: 9, owner: "eve" }), "another_owner");
  assert.equal(judged({ version: 9, anchor: OTHER_KEY }), "another_identity");
  assert.equal(judged({ version: 2 }), "older_version");
  assert.equal(judged({ version: 4, epoch: 0 }), "older_epoch");
  assert.equal(judged({ sha256: OTHER_BYTES }), "other_bytes");
  assert.equal(judgeRoster(emptyTrust(), ALBUM, ROSTER), undefined);
  assert.equal(judgeRoster(joined, "constructor", ROSTER), undefined);
});

Deno.test("another identity of an owner is believed once the person decided for it", () => {
  const next = { ...ROSTER, anchor: OTHER_KEY, version: 4 };
  const seen = seePerson(joined, BOB, KEY, NOW);
  assert.equal(judgeRoster(seen, ALBUM, next), "another_identity");
  const decided = decidePerson(seen, BOB, OTHER_KEY, NOW + 1);
  assert.equal(judgeRoster(decided, ALBUM, next), undefined);
  const taken = seeRoster(decided, ALBUM, next, { own: false, now: NOW + 2 });
  assert.equal(claimOf(merged(joined, taken))?.anchor, OTHER_KEY);
  const back = judgeRoster(taken, ALBUM, { ...ROSTER, version: 5 });
  assert.equal(back, "another_identity");
});

Deno.test("the highest version of an album counts, and a device that was lied to raises nothing", () => {
  const newer = seeRoster(
    emptyTrust(),
    ALBUM,
    { ...ROSTER, version: 5, epoch: 2, sha256: OTHER_BYTES },
    { own: false, now: NOW + 9 },
  );
  const both = claimOf(merged(joined, newer));
  assert.equal(both?.roster_version, 5);
  assert.equal(both.amk_epoch, 2);
  assert.equal(both.roster, OTHER_BYTES);

  const lie = { ...ROSTER, owner: "eve", anchor: OTHER_KEY, version: 1_000 };
  const lied = seeRoster(emptyTrust(), ALBUM, lie, {
    own: false,
    now: NOW + 9,
  });
  const kept = claimOf(merged(joined, lied));
  assert.equal(kept?.owner, BOB);
  assert.equal(kept.roster_version, 3);
  // A liar who came first does not get an album that is the account's own.
  const own = seeRoster(emptyTrust(), ALBUM, { ...ROSTER, owner: "ada" }, {
    own: true,
    now: NOW + 99,
  });
  assert.equal(claimOf(merged(lied, own))?.owner, "ada");
  assert.equal(claimOf(merged(lied, own))?.own, true);
});

Deno.test("two devices that saw other bytes of one version hold the album until the next", () => {
  const forked = merged(
    joined,
    seeRoster(emptyTrust(), ALBUM, { ...ROSTER, sha256: OTHER_BYTES }, {
      own: false,
      now: NOW,
    }),
  );
  assert.equal(judgeRoster(forked, ALBUM, ROSTER), "other_bytes");
  const next = { ...ROSTER, version: 4, sha256: OTHER_BYTES };
  assert.equal(judgeRoster(forked, ALBUM, next), undefined);
  const taken = seeRoster(forked, ALBUM, next, { own: false, now: NOW });
  assert.equal(judgeRoster(merged(forked, taken), ALBUM, next), undefined);
});

Deno.test("consent and blocks go to and fro, whatever the clocks", () => {
  assert.equal(isAccepted(joined.albums[ALBUM]), false);
  const accepted = consentTo(joined, ALBUM, true, NOW);
  assert.equal(isAccepted(accepted.albums[ALBUM]), true);
  const left = consentTo(accepted, ALBUM, false, NOW - 1_000);
  assert.equal(isAccepted(merged(accepted, left).albums[ALBUM]), false);
  const again = consentTo(left, ALBUM, true, NOW - 2_000);
  assert.equal(isAccepted(merged(again, left).albums[ALBUM]), true);
  const known = seePerson(emptyTrust(), BOB, KEY, NOW);
  const blocked = blockPerson(known, BOB, true, NOW);
  assert.equal(isBlocked(blocked, BOB), true);
  const free = blockPerson(blocked, BOB, false, NOW - 5_000);
  assert.equal(isBlocked(merged(blocked, free), BOB), false);
  assert.equal(isBlocked(free, "toString"), false);
});

Deno.test("an older record takes nothing away, and what a newer program wrote stays", () => {
  const full = seeDirectory(
    consentTo(seePerson(joined, BOB, KEY, NOW), ALBUM, true, NOW),
    { version: 4, state_counter: 7 },
  );
  const grown = {
    ...full,
    writes: 7,
    slots: { deletions: 2 },
    later: { a: 1 },
    server: { ...full.server, origins: {}, flag: true },
  };
  const both = merged({ ...emptyTrust(), later: { b: 2 } }, grown);
  assert.deepEqual(both["later"], { a: 1, b: 2 });
  assert.equal(both.server["flag"], true);
  assert.equal(stateCounter(both), 9);
  assert.equal(both.directory?.state_counter, 7);
  assert.deepEqual(merged(grown, joined), merged(grown, emptyTrust()));
});

Deno.test("merges of many records do not depend on their order", () => {
  let seed = 7;
  const draw = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor(seed / 65_536) % below;
  };
  const pick = <T>(of: readonly T[]): T => of[draw(of.length)] as T;
  const drawn = (): TrustRecord => {
    let record = emptyTrust();
    for (let i = 0; i < 6; i++) {
      const now = NOW + draw(4);
      const key = pick([KEY, OTHER_KEY]);
      const step = draw(6);
      if (step === 0) record = seePerson(record, BOB, key, now);
      if (step === 1) {
        record = comparePerson(record, BOB, { key_id: key }, now);
      }
      if (step === 2) record = decidePerson(record, BOB, key, now);
      if (step === 3) record = blockPerson(record, BOB, draw(2) === 0, now);
      if (step === 4) record = consentTo(record, ALBUM, draw(2) === 0, now);
      if (step === 5) {
        const roster = {
          owner: pick([BOB, "eve"]),
          anchor: key,
          version: draw(4),
          epoch: draw(2),
          sha256: pick([BYTES, OTHER_BYTES]),
        };
        record = seeRoster(record, ALBUM, roster, { own: draw(9) === 0, now });
      }
    }
    return record;
  };
  for (let round = 0; round < 300; round++) {
    const [a, b, c] = [drawn(), drawn(), drawn()];
    assert.deepEqual(
      mergeTrust(merged(a, b), c),
      mergeTrust(a, merged(b, c)),
      `round ${round}`,
    );
    assert.equal(entryOf(merged(a, c).people, "nobody"), undefined);
  }
});
