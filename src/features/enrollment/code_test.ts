import assert from "node:assert/strict";
import { drawCode, readCode, showCode } from "./code.ts";

Deno.test("a code has ten characters of Crockford base32, shown in two groups", () => {
  const code = drawCode((length) =>
    Uint8Array.from({ length }, (_, n) => n * 25)
  );
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{10}$/);
  assert.match(showCode(code), /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  assert.equal(showCode(code).replace("-", ""), code);
});

Deno.test("every character of the alphabet comes from as many bytes as any other", () => {
  const drawn = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) {
    const code = drawCode((length) => new Uint8Array(length).fill(byte));
    const first = code.charAt(0);
    assert.equal(code, first.repeat(10));
    drawn.set(first, (drawn.get(first) ?? 0) + 1);
  }
  assert.equal(drawn.size, 32);
  assert.deepEqual([...new Set(drawn.values())], [8]);
});

Deno.test("case, hyphens and spaces are ignored, O is 0, I and L are 1", () => {
  for (
    const typed of [
      "01ABC-1Z9XY",
      "01ABC1Z9XY",
      "01abc-1z9xy",
      "oIabc-lz9xy",
      "OlAbC iZ9Xy",
      " 0-1-A-B-C  1-Z-9-X-Y- ",
      "---01ABC1Z9XY   ",
    ]
  ) assert.equal(readCode(typed), "01ABC1Z9XY", typed);
});

Deno.test("what no code looks like reads as none", () => {
  for (
    const typed of [
      "",
      "-",
      "          ",
      "01ABC-1Z9X",
      "01ABC-1Z9XYZ",
      "01ABC-1Z9XU",
      "01ABC_1Z9XY",
      "01ABC\t1Z9XY",
      "01ABC-1Z9XY\n",
      "01ABC\u20101Z9XY",
      "01ABC\u00a01Z9XY",
      // A dotless i, a long s and a fullwidth A: no ASCII letters.
      "0\u0131ABC-1Z9XY",
      "01ABC-1Z9X\u017f",
      "01\uff21BC-1Z9XY",
      "\u0660\u0661ABC-1Z9XY",
      "0".repeat(100_000),
    ]
  ) assert.equal(readCode(typed), undefined, JSON.stringify(typed));
});
