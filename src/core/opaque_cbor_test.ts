import assert from "node:assert/strict";
import { concatBytes, fromHex, toHex } from "./bytes.ts";
import { CborError, encodeCanonical } from "./cbor.ts";
import { scanOpaqueMap } from "./opaque_cbor.ts";

const LIMITS = { maxItems: 1_000, maxDepth: 64 };

function hex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = fromHex(text.replaceAll(" ", ""));
  assert(bytes !== undefined, text);
  return bytes;
}

/** A map whose one key is the integer 0. */
function holding(value: string): Uint8Array {
  return concatBytes(hex("a1 00"), hex(value));
}

// Most are from RFC 8949, appendix A.
const CANONICAL = {
  "integers of every size": ["17", "1818", "1903e8", "1a000f4240"],
  "integers beyond 2^53": ["1b000000e8d4a51000", "1bffffffffffffffff"],
  "negative ones": ["20", "3903e7", "3bffffffffffffffff"],
  "halves": ["f90000", "f98000", "f93c00", "f97bff", "f90001", "f90400"],
  "singles": ["fa47c35000", "fa7f7fffff", "fa33000000", "fa38800001"],
  "doubles": ["fb3ff199999999999a", "fb7e37e43c8800759c"],
  "infinities and NaN": ["f97c00", "f97e00", "f9fc00", "fa7fc00001"],
  "simple values": ["f4", "f6", "f7", "f0", "e0", "f820", "f8ff"],
  "tags": ["c11a514b67b0", "d74401020304", "d818456449455446", "c1c1c1c100"],
  "bignums": ["c249010000000000000000", "c349010000000000000000"],
  "strings": ["40", "4401020304", "60", "6161", "62c3bc", "64f0908591"],
  "arrays": ["80", "83010203", "8301820203820405", "81a0"],
  "keys of every type, in the order of their bytes": [
    "a8 00f6 20f6 4100f6 6161f6 8101f6 a10102f6 c100f6 f93c00f6",
    "a2 1818f6 1903e8f6",
    "a2 f90000f6 f98000f6",
  ],
};

const REFUSED = {
  "longer integers": ["1817", "190017", "1a00001000", "1b0000000000001000"],
  "longer lengths": ["5801aa", "7801aa", "980100", "b801 0000", "d801 00"],
  "longer floats": [
    "fa00000000",
    "fa3f800000",
    "fa33800000",
    "fa7f800000",
    "fa7fc00000",
    "fb3ff0000000000000",
    "fb7ff0000000000000",
    "fb7ff8000000000000",
    "fb47efffffe0000000",
  ],
  "simple values in two bytes that have one": ["f800", "f818", "f814", "f81f"],
  "reserved and indefinite": ["1c", "fc", "ff", "5fff", "7fff", "9fff", "bfff"],
  "bignums that are integers": ["c240", "c24101", "c2490001000000000000 0000"],
  "bignums of no bytes": ["c200", "c3 6161", "c2 c249010000000000000000"],
  "keys twice, or in another order": [
    "a2 00f6 00f6",
    "a2 01f6 00f6",
    "a2 6161f6 60f6",
    "a2 1903e8f6 1818f6",
    "a1 a2 01f6 00f6 f6",
  ],
  "invalid text": ["61ff", "62c328", "63eda080"],
  "what ends early": ["", "18", "42aa", "8201", "a1 00", "c1", "fb00"],
  "what goes on": ["0000"],
};

for (const [what, values] of Object.entries(CANONICAL)) {
  Deno.test(`canonical CBOR may hold ${what}`, () => {
    for (const value of values) {
      scanOpaqueMap(holding(value), [], LIMITS);
      // As deep as anything else, and as a key.
      scanOpaqueMap(holding(`81a1${value.replaceAll(" ", "")}f6`), [], LIMITS);
    }
  });
}

for (const [what, values] of Object.entries(REFUSED)) {
  Deno.test(`no canonical CBOR are ${what}`, () => {
    for (const value of values) {
      for (const bytes of [holding(value), holding(`81${value}`)]) {
        assert.throws(() => scanOpaqueMap(bytes, [], LIMITS), CborError, value);
      }
    }
  });
}

Deno.test("values of wanted names are returned as they stand, those of the outer map alone", () => {
  const inner = encodeCanonical({ type: "inner" });
  const bytes = concatBytes(
    hex("a4 00 a1 64747970656161"),
    hex("64 74797065"),
    hex("63 616263"),
    hex("68 6e6f7468696e6721"),
    hex("f93c00"),
    hex("69 746865206f74686572"),
    inner,
  );
  const found = scanOpaqueMap(bytes, ["type", "missing"], LIMITS);
  assert.deepEqual([...found.keys()], ["type"]);
  assert.equal(toHex(found.get("type") ?? new Uint8Array()), "63616263");
});

Deno.test("only a map is taken", () => {
  for (const value of ["80", "00", "f6", "c1a0", "40", "a0a0"]) {
    assert.throws(() => scanOpaqueMap(hex(value), [], LIMITS), CborError);
  }
  scanOpaqueMap(hex("a0"), [], LIMITS);
});

Deno.test("nesting and items have their bounds, tags counted", () => {
  const nested = (head: string, depth: number) =>
    holding(head.repeat(depth - 1) + "00");
  for (const head of ["81", "c1", "a100"]) {
    scanOpaqueMap(nested(head, 64), [], LIMITS);
    assert.throws(
      () => scanOpaqueMap(nested(head, 65), [], LIMITS),
      /nested deeper than 64/,
    );
  }
  const wide = (items: number) =>
    holding(
      `19${items.toString(16).padStart(4, "0")}`.replace(/^19/, "99") +
        "00".repeat(items),
    );
  scanOpaqueMap(wide(997), [], LIMITS);
  assert.throws(() => scanOpaqueMap(wide(998), [], LIMITS), /more than 1000/);
  // A claim of more than there is costs nothing.
  assert.throws(
    () => scanOpaqueMap(holding("9bffffffffffffffff"), [], LIMITS),
    /items beyond the end/,
  );
});
