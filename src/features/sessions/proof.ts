/**
 * Proofs by an account's identity anchor over a challenge of the server's
 * (protocol/authentication.md#global-sign-out).
 *
 * @module
 */
import { encodeCanonical } from "../../core/cbor.ts";
import { type ChallengeId, parseUuid, type UserId } from "../../core/ids.ts";
import { livesUntil, MINUTE_MS } from "../../core/time.ts";
import { verifyHybrid } from "../../crypto/hybrid.ts";
import { readAnchor } from "../anchor.ts";
import type { Call } from "../call.ts";
import { burnRevokeChallenge } from "./store.ts";

/** For how long a challenge may be answered (ms). */
export const CHALLENGE_MS = 5 * MINUTE_MS;

/** What a client presents; neither has been looked at. */
export interface Proof {
  readonly challengeId: string;
  readonly proof: Uint8Array;
}

/**
 * The account to which a challenge was issued, on a proof by its anchor under a
 * domain. The challenge is burned first, and every failure is one and the same.
 */
export async function requireProof(
  { app, now, raise }: Call<"error.auth.proof_required">,
  given: Proof,
  domain: string,
): Promise<UserId> {
  const challengeId = parseUuid<ChallengeId>(given.challengeId);
  const burned = challengeId === undefined
    ? undefined
    : await burnRevokeChallenge(app.db, challengeId);
  if (
    burned === undefined ||
    !livesUntil(burned.expires_at, CHALLENGE_MS, now)
  ) {
    throw raise("error.auth.proof_required", { cause: "no live challenge" });
  }
  const { user_id: userId, challenge } = burned;
  const anchor = await readAnchor(app.db, userId);
  if (anchor === null) {
    throw raise("error.auth.proof_required", { cause: "no anchor" });
  }
  const payload = encodeCanonical([
    app.server.serverId,
    userId,
    given.challengeId,
    challenge,
  ]);
  if (!await verifyHybrid(anchor, domain, payload, given.proof)) {
    throw raise("error.auth.proof_required", { cause: "signature" });
  }
  return userId;
}
