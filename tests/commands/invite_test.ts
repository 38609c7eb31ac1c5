/**
 * `strongroom account invite`, `invitations` and `uninvite` as processes,
 * while a server runs where registration is closed
 * (accounts-and-moderation/people.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type Beside, withServer } from "../support/operator_commands.ts";
import {
  expectJson,
  expectProblem,
  expectSince,
  type Json,
} from "../support/expect.ts";
import { PASSWORD } from "../support/people.ts";
import { runProgram, serveHere, withDataDir } from "../support/program.ts";

const CLOSED = { STRONGROOM_REGISTRATION: "closed" };
const DAY = 86_400_000;

function register(
  { send }: Beside,
  name: string,
  link: string,
): Promise<Response> {
  const code = /\/#\/invited\/([A-Za-z0-9_-]{22})$/.exec(link)?.[1];
  assert(code !== undefined, link);
  return send("POST", "/v1/invitations/redeem", {
    json: { code, address: `${name}@example.org`, password: PASSWORD },
  });
}

Deno.test("the link of an invitation registers one person, and no second one", async () => {
  await withServer(async (beside) => {
    const said = await beside.done("account", "invite");
    const [link = "", advice = ""] = said.split("\n");
    assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/#\/invited\//);
    assert.match(
      advice,
      /^one person can register with it until .*account uninvite/,
    );
    await expectJson(await register(beside, "ada", link), 200);
    await expectProblem(
      await register(beside, "eve", link),
      "error.invitation.not_found",
    );
    assert.match(
      await beside.done("account", "invitations"),
      /^no invitations/,
    );
  }, CLOSED);
});

Deno.test("invitations are listed by their ids without a link, and taken back", async () => {
  await withServer(async (beside) => {
    const before = Date.now();
    const made: Json = await beside.json(
      ...["account", "invite", "--expires", "3", "--quota", "5000"],
    );
    assert.deepEqual(
      Object.keys(made).toSorted(),
      ["expires_at", "id", "link", "quota"],
    );
    expectSince(before, made.expires_at, 3 * DAY);
    const other: Json = await beside.json("account", "invite");
    assert.equal("quota" in other, false);
    const { id, expires_at } = made;
    assert.deepEqual(await beside.json("account", "invitations"), [
      { id, expires_at, quota: 5_000 },
      { id: other.id, expires_at: other.expires_at },
    ]);
    await beside.done("account", "uninvite", id);
    await beside.refused(/there is no invitation/, "account", "uninvite", id);
    await expectProblem(
      await register(beside, "eve", made.link),
      "error.invitation.not_found",
    );
    await expectJson(await register(beside, "ada", other.link), 200);
  }, CLOSED);
});

Deno.test("a malformed expiry or quota is refused, and makes no invitation", async () => {
  await withServer(async (beside) => {
    for (const days of ["0", "366", "soon", "-1", "1.5"]) {
      await beside.refused(
        /is not a number of days/,
        ...["account", "invite", `--expires=${days}`],
      );
    }
    await beside.refused(
      /is not a quota/,
      "account",
      "invite",
      "--quota",
      "much",
    );
    assert.deepEqual(await beside.json("account", "invitations"), []);
  }, CLOSED);
});

Deno.test("after a rename the link names the new address, and says that the server has not run under it yet", async () => {
  await withDataDir(async (room) => {
    const data = `${room}/data`;
    const old = { STRONGROOM_BASE_URL: "https://old.example" };
    const server = await serveHere({ STRONGROOM_DATA_DIR: data, ...old });
    assert.equal(await server.stop(), 0);
    const invite = (settings: Record<string, string>) =>
      runProgram(["account", "invite", "--data-dir", data, "--json"], settings);
    const same = await invite(old);
    assert.match(JSON.parse(same.stdout).link, /^https:\/\/old\.example\//);
    assert.equal(same.stderr, "");
    const unset = await invite({});
    assert.match(JSON.parse(unset.stdout).link, /^https:\/\/old\.example\//);
    for (
      const [settings, origin] of [
        [{ STRONGROOM_BASE_URL: "https://new.example" }, "https://new.example"],
        [{ STRONGROOM_LISTEN: "127.0.0.1:9911" }, "http://127.0.0.1:9911"],
      ] as const
    ) {
      const renamed = await invite(settings);
      assert(JSON.parse(renamed.stdout).link.startsWith(`${origin}/`));
      assert.match(renamed.stderr, /last started as https:\/\/old\.example/);
    }
  });
});
