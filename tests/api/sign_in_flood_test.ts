/**
 * Signing in while an attacker sends more passwords than the machine can hash:
 * everyone has their turn (protocol/authentication.md#sign-in).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { PASSWORD, registerPerson } from "../support/people.ts";

const CORES = navigator.hardwareConcurrency;
/** Dear enough that requests arrive faster than they are hashed. */
const SLOW_HASHES = {
  settings: {
    STRONGROOM_ARGON2_MEMORY_KIB: "6144",
    STRONGROOM_ARGON2_PASSES: "1",
  },
};

function login(
  app: TestApp,
  address: string,
  from: string,
  password: string = PASSWORD,
): Promise<Response> {
  return app.send("POST", "/v1/auth/login", {
    json: { address, password },
    from,
  });
}

/** Whose password is asked for, and had, in this order. */
function hashesInOrder({ app }: TestApp): readonly string[] {
  const { passwords } = app.secrets;
  const { verify } = passwords;
  const told: string[] = [];
  Object.defineProperty(passwords, "verify", {
    value: async (...given: Parameters<typeof verify>) => {
      const [, , client] = given;
      told.push(`${client} begins`);
      const result = await verify.apply(passwords, given);
      told.push(`${client} ends`);
      return result;
    },
  });
  return told;
}

Deno.test("a flood from one /64 waits for itself: another sign-in gets in next", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const hashed = hashesInOrder(app);
    let hashedOfFlood = 0;
    const flood = Array.from({ length: 100 * CORES }, async (_, n) => {
      const from = `2001:db8:0:9::${n.toString(16)}`;
      const answer = await login(app, `nobody${n}@example.org`, from);
      const isHashed = answer.status === 401;
      if (isHashed) hashedOfFlood += 1;
      await expectProblem(
        answer,
        isHashed ? "error.auth.credentials_invalid" : "error.auth.unavailable",
      );
    });
    while (app.app.secrets.passwords.pending() < 32 * CORES) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const own = "192.0.2.50";
    await expectJson(await login(app, ada.address, own), 200);
    await Promise.all(flood);
    // Of the flood those that ran already, and one turn of its own.
    const [begun, ended] = ["begins", "ends"].map((what) =>
      hashed.indexOf(`${own} ${what}`)
    );
    const meanwhile = hashed.slice(begun, ended)
      .filter((one) => one.endsWith(" ends")).length;
    assert(meanwhile <= 3 * CORES, `${meanwhile} of the flood came first`);
    assert(hashedOfFlood >= 32 * CORES);
    const refusals = app.logged.filter(({ properties }) =>
      properties["code"] === "error.auth.unavailable"
    );
    assert.equal(refusals.length, flood.length - hashedOfFlood);
    for (const { level, properties } of refusals) {
      assert.equal(level, "warn");
      assert.equal(
        properties["cause"],
        "QueueFull: too many passwords wait",
      );
    }
  }, SLOW_HASHES);
});

Deno.test("people who sign in at the same moment from addresses of their own are all let in", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const answers = await Promise.all(
      Array.from(
        { length: 15 * CORES },
        (_, n) => login(app, ada.address, `198.51.100.${n % 250}`),
      ),
    );
    for (const answer of answers) await expectJson(answer, 200);
  }, SLOW_HASHES);
});

Deno.test("more hashes than may wait are refused as unavailable, and nothing is stuck", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const answers = await Promise.all(
      Array.from(
        { length: 100 * CORES },
        (_, n) => login(app, `nobody${n}@example.org`, "192.0.2.1"),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    for (const answer of answers) {
      const waits = answer.headers.has("retry-after");
      assert.equal(waits, answer.status === 500);
      await expectProblem(
        answer,
        answer.status === 500
          ? "error.auth.unavailable"
          : "error.auth.credentials_invalid",
      );
    }
    assert(statuses.includes(500) && statuses.includes(401));
    await expectJson(await login(app, ada.address, "192.0.2.1"), 200);
  }, SLOW_HASHES);
});
