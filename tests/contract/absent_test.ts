/**
 * What the specification leaves out on purpose is not there: by path, by
 * method, and in the list of operations.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { registerPerson } from "../support/people.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** What is absent, where it was or would be, and what its names say. */
const ABSENT = [
  {
    what: "passkeys",
    paths: [
      "/v1/auth/passkeys",
      "/v1/auth/passkeys/options",
      "/v1/auth/passkeys/00000000-0000-7000-8000-000000000000",
      "/v1/auth/login/passkey",
      "/v1/auth/login/passkey/options",
      "/v1/auth/webauthn",
      "/.well-known/webauthn",
      "/.well-known/passkey-endpoints",
    ],
    named: /passkey|webauthn/i,
  },
  {
    what: "token introspection",
    paths: [
      "/v1/auth/introspect",
      "/v1/auth/token/introspect",
      "/v1/auth/tokens",
      "/oauth/introspect",
      "/introspect",
    ],
    named: /introspect/i,
  },
  {
    what: "changes of the login address",
    paths: [
      "/v1/auth/address",
      "/v1/auth/email",
      "/v1/auth/profile/address",
      "/v1/auth/account/address",
    ],
    named: /new_address|changeAddress|changeEmail/,
  },
  {
    what: "user listings",
    paths: [
      "/v1/users",
      "/v1/accounts",
      "/v1/auth/users",
      "/v1/users/search",
      "/.well-known/service/users",
    ],
    named: /listUsers|searchUsers|listAccounts"/,
  },
  {
    what: "revocations by device cohort",
    paths: [
      "/v1/auth/cohorts",
      `/v1/auth/cohorts/${"a".repeat(64)}`,
      `/v1/auth/sessions/cohorts/${"a".repeat(64)}`,
      `/v1/auth/devices/cohorts/${"a".repeat(64)}`,
      "/v1/auth/logout/cohort",
    ],
    named: /revokeCohort|logoutCohort/i,
  },
  {
    what: "event streams and outbound notifications",
    paths: [
      "/v1/events",
      "/v1/stream",
      "/v1/sync/stream",
      "/v1/webhooks",
      "/v1/push",
      "/v1/subscriptions",
    ],
    named: /event-stream|webhook|websocket/i,
  },
  {
    what: "moved records",
    paths: [
      "/.well-known/service/moved",
      "/.well-known/service/moved/ada",
      "/v1/moved",
      "/v1/auth/moved",
    ],
    named: /service\/moved|moved_at|old_handle|new_handle|ik_sig/,
  },
  {
    what: "password reset",
    paths: [
      "/v1/auth/password/reset",
      "/v1/auth/password/forgot",
      "/v1/auth/password-reset",
      "/v1/auth/reset",
      "/v1/auth/reset-password",
      "/v1/auth/forgot-password",
      "/v1/operator/people/00000000-0000-7000-8000-000000000000/reset",
    ],
    named: /reset|forgot/i,
  },
];

for (const { what, paths, named } of ABSENT) {
  Deno.test(`${what}: no operation under any path with any method, with and without a session`, async () => {
    await withTestApp(async (app) => {
      const { token } = await registerPerson(app, "ada");
      for (const path of paths) {
        for (const method of METHODS) {
          const json = method === "GET" ? {} : { json: {} };
          for (const caller of [{}, { token }]) {
            await expectProblem(
              await app.send(method, path, { ...json, ...caller }),
              "error.request.route_unknown",
            );
          }
        }
      }
    });
  });

  Deno.test(`openapi.json does not name ${what}: no path, operation, schema, field or code`, async () => {
    await withTestApp(async (app) => {
      const document = await expectJson(
        await app.send("GET", "/openapi.json"),
        200,
      );
      assert(Object.keys(document.paths).length > 0);
      assert.doesNotMatch(JSON.stringify(document), named);
    });
  });
}

Deno.test("a login address cannot be changed: a profile takes no address, not its own either", async () => {
  await withTestApp(async (app) => {
    const { token, address } = await registerPerson(app, "ada");
    for (const given of ["other@example.org", address]) {
      const { errors } = await expectProblem(
        await app.send("PATCH", "/v1/auth/profile", {
          token,
          json: { address: given },
        }),
        "error.request.invalid",
      );
      assert.equal(errors[0].path, "/address");
    }
    const profile = await app.send("GET", "/v1/auth/profile", { token });
    assert.equal((await expectJson(profile, 200)).address, address);
  });
});

Deno.test("sessions end one by one or all at once: not all of them by DELETE, and none by its cohort", async () => {
  await withTestApp(async (app) => {
    const { token } = await registerPerson(app, "ada");
    for (const query of ["", `?cohort_hash=${"a".repeat(64)}`]) {
      await expectProblem(
        await app.send("DELETE", `/v1/auth/sessions${query}`, { token }),
        "error.request.method_not_allowed",
      );
    }
    await expectProblem(
      await app.send("DELETE", `/v1/auth/sessions/${"a".repeat(64)}`, {
        token,
      }),
      "error.request.malformed",
    );
    const sessions = await app.send("GET", "/v1/auth/sessions", { token });
    assert.equal((await expectJson(sessions, 200)).sessions.length, 1);
  });
});

Deno.test("the feed is read, and not streamed: a client that asks for an event stream gets JSON", async () => {
  await withTestApp(async (app) => {
    const { token } = await registerPerson(app, "ada");
    const answer = await app.send("GET", "/v1/sync", {
      token,
      headers: { Accept: "text/event-stream" },
    });
    await expectJson(answer, 200);
  });
});
