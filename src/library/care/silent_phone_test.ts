import assert from "node:assert/strict";
import { DAY_MS, toRfc3339 } from "../../core/time.ts";
import { silentLinks } from "./silent_phone.ts";

const NOW = Date.UTC(2026, 10, 24);
const daysAgo = (days: number) => toRfc3339(NOW - days * DAY_MS);

/** An own link by which a file came eight days ago. */
const link = {
  isMine: true,
  note: "My phone",
  created_at: daysAgo(60),
  expires_at: daysAgo(-30),
  last_received_at: daysAgo(8),
};

Deno.test("a link is silent that brought something, and nothing for more than a week", () => {
  const isSilent = (more: Partial<typeof link>) =>
    silentLinks([{ ...link, ...more }], NOW).length === 1;
  assert.equal(isSilent({}), true);
  assert.equal(isSilent({ last_received_at: daysAgo(7) }), false);
  // Of a stranger's party, and of one that has ended.
  assert.equal(isSilent({ isMine: false }), false);
  assert.equal(isSilent({ expires_at: daysAgo(0) }), false);
  const { last_received_at: _, ...never } = link;
  assert.deepEqual(silentLinks([never], NOW), []);
});

Deno.test("a link is not silent once a newer one of the same name brings something", () => {
  const newer = {
    ...link,
    created_at: daysAgo(9),
    last_received_at: daysAgo(1),
  };
  assert.deepEqual(silentLinks([newer, link], NOW), []);
  const { last_received_at: _, ...unused } = newer;
  assert.deepEqual(silentLinks([unused, link], NOW), [link]);
  const other = { ...newer, note: "Bob's phone" };
  assert.deepEqual(silentLinks([other, link], NOW), [link]);
});
