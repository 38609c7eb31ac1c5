/**
 * Proofs by the identity key over challenges of the server's.
 *
 * @module
 */
import { fromBase64, toBase64 } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import type { HybridSigner } from "../../src/crypto/hybrid.ts";
import { ORIGIN, type Sender, type SendOptions } from "./app.ts";
import { expectJson, type Json } from "./expect.ts";
import type { Person } from "./people.ts";

export const DELETE_DOMAIN = "service-account-delete/v1";

/** A challenge of the global sign-out, issued to a person. */
export async function challengeFor(
  app: Sender,
  { token }: Person,
): Promise<Json> {
  return await expectJson(
    await app.send("POST", "/v1/auth/logout/all/challenge", { token }),
    200,
  );
}

/** A proof for an account over a challenge, under a domain. */
export async function proofOf(
  signer: HybridSigner,
  userId: string,
  challenge: Json,
  domain: string,
): Promise<string> {
  const payload = encodeCanonical([
    ORIGIN,
    userId,
    challenge.challenge_id,
    fromBase64(challenge.challenge) ?? new Uint8Array(),
  ]);
  return toBase64(await signer.sign(domain, payload));
}

/** What a person sends to delete their own account. */
export async function departureRequest(
  app: Sender,
  person: Person,
): Promise<SendOptions> {
  const challenge = await challengeFor(app, person);
  const { signer, userId, token } = person;
  const proof = await proofOf(signer, userId, challenge, DELETE_DOMAIN);
  return { token, json: { challenge_id: challenge.challenge_id, proof } };
}
