/**
 * Texts of any length cost nothing: their length is looked at before anything
 * else is (protocol/transport.md#bodies, protocol/authentication.md#accounts).
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect.ts";
import { PASSWORD, registerWriter } from "../support/people.ts";

/**
 * Marks out of their order: putting them in order, as NFC does, takes the
 * square of their number. So many of them took 20 seconds.
 */
const MARKS = "\u0301".repeat(75_000) + "\u0316".repeat(75_000);

/** Code units of the longest text that is put into normal form. */
const MOST_UNITS = 2_000;

/** Expects that no long text is put into normal form meanwhile. */
async function quickly(work: () => Promise<void>): Promise<void> {
  const { normalize } = String.prototype;
  let longest = 0;
  String.prototype.normalize = function (this: string, form?: string) {
    longest = Math.max(longest, this.length);
    return normalize.call(this, form);
  };
  try {
    await work();
  } finally {
    String.prototype.normalize = normalize;
  }
  assert(longest <= MOST_UNITS, `a text of ${longest}`);
}

Deno.test("an address of any length is refused at once, registration open or closed", async () => {
  for (const STRONGROOM_REGISTRATION of ["open", "closed"]) {
    await withTestApp(async (app) => {
      for (const address of [`a${MARKS}@example.org`, `a@${MARKS}`, MARKS]) {
        await quickly(async () => {
          await expectProblem(
            await app.send("POST", "/v1/auth/register", {
              json: { address, password: PASSWORD },
            }),
            "error.request.invalid",
          );
        });
        await quickly(async () => {
          await expectProblem(
            await app.send("POST", "/v1/auth/login", {
              json: { address, password: PASSWORD },
            }),
            "error.request.invalid",
          );
        });
      }
    }, { settings: { STRONGROOM_REGISTRATION } });
  }
});

Deno.test("so is a password, a display name, an address that is looked up and a code", async () => {
  await withTestApp(async (app) => {
    const { token, address } = await registerWriter(app, "ada");
    const bodies: readonly (readonly [string, string, unknown])[] = [
      ["POST", "/v1/auth/register", {
        address: "eve@example.org",
        password: MARKS,
      }],
      ["POST", "/v1/auth/login", { address, password: MARKS }],
      ["POST", "/v1/auth/reauthenticate", { password: MARKS }],
      ["POST", "/v1/auth/password", {
        current_password: MARKS,
        new_password: MARKS,
      }],
      ["PATCH", "/v1/auth/profile", { display_name: MARKS }],
      ["PATCH", "/v1/auth/profile", { display_name: " ".repeat(300_000) }],
      ["PUT", "/v1/auth/profile/public-record", { handle: MARKS }],
      ["POST", "/v1/users/lookup", { address: MARKS }],
    ];
    for (const [method, path, json] of bodies) {
      await quickly(async () => {
        await expectProblem(
          await app.send(method, path, { token, json }),
          "error.request.invalid",
        );
      });
    }
    await quickly(async () => {
      await expectProblem(
        await app.send("POST", "/v1/auth/devices/enroll/redeem", {
          json: { code: " ".repeat(300_000) },
        }),
        "error.enrollment.code_refused",
      );
    });
  });
});

Deno.test("an address written in decomposed characters is the same one, up to the longest", async () => {
  await withTestApp(async (app) => {
    const composed = `${"ệ".repeat(242)}@example.org`;
    assert.equal([...composed].length, 254);
    const decomposed = composed.normalize("NFD");
    const register = (address: string) =>
      app.send("POST", "/v1/auth/register", {
        json: { address, password: PASSWORD },
      });
    const answer = await register(decomposed);
    assert.equal(answer.status, 200);
    await answer.body?.cancel();
    await expectProblem(
      await register(composed),
      "error.auth.user_already_exists",
    );
    for (const address of [composed, decomposed]) {
      const login = await app.send("POST", "/v1/auth/login", {
        json: { address, password: PASSWORD },
      });
      assert.equal(login.status, 200);
      await login.body?.cancel();
    }
    await expectProblem(
      await register(`ệ${composed}`),
      "error.request.invalid",
    );
  });
});
