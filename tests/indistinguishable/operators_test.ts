/**
 * To anybody but operators their paths are unknown ones, byte for byte
 * (protocol/operators.md#who-finds-them).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { UserId } from "../../src/core/ids.ts";
import { ROUTES } from "../../src/routes.ts";
import { expectSameAnswers } from "../support/api.ts";
import { type SendOptions, withTestApp } from "../support/app.ts";
import { registerOperator } from "../support/operators.ts";
import { registerPerson } from "../support/people.ts";

const METHODS = [
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
];

Deno.test("every path of operators answers others as an unknown one does, with every method, credential and body", async () => {
  await withTestApp(async (app) => {
    const ada = await registerOperator(app, "ada");
    const bob = await registerPerson(app, "bob");
    await app.app.db.updateTable("account")
      .set({ suspended_at: app.clock.now })
      .where("user_id", "=", ada.userId as UserId).execute();
    const paths = new Set(
      ROUTES.flatMap(({ spec }) => spec.forOperators ? [spec.path] : [])
        .map((path) => path.replace(/\{[^}]+\}/, bob.userId)),
    );
    assert(paths.size > 5);
    const kinds: Record<string, SendOptions> = {
      "a stranger": {},
      "a person": { token: bob.token },
      "a suspended operator": { token: ada.token },
      "no token at all": { token: "nonsense" },
      "no handshake": { token: bob.token, protocol: null },
      "another origin": { headers: { Origin: "https://eve.example" } },
      "a preflight": {
        headers: {
          "Origin": "https://eve.example",
          "Access-Control-Request-Method": "GET",
        },
      },
      "a browser": { headers: { Accept: "text/html" } },
      "tus": { headers: { "Tus-Resumable": "9.9.9" } },
    };
    const bodies: Record<string, SendOptions> = {
      "no body": {},
      "JSON": { json: { days: 7 } },
      "nonsense": { body: "nonsense" },
    };
    for (const method of METHODS) {
      const isBare = method === "GET" || method === "HEAD";
      for (const [who, kind] of Object.entries(kinds)) {
        for (const [what, body] of Object.entries(bodies)) {
          if (isBare && what !== "no body") continue;
          const sent = { ...kind, ...body };
          const answers: Record<string, Response> = {
            unknown: await app.send(method, "/v1/operators/nothing", sent),
          };
          for (const path of paths) {
            answers[`${who} ${method} ${path} ${what}`] = await app.send(
              method,
              path,
              sent,
            );
          }
          await expectSameAnswers(answers);
        }
      }
    }
  });
});
