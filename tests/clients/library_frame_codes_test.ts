/**
 * A picture frame that gets its link by a typed code over the relay of a real
 * server (protocol/client-cryptography.md#a-picture-frame), and a server that
 * puts itself in between.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createClient } from "../../src/client/api/api.ts";
import {
  EnrollmentError,
  Initiator,
} from "../../src/client/enrollment/enrollment.ts";
import { Enrollee } from "../../src/client/enrollment/enrollment.ts";
import { frameLinkOf } from "../../src/client/documents/frame_link.ts";
import {
  FrameGiver,
  FrameTaker,
} from "../../src/client/enrollment/frame_pairing.ts";
import { giveFrame, takeFrame } from "../../src/library/sharing/frame_codes.ts";
import type { Library } from "../../src/library/mod.ts";
import { buildShareLink } from "../../src/client/documents/share.ts";
import { ORIGIN, seededRandom, withTestApp } from "../support/app.ts";
import {
  beginLibrary,
  deviceOf,
  type Wire,
  wireTo,
} from "../support/library.ts";
import { take } from "../support/library_sharing.ts";
import { uuidOf } from "../support/people.ts";

const CHANNEL = "ab".repeat(16);

/** A frame's link under a secret of one byte. */
function linkOf(byte: number): string {
  return frameLinkOf(buildShareLink({
    origin: ORIGIN,
    opaqueId: "cd".repeat(16),
    secret: new Uint8Array(32).fill(byte),
  }));
}

/** Both sides, as far as the words. */
function met(channelId = CHANNEL) {
  const random = seededRandom("a frame");
  const taker = new FrameTaker({ channelId }, random);
  const giver = new FrameGiver({ channelId: CHANNEL }, linkOf(1), random);
  const nonce = giver.answer(taker.commit());
  const { payload, words } = taker.reveal(nonce);
  return { taker, giver, words, seen: giver.meet(payload) };
}

/** Waiting lets the other side have its turn. */
const turn = () => new Promise<void>((done) => setTimeout(done, 1));

/** A frame at a server, which types a code. */
function frameAt(
  wire: Wire,
  code: string,
  compare: (words: readonly string[]) => Promise<boolean>,
): Promise<string> {
  return takeFrame(code, {
    calls: createClient({ baseUrl: ORIGIN, fetch: wire.fetch }),
    random: seededRandom("tablet"),
    wait: turn,
    compare,
  });
}

/** A library whose waiting lets the other side have its turn. */
async function patientLibrary(wire: Wire): Promise<Library> {
  const device = deviceOf(wire, "laptop");
  return await beginLibrary({
    ...device,
    platform: { ...device.platform, wait: turn },
  }, "ada");
}

Deno.test("a frame gets its link by a code, once both people said that the words are the same", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await patientLibrary(wire);
    const { id } = await take(ada, "a");
    const { url } = await ada.share({ assetIds: [id], follows: "favourites" });
    const link = frameLinkOf(url);
    const shown = Promise.withResolvers<string>();
    const words: string[] = [];
    const slips = [false, true];
    const giving = giveFrame(ada.vault, link, {
      show: ({ code }) => shown.resolve(code),
      compare: (seen) => {
        words.push(seen.join(" "));
        return Promise.resolve(slips.shift() ?? true);
      },
    });
    const code = await shown.promise;
    const taken = await frameAt(wire, code.toLowerCase(), (seen) => {
      words.push(seen.join(" "));
      return Promise.resolve(true);
    });
    await giving;
    assert.equal(taken, link);
    // One slip of the owner is asked again.
    assert.equal(words.length, 3);
    assert.equal(new Set(words).size, 1);
    assert.match(words[0] ?? "", /^[a-z]+( [a-z]+){3}$/);
  });
});

Deno.test("a frame whose words differ twice gets nothing, and its channel ends", async () => {
  await withTestApp(async (app) => {
    const wire = wireTo(app);
    const ada = await patientLibrary(wire);
    const shown = Promise.withResolvers<string>();
    const giving = giveFrame(ada.vault, linkOf(1), {
      show: ({ code }) => shown.resolve(code),
      compare: () => Promise.resolve(false),
    });
    const refusal = assert.rejects(giving, { fault: "words_differ" });
    await assert.rejects(
      frameAt(wire, await shown.promise, () => Promise.resolve(true)),
      { code: "error.enrollment.channel_not_found" },
    );
    await refusal;
    await assert.rejects(
      frameAt(wire, "ABCDE-FGHJK", () => Promise.resolve(true)),
      { code: "error.enrollment.code_refused" },
    );
  });
});

Deno.test("nobody hands over or takes a link before the words were compared", () => {
  const { taker, giver } = met();
  assert.throws(() => giver.grant(), RangeError);
  giver.compared(true);
  const payload = giver.grant();
  assert.throws(() => taker.open(payload), RangeError);
  taker.compared(true);
  assert.equal(taker.open(payload), linkOf(1));
});

Deno.test("a server that puts a key of its own in between is seen by the words, or refused", () => {
  const random = seededRandom("a liar");
  // It shows a frame of its own to the owner, and a link of its own to the frame.
  const tablet = met();
  const liar = new FrameTaker({ channelId: CHANNEL }, random);
  const giver = new FrameGiver({ channelId: CHANNEL }, linkOf(1), random);
  const { payload } = liar.reveal(giver.answer(liar.commit()));
  assert.notDeepEqual(giver.meet(payload), tablet.words);
  // Words of another channel are others.
  const elsewhere = met("ef".repeat(16));
  assert.notDeepEqual(elsewhere.words, elsewhere.seen);

  // A key that does not fit the commitment.
  const honest = new FrameTaker({ channelId: CHANNEL }, random);
  const other = new FrameTaker({ channelId: CHANNEL }, random);
  const owner = new FrameGiver({ channelId: CHANNEL }, linkOf(1), random);
  const nonce = owner.answer(honest.commit());
  other.commit();
  assert.throws(
    () => owner.meet(other.reveal(nonce).payload),
    { fault: "not_the_other_device" },
  );
});

Deno.test("a link other than the one that the owner committed to is refused, and so is what is no link of a frame", () => {
  for (
    const lie of [linkOf(2), `${ORIGIN}/s/${"cd".repeat(16)}`, "https://x"]
  ) {
    const random = seededRandom(lie);
    const taker = new FrameTaker({ channelId: CHANNEL }, random);
    const isNoLink = lie !== linkOf(2);
    const giver = new FrameGiver(
      { channelId: CHANNEL },
      isNoLink ? lie : linkOf(1),
      random,
    );
    const liar = new FrameGiver({ channelId: CHANNEL }, lie, random);
    const commit = taker.commit();
    const nonce = giver.answer(commit);
    liar.answer(commit);
    const { payload } = taker.reveal(nonce);
    for (const side of [giver, liar]) {
      side.meet(payload);
      side.compared(true);
    }
    taker.compared(true);
    const sealed = isNoLink ? giver.grant() : liar.grant();
    assert.throws(() => taker.open(sealed), EnrollmentError);
  }
});

Deno.test("a code of a frame makes no device, and a code of a device no frame", () => {
  const random = seededRandom("crossed");
  const taker = new FrameTaker({ channelId: CHANNEL }, random);
  const initiator = new Initiator(
    { channelId: CHANNEL },
    "00".repeat(32),
    random,
  );
  assert.throws(() => initiator.answer(taker.commit()), { fault: "malformed" });

  const enrollee = new Enrollee(
    { channelId: CHANNEL },
    { deviceId: uuidOf("a phone"), name: "Phone", platform: "ios" },
    random,
  );
  const giver = new FrameGiver({ channelId: CHANNEL }, linkOf(1), random);
  assert.throws(() => giver.answer(enrollee.commit()), { fault: "malformed" });
});
