/**
 * `strongroom account` as a process, while a server runs
 * (accounts-and-moderation.md): suspending, signing out, unlocking, quotas and
 * deleting are in force on the server's next request.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Secret, TOTP } from "otpauth";
import { type Beside, withServer } from "../support/operator_commands.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import {
  ciphertext,
  createAsset,
  type Person,
  registerPerson,
  registerWriter,
  uploadRequest,
} from "../support/people.ts";
import { login } from "../support/account_command.ts";

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
    await beside.refused(/already suspended/, "account", "suspend", ada.userId);
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
    assert.equal(shown.password_locks[0].for, "one_address");
    assert.match(
      await beside.done("account", "show", ada.address),
      /password locked for one client address until 2/,
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
        /is not a quota: give bytes/,
        ...["account", "quota", "--", ada.userId, bytes],
      );
    }
  }, { STRONGROOM_ACCOUNT_QUOTA_BYTES: "4096" });
});

Deno.test("an account is deleted while the server runs once that is said twice", async () => {
  await withServer(async (beside) => {
    const ada = await registerWriter(beside, "ada");
    await createAsset(beside, ada, "photo");
    const remove = ["account", "delete", ada.address];
    await beside.refused(
      /would be deleted permanently, with 1 asset \(6\.1 KiB\), 1 session: .*--yes/,
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
      /^account \S+ \(\S+\) is deleted: 0 assets \(0 bytes\), 1 session\nthe next collection removes its blobs/,
    );
  });
});
