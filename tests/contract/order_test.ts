/**
 * The order of checks (protocol/transport.md#order-of-checks): of several
 * faults at once the earlier one is answered.
 *
 * @module
 */
import { withTestApp } from "../support/app.ts";
import { expectEmpty, expectProblem } from "../support/expect.ts";
import {
  PASSWORD,
  type Person,
  registerPerson,
  registerWriter,
} from "../support/people.ts";
import { operation, SPEC } from "../support/spec.ts";
import { sendOperation } from "../support/spec_requests.ts";
import { suspend } from "../support/api.ts";
import type { SendOptions, TestApp } from "../support/app.ts";

/** Small enough that a test's body is over it. */
const SMALL_BODIES = { settings: { STRONGROOM_MAX_BODY_BYTES: "1024" } };
const OVERSIZE = "x".repeat(1025);
const MALFORMED = {
  session_id: "nonsense",
  // Any text is a handle, so that only its encoding can be wrong.
  handle: "%zz",
  upload_id: "not-a-uuid",
  asset_id: "not-a-uuid",
  user_id: "not-a-uuid",
  opaque_id: "not-an-id",
  hash: "not-a-hash",
  album_id: "not-a-uuid",
  jti: "not-a-uuid",
  intent_id: "not-a-uuid",
  channel_id: "not-a-handle",
  slot: "Not a slot",
};

Deno.test("the route comes before the handshake", async () => {
  await withTestApp(async (app) => {
    await expectProblem(
      await app.send("GET", "/v1/nowhere", { protocol: "never" }),
      "error.request.route_unknown",
    );
    await expectProblem(
      await app.send("PUT", "/v1/auth/login", { protocol: "never" }),
      "error.request.method_not_allowed",
    );
  });
});

Deno.test("the handshake comes before the credential", async () => {
  await withTestApp(async (app) => {
    for (const op of SPEC.filter((one) => one.credential === "bearer")) {
      const nobody = await registerOnce(app);
      const send = (over: SendOptions) =>
        sendOperation(app, op, nobody, { ...over, anonymous: true });
      await expectProblem(
        await send({ protocol: null }),
        "error.handshake.protocol_missing",
      );
      await expectProblem(
        await send({ headers: { "X-Service-Crypto-Suite": "2" } }),
        "error.handshake.crypto_suite_unsupported",
      );
      await expectProblem(
        await send({ protocol: "1999-12-31" }),
        op.method === "GET"
          ? "error.auth.token_missing"
          : "error.handshake.protocol_unsupported",
      );
    }
  });
});

Deno.test("the handshake comes before the body", async () => {
  await withTestApp(async (app) => {
    const send = (over: SendOptions) =>
      app.send("POST", "/v1/auth/login", { body: OVERSIZE, ...over });
    await expectProblem(
      await send({ protocol: null }),
      "error.handshake.protocol_missing",
    );
    await expectProblem(
      await send({ protocol: "2026-11-02" }),
      "error.handshake.protocol_unsupported",
    );
  }, SMALL_BODIES);
});

Deno.test("the credential comes before a malformed path and the body", async () => {
  await withTestApp(async (app) => {
    const nobody = await registerOnce(app);
    for (const op of SPEC.filter((one) => one.credential === "bearer")) {
      await expectProblem(
        await sendOperation(app, op, nobody, {
          anonymous: true,
          values: MALFORMED,
          headers: { "Content-Type": "text/plain", "Content-Length": "9999" },
        }),
        "error.auth.token_missing",
      );
    }
  }, SMALL_BODIES);
});

Deno.test("the account's status comes before the directory, and that before the body", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const albums = operation("POST /v1/albums");
    const faulty = { headers: { "Content-Type": "text/plain" } };
    await expectProblem(
      await sendOperation(app, albums, ada, faulty),
      "error.directory.required",
    );
    await suspend(app, ada);
    await expectProblem(
      await sendOperation(app, albums, ada, faulty),
      "error.account.suspended",
    );
    await expectProblem(
      await app.send("POST", "/v1/albums", faulty),
      "error.auth.token_missing",
    );
  });
});

Deno.test("a malformed path comes before the media type", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of SPEC.filter(({ path }) => path.includes("{"))) {
      await expectProblem(
        await sendOperation(app, op, ada, {
          values: MALFORMED,
          headers: { "Content-Type": "text/plain", "Content-Length": "9999" },
        }),
        "error.request.malformed",
      );
    }
  }, SMALL_BODIES);
});

Deno.test("the media type comes before the size of the body", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    for (const op of SPEC.filter(({ body }) => body !== undefined)) {
      await expectProblem(
        await sendOperation(app, op, ada, {
          headers: {
            "Content-Type": "text/plain",
            "Content-Length": "99999999999999",
          },
        }),
        "error.request.media_type",
      );
    }
  });
});

Deno.test("the size of the body comes before its parse", async () => {
  await withTestApp(async (app) => {
    await expectEmpty(
      await app.send("POST", "/v1/auth/login", {
        headers: { "Content-Type": "application/json" },
        body: OVERSIZE,
      }),
      413,
    );
  }, SMALL_BODIES);
});

Deno.test("the shape of the body comes before the operation's own checks", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await expectProblem(
      await app.send("POST", "/v1/auth/register", {
        json: { address: ada.address, password: "short" },
      }),
      "error.request.invalid",
    );
    await expectProblem(
      await app.send("POST", "/v1/auth/register", {
        json: { address: ada.address, password: PASSWORD },
      }),
      "error.auth.user_already_exists",
    );
  });
});

const registered = new WeakMap<TestApp, Promise<Person>>();

function registerOnce(app: TestApp): Promise<Person> {
  const person = registered.get(app) ?? registerPerson(app, "nobody");
  registered.set(app, person);
  return person;
}
