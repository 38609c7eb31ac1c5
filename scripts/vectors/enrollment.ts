/**
 * Vectors of enrolling a second device.
 *
 * @module
 */
import * as z from "zod";
import { fromBase64Url, toBase64, toHex } from "../../src/core/bytes.ts";
import { Enrollee, Initiator } from "../../src/client/enrollment/enrollment.ts";
import { buildEnrollmentLink } from "../../src/client/enrollment/enrollment_link.ts";
import { openIdentity } from "../../src/client/documents/identity.ts";
import { sealingKeyPairFromSeed } from "../../src/client/keys/sealing.ts";
import {
  DEVICE_ID,
  MASTER_KEY,
  OPAQUE_ID,
  randomOf,
  secretOf,
  SERVER_ID,
  sharedSecretOf,
  USER_ID,
} from "./seeds.ts";

/** What the last message seals. */
function sealedOf(message: Uint8Array): Uint8Array {
  const read = z.object({ sealed: z.string() }).parse(
    JSON.parse(new TextDecoder().decode(message)),
  );
  return fromBase64Url(read.sealed) ?? new Uint8Array();
}

/** Both ways in, payload by payload. */
export async function enrollmentVectors() {
  const { signer } = await openIdentity(MASTER_KEY);
  const secret = secretOf("enrollment secret").slice(0, 16);
  const code = "7K3QX-9M2TV";
  const channelId = OPAQUE_ID;
  const device = {
    deviceId: DEVICE_ID,
    name: "Telefon",
    platform: "android" as const,
  };
  const account = {
    masterKey: MASTER_KEY,
    userId: USER_ID,
    address: "ada@example.org",
    serverId: SERVER_ID,
    anchor: signer.keyId,
  };
  const meet = (scanned: boolean) => {
    const enrollee = new Enrollee(
      scanned ? { channelId, secret } : { channelId },
      device,
      randomOf("enrollee"),
    );
    const initiator = new Initiator(
      { channelId, secret },
      account.anchor,
      randomOf("initiator"),
    );
    const commit = enrollee.commit();
    const nonce = initiator.answer(commit);
    const { payload: reveal, words } = enrollee.reveal(nonce);
    initiator.meet(reveal);
    if (!scanned) initiator.compared(true);
    const key = initiator.grant(account);
    const payloads = [commit, nonce, reveal, key];
    const sealed = sealedOf(key);
    const pair = sealingKeyPairFromSeed(randomOf("enrollee")(32));
    return {
      payloads: payloads.map(toBase64),
      words,
      shared_secret: sharedSecretOf(sealed, pair.secretKey),
    };
  };
  return {
    channel_id: channelId,
    code,
    secret: toHex(secret),
    link: buildEnrollmentLink({ origin: SERVER_ID, code, secret }),
    device: { device_id: DEVICE_ID, name: "Telefon", platform: "android" },
    account: {
      master_key: toHex(MASTER_KEY),
      user_id: USER_ID,
      address: account.address,
      server_id: SERVER_ID,
      anchor: account.anchor,
    },
    enrollee_seed: toHex(randomOf("enrollee")(32)),
    other_digest: toBase64(secretOf("another digest")),
    scanned: meet(true),
    typed: meet(false),
  };
}
