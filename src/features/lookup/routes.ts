import { LookupResponse } from "../../wire/answers/accounts.ts";
import { LookupRequest } from "../../wire/bodies/accounts.ts";
import { route } from "../app.ts";
import { lookUp } from "./lookup.ts";

export const lookupRoutes = [
  route({
    operation: "lookUpUser",
    anyOrigin: "capabilities",
    method: "POST",
    path: "/v1/users/lookup",
    summary: "Find a user by address, handle or id",
    credential: "reader",
    // A read, whatever its method.
    suspended: "allowed",
    body: { kind: "json", schema: LookupRequest },
    success: { 200: { kind: "json", schema: LookupResponse } },
    problems: ["error.user.not_found", "error.user.rate_limited"],
  }).by(async ({ body, ...call }) => ({
    status: 200,
    json: await lookUp(call, body),
  })),
];
