/**
 * Expectations about responses, in the words of the specification.
 *
 * @module
 */
import assert from "node:assert/strict";
import { PROBLEMS } from "../../src/core/catalogue.ts";
import type { ProblemCode } from "../../src/core/problem.ts";

/** A JSON object whose members a test reads by name. */
// deno-lint-ignore no-explicit-any
export type Json = any;

/** Expects a status and a JSON body; returns the body. */
export async function expectJson(
  response: Response,
  status: number,
): Promise<Json> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.equal(response.headers.get("content-type"), "application/json");
  return JSON.parse(text);
}

/** Expects a status without a body. */
export async function expectEmpty(
  response: Response,
  status: number,
): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.equal(text, "");
}

/** Expects a problem record with this code and its status; returns it. */
export async function expectProblem(
  response: Response,
  code: ProblemCode,
): Promise<Json> {
  const text = await response.text();
  assert.equal(
    response.headers.get("content-type"),
    "application/problem+json",
    `${response.status} ${text}`,
  );
  const body = JSON.parse(text);
  assert.equal(body.code, code, text);
  assert.equal(body.status, PROBLEMS[code].status);
  assert.equal(response.status, PROBLEMS[code].status);
  assert.equal(typeof body.type, "string");
  assert.equal(body.instance, undefined);
  return body;
}

/**
 * Expects that a time is one between a moment of this test's (ms) and now, or
 * that long after: whatever the machine took for it.
 */
export function expectSince(since: number, at: string, laterMs = 0): void {
  const told = Date.parse(at) - laterMs;
  // Of a time that is told in whole seconds the rest is cut off.
  assert(told > since - 1_000 && told <= Date.now(), `${at} is not of then`);
}
