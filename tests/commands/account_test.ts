/**
 * `strongroom account` as a process, beside a server that runs
 * (accounts-and-moderation.md): what it does is in force on the server's next
 * request.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectRefused } from "../support/ended.ts";
import { Secret, TOTP } from "otpauth";
import {
  type Beside,
  expectHelp,
  expectMisused,
  withServer,
} from "../support/beside.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  PASSWORD,
  type Person,
  registerPerson,
  registerWriter,
  uploadRequest,
} from "../support/people.ts";
import { programCommand, runProgram } from "../support/program.ts";

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

function login(
  { send }: Beside,
  address: string,
  password: string = PASSWORD,
): Promise<Response> {
  return send("POST", "/v1/auth/login", { json: { address, password } });
}

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
      /^account ada@example\.org is made: [0-9a-f-]{36}\n$/,
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
    const password = "  pass wörd 🔑 ";
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
      await refused(address, PASSWORD, /is no address .*: give one/);
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
      /no UTF-8/,
    );
    // In a pipe nobody is asked; the option is named.
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
      /Password: \r\nOnce more: \r\naccount ada@example\.org is made/,
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

Deno.test("a suspended account writes nothing and its links are gone, until it is reinstated", async () => {
  await withServer(async (beside) => {
    const { send, done } = beside;
    const ada = await registerWriter(beside, "ada");
    const album = () =>
      send("POST", "/v1/albums", {
        token: ada.token,
        json: { album_id: "0d9f9c1e-5b7a-4f7e-9a55-0c7a3f1f2f10" },
      });
    assert.equal(
      await done("account", "suspend", ada.address, "--reason", "spam"),
      "account ada@example.org is suspended\n",
    );
    await expectProblem(await album(), "error.account.suspended");
    await beside.refused(/suspended already/, "account", "suspend", ada.userId);
    const reinstated = await beside.json("account", "reinstate", ada.userId);
    assert.deepEqual(reinstated, {
      user_id: ada.userId,
      outcome: "reinstated",
    });
    await expectJson(await album(), 201);
    await beside.refused(/not suspended/, "account", "reinstate", ada.userId);
    const record = await expectJson(
      await send("GET", "/v1/moderation/record", { token: ada.token }),
      200,
    );
    assert.deepEqual(
      record.events.map(({ action, reason }: Json) => [action, reason]),
      [["suspended", "spam"], ["reinstated", undefined]],
    );
    const shown = await beside.json("account", "show", ada.address);
    assert.deepEqual(shown.events, record.events);
  });
});

Deno.test("a signed-out account's tokens are refused from the next request on", async () => {
  await withServer(async (beside) => {
    const ada = await registerPerson(beside, "ada");
    await expectJson(await login(beside, ada.address), 200);
    assert.equal(
      await beside.done("account", "sign-out", ada.address),
      "account ada@example.org is signed out: 2 sessions closed\n",
    );
    await expectProblem(
      await beside.send("GET", "/v1/auth/profile", { token: ada.token }),
      "error.auth.token_invalid",
    );
    await expectProblem(
      await beside.send("POST", "/v1/auth/refresh", {
        json: { session_token: ada.sessionToken },
      }),
      "error.auth.session_token_invalid",
    );
    await expectJson(await login(beside, ada.address), 200);
    assert.deepEqual(await beside.json("account", "sign-out", ada.userId), {
      user_id: ada.userId,
      closed_sessions: 1,
    });
  });
});

Deno.test("a locked account is unlocked, whatever had locked it", async () => {
  await withServer(async (beside) => {
    const ada = await registerPerson(beside, "ada");
    const lock = async () => {
      for (let n = 0; n < 2; n += 1) {
        await expectProblem(
          await login(beside, ada.address, "a wrong password"),
          "error.auth.credentials_invalid",
        );
      }
      await expectProblem(
        await login(beside, ada.address),
        "error.auth.account_locked",
      );
    };
    await lock();
    const shown = await beside.json("account", "show", ada.address);
    assert.equal(shown.password_locks.length, 1);
    assert.equal(shown.password_locks[0].client_address, "127.0.0.1");
    assert.match(
      await beside.done("account", "show", ada.address),
      /password locked for 127\.0\.0\.1 until 2/,
    );
    assert.match(
      await beside.done("account", "unlock", ada.address),
      /^account ada@example\.org is unlocked/,
    );
    await expectJson(await login(beside, ada.address), 200);
    // Nothing that was counted is left over.
    await lock();
    assert.deepEqual(await beside.json("account", "unlock", ada.userId), {
      user_id: ada.userId,
      outcome: "unlocked",
    });
    await expectJson(await login(beside, ada.address), 200);
    assert.match(
      await beside.done("account", "unlock", ada.userId),
      /not locked/,
    );
    await wrongCodes(beside, ada);
    const locked = await beside.json("account", "show", ada.address);
    assert.match(locked.second_factor_locked_until, /Z$/);
    await beside.done("account", "unlock", ada.address);
    await expectProblem(
      await confirm(beside, ada),
      "error.auth.second_factor_code_refused",
    );
  }, { STRONGROOM_LIMIT_LOCKOUT: "2" });
});

function confirm({ send }: Beside, { token }: Person): Promise<Response> {
  return send("POST", "/v1/auth/totp/verify-enrollment", {
    token,
    json: { code: "000000" },
  });
}

/** Locks the confirmation of a second factor. */
async function wrongCodes(beside: Beside, ada: Person): Promise<void> {
  await expectJson(
    await beside.send("POST", "/v1/auth/totp/enroll", { token: ada.token }),
    200,
  );
  for (let n = 0; n < 5; n += 1) {
    await expectProblem(
      await confirm(beside, ada),
      "error.auth.second_factor_code_refused",
    );
  }
  await expectProblem(
    await confirm(beside, ada),
    "error.auth.second_factor_attempts_exhausted",
  );
}

Deno.test("a lost second factor is taken away, and the password signs in alone", async () => {
  await withServer(async (beside) => {
    const { send, json } = beside;
    const ada = await registerPerson(beside, "ada");
    const { secret } = await expectJson(
      await send("POST", "/v1/auth/totp/enroll", { token: ada.token }),
      200,
    );
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const confirmed = await send("POST", "/v1/auth/totp/verify-enrollment", {
      token: ada.token,
      json: { code: totp.generate() },
    });
    assert.equal(confirmed.status, 204);
    await expectJson(await login(beside, ada.address), 202);
    const shown = await json("account", "show", ada.address);
    assert.equal(shown.second_factor, "confirmed");
    assert(!JSON.stringify(shown).includes(secret));
    assert.deepEqual(
      await json("account", "disable-second-factor", ada.address),
      { user_id: ada.userId, outcome: "disabled" },
    );
    await expectJson(await login(beside, ada.address), 200);
    await beside.refused(
      /has no second factor/,
      ...["account", "disable-second-factor", ada.address],
    );
  });
});

Deno.test("a quota is held against the next upload, and none and default say which there is", async () => {
  await withServer(async (beside) => {
    const { send, done, json } = beside;
    const ada = await registerWriter(beside, "ada");
    const usage = async () =>
      (await expectJson(
        await send("GET", "/v1/storage/usage", { token: ada.token }),
        200,
      )).quota_bytes;
    let files = 0;
    const upload = (size: number) =>
      send("POST", "/v1/upload", {
        token: ada.token,
        json: uploadRequest(ada, ciphertext(`file ${files += 1}`, size)),
      });
    assert.equal(await usage(), 4_096);
    await expectProblem(await upload(5_000), "error.storage.quota_exceeded");
    assert.equal(
      await done("account", "quota", ada.address, "5KiB"),
      "account ada@example.org may store 5 KiB\n",
    );
    assert.equal(await usage(), 5_120);
    await expectJson(await upload(5_000), 201);
    await expectProblem(await upload(5_000), "error.storage.quota_exceeded");
    assert.deepEqual(await json("account", "quota", ada.userId, "none"), {
      user_id: ada.userId,
      is_default: false,
    });
    assert.equal(await usage(), undefined);
    await expectJson(await upload(5_000), 201);
    assert.deepEqual(await json("account", "quota", ada.userId, "default"), {
      user_id: ada.userId,
      quota_bytes: 4_096,
      is_default: true,
    });
    await expectProblem(await upload(1), "error.storage.quota_exceeded");
    await done("account", "quota", ada.userId, "0");
    assert.equal(await usage(), 0);
    for (
      const bytes of ["", "-1", "5 GB", "1.5GiB", "9007199254740991", "all"]
    ) {
      // After `--` nothing is an option.
      await beside.refused(
        /is no quota: give bytes/,
        ...["account", "quota", "--", ada.userId, bytes],
      );
    }
  }, { STRONGROOM_ACCOUNT_QUOTA_BYTES: "4096" });
});

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
      assert(Math.abs(Date.parse(at) - Date.now()) < 60_000);
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

Deno.test("an account is deleted beside the server once that is said twice", async () => {
  await withServer(async (beside) => {
    const ada = await registerWriter(beside, "ada");
    await createAsset(beside, ada, "photo");
    const remove = ["account", "delete", ada.address];
    await beside.refused(
      /would be deleted for good, with 1 asset \(6\.1 KiB\), 1 session: .*--yes/,
      ...remove,
    );
    const profile = () =>
      beside.send("GET", "/v1/auth/profile", { token: ada.token });
    await expectJson(await profile(), 200);
    const deleted = await beside.json(...remove, "--yes");
    assert.deepEqual(deleted, {
      user_id: ada.userId,
      address: ada.address,
      outcome: "deleted",
      deleted: {
        sessions: 1,
        assets: 1,
        bytes: 6_200,
        albums: 0,
        shares: 0,
        state_slots: 0,
        upload_links: 0,
        contributions: 0,
        open_uploads: 0,
      },
    });
    await expectProblem(await profile(), "error.auth.token_invalid");
    await beside.refused(/there is no account/, ...remove, "--yes");
    const next = await registerWriter(beside, "ada");
    assert.notEqual(next.userId, ada.userId);
    assert.match(
      await beside.done("account", "delete", next.userId, "--yes"),
      /^account \S+ \(\S+\) is deleted: 0 assets \(0 bytes\), 1 session\nits blobs/,
    );
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
