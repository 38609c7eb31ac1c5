/**
 * Names of strangers: what cannot be seen is taken out, and what writing needs
 * stays (design of the app: no text imitates another).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  shownName,
  shownText,
  strangerName,
} from "../../src/web/app/safe_text.ts";

Deno.test("invisible characters are taken out of names", () => {
  const unseen = [0x61c, 0x200b, 0x200c, 0x200d, 0x200e, 0xfeff, 0x202e];
  for (let code = 0x2060; code <= 0x2069; code++) unseen.push(code);
  for (const code of unseen) {
    const one = String.fromCodePoint(code);
    assert.equal(shownName(`A${one}da${one}`), "Ada", code.toString(16));
    assert.equal(shownName(one.repeat(3)), "", code.toString(16));
  }
  assert.equal(shownText("a\u200bb\r\nc\ufeff"), "ab\nc");
});

Deno.test("emoji and the scripts that write with joiners keep them", () => {
  for (
    const name of [
      "👩‍👩‍👧‍👦 family",
      "👩🏽‍🚀",
      "🏳️‍🌈",
      "❤️‍🔥",
      // Persian, Hindi and Sinhala.
      "می‌خواهم",
      "क्‍ष",
      "ශ්‍රී",
    ]
  ) assert.equal(shownName(name), name);
  // A joiner that follows no such character joins nothing.
  assert.equal(shownName("A\u200d👩"), "A👩");
});

Deno.test("a stranger with an invisible name, or with the person's own, is called Someone", () => {
  const called = (name?: string) =>
    strangerName(name, { you: "You", somebody: "Someone" });
  for (
    const name of [undefined, "", "\u200b", "\u202e ", "You", "yo\u200bu "]
  ) {
    assert.equal(called(name), "Someone");
  }
  assert.equal(called("\u202eBob"), "Bob");
});
