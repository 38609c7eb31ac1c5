/**
 * `strongroom account set-password` as a process, while a server runs
 * (accounts-and-moderation/people.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { login } from "../support/account_command.ts";
import { withServer } from "../support/operator_commands.ts";
import { expectDone } from "../support/ended.ts";
import { expectJson, expectProblem, expectSince } from "../support/expect.ts";
import { PASSWORD, registerPerson } from "../support/people.ts";
import { runProgram } from "../support/program.ts";

const ADA = "ada@example.org";
const NEW = "a wholly new sentence";
const DAY = 86_400_000;

Deno.test("a password from standard input is in force at once, once, and everybody is signed out", async () => {
  await withServer(async (beside) => {
    const ada = await registerPerson(beside, "ada");
    const run = (input: string, ...more: string[]) =>
      runProgram(
        ["account", "set-password", ADA, "--password-stdin", ...more],
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
    assert.match(said, /can sign in with the password once, until 2/);
    assert.match(said, /signed out everywhere: 2 sessions closed/);
    assert(!said.includes(NEW));
    await expectProblem(
      await beside.send("GET", "/v1/auth/profile", ada),
      "error.auth.token_invalid",
    );
    const before = Date.now();
    const { user_id, expires_at, closed_sessions } = JSON.parse(
      expectDone(await run(`${NEW}\n`, "--json")),
    );
    assert.equal(user_id, ada.userId);
    assert.equal(closed_sessions, 0);
    expectSince(before, expires_at, DAY);
    const { access_token: token } = await expectJson(
      await login(beside, ADA, NEW),
      200,
    );
    const profile = await beside.send("GET", "/v1/auth/profile", { token });
    assert.equal((await expectJson(profile, 200)).password_must_change, true);
    await expectProblem(
      await login(beside, ADA, NEW),
      "error.auth.credentials_invalid",
    );
  });
});

Deno.test("an unknown account gets no password, and without a terminal it comes from standard input", async () => {
  await withServer(async (beside) => {
    await registerPerson(beside, "ada");
    await beside.refused(
      /there is no account/,
      ...["account", "set-password", "eve@example.org"],
    );
    await beside.refused(
      /there is no terminal .* with --password-stdin/,
      ...["account", "set-password", ADA],
    );
  });
});
