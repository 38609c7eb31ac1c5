/**
 * The asset whose manifests the tests of its lifecycle apply.
 *
 * @module
 */
import { type TestApp } from "./app.ts";
import { expectProblem } from "./expect.ts";
import { ciphertext, type Person, uuidOf } from "./people.ts";

/** The asset's id, and its blobs. */
export const ASSET = uuidOf("lifecycle asset");
export const ORIGINAL = ciphertext("lifecycle original", 2_000);
export const METADATA = ciphertext("lifecycle metadata", 200);
export const MANIFEST = ciphertext("lifecycle manifest", 700);

/** Expects that no one can read the asset yet. */
export async function expectPending(app: TestApp, who: Person): Promise<void> {
  await expectProblem(
    await app.send("GET", `/v1/assets/${ASSET}`, { token: who.token }),
    "error.asset.not_found",
  );
}
