/**
 * The commonest passwords are refused where one is set, and tried like any
 * other where one is presented (protocol/authentication.md#accounts).
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { PASSWORD, registerPerson } from "../support/people.ts";

const COMMON = ["1qaz2wsx3edc", "leavemealone", "qwerty123456"];

Deno.test("a common password is refused at registration, by name and however it is cased", async () => {
  await withTestApp(async (app) => {
    for (
      const password of [...COMMON, "LeaveMeAlone", "1QAZ2WSX3EDC"]
    ) {
      const { errors } = await expectProblem(
        await app.send("POST", "/v1/auth/register", {
          json: { address: "ada@example.org", password },
        }),
        "error.request.invalid",
      );
      assert.deepEqual(
        errors.map(({ path }: { path: string }) => path),
        ["/password"],
      );
    }
    // Something more, and it is no common one.
    await expectJson(
      await app.send("POST", "/v1/auth/register", {
        json: { address: "ada@example.org", password: "leavemealone please" },
      }),
      200,
    );
  });
});

Deno.test("and at a change; presented, it is a wrong one like any other", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    for (const new_password of COMMON) {
      const { errors } = await expectProblem(
        await app.send("POST", "/v1/auth/password", {
          token: ada.token,
          json: { current_password: PASSWORD, new_password },
        }),
        "error.request.invalid",
      );
      assert.deepEqual(
        errors.map(({ path }: { path: string }) => path),
        ["/new_password"],
      );
    }
    const [password] = COMMON;
    await expectProblem(
      await app.send("POST", "/v1/auth/login", {
        json: { address: ada.address, password },
      }),
      "error.auth.credentials_invalid",
    );
  });
});
