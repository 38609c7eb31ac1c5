/**
 * Looking users up, and two people who do.
 *
 * @module
 */
import { type TestApp } from "./app.ts";
import { type Person, registerPerson } from "./people.ts";
import { withFaultlessApp } from "./api.ts";

/** Looks a user up as `looker`. */
export function lookup(app: TestApp, looker: Person, json: unknown) {
  return app.send("POST", "/v1/users/lookup", { token: looker.token, json });
}

/** Runs a test of two people, Ada and Bob. */
export async function withAdaAndBob(
  test: (app: TestApp, ada: Person, bob: Person) => Promise<void>,
): Promise<void> {
  await withFaultlessApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await test(app, ada, await registerPerson(app, "bob"));
  });
}
