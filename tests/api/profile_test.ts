import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { PASSWORD, registerPerson, registerWriter } from "../support/people.ts";
import { confirm, enroll } from "../support/second_factor.ts";
import { refreshed } from "../support/api.ts";

Deno.test("an absent display name leaves it alone, null clears it, and it is trimmed first", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const patch = async (json: unknown) =>
      await expectJson(
        await app.send("PATCH", "/v1/auth/profile", { token: ada.token, json }),
        200,
      );
    assert.equal((await patch({})).display_name, null);
    assert.equal(
      (await patch({ display_name: "  Ada L. " })).display_name,
      "Ada L.",
    );
    assert.equal((await patch({})).display_name, "Ada L.");
    assert.equal((await patch({ display_name: null })).display_name, null);
    const long = "𝒳".repeat(128);
    assert.equal(
      (await patch({ display_name: ` ${long} ` })).display_name,
      long,
    );
    assert.equal((await patch({ display_name: "   " })).display_name, null);
  });
});

Deno.test("an answer announces its bytes, whatever letters it is written in", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const path = "/v1/auth/profile";
    const { token } = ada;
    for (const display_name of ["Ada", "Zoë", "愛 😀"]) {
      await app.send("PATCH", path, { token, json: { display_name } });
      const answer = await app.send("GET", path, { token });
      const bytes = await answer.bytes();
      const announced = String(bytes.length);
      assert.equal(answer.headers.get("content-length"), announced);
      const { headers } = await app.send("HEAD", path, { token });
      assert.equal(headers.get("content-length"), announced);
      const profile = JSON.parse(new TextDecoder().decode(bytes));
      assert.equal(profile.display_name, display_name);
    }
  });
});

Deno.test("a display name with control characters, or too long, is refused and not rewritten", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const names = [
      "a\u0000b",
      "a\nb",
      "a\u007fb",
      "a\u0085b",
      "\tAda",
      "Ada\n",
      " Ada\r\n",
      "\u0000Ada",
      "\n",
      "x".repeat(129),
      7,
    ];
    for (const display_name of names) {
      const { errors } = await expectProblem(
        await app.send("PATCH", "/v1/auth/profile", {
          token: ada.token,
          json: { display_name },
        }),
        "error.request.invalid",
      );
      assert.equal(errors[0].path, "/display_name");
    }
    await expectProblem(
      await app.send("PATCH", "/v1/auth/profile", {
        token: ada.token,
        json: { address: "other@example.org" },
      }),
      "error.request.invalid",
    );
  });
});

Deno.test("the public record is opted into under a handle, shows handle and name, and is opted out of", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const path = "/v1/auth/profile/public-record";
    const put = (token: string, handle: unknown) =>
      app.send("PUT", path, { token, json: { handle } });
    const look = (handle: string) =>
      app.send("GET", `/.well-known/service/users/${handle}`, {
        protocol: null,
      });
    await expectProblem(await look("ada"), "error.user.not_found");
    assert.deepEqual(await expectJson(await put(ada.token, "ada"), 200), {
      handle: "ada",
    });
    await app.send("PATCH", "/v1/auth/profile", {
      token: ada.token,
      json: { display_name: "Ada" },
    });
    assert.deepEqual(await expectJson(await look("ada"), 200), {
      handle: "ada",
      display_name: "Ada",
    });
    await expectProblem(await put(bob.token, "ada"), "error.user.handle_taken");
    await expectJson(await put(bob.token, "bob"), 200);
    await expectProblem(await put(bob.token, "ada"), "error.user.handle_taken");
    await expectJson(await put(ada.token, "ada_l"), 200);
    await expectProblem(await look("ada"), "error.user.not_found");
    await expectJson(await put(bob.token, "ada"), 200);
    for (const handle of ["ab", "1abc", "Ada", "a b", "x".repeat(33), 5]) {
      await expectProblem(
        await put(ada.token, handle),
        "error.request.invalid",
      );
    }
    for (let n = 0; n < 2; n++) {
      await expectEmpty(
        await app.send("DELETE", path, { token: ada.token }),
        204,
      );
    }
    await expectProblem(await look("ada_l"), "error.user.not_found");
  });
});

Deno.test("the profile tells how far the second factor is, and until when a presentation is recent", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const profile = async (token = ada.token) =>
      await expectJson(
        await app.send("GET", "/v1/auth/profile", { token }),
        200,
      );
    const begun = app.clock.now;
    const until = (instant: number) => new Date(instant).toISOString();
    assert.equal((await profile()).second_factor, "none");
    const authenticator = await enroll(app, ada);
    assert.equal((await profile()).second_factor, "pending");
    await expectEmpty(await confirm(app, ada, authenticator.code()), 204);
    assert.equal((await profile()).second_factor, "confirmed");
    assert.equal((await profile()).recent_until, until(begun + 300_000));
    app.clock.advance(300_000 - 1);
    assert.equal((await profile()).recent_until, until(begun + 300_000));
    app.clock.advance(1);
    assert.equal("recent_until" in await profile(), false);
    // A new access token presents nothing; the password does, for its session.
    const { token } = await refreshed(app, ada);
    assert.equal("recent_until" in await profile(token), false);
    await expectJson(
      await app.send("POST", "/v1/auth/reauthenticate", {
        token,
        json: { password: PASSWORD },
      }),
      200,
    );
    const again = until(app.clock.now + 300_000);
    assert.equal((await profile(token)).recent_until, again);
    assert.equal((await profile(token)).has_password, true);
  });
});
