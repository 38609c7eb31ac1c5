/**
 * The faults of bodies, which every operation refuses in the same way: media
 * type, size, parse and shape.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectEmpty, expectProblem } from "../support/expect.ts";
import { registerWriter } from "../support/people.ts";
import { nameOf, SPEC } from "../support/spec.ts";
import { sampleJson, sendOperation } from "../support/spec_requests.ts";
import { expectNoErrors, pieces } from "../support/api.ts";

const withJson = SPEC.filter(({ body }) => body === "application/json");
const withBody = SPEC.filter(({ body }) => body !== undefined);
const MIB = 1024 * 1024;

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
      // A session is not the credential here, and the credential comes first.
      if (op.credential === "capability") continue;
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
      // Every key of a profile update may be left out.
      if (op.method === "PATCH") continue;
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
