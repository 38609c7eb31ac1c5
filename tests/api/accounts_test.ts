import assert from "node:assert/strict";
import { START_MS, type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { PASSWORD, registerPerson, uuidOf } from "../support/people.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const UUID_V7 =
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function register(app: TestApp, json: Json): Promise<Response> {
  return app.send("POST", "/v1/auth/register", { json });
}

function login(
  app: TestApp,
  json: Json,
  from = "192.0.2.1",
): Promise<Response> {
  return app.send("POST", "/v1/auth/login", { json, from });
}

/** Expects a token pair with nothing more and nothing less in it. */
function expectTokens(tokens: Json, now: number): void {
  assert.deepEqual(Object.keys(tokens).toSorted(), [
    "access_token",
    "access_token_expires_at",
    "session_expires_at",
    "session_id",
    "session_token",
    "token_type",
    "user_id",
  ]);
  assert.equal(tokens.token_type, "Bearer");
  assert.match(tokens.session_id, UUID_V7);
  // 16 bytes in base64url.
  assert.match(tokens.session_token, /^[A-Za-z0-9_-]{22}$/);
  for (const name of ["access_token_expires_at", "session_expires_at"]) {
    assert.match(tokens[name], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  }
  assert.equal(Date.parse(tokens.access_token_expires_at), now + 15 * MINUTE);
  assert.equal(Date.parse(tokens.session_expires_at), now + 365 * DAY);
}

Deno.test("registration answers 200 with a token pair and opens a session", async () => {
  await withTestApp(async (app) => {
    const tokens = await expectJson(
      await register(app, { address: "ada@example.org", password: PASSWORD }),
      200,
    );
    expectTokens(tokens, START_MS);
    const profile = await expectJson(
      await app.send("GET", "/v1/auth/profile", { token: tokens.access_token }),
      200,
    );
    assert.equal(profile.user_id, tokens.user_id);
    assert.equal(profile.address, "ada@example.org");
    assert.equal(profile.display_name ?? null, null);
    assert.equal(Date.parse(profile.created_at), START_MS);
    assert.equal(profile.second_factor, "none");
    assert.equal(profile.has_password, true);
    assert.equal(Date.parse(profile.recent_until), START_MS + 5 * 60_000);
    assert.equal(Object.keys(profile).length, 8);
  });
});

Deno.test("registration takes an address and a password and nothing else", async () => {
  await withTestApp(async (app) => {
    for (
      const key of [
        "display_name",
        "username",
        "invitation_code",
        "cohort_hash",
        "device_id",
      ]
    ) {
      const refusal = await expectProblem(
        await register(app, {
          address: "ada@example.org",
          password: PASSWORD,
          [key]: null,
        }),
        "error.request.invalid",
      );
      assert.deepEqual(refusal.errors.map((one: Json) => one.path), [
        `/${key}`,
      ]);
    }
  });
});

Deno.test("a password has 12 to 1,024 characters, counted as code points", async () => {
  await withTestApp(async (app) => {
    const cases: [string, boolean][] = [
      ["", false],
      ["elevenchars", false],
      ["twelve chars", true],
      [" ".repeat(12), true],
      // Eleven code points are 22 UTF-16 units; twelve are 24.
      ["🔑".repeat(11), false],
      ["🔑".repeat(12), true],
      ["🔑".repeat(1_024), true],
      ["x".repeat(1_024), true],
      ["x".repeat(1_025), false],
      ["🔑".repeat(1_025), false],
    ];
    for (const [index, [password, accepted]] of cases.entries()) {
      const json = { address: `p${index}@example.org`, password };
      const response = await register(app, json);
      if (accepted) {
        await expectJson(response, 200);
        await expectJson(await login(app, json), 200);
        continue;
      }
      const refusal = await expectProblem(response, "error.request.invalid");
      assert.deepEqual(refusal.errors.map((one: Json) => one.path), [
        "/password",
      ]);
    }
  });
});

Deno.test("an address has 3 to 254 characters and one @ with something on both sides", async () => {
  await withTestApp(async (app) => {
    const long = (length: number) => `${"a".repeat(length - 2)}@b`;
    for (const address of ["a@b", "ada+x@例え.jp", long(254)]) {
      await expectJson(
        await register(app, { address, password: PASSWORD }),
        200,
      );
    }
    // 254 code points that are more UTF-16 units.
    await expectJson(
      await register(app, {
        address: `${"🔑".repeat(252)}@b`,
        password: PASSWORD,
      }),
      200,
    );
    for (
      const address of [
        "",
        "@",
        "a@",
        "@b",
        "ab",
        "abc",
        "a@b@c",
        "a@@b",
        long(255),
        " a@b",
        "a@b ",
        "a b@c",
        "a\tb@c",
        "a\n@c",
        "a\u00a0@c",
        "a\u2003@c",
        "a\u3000@c",
        "a\u2028@c",
        "a\u0000@c",
        "a\u007f@c",
        "a\u0085@c",
      ]
    ) {
      const refusal = await expectProblem(
        await register(app, { address, password: PASSWORD }),
        "error.request.invalid",
      );
      assert.deepEqual(
        refusal.errors.map((one: Json) => one.path),
        ["/address"],
        JSON.stringify(address),
      );
    }
  });
});

Deno.test("addresses are compared NFC-normalised and lowercased, and shown so", async () => {
  await withTestApp(async (app) => {
    const password = PASSWORD;
    const tokens = await expectJson(
      await register(app, { address: "ZOE\u0308@Example.ORG", password }),
      200,
    );
    const normal = "zo\u00eb@example.org";
    for (
      const address of [normal, "zoe\u0308@example.org", "ZO\u00cb@EXAMPLE.ORG"]
    ) {
      await expectProblem(
        await register(app, { address, password }),
        "error.auth.user_already_exists",
      );
      const signedIn = await expectJson(
        await login(app, { address, password }),
        200,
      );
      assert.equal(signedIn.user_id, tokens.user_id);
    }
    const profile = await expectJson(
      await app.send("GET", "/v1/auth/profile", { token: tokens.access_token }),
      200,
    );
    assert.equal(profile.address, normal);
    await expectJson(
      await register(app, { address: "zoe@example.org", password }),
      200,
    );
  });
});

Deno.test("a taken address is 409 each time: registration has no rate limiter", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    for (let attempt = 0; attempt < 25; attempt++) {
      await expectProblem(
        await register(app, { address: "ada@example.org", password: PASSWORD }),
        "error.auth.user_already_exists",
      );
    }
    // Nor do these attempts count as wrong passwords.
    await expectJson(
      await login(app, { address: "ada@example.org", password: PASSWORD }),
      200,
    );
  });
});

Deno.test("registration can be closed by the operator", async () => {
  await withTestApp(async (app) => {
    await expectProblem(
      await register(app, { address: "ada@example.org", password: PASSWORD }),
      "error.auth.registration_closed",
    );
  }, { settings: { STRONGROOM_REGISTRATION: "closed" } });
});

Deno.test("registration can be limited to a list of domains", async () => {
  await withTestApp(async (app) => {
    const password = PASSWORD;
    for (const address of ["ada@example.org", "ada@EXAMPLE.net"]) {
      await expectJson(await register(app, { address, password }), 200);
    }
    for (const address of ["ada@evil.org", "ada@sub.example.org"]) {
      await expectProblem(
        await register(app, { address, password }),
        "error.auth.registration_closed",
      );
    }
  }, { settings: { STRONGROOM_REGISTRATION: "example.org, example.net" } });
});

Deno.test("signing in opens another session with a token pair of its own", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    app.clock.advance(MINUTE);
    const tokens = await expectJson(
      await login(app, { address: ada.address, password: PASSWORD }),
      200,
    );
    expectTokens(tokens, START_MS + MINUTE);
    assert.equal(tokens.user_id, ada.userId);
    assert.notEqual(tokens.session_id, ada.sessionId);
    assert.notEqual(tokens.session_token, ada.sessionToken);
    for (const token of [tokens.access_token, ada.token]) {
      await expectJson(
        await app.send("GET", "/v1/auth/profile", { token }),
        200,
      );
    }
  });
});

Deno.test("a wrong password is 401, and a short one is a wrong one", async () => {
  await withTestApp(async (app) => {
    const { address } = await registerPerson(app, "ada");
    for (
      const password of ["", "short", `${PASSWORD} `, "x".repeat(1_024)]
    ) {
      await expectProblem(
        await login(app, { address, password }),
        "error.auth.credentials_invalid",
      );
    }
    await expectProblem(
      await login(app, { address, password: "x".repeat(1_025) }),
      "error.request.invalid",
    );
    await expectProblem(
      await login(app, { address: "eve@example.org", password: PASSWORD }),
      "error.auth.credentials_invalid",
    );
  });
});

Deno.test("cohort_hash and device_id take any JSON value; an unusable one is dropped", async () => {
  await withTestApp(async (app) => {
    const { address } = await registerPerson(app, "ada");
    const cohort = "0f".repeat(32);
    const device = uuidOf("device");
    const unusable = [
      null,
      1,
      1e300,
      true,
      [],
      {},
      [[{ a: [null] }]],
      "",
      cohort.toUpperCase(),
      `${cohort}00`,
      // A UUID, but not of version 4.
      "0190b2f4-0000-7000-8000-000000000000",
      device.toUpperCase(),
    ];
    const sessionWith = async (advisory: Json) => {
      const tokens = await expectJson(
        await login(app, { address, password: PASSWORD, ...advisory }),
        200,
      );
      return await app.app.db.selectFrom("session")
        .select(["cohort_hash", "device_id"])
        .where("session_id", "=", tokens.session_id)
        .executeTakeFirstOrThrow();
    };
    for (const value of unusable) {
      assert.deepEqual(
        { ...await sessionWith({ cohort_hash: value, device_id: value }) },
        { cohort_hash: null, device_id: null },
        JSON.stringify(value),
      );
    }
    assert.deepEqual(
      { ...await sessionWith({ cohort_hash: cohort, device_id: device }) },
      { cohort_hash: cohort, device_id: device },
    );
  });
});

Deno.test("of registrations of one address at once one succeeds", async () => {
  await withTestApp(async (app) => {
    const spellings = ["ada@example.org", "ADA@example.org", "Ada@Example.Org"];
    const answers = await Promise.all(
      spellings.map((address) =>
        register(app, { address, password: PASSWORD })
      ),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 409, 409]);
    for (const answer of answers) await answer.body?.cancel();
  });
});
