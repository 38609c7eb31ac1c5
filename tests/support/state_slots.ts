/**
 * Checking what state slots hold.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp } from "./app.ts";
import { expectEmpty } from "./expect.ts";
import { hashOf, type Person } from "./people.ts";
import { getState } from "./state.ts";
import { expectBytes } from "./api.ts";

/** The ETag of a slot with these bytes. */
export function tagOf(bytes: Uint8Array): string {
  return `"${hashOf(bytes)}"`;
}

/** Expects that a slot was written. */
export async function expectPut(response: Response, bytes: Uint8Array) {
  assert.equal(response.headers.get("etag"), tagOf(bytes));
  await expectEmpty(response, 204);
}

/** Expects that a slot holds these bytes. */
export async function expectHeld(
  app: TestApp,
  person: Person,
  slot: string,
  bytes: Uint8Array,
): Promise<void> {
  const response = await getState(app, person, slot);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("etag"), tagOf(bytes));
  assert.equal(
    response.headers.get("content-type"),
    "application/octet-stream",
  );
  expectBytes(await response.arrayBuffer(), bytes);
}
