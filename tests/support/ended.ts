/**
 * What a command that has ended said and how it ended (operate.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { EndedProgram } from "./program.ts";

/** Expects 1, nothing on standard output, and one line that says why. */
export function expectRefused(ended: EndedProgram, why: RegExp): void {
  assert.equal(ended.status, 1, ended.stdout + ended.stderr);
  assert.equal(ended.stdout, "");
  assert.match(ended.stderr, /^strongroom: [^\n]+\n$/);
  assert.match(ended.stderr, why);
}

/** Expects 0 and nothing on standard error; returns standard output. */
export function expectDone(ended: EndedProgram): string {
  assert.equal(ended.status, 0, ended.stderr + ended.stdout);
  assert.equal(ended.stderr, "");
  return ended.stdout;
}
