import assert from "node:assert/strict";
import { utf8 } from "../../core/bytes.ts";
import { beginCopy, seeWrites, vouchesByHand } from "../vault/state_copies.ts";
import { emptyState } from "../../client/documents/state.ts";
import { decodeTrust, emptyTrust, type TrustRecord } from "./trust_record.ts";
import { handedTrust } from "./trust_status.ts";

const OWN = "0000000000000000";
const AT = "2026-01-01T00:00:00.000Z";

/** A record of an account with so many copies of its state. */
function recordOf(copies: number): TrustRecord {
  const settings = Object.fromEntries(
    Array.from({ length: copies }, (_, at) => [
      `written/${at.toString(16).padStart(16, "0")}`,
      { value: 1, at: AT },
    ]),
  );
  const record: TrustRecord = {
    ...emptyTrust(),
    directory: { version: 7, state_counter: 9 },
    server: {
      origins: { "https://photos.example": { how: "opened", at: AT } },
      server_ids: [],
      keys: {},
    },
  };
  return seeWrites(record, { ...emptyState(), settings }, OWN);
}

const handed = (record: TrustRecord) => {
  const text = handedTrust(record, OWN);
  assert(utf8(text).length <= 20 * 1024);
  return decodeTrust(utf8(text));
};

Deno.test("a device that is handed the numbers of copies believes its state", () => {
  assert.equal(vouchesByHand(handed(recordOf(300))), true);
  const doubted = beginCopy(recordOf(300), OWN, "device", 0);
  assert.equal(vouchesByHand(handed(doubted)), false);
});

Deno.test("an account of more copies than have room hands over what else counts", () => {
  const { directory, server, slots } = handed(recordOf(1_000));
  assert.equal(directory?.state_counter, 9);
  assert.deepEqual(Object.keys(server.origins), ["https://photos.example"]);
  // And its new device is in doubt until another one vouches.
  assert.deepEqual(slots, {});
  assert.equal(vouchesByHand(handed(recordOf(1_000))), false);
});
