import assert from "node:assert/strict";
import {
  concatBytes,
  fromBase64Url,
  fromUtf8,
  toBase64,
  toBase64Url,
  toHex,
  utf8,
} from "../../src/core/bytes.ts";
import { sha256 } from "../../src/crypto/sha256.ts";
import {
  type EnrolledAccount,
  Enrollee,
  Initiator,
} from "../../src/client/enrollment/enrollment.ts";
import {
  buildEnrollmentLink,
  parseEnrollmentLink,
} from "../../src/client/enrollment/enrollment_link.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import { sealTo } from "../../src/client/keys/sealing.ts";
import { randomOf, secretOf } from "../../scripts/vectors/seeds.ts";
import { base64, flipped, hex, PRIMITIVES } from "../support/vectors.ts";
import vectors from "./enrollment.json" with { type: "json" };

const CHANNEL = { channelId: vectors.channel_id };
const SECRET = hex(vectors.secret);
const DEVICE = {
  deviceId: vectors.device.device_id,
  name: vectors.device.name,
  platform: "android",
} as const;
const ACCOUNT: EnrolledAccount = {
  masterKey: hex(vectors.account.master_key),
  userId: vectors.account.user_id,
  address: vectors.account.address,
  serverId: vectors.account.server_id,
  anchor: vectors.account.anchor,
};
const intruder = { name: "EnrollmentError", fault: "not_the_other_device" };
const malformed = { name: "EnrollmentError", fault: "malformed" };

/** Two devices on one channel; `scanned` gives the new one the secret. */
function pairOf(scanned: boolean, primitives = PRIMITIVES[0]) {
  const given = primitives === undefined ? {} : { primitives };
  const meeting = { ...CHANNEL, ...given };
  return {
    enrollee: new Enrollee(
      { ...meeting, ...(scanned ? { secret: SECRET } : {}) },
      DEVICE,
      randomOf("enrollee"),
    ),
    initiator: new Initiator(
      { ...meeting, secret: SECRET },
      ACCOUNT.anchor,
      randomOf("initiator"),
    ),
  };
}

const json = (payload: Uint8Array) => JSON.parse(fromUtf8(payload) ?? "");
const changed = (payload: Uint8Array, over: object) =>
  utf8(JSON.stringify({ ...json(payload), ...over }));

Deno.test("a scanned link hands the account over without a number to compare", async () => {
  for (const primitives of PRIMITIVES) {
    const { enrollee, initiator } = pairOf(true, primitives);
    const commit = enrollee.commit();
    const nonce = initiator.answer(commit);
    const revealed = enrollee.reveal(nonce);
    assert.equal(revealed.words, undefined);
    const applicant = initiator.meet(revealed.payload);
    assert.deepEqual(applicant, { device: DEVICE });
    const granted = initiator.grant(ACCOUNT);
    assert.deepEqual(await enrollee.open(granted), ACCOUNT);
    const said = [commit, nonce, revealed.payload, granted];
    assert.deepEqual(said.map(toBase64), vectors.scanned.payloads);
  }
});

Deno.test("by a typed code both show the same four words, and nothing is handed over before they are compared", async () => {
  for (const primitives of PRIMITIVES) {
    const { enrollee, initiator } = pairOf(false, primitives);
    const nonce = initiator.answer(enrollee.commit());
    const revealed = enrollee.reveal(nonce);
    const { words } = initiator.meet(revealed.payload);
    assert.deepEqual(words, revealed.words);
    assert.deepEqual(words, vectors.typed.words);
    assert.throws(() => initiator.grant(ACCOUNT), RangeError);
    initiator.compared(false);
    assert.throws(() => initiator.grant(ACCOUNT), RangeError);
    initiator.compared(true);
    const granted = initiator.grant(ACCOUNT);
    await assert.rejects(enrollee.open(granted), RangeError);
    enrollee.compared(false);
    enrollee.compared(true);
    assert.deepEqual(await enrollee.open(granted), ACCOUNT);
  }
});

Deno.test("a server that plays the other device alone is not believed", async () => {
  const masterKey = secretOf("a master key of the server's");
  const { signer } = await openIdentity(masterKey);
  const forged = { ...ACCOUNT, masterKey, anchor: signer.keyId };
  for (const scanned of [false, true]) {
    const { enrollee } = pairOf(scanned);
    const liar = new Initiator(CHANNEL, forged.anchor, randomOf("the server"));
    const { payload } = enrollee.reveal(liar.answer(enrollee.commit()));
    liar.meet(changed(payload, { mac: null }));
    liar.compared(true);
    // The other device does not show those words, so the person does not agree.
    const refusal = scanned ? intruder : RangeError;
    await assert.rejects(enrollee.open(liar.grant(forged)), refusal);
  }
});

Deno.test("the second wrong answer ends it, and no right one helps afterwards", () => {
  const { enrollee, initiator } = pairOf(false);
  initiator.meet(enrollee.reveal(initiator.answer(enrollee.commit())).payload);
  initiator.compared(false);
  const ended = { name: "EnrollmentError", fault: "words_differ" };
  assert.throws(() => initiator.compared(false), ended);
  assert.throws(() => initiator.compared(true), ended);
  assert.throws(() => initiator.grant(ACCOUNT), RangeError);
  enrollee.compared(false);
  assert.throws(() => enrollee.compared(false), ended);
  assert.throws(() => enrollee.compared(true), ended);
});

Deno.test("a server in the middle shows other words on each side", () => {
  const { enrollee, initiator } = pairOf(false);
  const towardsOld = new Enrollee(CHANNEL, DEVICE, randomOf("the server"));
  const towardsNew = new Initiator(
    CHANNEL,
    toHex(secretOf("another identity")),
    randomOf("the server's nonce"),
  );
  const shownOnNew = enrollee.reveal(towardsNew.answer(enrollee.commit()));
  const nonce = initiator.answer(towardsOld.commit());
  const shownOnOld = initiator.meet(towardsOld.reveal(nonce).payload);
  assert.notDeepEqual(shownOnOld.words, shownOnNew.words);
});

Deno.test("a server that passes the words on cannot hand over a master key of its own", async () => {
  const masterKey = secretOf("a master key of the server's");
  const { signer } = await openIdentity(masterKey);
  for (const scanned of [false, true]) {
    const { enrollee, initiator } = pairOf(scanned);
    const commit = enrollee.commit();
    const nonce = initiator.answer(commit);
    const revealed = enrollee.reveal(nonce);
    const { words } = initiator.meet(revealed.payload);
    assert.deepEqual(words, revealed.words);
    enrollee.compared(true);
    // All that a server needs to seal went through its hands.
    const { pk } = json(revealed.payload);
    const transcript = sha256(concatBytes(commit, nonce, revealed.payload));
    const account = {
      v: 1,
      master_key: toBase64Url(masterKey),
      user_id: ACCOUNT.userId,
      server_id: ACCOUNT.serverId,
      anchor: signer.keyId,
      opening: toBase64Url(secretOf("an opening")),
    };
    const sealed = sealTo(
      fromBase64Url(pk) ?? hex(""),
      utf8(JSON.stringify(account)),
      "service-enroll-key/v1",
      transcript,
      randomOf("mallory"),
    );
    const message = {
      step: "key",
      sealed: toBase64Url(sealed),
      mac: toBase64Url(secretOf("a guess")),
    };
    const forged = utf8(JSON.stringify(message));
    await assert.rejects(enrollee.open(forged), intruder);
  }
});

Deno.test("the true key under a false anchor, or a false key under the true one, is refused", async () => {
  const other = secretOf("another master key");
  const { enrollee, initiator } = pairOf(true);
  initiator.meet(enrollee.reveal(initiator.answer(enrollee.commit())).payload);
  const anchor = toHex(secretOf("another anchor"));
  assert.throws(() => initiator.grant({ ...ACCOUNT, anchor }), RangeError);
  const mistaken = initiator.grant({ ...ACCOUNT, masterKey: other });
  const wrong = { name: "EnrollmentError", fault: "another_identity" };
  await assert.rejects(enrollee.open(mistaken), wrong);
});

Deno.test("what was changed on the way is refused, whichever message it was", async () => {
  for (const scanned of [true, false]) {
    const { enrollee, initiator } = pairOf(scanned);
    const commit = enrollee.commit();
    const nonce = initiator.answer(commit);
    const { payload: reveal } = enrollee.reveal(nonce);
    const again = () => {
      const { initiator } = pairOf(scanned);
      initiator.answer(commit);
      return initiator;
    };
    const { pk, nonce: n, mac } = json(reveal);
    const foreign = toBase64(flipped(base64(vectors.other_digest), 0));
    for (const lie of [{ nonce: foreign }, { pk: `B${pk.slice(1)}` }]) {
      assert.throws(() => again().meet(changed(reveal, lie)), intruder);
    }
    assert.throws(() => again().meet(changed(reveal, { mac: n })), intruder);
    if (scanned) {
      // Without its proof it is a device whose words no other device shows.
      assert(mac !== undefined);
      assert(again().meet(changed(reveal, { mac: null })).words);
    }
    initiator.meet(reveal);
    if (!scanned) initiator.compared(true);
    const granted = initiator.grant(ACCOUNT);
    const { sealed } = json(granted);
    const lies = [
      {
        sealed: `${sealed.slice(0, 1_600)}${sealed[1_600] === "A" ? "B" : "A"}${
          sealed.slice(1_601)
        }`,
      },
      { sealed: `B${sealed.slice(1)}` },
      ...(scanned ? [{ mac: null }, { mac: n }] : []),
    ];
    for (const lie of lies) {
      const { enrollee } = pairOf(scanned);
      enrollee.commit();
      enrollee.reveal(nonce);
      enrollee.compared(true);
      const forged = changed(granted, lie);
      assert.notDeepEqual(forged, granted);
      await assert.rejects(enrollee.open(forged), intruder);
    }
    // Another transcript: the nonce with an unknown key is another.
    const { enrollee: elsewhere } = pairOf(scanned);
    elsewhere.commit();
    elsewhere.reveal(changed(nonce, { extra: 1 }));
    elsewhere.compared(true);
    await assert.rejects(elsewhere.open(granted), intruder);
  }
});

Deno.test("messages out of turn, of another shape or of a newer program are told apart", async () => {
  const { enrollee, initiator } = pairOf(true);
  const commit = enrollee.commit();
  assert.throws(() => enrollee.commit(), malformed);
  assert.throws(() => initiator.meet(commit), malformed);
  assert.throws(() => initiator.grant(ACCOUNT), malformed);
  await assert.rejects(enrollee.open(commit), malformed);
  const newer = { name: "EnrollmentError", fault: "newer" };
  assert.throws(() => initiator.answer(changed(commit, { v: 2 })), newer);
  const lies = [
    utf8(""),
    utf8("{}"),
    utf8("null"),
    changed(commit, { step: "nonce" }),
    changed(commit, { commit: "AA" }),
    new Uint8Array(64 * 1024 + 1).fill(0x20),
    hex("ff"),
  ];
  for (const lie of lies) {
    assert.throws(() => initiator.answer(lie), malformed);
  }
  const nonce = initiator.answer(changed(commit, { extra: [] }));
  assert.throws(() => initiator.answer(commit), malformed);
  assert.throws(() => enrollee.reveal(commit), malformed);
  enrollee.reveal(nonce);
});

Deno.test("an enrollment link survives being read and built, and damage is seen", () => {
  const { link } = vectors;
  const read = parseEnrollmentLink(link);
  assert(read !== undefined);
  assert.equal(toHex(read.secret), vectors.secret);
  assert.equal(read.code, vectors.code);
  assert.equal(buildEnrollmentLink(read), link);
  const damaged = [
    link.slice(0, -1),
    `${link}A`,
    link.replace(`${vectors.code}.`, vectors.code),
    link.replace("#", ""),
    link.replace("join", "invited"),
    link.replace(vectors.code, "SHORT"),
    "not a link",
    "",
  ];
  for (const text of damaged) {
    assert.equal(parseEnrollmentLink(text), undefined, text);
  }
});
