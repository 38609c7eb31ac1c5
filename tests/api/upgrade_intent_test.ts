/**
 * The signed intent that begins a ceremony: whatever is wrong with it is 400
 * error.album.intent_invalid (protocol/albums.md#upgrade-ceremony).
 *
 * @module
 */
import assert from "node:assert/strict";
import { concatBytes, utf8 } from "../../src/core/bytes.ts";
import { type CborMap, encodeCanonical } from "../../src/core/cbor.ts";
import {
  type EnvelopePayload,
  openEnvelope,
  signEnvelope,
} from "../../src/crypto/envelope.ts";
import { beginUpgrade, intentBytes, OLD_PROTOCOL } from "../support/albums.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { type AlbumWorld, everything, expectRefused } from "../support/ops.ts";
import { uuidOf } from "../support/people.ts";
import { withOldAlbum } from "../support/upgrades.ts";
import { flipped } from "../support/vectors.ts";

const TYPE = "service-upgrade-intent/v1";

type Bytes = Uint8Array<ArrayBuffer>;

async function refused(
  { app, ada, albumId }: AlbumWorld,
  bytes: Bytes,
): Promise<void> {
  await expectRefused(
    app,
    () => beginUpgrade(app, ada, albumId, bytes),
    "error.album.intent_invalid",
  );
}

/** Changes of a payload that make the intent one that is not taken. */
function brokenFields({ albumId }: AlbumWorld): CborMap[] {
  return [
    { type: "service-album-roster/v1" },
    { type: `${TYPE} ` },
    { type: 1 },
    { album_id: uuidOf("another album") },
    { album_id: albumId.toUpperCase() },
    { album_id: null },
    { intent_id: "not a UUID" },
    { intent_id: uuidOf("upper").toUpperCase() },
    { intent_id: new Uint8Array(16) },
    { to_protocol_version: OLD_PROTOCOL },
    { to_protocol_version: "2026-07-31" },
    { to_protocol_version: "2026-05-31" },
    { to_protocol_version: "2026-11-02" },
    { to_protocol_version: "2026-09-31" },
    { to_protocol_version: "2026-9-1" },
    { to_protocol_version: 20261101 },
    { successor_album_id: albumId },
    { successor_album_id: "not a UUID" },
    { successor_album_id: null },
    { window_seconds: 59 },
    { window_seconds: 86_401 },
    { window_seconds: 0 },
    { window_seconds: -60 },
    { window_seconds: Number.MAX_SAFE_INTEGER },
    { window_seconds: "600" },
    { window_seconds: null },
    { signed_at: "yesterday" },
    { signed_at: 1_795_262_400 },
    { unknown: true },
  ];
}

Deno.test("a field that is wrong, missing or unknown makes an intent invalid", async () => {
  await withOldAlbum(async (world) => {
    const { ada, albumId } = world;
    for (const over of brokenFields(world)) {
      await refused(world, await intentBytes(ada, albumId, "broken", over));
    }
    const sound = openEnvelope(await intentBytes(ada, albumId, "sound"));
    for (const name of Object.keys(sound.payload)) {
      if (name === "type") continue;
      const { [name]: _, ...payload } = sound.payload;
      const lacking = payload as EnvelopePayload;
      await refused(world, await signEnvelope(ada.signer, lacking));
    }
  });
});

Deno.test("the window is 60 to 86,400 seconds, both ends included", async () => {
  for (const window_seconds of [60, 86_400]) {
    await withOldAlbum(async ({ app, ada, albumId }) => {
      const bytes = await intentBytes(ada, albumId, "edge", { window_seconds });
      const { expires_at } = await expectJson(
        await beginUpgrade(app, ada, albumId, bytes),
        200,
      );
      const end = app.clock.now + window_seconds * 1_000;
      assert.equal(Date.parse(expires_at), end);
    });
  }
});

Deno.test("an intent is signed by the owner under its own type", async () => {
  await withOldAlbum(async (world) => {
    const { ada, bob, albumId } = world;
    await refused(
      world,
      await intentBytes(ada, albumId, "bob's", {}, bob.signer),
    );
    const { payloadBytes } = openEnvelope(
      await intentBytes(ada, albumId, "sound"),
    );
    const payload = new Uint8Array(payloadBytes);
    const signatures = [
      await ada.signer.sign("service-device-directory/v1", payload),
      await ada.signer.sign(TYPE, flipped(payload, 20)),
      new Uint8Array(3_373),
      new Uint8Array(),
    ];
    for (const signature of signatures) {
      await refused(world, encodeCanonical({ payload, signature }));
    }
    // Half of a hybrid signature is invalid.
    const sound = await ada.signer.sign(TYPE, payload);
    for (const [from, to] of [[0, 64], [64, sound.length]] as const) {
      const half = new Uint8Array(sound);
      half.fill(0, from, to);
      await refused(world, encodeCanonical({ payload, signature: half }));
    }
  });
});

/** A text or byte string of a length below 65,536 with its head. */
function string(major: number, bytes: Uint8Array): Bytes {
  const { length } = bytes;
  const head = length < 24
    ? [major + length]
    : [major + 25, length >> 8, length & 0xff];
  return concatBytes(new Uint8Array(head), bytes);
}

Deno.test("an intent that is not canonical CBOR is invalid, signed or not", async () => {
  await withOldAlbum(async (world) => {
    const { ada, albumId } = world;
    const sound = await intentBytes(ada, albumId, "sound");
    const { payloadBytes, signature } = openEnvelope(sound);
    const [payloadKey, signatureKey] = ["payload", "signature"].map((key) =>
      string(0x60, utf8(key))
    );
    assert(payloadKey !== undefined && signatureKey !== undefined);
    const entries = [
      concatBytes(payloadKey, string(0x40, payloadBytes)),
      concatBytes(signatureKey, string(0x40, signature)),
    ] as const;
    const of = (...bytes: number[]) => new Uint8Array(bytes);
    // The two entries in this order are the envelope: the parts are sound.
    assert.deepEqual(concatBytes(of(0xa2), ...entries), sound);
    const [first, second] = entries;
    const variants = [
      concatBytes(of(0xa2), second, first),
      concatBytes(of(0xb8, 2), first, second),
      concatBytes(of(0xbf), first, second, of(0xff)),
      concatBytes(of(0xa3), first, first, second),
      concatBytes(of(0xd9, 0xd9, 0xf7), sound),
      concatBytes(sound, of(0)),
      concatBytes(sound, sound),
      of(),
      of(0xa0),
      of(0xf6),
      of(0x80),
    ];
    for (const bytes of variants) await refused(world, bytes);
    // The payload's head in a longer form, signed as it is.
    const head = payloadBytes[0] ?? 0;
    const longer = concatBytes(
      of(0xb8, head - 0xa0),
      payloadBytes.slice(1),
    );
    await refused(
      world,
      encodeCanonical({
        payload: longer,
        signature: await ada.signer.sign(TYPE, longer),
      }),
    );
  });
});

Deno.test("an intent that was cut short or changed by a bit is invalid", async () => {
  await withOldAlbum(async (world) => {
    const { app, ada, albumId } = world;
    const sound = await intentBytes(ada, albumId, "sound");
    const before = await everything(app);
    for (let at = 0; at < sound.length; at += 61) {
      for (const bytes of [sound.slice(0, at), flipped(sound, at)]) {
        await expectProblem(
          await beginUpgrade(app, ada, albumId, bytes as Bytes),
          "error.album.intent_invalid",
        );
      }
    }
    assert.deepEqual(await everything(app), before);
    await expectJson(await beginUpgrade(app, ada, albumId, sound), 200);
  });
});

Deno.test("an intent comes as application/cbor: 415 for anything else", async () => {
  await withOldAlbum(async ({ app, ada, albumId }) => {
    const body = await intentBytes(ada, albumId, "sound");
    for (const type of ["application/json", "application/octet-stream"]) {
      await expectProblem(
        await app.send("POST", `/v1/albums/${albumId}/upgrade`, {
          token: ada.token,
          headers: { "Content-Type": type },
          body,
        }),
        "error.request.media_type",
      );
    }
  });
});
