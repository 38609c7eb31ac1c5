/**
 * A second device that gets the account over the relay of a real server
 * (protocol/client-cryptography.md#a-second-device).
 *
 * @module
 */
import assert from "node:assert/strict";
import { Enrollee, Initiator } from "../../src/client/enrollment/enrollment.ts";
import {
  buildEnrollmentLink,
  parseEnrollmentLink,
} from "../../src/client/enrollment/enrollment_link.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import { type Bytes, fromBase64, toBase64 } from "../../src/core/bytes.ts";
import {
  ORIGIN,
  seededRandom,
  type TestApp,
  withTestApp,
} from "../support/app.ts";
import {
  append,
  close,
  type Direction,
  drain,
  enrollmentState,
  issueCode,
  redeem,
} from "../support/enrollment.ts";
import { expectEmpty, expectJson } from "../support/expect.ts";
import { registerPerson, uuidOf } from "../support/people.ts";

/** Sends a payload through the relay; what arrives of it. */
async function relay(
  app: TestApp,
  channelId: string,
  direction: Direction,
  payload: Bytes,
): Promise<Bytes> {
  const sent = await append(app, channelId, direction, toBase64(payload));
  await expectEmpty(sent, 204);
  const drained = await expectJson(await drain(app, channelId, direction), 200);
  const [arrived] = drained.payloads;
  const bytes = fromBase64(arrived);
  assert(bytes !== undefined);
  return bytes;
}

for (const scanned of [true, false]) {
  const way = scanned ? "a scanned link" : "a typed code and four words";
  Deno.test(`a second device gets the master key by ${way}`, async () => {
    await withTestApp(async (app) => {
      const ada = await registerPerson(app, "ada");
      const random = seededRandom(`enrollment by ${way}`);
      const masterKey = new Uint8Array(random(32));
      const { signer } = await openIdentity(masterKey);
      const account = {
        masterKey,
        userId: ada.userId,
        address: ada.address,
        serverId: ORIGIN,
        anchor: signer.keyId,
      };

      const secret = new Uint8Array(random(16));
      const code = await issueCode(app, ada);
      const shown = buildEnrollmentLink({ origin: ORIGIN, code, secret });
      const link = parseEnrollmentLink(shown);
      assert(link !== undefined);
      const { channel_id: channelId } = await expectJson(
        await redeem(app, scanned ? link.code : code.toLowerCase()),
        200,
      );
      const enrollee = new Enrollee(
        scanned ? { channelId, secret: link.secret } : { channelId },
        { deviceId: uuidOf("a phone"), name: "Phone", platform: "ios" },
        random,
      );
      const seen = await enrollmentState(app, ada);
      assert.equal(seen.channel_id, channelId);
      const initiator = new Initiator(
        { channelId: seen.channel_id, secret },
        signer.keyId,
        random,
      );

      const toOld = (payload: Bytes) =>
        relay(app, channelId, "to_initiator", payload);
      const toNew = (payload: Bytes) =>
        relay(app, channelId, "to_enrollee", payload);
      const nonce = initiator.answer(await toOld(enrollee.commit()));
      const revealed = enrollee.reveal(await toNew(nonce));
      const applicant = initiator.meet(await toOld(revealed.payload));
      assert.equal(applicant.device.name, "Phone");
      assert.deepEqual(applicant.words, revealed.words);
      assert.equal(applicant.words?.length, scanned ? undefined : 4);
      if (!scanned) {
        initiator.compared(true);
        enrollee.compared(true);
      }
      const granted = await toNew(initiator.grant(account));
      assert.deepEqual(await enrollee.open(granted), account);
      await expectEmpty(await close(app, ada, channelId), 204);
    });
  });
}
