import assert from "node:assert/strict";
import { isUuidV4, type SessionId, uuidV4, uuidV7Source } from "./ids.ts";

const random = (length: number) =>
  crypto.getRandomValues(new Uint8Array(length));

Deno.test("UUIDs of version 7 never go backwards, even when the clock does", () => {
  let now = 1_700_000_000_000;
  const next = uuidV7Source({ now: () => now, random });
  let last = "";
  for (let n = 0; n < 20_000; n++) {
    if (n % 7_000 === 6_999) now -= 60_000;
    const uuid = next<SessionId>();
    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
    assert.ok(uuid > last);
    last = uuid;
  }
});

Deno.test("a UUID of version 7 begins with its millisecond", () => {
  const next = uuidV7Source({ now: () => 0x0123_4567_89ab, random });
  assert.match(next<SessionId>(), /^01234567-89ab-7/);
});

Deno.test("a random UUID has version 4", () => {
  assert.ok(isUuidV4(uuidV4<SessionId>(random)));
});
