/**
 * Checks for the tests of deleting an account.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { TestApp } from "./app.ts";
import { check } from "./check.ts";
import { type Person } from "./people.ts";

/** A GET of a person's. */
export const get = (app: TestApp, { token }: Person, path: string) =>
  app.send("GET", path, { token });

/** Nothing is wrong with the data directory, its blobs' bytes included. */
export async function expectSound(app: TestApp): Promise<void> {
  const { findings } = await check(app, { deep: true });
  assert.deepEqual(findings, []);
}
