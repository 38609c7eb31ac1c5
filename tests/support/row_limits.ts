/**
 * Accounts at the limits of what they may make.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp } from "./app.ts";
import { expectProblem } from "./expect.ts";
import { hashOf, type Person } from "./people.ts";
import { shareRequest } from "./api.ts";

/** A hash that a link may serve. */
export const HASH = hashOf("a blob");

/** Expects a refusal that names the limit. */
export async function expectLimit(
  response: Response,
  limit: number | string,
): Promise<void> {
  const problem = await expectProblem(response, "error.account.limit_reached");
  assert.equal(problem.limit, limit);
}

/** Issues a share link. */
export function share(
  app: TestApp,
  person: Person,
  word: string,
  serves = [HASH],
) {
  return app.send("POST", "/v1/shares", {
    token: person.token,
    json: shareRequest(word, serves),
  });
}
