/**
 * Enrollment codes and relay channels, as stories use them.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { TestApp } from "./app.ts";
import { expectEmpty, expectJson, type Json } from "./expect.ts";
import type { Person } from "./people.ts";

export const CODE_PATH = "/v1/auth/devices/enroll/code";
export type Direction = "to_initiator" | "to_enrollee";

export function channelPath(channelId: string): string {
  return `/v1/auth/devices/enroll/channel/${channelId}`;
}

/** Asks for a code with a person's session. */
export function askCode(
  app: TestApp,
  { token }: { readonly token: string },
): Promise<Response> {
  return app.send("POST", CODE_PATH, { token });
}

/** Issues a code; returns it as it is shown. */
export async function issueCode(app: TestApp, person: Person): Promise<string> {
  return (await expectJson(await askCode(app, person), 200)).code;
}

/** How far a person's enrollment is. */
export async function enrollmentState(
  app: TestApp,
  { token }: { readonly token: string },
): Promise<Json> {
  return await expectJson(await app.send("GET", CODE_PATH, { token }), 200);
}

/** Redeems a code as a device that has nothing else. */
export function redeem(
  app: TestApp,
  code: unknown,
  from = "192.0.2.1",
): Promise<Response> {
  return app.send("POST", "/v1/auth/devices/enroll/redeem", {
    json: { code },
    from,
  });
}

/** Issues a code and redeems it; returns the channel's handle. */
export async function openChannel(
  app: TestApp,
  person: Person,
): Promise<string> {
  const code = await issueCode(app, person);
  return (await expectJson(await redeem(app, code), 200)).channel_id;
}

/** Appends a payload, in base64, to a mailbox. */
export function append(
  app: TestApp,
  channelId: string,
  direction: Direction,
  payload: string,
): Promise<Response> {
  return app.send("POST", channelPath(channelId), {
    json: { direction, payload },
  });
}

/** Reads a mailbox, by default so that it is drained. */
export function drain(
  app: TestApp,
  channelId: string,
  direction: string,
  method = "GET",
): Promise<Response> {
  return app.send(method, `${channelPath(channelId)}?direction=${direction}`);
}

/** Closes a channel with a person's session. */
export function close(
  app: TestApp,
  { token }: { readonly token: string },
  channelId: string,
): Promise<Response> {
  return app.send("DELETE", channelPath(channelId), { token });
}

/** Appends payloads, one after the other. */
export async function fill(
  app: TestApp,
  channelId: string,
  direction: Direction,
  payloads: readonly string[],
): Promise<void> {
  for (const payload of payloads) {
    await expectEmpty(await append(app, channelId, direction, payload), 204);
  }
}

/** Drains a mailbox and expects exactly these payloads. */
export async function expectDrained(
  app: TestApp,
  channelId: string,
  direction: Direction,
  payloads: readonly string[],
): Promise<void> {
  const answer = await expectJson(await drain(app, channelId, direction), 200);
  assert.deepEqual(answer, { direction, payloads });
}
