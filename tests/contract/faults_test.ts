/**
 * The faults of handshake and credential, which every operation refuses in the
 * same way; those of bodies are in `bodies_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { registerWriter } from "../support/people.ts";
import { nameOf, operation, SPEC } from "../support/spec.ts";
import { openWorld, sendOperation } from "../support/spec_requests.ts";
import { suspend } from "../support/api.ts";

const withHandshake = SPEC.filter(({ handshake }) => handshake);
const withCredential = SPEC.filter(({ credential }) => credential !== "none");
const withBearer = SPEC.filter(({ credential }) => credential === "bearer");

Deno.test("X-Service-Protocol is required", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of withHandshake) {
      await expectProblem(
        await sendOperation(app, op, ada, { protocol: null }),
        "error.handshake.protocol_missing",
      );
    }
  });
});

Deno.test("a protocol date that is no real calendar date is 400", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of withHandshake) {
      await expectProblem(
        await sendOperation(app, op, ada, { protocol: "2026-02-30" }),
        "error.handshake.protocol_malformed",
      );
    }
    for (
      const protocol of [
        "20260101",
        "2026-1-1",
        "2026-13-01",
        "2026-00-10",
        "2026-11-00",
        "2026-11-31",
        "2026-02-29",
        "1900-02-29",
        "2026-11-01T00:00:00Z",
        "2026-11-01,2026-11-01",
        "2026/11/01",
        "+2026-11-01",
        "02026-11-01",
        "26-11-01",
        "now",
        "1",
        "2026-W44-7",
        "2026-305",
      ]
    ) {
      const response = await app.send("GET", "/v1/auth/profile", { protocol });
      const { code } = await expectProblem(
        response,
        "error.handshake.protocol_malformed",
      );
      assert.equal(code, "error.handshake.protocol_malformed", protocol);
    }
  });
});

Deno.test("an empty X-Service-Protocol is 400", async () => {
  await withTestApp(async (app) => {
    const response = await app.send("GET", "/v1/auth/profile", {
      protocol: null,
      headers: { "X-Service-Protocol": "" },
    });
    const text = await response.text();
    assert.equal(response.status, 400, text);
    assert.match(
      JSON.parse(text).code,
      /^error\.handshake\.protocol_(missing|malformed)$/,
    );
  });
});

Deno.test("reads accept any well-formed date; a leap day is a date", async () => {
  await withTestApp(async (app) => {
    const { person, values } = await openWorld(app);
    const reads = withHandshake.filter(({ method }) => method === "GET");
    for (const op of reads) {
      for (const method of ["GET", "HEAD"]) {
        for (
          const protocol of ["0001-01-01", "2024-02-29", "9999-12-31"]
        ) {
          const sent = { values, method, protocol };
          const response = await sendOperation(app, op, person, sent);
          await response.body?.cancel();
          assert.equal(response.status, 200, `${method} ${op.path}`);
        }
      }
    }
  });
});

Deno.test("a date outside the window is 426 on everything but a read", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of withHandshake.filter(({ method }) => method !== "GET")) {
      for (const protocol of ["2026-05-31", "2026-11-02"]) {
        const refusal = await expectProblem(
          await sendOperation(app, op, ada, { protocol }),
          "error.handshake.protocol_unsupported",
        );
        assert.equal(refusal.protocol_min, "2026-06-01", nameOf(op));
        assert.equal(refusal.protocol_max, "2026-11-01", nameOf(op));
      }
    }
  });
});

Deno.test("both ends of the window are inclusive", async () => {
  await withTestApp(async (app) => {
    for (const protocol of ["2026-06-01", "2026-08-15", "2026-11-01"]) {
      await expectProblem(
        await app.send("POST", "/v1/auth/refresh", {
          protocol,
          json: { session_token: "AAAAAAAAAAAAAAAAAAAAAA" },
        }),
        "error.auth.session_token_invalid",
      );
    }
  });
});

Deno.test("a suite or schema beyond what the server handles is 400", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of withHandshake) {
      await expectProblem(
        await sendOperation(app, op, ada, {
          headers: { "X-Service-Crypto-Suite": "2" },
        }),
        "error.handshake.crypto_suite_unsupported",
      );
      await expectProblem(
        await sendOperation(app, op, ada, {
          headers: { "X-Service-Sidecar-Schema": "2" },
        }),
        "error.handshake.sidecar_schema_unsupported",
      );
    }
    const profile = (headers: Record<string, string>) =>
      app.send("GET", "/v1/auth/profile", { token: ada.token, headers });
    const notUnsigned = ["-1", "+1", "1.0", "1e0", "0x1", "one", "1 1", "1,1"];
    for (const text of [...notUnsigned, "99999999999999999999999", "١"]) {
      // Header values are bytes: other characters arrive as their UTF-8.
      const value = String.fromCharCode(...new TextEncoder().encode(text));
      await expectProblem(
        await profile({ "X-Service-Crypto-Suite": value }),
        "error.handshake.crypto_suite_unsupported",
      );
      await expectProblem(
        await profile({ "X-Service-Sidecar-Schema": value }),
        "error.handshake.sidecar_schema_unsupported",
      );
    }
    await expectProblem(
      await profile({ "X-Service-Crypto-Suite": "0" }),
      "error.handshake.crypto_suite_unsupported",
    );
    await expectJson(
      await profile({
        "X-Service-Crypto-Suite": "1",
        "X-Service-Sidecar-Schema": "1",
      }),
      200,
    );
  });
});

Deno.test("without a credential a bearer operation is 401", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of withCredential) {
      const response = await sendOperation(app, op, ada, { anonymous: true });
      const challenge = response.headers.get("www-authenticate") ?? "";
      await expectProblem(response, "error.auth.token_missing");
      assert.match(challenge, /^Bearer\b/, nameOf(op));
      assert.doesNotMatch(challenge, /error=/, nameOf(op));
    }
  });
});

Deno.test("a credential of another scheme is a missing one", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of withCredential) {
      for (const authorization of [`Basic ${ada.token}`, "Digest", ada.token]) {
        const response = await sendOperation(app, op, ada, {
          anonymous: true,
          headers: { Authorization: authorization },
        });
        const challenge = response.headers.get("www-authenticate") ?? "";
        await expectProblem(response, "error.auth.token_missing");
        assert.doesNotMatch(challenge, /error=/, nameOf(op));
      }
    }
  });
});

Deno.test("a token that is not one is 401 with error=invalid_token", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of withBearer) {
      for (const token of ["garbage", ada.sessionToken]) {
        const response = await sendOperation(app, op, ada, { token });
        const challenge = response.headers.get("www-authenticate") ?? "";
        await expectProblem(response, "error.auth.token_invalid");
        assert.match(challenge, /^Bearer\b/, nameOf(op));
        assert.match(challenge, /error="invalid_token"/, nameOf(op));
      }
    }
  });
});

Deno.test("the name of the scheme is case-insensitive", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const scheme of ["bearer", "BEARER"]) {
      await expectJson(
        await app.send("GET", "/v1/auth/profile", {
          headers: { Authorization: `${scheme} ${ada.token}` },
        }),
        200,
      );
    }
  });
});

/** Revoking, leaving, and what concerns the account's own sign-in. */
const OWN_AFFAIRS: readonly string[] = [
  "/v1/auth/logout/all/challenge",
  "/v1/auth/totp/enroll",
  "/v1/auth/totp/verify-enrollment",
  "/v1/auth/totp/disable",
  "/v1/auth/reauthenticate",
  "/v1/auth/password",
  "/v1/auth/account/delete",
  // Of an album in a ceremony, by its owner: refused for that.
  "/v1/albums/{album_id}",
  "/v1/albums/{album_id}/membership",
];

/** Reads by another method. */
const READS: readonly string[] = [
  "/v1/users/lookup",
  "/v1/storage/verify",
  "/v1/assets/query",
  "/v1/assets/blobs",
];

Deno.test("a suspended account reads, deletes and revokes, and writes nothing", async () => {
  await withTestApp(async (app) => {
    const { person, values } = await openWorld(app);
    await suspend(app, person);
    // Signing out is no write; it comes last, for it ends the session.
    const logout = operation("POST /v1/auth/logout");
    const others = withBearer.filter((op) => op !== logout);
    for (const op of [...others, logout]) {
      const response = await sendOperation(app, op, person, { values });
      if (OWN_AFFAIRS.includes(op.path)) {
        const body = await response.text();
        assert(!body.includes("error.account.suspended"), nameOf(op));
        continue;
      }
      const allowed = ["GET", "DELETE"].includes(op.method) ||
        READS.includes(op.path) || op === logout;
      if (!allowed) {
        await expectProblem(response, "error.account.suspended");
        continue;
      }
      await response.body?.cancel();
      assert(response.ok, `${nameOf(op)}: ${response.status}`);
    }
  });
});
