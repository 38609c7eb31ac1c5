/**
 * State slots of people in a test.
 *
 * @module
 */
import type { Sender } from "./app.ts";
import type { Person } from "./people.ts";

/** Puts bytes into a slot; where nothing is said, it has to be empty. */
export function putState(
  app: Sender,
  person: Person,
  slot: string,
  body: BodyInit,
  condition: Record<string, string> = { "If-None-Match": "*" },
): Promise<Response> {
  return app.send("PUT", `/v1/state/${slot}`, {
    token: person.token,
    headers: { "Content-Type": "application/octet-stream", ...condition },
    body,
  });
}

export function getState(
  app: Sender,
  person: Person,
  slot: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Response> {
  const { token } = person;
  return app.send(method, `/v1/state/${slot}`, { token, headers });
}

export function deleteState(
  app: Sender,
  person: Person,
  slot: string,
): Promise<Response> {
  return app.send("DELETE", `/v1/state/${slot}`, { token: person.token });
}
