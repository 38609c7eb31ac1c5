/**
 * `strongroom account` as a process, while a server runs
 * (accounts-and-moderation.md): creating, listing and showing accounts, and
 * wrong uses.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectRefused } from "../support/ended.ts";
import {
  type Beside,
  expectHelp,
  expectMisused,
  withServer,
} from "../support/operator_commands.ts";
import {
  expectJson,
  expectProblem,
  expectSince,
  type Json,
} from "../support/expect.ts";
import {
  createAsset,
  PASSWORD,
  registerPerson,
  registerWriter,
} from "../support/people.ts";
import { programCommand, runProgram } from "../support/program.ts";
import { login } from "../support/account_command.ts";

/** Whatever a test does comes after. */
const BEGUN_MS = Date.now();

const COMMANDS = [
  "create",
  "invite",
  "invitations",
  "uninvite",
  "list",
  "show",
  "suspend",
  "reinstate",
  "sign-out",
  "unlock",
  "disable-second-factor",
  "quota",
  "delete",
];

function create(
  { dataDir }: Beside,
  address: string,
  input: string | Uint8Array,
  settings: Record<string, string> = {},
) {
  const args = ["account", "create", address, "--password-stdin"];
  return runProgram(
    [...args, "--data-dir", dataDir],
    { STRONGROOM_ARGON2_MEMORY_KIB: "8", ...settings },
    input,
  );
}

Deno.test("an account is made while registration is closed, and signs in at once", async () => {
  await withServer(async (beside) => {
    await expectProblem(
      await beside.send("POST", "/v1/auth/register", {
        json: { address: "ada@example.org", password: PASSWORD },
      }),
      "error.auth.registration_closed",
    );
    const made = await create(beside, "Ada@Example.ORG", `${PASSWORD}\n`);
    assert.equal(made.stderr, "");
    assert.match(
      made.stdout,
      /^account ada@example\.org is created: [0-9a-f-]{36}\n$/,
    );
    const tokens = await expectJson(
      await login(beside, "ada@example.org"),
      200,
    );
    assert(made.stdout.includes(tokens.user_id));
    const { token, userId } = {
      token: tokens.access_token,
      userId: tokens.user_id,
    };
    const profile = await expectJson(
      await beside.send("GET", "/v1/auth/profile", { token }),
      200,
    );
    assert.equal(profile.user_id, userId);
    // A password of any characters, its line's end apart; and in JSON.
    const password = "pass  wörd 🔑 é";
    const json = await runProgram(
      [
        ...["account", "create", "bob@example.org", "--password-stdin"],
        ...["--json", "--data-dir", beside.dataDir],
      ],
      {},
      `${password}\r\n`,
    );
    const { user_id, address } = JSON.parse(json.stdout);
    assert.equal(address, "bob@example.org");
    const bob = await expectJson(
      await login(beside, "bob@example.org", password),
      200,
    );
    assert.equal(bob.user_id, user_id);
  }, { STRONGROOM_REGISTRATION: "closed" });
});

Deno.test("what registration would refuse is refused, and no password is ever shown", async () => {
  await withServer(async (beside) => {
    await registerPerson(beside, "ada");
    const refused = async (address: string, input: string, why: RegExp) => {
      const ended = await create(beside, address, input);
      expectRefused(ended, why);
      if (input.trim() !== "") assert(!ended.stderr.includes(input.trim()));
    };
    await refused("ADA@example.org", PASSWORD, /ada@example\.org is taken/);
    for (const address of ["ada", "a b@example.org", "@", "", "a@b@c"]) {
      await refused(address, PASSWORD, /is not an address .*: give one/);
    }
    await refused("bob@example.org", "too short", /at least 12 characters/);
    await refused("bob@example.org", "x".repeat(1_025), /at most 1024/);
    await refused("bob@example.org", "LeaveMeAlone", /commonest passwords/);
    await refused("bob@example.org", "", /at least 12 characters/);
    await refused("bob@example.org", "x".repeat(20_000), /too long/);
    await refused(
      "bob@example.org",
      "one line of it\nand another\n",
      /more than one line/,
    );
    const broken = new Uint8Array([0xff, ...new Array(12).fill(0x61)]);
    expectRefused(
      await create(beside, "bob@example.org", broken),
      /not UTF-8/,
    );
    // In a pipe there is no question; the error names the option.
    await beside.refused(/--password-stdin/, "account", "create", "b@b.org");
    const { accounts } = await beside.json("account", "list");
    assert.equal(accounts.length, 1);
  });
});

Deno.test("on a terminal the password is asked for twice and not shown", {
  // Its `script` gives a command a terminal.
  ignore: Deno.build.os !== "linux",
}, async () => {
  await withServer(async (beside) => {
    const { dataDir } = beside;
    const asked = await onTerminal(
      ["account", "create", "ada@example.org", "--data-dir", dataDir],
      [
        "correct horsö\x7fe battery staple\r",
        `${PASSWORD}\r`,
      ],
    );
    assert.match(
      asked,
      /Password: \r\nOnce more: \r\naccount ada@example\.org is created/,
    );
    assert(!asked.includes("horse"), asked);
    await expectJson(await login(beside, "ada@example.org"), 200);
    const differing = await onTerminal(
      ["account", "create", "bob@example.org", "--data-dir", dataDir],
      [`${PASSWORD}\r`, `${PASSWORD}!\r`],
    );
    assert.match(differing, /strongroom: the two passwords differ/);
    const interrupted = await onTerminal(
      ["account", "create", "bob@example.org", "--data-dir", dataDir],
      ["half a pass\x03"],
    );
    assert.match(interrupted, /strongroom: no password was given/);
    const { accounts } = await beside.json("account", "list");
    assert.equal(accounts.length, 1);
  });
});

/** Runs a command on a terminal of its own, and types when it is asked. */
async function onTerminal(
  args: readonly string[],
  answers: readonly string[],
): Promise<string> {
  const { program, args: given } = programCommand(args);
  const command = [program, ...given]
    .map((one) => `'${one}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qec", command, "/dev/null"],
    env: { STRONGROOM_ARGON2_MEMORY_KIB: "8" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const keyboard = child.stdin.getWriter();
  let shown = "";
  let typed = 0;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    shown += text;
    const questions = shown.match(/(Password|Once more): /g)?.length ?? 0;
    for (; typed < Math.min(questions, answers.length); typed += 1) {
      await keyboard.write(new TextEncoder().encode(answers[typed]));
    }
  }
  await keyboard.close().catch(() => {});
  await child.status;
  return shown;
}

Deno.test("the list names every account, and one is shown whole", async () => {
  await withServer(async (beside) => {
    const { done, json } = beside;
    assert.equal(await done("account", "list"), "there is no account\n");
    assert.deepEqual(await json("account", "list"), { accounts: [] });
    const bob = await registerWriter(beside, "bob");
    const ada = await registerWriter(beside, "ada");
    const { original, metadata, manifest } = await createAsset(
      beside,
      ada,
      "photo",
    );
    await beside.send("PATCH", "/v1/auth/profile", {
      token: ada.token,
      // What would turn the terminal's text around is not printed.
      json: { display_name: "Ada \u202e Lovelace" },
    });
    const stored = original.length + metadata.length + manifest.length;
    const { accounts } = await json("account", "list");
    assert.deepEqual(
      accounts.map((one: Json) => [one.user_id, one.address, one.used_bytes]),
      [
        [ada.userId, ada.address, stored],
        [bob.userId, bob.address, 0],
      ],
    );
    const [first] = accounts;
    assert.equal(first.display_name, "Ada \u202e Lovelace");
    assert.equal(first.standing, "active");
    for (const at of [first.created_at, first.last_used_at]) {
      expectSince(BEGUN_MS, at);
    }
    const lines = (await done("account", "list")).trimEnd().split("\n");
    assert.equal(lines.length, 2);
    assert.match(
      lines[0] ?? "",
      /ada@example\.org {2}active .*"Ada {3}Lovelace"/,
    );
    assert.match(lines[1] ?? "", /0 bytes, no quota$/);
    const shown = await json("account", "show", "ADA@example.org");
    const { user_id, assets, blobs, used_bytes, derivative_bytes } = shown;
    assert.deepEqual(
      { user_id, assets, blobs, used_bytes, derivative_bytes },
      {
        user_id: ada.userId,
        assets: 1,
        blobs: 3,
        used_bytes: stored,
        derivative_bytes: 0,
      },
    );
    assert.deepEqual(
      [shown.sessions, shown.has_password, shown.second_factor, shown.albums],
      [1, true, "none", { own: 0, shared_with_it: 0 }],
    );
    const text = await done("account", "show", ada.address);
    assert.match(text, /1 asset in 3 blobs/);
    for (const secret of [ada.token, ada.sessionToken, "argon2"]) {
      assert(!(text + JSON.stringify(shown)).includes(secret));
    }
  });
});

Deno.test("an account that is not there is refused by every command", async () => {
  await withServer(async ({ refused }) => {
    const users = ["nobody@example.org", crypto.randomUUID(), "", "a\nb"];
    const commands = COMMANDS.filter((one) => !/create|list|invit/.test(one));
    for (const [index, command] of commands.entries()) {
      await refused(
        /there is no account ".*": find .* strongroom account list/,
        ...["account", command, users[index % users.length] ?? ""],
        ...command === "quota" ? ["none"] : [],
      );
    }
  });
});

Deno.test("a wrong use is status 2, and every help has an example", async () => {
  await Promise.all([
    expectMisused("account"),
    expectMisused("account", "rename", "a", "b"),
    expectMisused("account", "list", "more"),
    expectMisused("account", "suspend"),
    expectMisused("account", "suspend", "ada", "--reason"),
    expectMisused("account", "quota", "ada"),
    expectMisused("account", "delete", "--yes"),
    expectMisused("account", "sign-out", "ada", "--reason", "x"),
  ]);
  const helps = await expectHelp("account", COMMANDS);
  for (const [index, command] of COMMANDS.entries()) {
    const help = helps[index]?.replaceAll(/\s+/g, " ") ?? "";
    const hasReason = /^(suspend|reinstate)$/.test(command);
    assert.equal(help.includes("the account reads"), hasReason, command);
  }
});

Deno.test("the list and the account itself say who has the operator's page", async () => {
  await withServer(async (beside) => {
    const { done, json } = beside;
    const ada = await registerPerson(beside, "ada");
    await registerPerson(beside, "bob");
    await done("account", "operator", ada.address, "on");
    const { accounts } = await json("account", "list");
    const since = (address: string) =>
      accounts.find((one: Json) => one.address === address)?.operator_since;
    expectSince(BEGUN_MS, since(ada.address));
    assert.equal(since("bob@example.org"), undefined);
    assert.match(
      await done("account", "show", ada.address),
      / {2}operator {2}/,
    );
    await done("account", "operator", ada.address, "off");
    const shown = await json("account", "show", ada.address);
    assert.equal(shown.operator_since, undefined);
  });
});
