/**
 * Bytes that are not the canonical CBOR of a roster (RFC 8949 section 4.2.1),
 * though the owner signed them: each is 422 `error.roster.invalid`.
 *
 * @module
 */
import { encodeCanonical } from "../../src/core/cbor.ts";
import { putRoster, rosterBytes, withAlbum } from "../support/albums.ts";
import { expectJson } from "../support/expect.ts";
import { ciphertext, type Person, uuidOf } from "../support/people.ts";

import {
  bytesOf,
  fieldsOf,
  mapOf,
  type Parts,
  ROSTER,
  signedRaw,
  withRefusals,
} from "../support/bad_rosters.ts";

/** A head of a major type whose argument is written in that many bytes. */
function head(major: number, argument: number, width: 1 | 2 | 4 | 8) {
  const info = { 1: 24, 2: 25, 4: 26, 8: 27 }[width];
  const bytes = new Uint8Array(1 + width);
  bytes[0] = (major << 5) | info;
  let left = argument;
  for (let at = width; at > 0; at--) {
    bytes[at] = left % 256;
    left = Math.floor(left / 256);
  }
  return bytes;
}

const WIDTHS = [1, 2, 4, 8] as const;

/** Text in a form that is longer than it need be. */
function longText(text: string, width: 1 | 2 | 4 | 8) {
  const bytes = new TextEncoder().encode(text);
  return bytesOf([head(3, bytes.length, width), bytes]);
}

/** What RFC 8949 section 4.2.1 and the profile do not let a payload be. */
function brokenPayloads(
  ada: Person,
  albumId: string,
): [string, Uint8Array<ArrayBuffer>][] {
  const fields = fieldsOf(ada, albumId);
  const entries = Object.entries(fields);
  const whole = mapOf(entries);
  const body = whole.slice(1);
  const put = (key: string, parts: Parts) =>
    mapOf(entries.map(([name, value]) => [name, name === key ? parts : value]));
  const wrapped = new Uint8Array([1]);
  const member = (parts: Parts) =>
    put("members", [0x81, bytesOf([0xa3, ...parts])]);
  const named = (key: string, ...value: Parts) =>
    bytesOf([encodeCanonical(key), ...value]);
  const role = named("role", encodeCanonical("viewer"));
  const who = named("member", encodeCanonical(uuidOf("member")));
  const amk = named("wrapped_amk", encodeCanonical(wrapped));
  const swapped = [...entries];
  [swapped[0], swapped[1]] = [
    swapped[1] ?? ["", wrapped],
    swapped[0] ?? [
      "",
      wrapped,
    ],
  ];
  const byName = entries.toSorted(([a], [b]) => a < b ? -1 : 1);
  return [
    ...WIDTHS.flatMap((width): [string, Uint8Array<ArrayBuffer>][] => [
      [
        `version 1 in ${width} bytes`,
        put("roster_version", [
          head(0, 1, width),
        ]),
      ],
      [`epoch 0 in ${width} bytes`, put("amk_epoch", [head(0, 0, width)])],
      [
        `type with its length in ${width} bytes`,
        put("type", [
          longText(ROSTER, width),
        ]),
      ],
      [
        `no members, counted in ${width} bytes`,
        put("members", [
          head(4, 0, width),
        ]),
      ],
      [`a map counted in ${width} bytes`, bytesOf([head(5, 7, width), body])],
      [
        `a key with its length in ${width} bytes`,
        bytesOf([
          0xa7,
          longText("type", width),
          fields["type"] ?? 0,
          whole.slice(1 + 5 + (fields["type"]?.length ?? 0)),
        ]),
      ],
      [
        `a wrapped key with its length in ${width} bytes`,
        member([
          role,
          who,
          named("wrapped_amk", head(2, 1, width), 1),
        ]),
      ],
    ]),
    ["a map of indefinite length", bytesOf([0xbf, body, 0xff])],
    ["an array of indefinite length", put("members", [0x9f, 0xff])],
    [
      "text of indefinite length",
      put("type", [
        0x7f,
        encodeCanonical(ROSTER),
        0xff,
      ]),
    ],
    [
      "a wrapped key of indefinite length",
      member([
        role,
        who,
        named("wrapped_amk", 0x5f, 0x41, 1, 0xff),
      ]),
    ],
    ["two keys swapped", mapOf(swapped)],
    ["keys in reverse", mapOf(entries.toReversed())],
    ["keys by their letters alone", mapOf(byName)],
    ["a member's keys out of order", member([who, role, amk])],
    ["a key twice", mapOf([...entries.slice(0, 1), ...entries])],
    ["the last key twice", mapOf([...entries, ...entries.slice(-1)])],
    [
      "a member's key twice",
      put("members", [
        0x81,
        0xa4,
        role,
        role,
        who,
        amk,
      ]),
    ],
    ["a version in half precision", put("roster_version", [0xf9, 0x3c, 0])],
    [
      "a version in single precision",
      put("roster_version", [
        0xfa,
        0x3f,
        0x80,
        0,
        0,
      ]),
    ],
    [
      "a version in double precision",
      put("roster_version", [
        0xfb,
        ...[0x3f, 0xf0, 0, 0, 0, 0, 0, 0],
      ]),
    ],
    ["not a number", put("roster_version", [0xf9, 0x7e, 0])],
    ["a bignum", put("roster_version", [0xc2, 0x41, 1])],
    ["a tagged date", put("signed_at", [0xc0, fields["signed_at"] ?? 0])],
    ["a tagged map", bytesOf([0xd9, 0xd9, 0xf7, whole])],
    ["undefined", put("roster_version", [0xf7])],
    ["a simple value", put("roster_version", [0xe1])],
    ["a simple value in two bytes", put("roster_version", [0xf8, 0xff])],
    ["true in two bytes", put("roster_version", [0xf8, 0x15])],
    ["a break", put("roster_version", [0xff])],
    ["reserved information", put("roster_version", [0x1c])],
    ["text that is not UTF-8", put("signed_at", [0x62, 0xc3, 0x28])],
    ["a surrogate in text", put("signed_at", [0x63, 0xed, 0xa0, 0x80])],
    ["text in two bytes too many", put("signed_at", [0x62, 0xc0, 0x80])],
    ["a key that is no text", bytesOf([0xa8, body, 0x00, 0x00])],
    ["one entry too few", bytesOf([0xa8, body])],
    ["one entry too many", bytesOf([0xa6, body])],
    ["a byte after the end", bytesOf([whole, 0x00])],
    ["two payloads", bytesOf([whole, whole])],
    ["nothing", new Uint8Array()],
    // Beyond 2^53 a number is no longer exact.
    ["version 2^53", put("roster_version", [head(0, 2 ** 53, 8)])],
    ["version 2^63", put("roster_version", [head(0, 2 ** 63, 8)])],
    [
      "version 2^64 - 1",
      put("roster_version", [
        0x1b,
        new Uint8Array(8).fill(0xff),
      ]),
    ],
    [
      "version -2^64",
      put("roster_version", [
        0x3b,
        new Uint8Array(8).fill(0xff),
      ]),
    ],
    ["epoch 2^53", put("amk_epoch", [head(0, 2 ** 53, 8)])],
    [
      "a bignum version",
      put("roster_version", [
        0xc2,
        0x49,
        1,
        new Uint8Array(8),
      ]),
    ],
    // What a head promises is not there.
    ["4 GiB of members", put("members", [head(4, 2 ** 32 - 1, 4)])],
    ["2^63 members", put("members", [head(4, 2 ** 63, 8)])],
    ["an endless type", put("type", [head(3, 2 ** 63, 8)])],
    ...[0x81, 0xa1, 0xc1, 0x9f, 0xbf, 0x5f].map((
      byte,
    ): [string, Uint8Array<ArrayBuffer>] => [
      `members nested by 0x${byte.toString(16)}`,
      put("members", [new Uint8Array(50_000).fill(byte), 0x00]),
    ]),
  ];
}

Deno.test("a payload that is not the canonical CBOR of a roster is refused, truly signed", async () => {
  await withRefusals(async (refused, ada, albumId) => {
    for (const [what, payload] of brokenPayloads(ada, albumId)) {
      await refused(what, await signedRaw(ada.signer, payload));
    }
  });
});

Deno.test("the same bytes in their canonical form are a roster", async () => {
  await withAlbum(async (app, ada, _bob, albumId) => {
    const payload = mapOf(Object.entries(fieldsOf(ada, albumId)));
    const bytes = await signedRaw(ada.signer, payload);
    await expectJson(await putRoster(app, ada, albumId, bytes), 200);
  });
});

Deno.test("an envelope that is not canonical CBOR of two byte strings is refused", async () => {
  await withRefusals(async (refused, ada, albumId) => {
    const payload = mapOf(Object.entries(fieldsOf(ada, albumId)));
    const signature = await ada.signer.sign(ROSTER, payload);
    const good = encodeCanonical({ payload, signature });
    const [p, s] = ["payload", "signature"].map((key) => encodeCanonical(key));
    if (p === undefined || s === undefined) throw new Error("two keys");
    const inside = encodeCanonical(payload);
    const signed = encodeCanonical(signature);
    const body = good.slice(1);
    const text = (bytes: Uint8Array) =>
      bytesOf([head(3, bytes.length, 2), bytes]);
    const broken: [string, Parts][] = [
      ["keys the other way round", [0xa2, s, signed, p, inside]],
      ["the payload twice", [0xa3, p, inside, p, inside, s, signed]],
      ["the signature twice", [0xa3, p, inside, s, signed, s, signed]],
      ["no signature", [0xa1, p, inside]],
      ["no payload", [0xa1, s, signed]],
      ["a third key", [0xa3, encodeCanonical("key"), 0x01, body]],
      ["a map of indefinite length", [0xbf, body, 0xff]],
      ["a payload of indefinite length", [
        0xa2,
        p,
        0x5f,
        inside,
        0xff,
        s,
        signed,
      ]],
      ...([4, 8] as const).flatMap((width): [string, Parts][] => [
        [`a payload with its length in ${width} bytes`, [
          0xa2,
          p,
          head(2, payload.length, width),
          payload,
          s,
          signed,
        ]],
        [`a signature with its length in ${width} bytes`, [
          0xa2,
          p,
          inside,
          s,
          head(2, signature.length, width),
          signature,
        ]],
        [`a map counted in ${width} bytes`, [head(5, 2, width), body]],
      ]),
      ["a payload as it is", [0xa2, p, payload, s, signed]],
      ["a payload in a payload", [
        0xa2,
        p,
        encodeCanonical(inside),
        s,
        signed,
      ]],
      ["a payload as text", [0xa2, p, text(payload), s, signed]],
      ["a signature as text", [0xa2, p, inside, s, 0x60]],
      ["null for a signature", [0xa2, p, inside, s, 0xf6]],
      ["an array", [0x82, inside, signed]],
      ["a COSE tag", [0xd2, good]],
      ["self-described", [0xd9, 0xd9, 0xf7, good]],
      ["in a byte string", [encodeCanonical(good)]],
      ["a byte before it", [0x00, good]],
      ["a byte after it", [good, 0x00]],
      ["a break after it", [good, 0xff]],
      ["two of them", [good, good]],
      ["null", [0xf6]],
      ["an empty map", [0xa0]],
      ["a payload longer than all", [0xa2, p, head(2, 2 ** 32 - 1, 4)]],
      ["a payload of 2^64 - 1", [0xa2, p, 0x5b, new Uint8Array(8).fill(0xff)]],
      ...[0x81, 0xa1, 0xc1, 0x9f, 0xbf, 0x5f, 0xff].map((
        byte,
      ): [string, Parts] => [
        `0x${byte.toString(16)} again and again`,
        [new Uint8Array(50_000).fill(byte)],
      ]),
    ];
    for (const [what, parts] of broken) await refused(what, bytesOf(parts));
  });
});

Deno.test("a roster cut off anywhere, or with any bit turned, is refused", async () => {
  await withRefusals(async (refused, ada, albumId) => {
    const whole = await rosterBytes(ada, albumId, 1, [
      { member: uuidOf("member"), role: "contributor" },
    ]);
    // Every place of the payload, and places all over the signature.
    const places = Array.from(whole.keys())
      .filter((at) => at < 420 || at % 97 === 0 || at > whole.length - 3);
    for (const at of places) {
      if (at > 0) await refused(`cut at ${at}`, whole.slice(0, at));
      const turned = whole.slice();
      turned[at] = (turned[at] ?? 0) ^ (1 << (at % 8));
      await refused(`a bit of ${at}`, turned);
    }
  });
});

Deno.test("noise of any length is refused", async () => {
  await withRefusals(async (refused) => {
    for (let length = 1; length <= 60; length++) {
      await refused(`${length}`, ciphertext(`noise ${length}`, length));
    }
    await refused("a lot", ciphertext("noise", 1_000_000));
  });
});
