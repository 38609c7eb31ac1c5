/**
 * Deleting one's own account (protocol/authentication.md#deleting-the-account):
 * what goes and what stays is as with the operator's deletion.
 *
 * @module
 */
import { SECOND_MS } from "../../core/time.ts";
import { transaction } from "../../store/sqlite/database.ts";
import { ProofRequest } from "../../wire/bodies/accounts.ts";
import { route } from "../app.ts";
import type { CallBy } from "../call.ts";
import { type Proof, requireProof } from "../sessions/proof.ts";
import { requireRecent } from "../sessions/recent.ts";
import { closeDoors, listHeld, noteDeparture } from "./closing_store.ts";

const DELETE_DOMAIN = "service-account-delete/v1";
/** A larger account is closed by then, and emptied out after the answer (ms). */
const ANSWER_AFTER_MS = 10 * SECOND_MS;

export const removalRoutes = [
  route({
    operation: "deleteAccount",
    method: "POST",
    path: "/v1/auth/account/delete",
    summary: "Delete the caller's account for good, on a master-key proof",
    credential: "session",
    // It takes away what is the caller's own and gives nothing.
    suspended: "allowed",
    body: { kind: "json", schema: ProofRequest },
    success: { 204: { kind: "empty" } },
    problems: [
      "error.auth.reauthentication_required",
      "error.auth.proof_required",
      "error.asset.held",
    ],
  }).by(async ({ body, ...call }) => {
    await departNow(call, {
      challengeId: body.challenge_id,
      proof: body.proof,
    });
    return { status: 204 };
  }),
];

/**
 * Closes the caller's account for good and deletes all that it has. Once it is
 * closed nothing is refused any more: what remains is the server's to do.
 */
async function departNow(
  call: CallBy<
    "session",
    | "error.auth.reauthentication_required"
    | "error.auth.proof_required"
    | "error.asset.held"
  >,
  given: Proof,
): Promise<void> {
  const { app, caller: { userId }, now, raise } = call;
  await requireRecent(call, app.db);
  if (await requireProof(call, given, DELETE_DOMAIN) !== userId) {
    throw raise("error.auth.proof_required", { cause: "another's challenge" });
  }
  await transaction(app.db, async (tx) => {
    const held = await listHeld(tx, userId);
    if (held.length > 0) throw raise("error.asset.held");
    await closeDoors(tx, userId, now);
    await noteDeparture(tx, userId, now);
  });
  app.signals.feedNotifier.notify();
  const answered = new AbortController();
  const gone = app.departures.finish(userId).then(() =>
    app.signals.feedNotifier.notify()
  );
  await Promise.race([
    gone,
    app.platform.sleep(ANSWER_AFTER_MS, answered.signal),
  ]);
  answered.abort();
}
