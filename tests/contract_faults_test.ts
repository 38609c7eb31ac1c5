/**
 * The faults that every operation refuses in the same way: handshake,
 * credential, media type, size, parse and shape of the body.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "./support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "./support/expect.ts";
import { registerWriter } from "./support/people.ts";
import {
  nameOf,
  openWorld,
  operation,
  sampleJson,
  sendOperation,
  SPEC,
} from "./support/spec.ts";
import { expectNoErrors, pieces, suspend } from "./support/stories.ts";

const withHandshake = SPEC.filter(({ handshake }) => handshake);
const withBearer = SPEC.filter(({ credential }) => credential === "bearer");
const withJson = SPEC.filter(({ body }) => body === "application/json");
const withBody = SPEC.filter(({ body }) => body !== undefined);
const MIB = 1024 * 1024;

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
    for (const op of withBearer) {
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
    for (const op of withBearer) {
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

Deno.test("a suspended account reads, deletes and revokes, and writes nothing", async () => {
  await withTestApp(async (app) => {
    const { person, values } = await openWorld(app);
    await suspend(app, person);
    // Signing out is no write; it comes last, for it ends the session.
    const logout = operation("POST /v1/auth/logout");
    const others = withBearer.filter((op) => op !== logout);
    for (const op of [...others, logout]) {
      const response = await sendOperation(app, op, person, { values });
      const allowed = ["GET", "DELETE"].includes(op.method) || op === logout;
      if (!allowed) {
        await expectProblem(response, "error.account.suspended");
        continue;
      }
      await response.body?.cancel();
      assert(response.ok, `${nameOf(op)}: ${response.status}`);
    }
  });
});

Deno.test("a missing or other Content-Type is 415", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of withBody) {
      for (
        const type of [
          "",
          "text/plain",
          "application/jsonx",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=x",
          op.body === "application/json"
            ? "application/cbor"
            : "application/json",
        ]
      ) {
        const response = await sendOperation(app, op, ada, {
          headers: { "Content-Type": type },
        });
        await expectProblem(response, "error.request.media_type");
      }
    }
    // No header at all, rather than an empty one.
    await expectProblem(
      await app.send("POST", "/v1/auth/login", { body: "{}" }),
      "error.request.media_type",
    );
  });
});

Deno.test("a media type is compared without case and parameters", async () => {
  await withTestApp(async (app) => {
    for (
      const type of [
        "Application/JSON",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
      ]
    ) {
      await expectProblem(
        await app.send("POST", "/v1/auth/login", {
          headers: { "Content-Type": type },
          body: "{}",
        }),
        "error.request.invalid",
      );
    }
  });
});

Deno.test("a declared oversize body is 413 without a body or a content type", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of SPEC.filter(({ method }) => method !== "OPTIONS")) {
      // A data plane session that does not exist is 404 whatever its size.
      if (op.body?.endsWith("octet-stream")) continue;
      const response = await sendOperation(app, op, ada, {
        headers: { "Content-Length": String(64 * MIB) },
      });
      assert.equal(response.headers.get("content-type"), null, nameOf(op));
      const name = `${nameOf(op)} ${response.status}`;
      assert.equal(response.status, 413, name);
      await expectEmpty(response, 413);
    }
  });
});

Deno.test("a chunked body is cut off at the limit", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of withBody) {
      if (op.body?.endsWith("octet-stream")) continue;
      let sent = 0;
      const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull(controller) {
          sent += 64 * 1024;
          controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
        },
      });
      const response = await sendOperation(app, op, ada, { body: endless });
      assert.equal(response.headers.get("content-type"), null, nameOf(op));
      await expectEmpty(response, 413);
      assert(sent < 16 * MIB, `${nameOf(op)} took ${sent} bytes`);
    }
  });
});

Deno.test("a body of exactly the limit is not oversize, one byte more is", async () => {
  await withTestApp(async (app) => {
    const padded = (length: number) => {
      const text = '{"session_token":"A"}';
      return new TextEncoder().encode(text.padEnd(length));
    };
    const send = (body: BodyInit) =>
      app.send("POST", "/v1/auth/refresh", {
        headers: { "Content-Type": "application/json" },
        body,
      });
    for (const whole of [padded(1024), pieces(padded(1024))]) {
      await expectProblem(
        await send(whole),
        "error.auth.session_token_invalid",
      );
    }
    for (const over of [padded(1025), pieces(padded(1025))]) {
      await expectEmpty(await send(over), 413);
    }
  }, { settings: { STRONGROOM_MAX_BODY_BYTES: "1024" } });
});

Deno.test("a body that is not JSON is 400", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of withJson) {
      for (const body of ["{", ""]) {
        await expectProblem(
          await sendOperation(app, op, ada, { body }),
          "error.request.malformed",
        );
      }
    }
    expectNoErrors(app);
  });
});

Deno.test("an unknown key is 422 and named by a JSON Pointer", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of withJson) {
      const json = sampleJson(op, ada);
      for (
        const [key, pointer] of [
          ["surprise", "/surprise"],
          ["a/b~c", "/a~1b~0c"],
          ["", "/"],
          ["ключ", "/ключ"],
        ] as const
      ) {
        const refusal = await expectProblem(
          await sendOperation(app, op, ada, {
            body: JSON.stringify({ ...json, [key]: 1 }),
          }),
          "error.request.invalid",
        );
        const paths = refusal.errors.map((one: { path: string }) => one.path);
        assert.deepEqual(paths, [pointer], nameOf(op));
        for (const { message } of refusal.errors) {
          assert.equal(typeof message, "string");
        }
      }
    }
  });
});

Deno.test("a missing key is 422 and named by a JSON Pointer", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of withJson) {
      const whole = sampleJson(op, ada);
      for (const key of Object.keys(whole)) {
        const { [key]: _, ...rest } = whole;
        const refusal = await expectProblem(
          await sendOperation(app, op, ada, { body: JSON.stringify(rest) }),
          "error.request.invalid",
        );
        const paths = refusal.errors.map((one: { path: string }) => one.path);
        assert(paths.includes(`/${key}`), `${nameOf(op)}: ${paths}`);
      }
    }
  });
});
