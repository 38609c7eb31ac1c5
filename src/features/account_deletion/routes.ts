import { ProofRequest } from "../../wire/bodies/accounts.ts";
import { route } from "../app.ts";
import { departNow } from "./departure.ts";

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
