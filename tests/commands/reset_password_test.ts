/**
 * `strongroom account reset-password` as a process, beside a server
 * (accounts-and-moderation.md#people).
 *
 * @module
 */
import assert from "node:assert/strict";
import { login } from "../support/account_command.ts";
import { type Beside, withServer } from "../support/beside.ts";
import { expectDone } from "../support/ended.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  expectSince,
  type Json,
} from "../support/expect.ts";
import { PASSWORD, registerPerson } from "../support/people.ts";
import { runProgram } from "../support/program.ts";

const ADA = "ada@example.org";
const NEW = "a wholly new sentence";
const DAY = 86_400_000;

function reset({ send }: Beside, link: string): Promise<Response> {
  const code = /\/#\/reset\/([A-Za-z0-9_-]{22})$/.exec(link)?.[1];
  assert(code !== undefined, link);
  return send("POST", "/v1/auth/password/reset", {
    json: { code, new_password: NEW },
  });
}

Deno.test("the link sets a new password, once", async () => {
  await withServer(async (beside) => {
    await registerPerson(beside, "ada");
    const before = Date.now();
    const made: Json = await beside.json("account", "reset-password", ADA);
    assert.deepEqual(
      Object.keys(made).toSorted(),
      ["expires_at", "link", "user_id"],
    );
    expectSince(before, made.expires_at, DAY);
    const said = await beside.done("account", "reset-password", ADA);
    const [link = "", advice = ""] = said.split("\n");
    assert.match(
      advice,
      /^ada@example\.org can set a new password with it once/,
    );
    await expectProblem(
      await reset(beside, made.link),
      "error.auth.reset_refused",
    );
    await expectEmpty(await reset(beside, link), 204);
    await expectProblem(await reset(beside, link), "error.auth.reset_refused");
    await expectProblem(
      await login(beside, ADA),
      "error.auth.credentials_invalid",
    );
    await expectJson(await login(beside, ADA, NEW), 200);
  });
});

Deno.test("a password from standard input is in force at once, and everybody is signed out", async () => {
  await withServer(async (beside) => {
    const ada = await registerPerson(beside, "ada");
    const run = (input: string) =>
      runProgram(
        ["account", "reset-password", ADA, "--password-stdin"],
        {
          STRONGROOM_DATA_DIR: beside.dataDir,
          STRONGROOM_ARGON2_MEMORY_KIB: "8",
          STRONGROOM_ARGON2_PASSES: "1",
        },
        input,
      );
    const refused = await run("short\n");
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /the password is refused/);
    await expectJson(await login(beside, ADA, PASSWORD), 200);
    const said = expectDone(await run(`${NEW}\n`));
    assert.match(said, /has the new password and is signed out everywhere/);
    assert(!said.includes(NEW));
    await expectProblem(
      await beside.send("GET", "/v1/auth/profile", ada),
      "error.auth.token_invalid",
    );
    await expectJson(await login(beside, ADA, NEW), 200);
  });
});

Deno.test("nobody unknown, nobody without a password", async () => {
  await withServer(async (beside) => {
    await registerPerson(beside, "ada");
    await beside.refused(
      /there is no account/,
      ...["account", "reset-password", "eve@example.org"],
    );
  });
});
