import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { decode, encode, rfc8949EncodeOptions } from "cborg";
import fc from "fast-check";
import {
  equalBytes,
  fromBase64,
  fromBase64Url,
  fromHex,
  fromUtf8,
  toBase64,
  toBase64Url,
  toHex,
  utf8,
} from "../../src/core/bytes.ts";
import {
  CborError,
  type CborMap,
  type CborValue,
  decodeCanonical,
  encodeCanonical,
  isCborMap,
} from "../../src/core/cbor.ts";
import vectors from "./cbor.json" with { type: "json" };
import { hex } from "../support/vectors.ts";

/** The value that a vector's JSON stands for. */
function fromVector(json: unknown): CborValue {
  if (Array.isArray(json)) return json.map(fromVector);
  if (typeof json === "object" && json !== null) {
    const map: CborMap = Object.create(null);
    for (const [name, item] of Object.entries(json)) {
      if (name === "$bytes") return hex(String(item));
      map[name] = fromVector(item);
    }
    return map;
  }
  assert(
    typeof json === "number" || typeof json === "string" ||
      typeof json === "boolean" || json === null,
  );
  return json;
}

Deno.test("every valid encoding decodes to its value and back", () => {
  for (const { name, value, cbor } of vectors.valid) {
    const expected = fromVector(value);
    const decoded = decodeCanonical(hex(cbor));
    assert.deepEqual(decoded, expected, name);
    assert.equal(toHex(encodeCanonical(expected)), cbor, name);
    assert.equal(toHex(encodeCanonical(decoded)), cbor, name);
  }
});

Deno.test("every violation of canonical CBOR is refused", () => {
  for (const { name, cbor } of vectors.refused) {
    assert.throws(() => decodeCanonical(hex(cbor)), CborError, name);
  }
});

Deno.test("every strict beginning of a valid encoding is refused", () => {
  for (const { name, cbor } of vectors.valid) {
    for (let end = 0; end < cbor.length; end += 2) {
      assert.throws(
        () => decodeCanonical(hex(cbor.slice(0, end))),
        CborError,
        name,
      );
    }
  }
});

const anyValue = fc.letrec<{ value: CborValue; map: CborMap }>((tie) => ({
  map: fc.dictionary(fc.string({ unit: "grapheme" }), tie("value"), {
    noNullPrototype: false,
  }),
  value: fc.oneof(
    { depthSize: "small" },
    fc.maxSafeInteger(),
    fc.integer({ min: -300, max: 70_000 }),
    fc.string({ unit: "grapheme" }),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes)),
    fc.array(tie("value"), { maxLength: 30 }),
    tie("map"),
  ),
})).value;

/** What another library makes of a value: it takes maps for objects. */
function asOthersHaveIt(value: CborValue): unknown {
  if (Array.isArray(value)) return value.map(asOthersHaveIt);
  if (!isCborMap(value)) return value;
  return new Map(
    Object.entries(value).map(([key, item]) => [key, asOthersHaveIt(item)]),
  );
}

Deno.test("whatever is encoded is what another library writes, and comes back (cborg)", () => {
  fc.assert(fc.property(anyValue, (value) => {
    const bytes = encodeCanonical(value);
    const theirs = encode(asOthersHaveIt(value), rfc8949EncodeOptions);
    assert.equal(toHex(bytes), toHex(theirs));
    assert.deepEqual(encodeCanonical(decodeCanonical(bytes)), bytes);
    assert.deepEqual(
      asOthersHaveIt(decodeCanonical(bytes)),
      decode(bytes, { useMaps: true }),
    );
  }));
});

Deno.test("damaged bytes are refused, or are the one encoding of another value", () => {
  const damage = fc.tuple(anyValue, fc.nat(), fc.nat(255));
  fc.assert(fc.property(damage, ([value, where, bits]) => {
    const bytes = encodeCanonical(value);
    const at = where % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ bits;
    let read: CborValue;
    try {
      read = decodeCanonical(bytes);
    } catch (error) {
      assert(error instanceof CborError, String(error));
      return;
    }
    const theirs = encode(asOthersHaveIt(read), rfc8949EncodeOptions);
    assert.equal(toHex(theirs), toHex(bytes));
  }));
});

Deno.test("nesting a million deep is refused without overflowing the stack", () => {
  const arrays = new Uint8Array(1_000_000).fill(0x81);
  assert.throws(() => decodeCanonical(arrays), /deeper than 16/);
  assert.throws(() => decodeCanonical(arrays, { maxDepth: 3 }), /than 3/);
  let value: CborValue = [];
  for (let depth = 0; depth < 17; depth++) value = [value];
  assert.throws(() => encodeCanonical(value), CborError);
  const cycle: CborValue[] = [];
  cycle.push(cycle);
  assert.throws(() => encodeCanonical(cycle), CborError);
});

Deno.test("a key named __proto__ is a key like any other", () => {
  const decoded = decodeCanonical(hex("a1695f5f70726f746f5f5fa1616101"));
  assert(isCborMap(decoded));
  assert.equal(Object.getPrototypeOf(decoded), null);
  assert.equal(decoded["a"], undefined);
  assert.deepEqual(Object.keys(decoded), ["__proto__"]);
  assert.equal(
    toHex(encodeCanonical(decoded)),
    "a1695f5f70726f746f5f5fa1616101",
  );
});

Deno.test("values outside the profile do not encode", () => {
  const lies = [1.5, NaN, Infinity, 2 ** 53, -(2 ** 53), "\ud800", {
    "\udc00": 1,
  }];
  for (const lie of lies) {
    assert.throws(() => encodeCanonical(lie), CborError, String(lie));
  }
  // What JSON and optional properties bring past the types.
  const outside: unknown = [undefined, 1n, () => 1, { a: undefined }];
  assert(Array.isArray(outside));
  for (const value of outside) {
    assert.throws(() => encodeCanonical(value), CborError);
  }
  assert.equal(toHex(encodeCanonical(-0)), "00");
});

Deno.test("decoded bytes are a copy, also out of a Node.js Buffer", () => {
  const input = Buffer.from("420102", "hex");
  const decoded = decodeCanonical(input);
  input.fill(0xff);
  assert.deepEqual(decoded, new Uint8Array([1, 2]));
});

Deno.test("hex and base64 take one text for each byte string and no other", () => {
  const refusedHex = ["0", "0g", "AB", "0x00", " 00", "00\n", "٠٠"];
  for (const text of refusedHex) assert.equal(fromHex(text), undefined, text);
  const refusedBase64 = [
    ...["A", "AA", "AAA", "AA=", "A===", "====", "AAAA=", "AAAA====", "=AAA"],
    ...["AB==", "AAB=", "AA==AAAA", "AA-_", "AA AA", "AAAA\n", " AAAA"],
  ];
  for (const text of refusedBase64) {
    assert.equal(fromBase64(text), undefined, text);
  }
  const refusedUrl = [
    "A",
    "AB",
    "AAB",
    "AA==",
    "AAA=",
    "AA+/",
    "AA AA",
    "AA\n",
  ];
  for (const text of refusedUrl) {
    assert.equal(fromBase64Url(text), undefined, text);
  }
  for (let length = 0; length < 70; length++) {
    const bytes = Uint8Array.from(
      { length },
      (_, i) => (i * 97 + length) % 256,
    );
    assert.deepEqual(fromHex(toHex(bytes)), bytes);
    assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
    assert.deepEqual(fromBase64Url(toBase64Url(bytes)), bytes);
  }
  assert.equal(toBase64Url(hex("fbff")), "-_8");
});

Deno.test("comparing looks at every byte and at the length", () => {
  assert(equalBytes(hex("0102"), hex("0102")));
  assert(!equalBytes(hex("0102"), hex("0103")));
  assert(!equalBytes(hex("0102"), hex("010200")));
  assert.equal(fromUtf8(hex("ff")), undefined);
  assert.equal(fromUtf8(utf8("\ufeffgrün")), "\ufeffgrün");
});

Deno.test("a browser without the hex and base64 methods gives the same texts", async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  const [dash, zeroPadded] = [hex("fbff"), hex("00ff0a")];
  const removed = [
    [Uint8Array.prototype, "toHex"],
    [Uint8Array.prototype, "toBase64"],
    [Uint8Array, "fromHex"],
    [Uint8Array, "fromBase64"],
  ] as const;
  const kept = removed.map(([holder, name]) => ({
    holder,
    name,
    method: Object.getOwnPropertyDescriptor(holder, name) ?? {},
  }));
  try {
    for (const [holder, name] of removed) Reflect.deleteProperty(holder, name);
    const old = await import("../../src/core/bytes.ts?without-methods");
    for (let length = 0; length < 10; length++) {
      const part = bytes.subarray(250 - length);
      assert.deepEqual(old.fromHex(old.toHex(part)), part);
      assert.deepEqual(old.fromBase64(old.toBase64(part)), part);
      assert.deepEqual(old.fromBase64Url(old.toBase64Url(part)), part);
    }
    assert.equal(old.toBase64Url(dash), "-_8");
    assert.equal(old.toHex(zeroPadded), "00ff0a");
    assert.equal(old.fromBase64("AB=="), undefined);
  } finally {
    for (const { holder, name, method } of kept) {
      Object.defineProperty(holder, name, method);
    }
  }
  assert.equal(toHex(hex("00ff")), "00ff");
});
