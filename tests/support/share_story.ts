/**
 * Issuing and revoking share links, and an asset to make them of.
 *
 * @module
 */
import { type TestApp, withTestApp } from "./app.ts";
import type { Json } from "./expect.ts";
import {
  createAsset,
  type LiveAsset,
  type Person,
  registerWriter,
} from "./people.ts";
import { expectNoErrors } from "./api.ts";

/** Asks for a share link. */
export function issue(
  app: TestApp,
  person: Person,
  json: Json,
): Promise<Response> {
  return app.send("POST", "/v1/shares", { token: person.token, json });
}

/** Asks that a share link be revoked. */
export function revoke(
  app: TestApp,
  person: Person,
  id: string,
): Promise<Response> {
  return app.send("DELETE", `/v1/shares/${id}`, { token: person.token });
}

/** An application with Ada and an asset of hers, which logs no error. */
export async function withAsset(
  test: (app: TestApp, ada: Person, asset: LiveAsset) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await test(app, ada, await createAsset(app, ada, "photo"));
    expectNoErrors(app);
  });
}
