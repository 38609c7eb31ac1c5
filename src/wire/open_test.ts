import assert from "node:assert/strict";
import * as z from "zod/mini";
import { upTo } from "./fields.ts";
import { open } from "./open.ts";

const declared = z.strictObject({
  id: z.string(),
  items: upTo(2, z.strictObject({ at: z.optional(z.int()) })),
  kind: z.optional(z.enum(["a", "b"])),
  key: z.exactOptional(z.string()),
});

Deno.test("a client takes unknown keys at every depth, and null for what may be absent", () => {
  const sent = {
    id: "1",
    items: [{ at: null, newer: 1 }],
    kind: null,
    more: 2,
  };
  assert.deepEqual(open(declared).parse(sent), {
    id: "1",
    items: [{ at: null }],
    kind: null,
  });
  assert(!z.safeParse(declared, sent).success);
});

Deno.test("bounds, words and what is required hold for a client as well", () => {
  for (
    const wrong of [
      { id: "1", items: [{}, {}, {}] },
      { id: "1", items: [], kind: "c" },
      { id: null, items: [] },
      { id: "1", items: [], key: null },
      { items: [] },
    ]
  ) assert(!open(declared).safeParse(wrong).success, JSON.stringify(wrong));
});
