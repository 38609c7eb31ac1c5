/**
 * Operators of a server, as `strongroom account operator` names them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { nameOperator } from "../../src/features/operators/operators.ts";
import { type TestApp } from "./app.ts";
import { expectJson } from "./expect.ts";
import { PASSWORD, type Person, registerPerson } from "./people.ts";
import {
  type Authenticator,
  enrollConfirmed,
  STEP_MS,
} from "./second_factor.ts";

export interface OperatorPerson extends Person {
  readonly authenticator: Authenticator;
}

/** Registers a person with a second factor and makes them an operator. */
export async function registerOperator(
  app: TestApp,
  name: string,
): Promise<OperatorPerson> {
  const person = await registerPerson(app, name);
  const authenticator = await enrollConfirmed(app, person);
  await nameOperator(app.app.db, person.userId, true, app.clock.now);
  return { ...person, authenticator };
}

/** Presents password and code; returns until when they count. */
export async function present(
  app: TestApp,
  operator: OperatorPerson,
): Promise<string> {
  app.clock.advance(STEP_MS);
  const { valid_until } = await expectJson(
    await app.send("POST", "/v1/operator/presentation", {
      token: operator.token,
      json: { password: PASSWORD, code: operator.authenticator.code() },
    }),
    200,
  );
  assert.equal(Date.parse(valid_until) - app.clock.now, 10 * 60_000);
  return valid_until;
}
