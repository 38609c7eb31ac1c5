/**
 * An account's list of share links.
 *
 * @module
 */
import { type TestApp } from "./app.ts";
import { expectJson, type Json } from "./expect.ts";
import {
  createAsset,
  type LiveAsset,
  type Person,
  registerWriter,
} from "./people.ts";
import { withFaultlessApp } from "./api.ts";

/** Runs a test of Ada and an asset of hers. */
export function withAsset(
  test: (app: TestApp, ada: Person, asset: LiveAsset) => Promise<void>,
): Promise<void> {
  return withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await test(app, ada, await createAsset(app, ada, "photo"));
  });
}

/** A person's list of share links. */
export async function listOf(app: TestApp, person: Person): Promise<Json[]> {
  const { shares } = await expectJson(
    await app.send("GET", "/v1/shares", { token: person.token }),
    200,
  );
  return shares;
}
