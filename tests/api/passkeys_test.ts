/**
 * Passkeys (protocol/authentication.md#passkeys), with an authenticator of
 * software. That of a browser is in `tests/app/passkeys_test.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import {
  addPasskey,
  Authenticator,
  type Lies,
  loginOptions,
  passkeyOptions,
  presentPasskey,
  sendPasskey,
  signInWith,
} from "../support/authenticator.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { registerPerson } from "../support/people.ts";
import { suspend } from "../support/api.ts";
import { enrollConfirmed, login } from "../support/second_factor.ts";

const MINUTE = 60_000;

Deno.test("a passkey signs in without an address, a password or a code", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const { authenticator, passkey } = await addPasskey(app, ada, " Phone ");
    assert.equal(passkey.name, "Phone");
    assert.equal(passkey.credential_id, authenticator.credentialId);
    assert.equal(passkey.last_used_at, undefined);
    await enrollConfirmed(app, ada);
    await expectJson(await login(app, ada), 202);
    for (const address of [undefined, ada.address]) {
      const tokens = await expectJson(
        await signInWith(app, authenticator, {
          ...(address === undefined ? {} : { address }),
        }),
        200,
      );
      assert.equal(tokens.user_id, ada.userId);
      const profile = await expectJson(
        await app.send("GET", "/v1/auth/profile", {
          token: tokens.access_token,
        }),
        200,
      );
      assert.equal(profile.passkeys, 1);
      // To sign in is to present oneself.
      assert(profile.recent_until !== undefined);
    }
    const { passkeys } = await expectJson(
      await app.send("GET", "/v1/auth/passkeys", { token: ada.token }),
      200,
    );
    assert.equal(passkeys.length, 1);
    assert(passkeys[0].last_used_at !== undefined);
  });
});

Deno.test("the options ask for a verified user and a discoverable passkey, and for no attestation", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const { passkey } = await addPasskey(app, ada);
    const { options } = await passkeyOptions(app, ada);
    assert.deepEqual(options.authenticatorSelection, {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    });
    assert.equal(options.attestation, "none");
    assert.equal(options.rp.id, "127.0.0.1");
    assert.deepEqual(
      options.excludeCredentials.map(({ id }: { id: string }) => id),
      [passkey.credential_id],
    );
  });
});

Deno.test("what an authenticator did not make as it was asked to is no passkey", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const wrong: Record<string, Lies> = {
      "for another site": { rpId: "example.org" },
      "from another origin": { origin: "https://example.org" },
      "for another challenge": { challenge: "AAAA" },
      "of another kind": { type: "webauthn.get" },
      "without a verified user": { isUnverified: true },
      "of an attestation by its maker": { format: "fido-u2f" },
    };
    for (const [why, lies] of Object.entries(wrong)) {
      const authenticator = await Authenticator.open();
      const { challenge_id, options } = await passkeyOptions(app, ada);
      await expectProblem(
        await sendPasskey(
          app,
          ada,
          challenge_id,
          authenticator.make(options, lies),
        ),
        "error.auth.credentials_invalid",
      );
      // Spent: the right answer comes too late.
      await expectProblem(
        await sendPasskey(app, ada, challenge_id, authenticator.make(options)),
        "error.auth.credentials_invalid",
      );
      const listed = await expectJson(
        await app.send("GET", "/v1/auth/passkeys", { token: ada.token }),
        200,
      );
      assert.deepEqual(listed.passkeys, [], why);
    }
  });
});

Deno.test("what an authenticator did not sign as it was asked to signs nobody in", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const { authenticator } = await addPasskey(app, ada);
    const wrong: Record<string, Lies> = {
      "for another site": { rpId: "example.org" },
      "from another origin": { origin: "https://example.org" },
      "for another challenge": { challenge: "AAAA" },
      "of another kind": { type: "webauthn.create" },
      "without a verified user": { isUnverified: true },
      "for another user": { userHandle: "AAAA" },
    };
    const refused = new Set<string>();
    for (const [why, lies] of Object.entries(wrong)) {
      const answer = await signInWith(app, authenticator, { lies });
      assert.equal(answer.status, 401, why);
      refused.add(await answer.text());
    }
    const others = [
      await signInWith(app, authenticator, { address: bob.address }),
      await signInWith(app, authenticator, { address: "nobody@example.org" }),
      await signInWith(app, await Authenticator.open()),
    ];
    for (const answer of others) {
      assert.equal(answer.status, 401);
      refused.add(await answer.text());
    }
    assert.equal(refused.size, 1, [...refused].join("\n"));
    await expectJson(await signInWith(app, authenticator), 200);
  });
});

Deno.test("a challenge is good for one answer and for five minutes", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const { authenticator } = await addPasskey(app, ada);
    const { challenge_id, options } = await loginOptions(app);
    const signed = await authenticator.sign(options);
    await expectJson(await presentPasskey(app, challenge_id, signed), 200);
    await expectProblem(
      await presentPasskey(app, challenge_id, signed),
      "error.auth.credentials_invalid",
    );
    const late = await loginOptions(app);
    app.clock.advance(5 * MINUTE);
    await expectProblem(
      await presentPasskey(
        app,
        late.challenge_id,
        await authenticator.sign(late.options),
      ),
      "error.auth.credentials_invalid",
    );
    await expectProblem(
      await presentPasskey(app, "no id", signed),
      "error.auth.credentials_invalid",
    );
  });
});

Deno.test("a challenge to add a passkey is its session's", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const { challenge_id, options } = await passkeyOptions(app, ada);
    const made = (await Authenticator.open()).make(options);
    await expectProblem(
      await sendPasskey(app, bob, challenge_id, made),
      "error.auth.credentials_invalid",
    );
    // Bob has not spent it for nobody: every outcome does.
    await expectProblem(
      await sendPasskey(app, ada, challenge_id, made),
      "error.auth.credentials_invalid",
    );
  });
});

Deno.test("a copy of a passkey that counts is refused", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const { authenticator } = await addPasskey(app, ada);
    const at = (signCount: number) =>
      signInWith(app, authenticator, { lies: { signCount } });
    await expectJson(await at(5), 200);
    await expectProblem(await at(5), "error.auth.credentials_invalid");
    await expectProblem(await at(4), "error.auth.credentials_invalid");
    await expectJson(await at(6), 200);
  });
});

Deno.test("adding and removing a passkey want a recent presentation", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const { passkey } = await addPasskey(app, ada);
    const begun = await passkeyOptions(app, ada);
    const made = (await Authenticator.open()).make(begun.options);
    app.clock.advance(5 * MINUTE);
    await expectProblem(
      await app.send("POST", "/v1/auth/passkeys/options", {
        token: ada.token,
      }),
      "error.auth.reauthentication_required",
    );
    await expectProblem(
      await sendPasskey(app, ada, begun.challenge_id, made),
      "error.auth.reauthentication_required",
    );
    const path = `/v1/auth/passkeys/${passkey.passkey_id}`;
    await expectProblem(
      await app.send("DELETE", path, { token: ada.token }),
      "error.auth.reauthentication_required",
    );
  });
});

Deno.test("passkeys are renamed and removed by their owner alone", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const { passkey, authenticator } = await addPasskey(app, ada);
    const path = `/v1/auth/passkeys/${passkey.passkey_id}`;
    const json = { name: "Key ring" };
    await expectProblem(
      await app.send("PATCH", path, { token: bob.token, json }),
      "error.auth.passkey_not_found",
    );
    await expectProblem(
      await app.send("DELETE", path, { token: bob.token }),
      "error.auth.passkey_not_found",
    );
    const renamed = await expectJson(
      await app.send("PATCH", path, { token: ada.token, json }),
      200,
    );
    assert.equal(renamed.name, "Key ring");
    for (const name of ["", " ", "x".repeat(65), "a\nb"]) {
      await expectProblem(
        await app.send("PATCH", path, { token: ada.token, json: { name } }),
        "error.request.invalid",
      );
    }
    await expectEmpty(
      await app.send("DELETE", path, { token: ada.token }),
      204,
    );
    await expectProblem(
      await app.send("DELETE", path, { token: ada.token }),
      "error.auth.passkey_not_found",
    );
    await expectProblem(
      await signInWith(app, authenticator),
      "error.auth.credentials_invalid",
    );
  });
});

Deno.test("an account has at most twenty passkeys, and none of another's", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const { authenticator } = await addPasskey(app, ada);
    const { challenge_id, options } = await passkeyOptions(app, bob);
    await expectProblem(
      await sendPasskey(app, bob, challenge_id, authenticator.make(options)),
      "error.auth.credentials_invalid",
    );
    const late = await passkeyOptions(app, ada);
    for (let held = 1; held < 20; held++) await addPasskey(app, ada);
    const answer = await app.send("POST", "/v1/auth/passkeys/options", {
      token: ada.token,
    });
    const problem = await expectProblem(
      answer,
      "error.account.limit_reached",
    );
    assert.equal(problem.limit, 20);
    // A challenge from before is no way around it.
    await expectProblem(
      await sendPasskey(
        app,
        ada,
        late.challenge_id,
        (await Authenticator.open()).make(late.options),
      ),
      "error.account.limit_reached",
    );
  });
});

Deno.test("the outputs of PRF, which are keys, are not taken", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const { authenticator } = await addPasskey(app, ada);
    const { challenge_id, options } = await loginOptions(app);
    const signed = await authenticator.sign(options);
    await expectProblem(
      await presentPasskey(app, challenge_id, {
        ...signed,
        clientExtensionResults: { prf: { results: { first: "AAAA" } } },
      }),
      "error.request.invalid",
    );
    // A body that is refused is no answer, and spends nothing.
    await expectJson(await presentPasskey(app, challenge_id, signed), 200);
  });
});

Deno.test("wrong passkeys lock like wrong passwords, and say nothing of it", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const { authenticator } = await addPasskey(app, ada);
    const lies = { isUnverified: true };
    for (let tries = 0; tries < 10; tries++) {
      await expectProblem(
        await signInWith(app, authenticator, { lies }),
        "error.auth.credentials_invalid",
      );
    }
    await expectProblem(
      await signInWith(app, authenticator),
      "error.auth.credentials_invalid",
    );
    await expectProblem(await login(app, ada), "error.auth.account_locked");
    // For that client address alone.
    await expectJson(
      await signInWith(app, authenticator, { from: "198.51.100.7" }),
      200,
    );
    app.clock.advance(15 * MINUTE);
    await expectJson(await signInWith(app, authenticator), 200);
  });
});

Deno.test("challenges to sign in are a client address's budget", async () => {
  await withTestApp(async (app) => {
    for (let tries = 0; tries < 60; tries++) await loginOptions(app);
    await expectProblem(
      await app.send("POST", "/v1/auth/login/passkey/options", { json: {} }),
      "error.auth.rate_limited",
    );
    await loginOptions(app, undefined, "198.51.100.7");
  });
});

Deno.test("a suspended account signs in with its passkey and may take it away", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const { authenticator, passkey } = await addPasskey(app, ada);
    await suspend(app, ada);
    const { access_token: token } = await expectJson(
      await signInWith(app, authenticator),
      200,
    );
    await expectEmpty(
      await app.send("DELETE", `/v1/auth/passkeys/${passkey.passkey_id}`, {
        token,
      }),
      204,
    );
  });
});
