import assert from "node:assert/strict";
import {
  type AbroadState,
  decodeAbroad,
  emptyAbroad,
  encodeAbroad,
  mergeAbroadStates,
} from "./abroad_state.ts";
import { decodeTrust, mergeTrust } from "./trust_record.ts";
import { utf8 } from "../../core/bytes.ts";

const JTI = "01930b6e-7a30-7c3a-8a8e-3f2d9c4b5a62";

function joined(
  at: string,
  expires_at: string,
  over: { readonly token?: string; readonly jti?: string } = {},
): AbroadState {
  return {
    ...emptyAbroad(),
    joined: {
      "album@https://photos.example": {
        at,
        member: "bob",
        owner: JTI,
        pickup: { opaque_id: "0".repeat(32), secret: new Uint8Array(32) },
        token: over.token ?? at,
        jti: over.jti ?? JTI,
        renewal: new Uint8Array(32),
        expires_at,
        not_after: "2026-12-01T00:00:00Z",
        scope: "read",
      },
    },
  };
}

/** Merges in both orders, which has to be the same, and again. */
function merged(one: AbroadState, other: AbroadState): AbroadState {
  const both = mergeAbroadStates(one, other);
  assert.deepEqual(mergeAbroadStates(other, one), both);
  assert.deepEqual(mergeAbroadStates(both, one), both);
  assert.deepEqual(decodeAbroad(encodeAbroad(both)), both);
  return both;
}

Deno.test("of two versions of an entry the newest counts, also where it was removed", () => {
  const id = "album@https://photos.example";
  const before = joined("2026-10-01T00:00:00Z", "2026-10-02T00:00:00Z");
  const removed: AbroadState = {
    ...emptyAbroad(),
    joined: { [id]: { at: "2026-10-02T00:00:00Z", removed: true } },
  };
  assert.equal(merged(before, removed).joined[id]?.removed, true);
  const after = joined("2026-10-03T00:00:00Z", "2026-10-04T00:00:00Z");
  assert.equal(merged(removed, after).joined[id]?.removed, undefined);
});

Deno.test("of tokens of one grant the one that expires last counts, and of two grants the newest", () => {
  const id = "album@https://photos.example";
  const tokenOf = (state: AbroadState) => {
    const entry = state.joined[id];
    return entry?.removed ? undefined : entry?.token;
  };
  const long = joined("2026-10-01T00:00:00Z", "2026-10-09T00:00:00Z");
  const short = joined("2026-10-02T00:00:00Z", "2026-10-03T00:00:00Z");
  assert.equal(tokenOf(merged(long, short)), "2026-10-01T00:00:00Z");
  const other = joined("2026-10-02T00:00:00Z", "2026-10-03T00:00:00Z", {
    jti: JTI.replace("62", "63"),
  });
  assert.equal(tokenOf(merged(long, other)), "2026-10-02T00:00:00Z");
});

Deno.test("what is remembered of albums abroad is merged by the highest", () => {
  const hashOf = (digit: string) => digit.repeat(64);
  const recordOf = (
    roster_version: number,
    pickup_seq: number,
    digit: string,
    times: Readonly<Record<string, string>>,
  ) =>
    decodeTrust(utf8(JSON.stringify({
      v: 1,
      abroad: {
        "https://photos.example": {
          keys: { [hashOf(digit)]: roster_version },
          albums: {
            album: {
              owner: "ada",
              anchor: hashOf("a"),
              roster_version,
              amk_epoch: roster_version,
              roster: hashOf(digit),
              pickup_seq,
              pickup: hashOf(digit),
              ...times,
            },
          },
        },
      },
    })));
  const one = recordOf(3, 1, "1", { accepted_at: "2026-10-01T00:00:00Z" });
  const other = recordOf(2, 5, "2", { left_at: "2026-10-02T00:00:00Z" });
  const both = mergeTrust(one, other);
  assert.deepEqual(mergeTrust(other, one), both);
  assert.deepEqual(mergeTrust(both, other), both);
  const server = both.abroad?.["https://photos.example"];
  assert.deepEqual(server?.keys, { [hashOf("1")]: 3, [hashOf("2")]: 2 });
  assert.deepEqual(server?.albums["album"], {
    owner: "ada",
    anchor: hashOf("a"),
    roster_version: 3,
    amk_epoch: 3,
    roster: hashOf("1"),
    pickup_seq: 5,
    pickup: hashOf("2"),
    accepted_at: "2026-10-01T00:00:00Z",
    left_at: "2026-10-02T00:00:00Z",
  });
});

Deno.test("of two owners of an album abroad the one who was decided last counts, and nothing that was seen of the other", () => {
  const hashOf = (digit: string) => digit.repeat(64);
  const recordOf = (
    anchor: string,
    roster_version: number,
    decided_at?: string,
  ) =>
    decodeTrust(utf8(JSON.stringify({
      v: 1,
      abroad: {
        "https://photos.example": {
          albums: {
            album: {
              owner: "ada",
              anchor: hashOf(anchor),
              roster_version,
              amk_epoch: roster_version,
              roster: hashOf(anchor),
              pickup_seq: roster_version,
              pickup: hashOf(anchor),
              ...(decided_at === undefined ? {} : { decided_at }),
            },
          },
        },
      },
    })));
  const forged = recordOf("1", 1_000);
  const real = recordOf("2", 3, "2026-10-02T00:00:00Z");
  for (const both of [mergeTrust(forged, real), mergeTrust(real, forged)]) {
    assert.deepEqual(both.abroad, real.abroad);
  }
  const later = recordOf("1", 4, "2026-10-03T00:00:00Z");
  const all = mergeTrust(mergeTrust(forged, real), later);
  assert.deepEqual(all.abroad, later.abroad);
});
