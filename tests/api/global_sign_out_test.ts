import assert from "node:assert/strict";
import { fromBase64, toBase64 } from "../../src/core/bytes.ts";
import { encodeCanonical } from "../../src/core/cbor.ts";
import type { HybridSigner } from "../../src/crypto/hybrid.ts";
import { ORIGIN, type TestApp, withTestApp } from "../support/app.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import {
  type Person,
  registerPerson,
  registerWriter,
} from "../support/people.ts";
import { login } from "../support/second_factor.ts";

async function challengeFor(app: TestApp, person: Person): Promise<Json> {
  return await expectJson(
    await app.send("POST", "/v1/auth/logout/all/challenge", {
      token: person.token,
    }),
    200,
  );
}

async function proofOf(
  signer: HybridSigner,
  userId: string,
  challenge: Json,
  domain = "service-revoke-all/v1",
): Promise<string> {
  const bytes = fromBase64(challenge.challenge);
  assert.equal(bytes?.length, 32);
  const payload = encodeCanonical([
    ORIGIN,
    userId,
    challenge.challenge_id,
    bytes ?? new Uint8Array(),
  ]);
  return toBase64(await signer.sign(domain, payload));
}

function redeem(app: TestApp, challengeId: string, proof: string) {
  return app.send("POST", "/v1/auth/logout/all", {
    json: { challenge_id: challengeId, proof },
  });
}

Deno.test("a proof by the identity anchor closes every session of the account, and of no other", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const other = await expectJson(await login(app, ada), 200);
    const challenge = await challengeFor(app, ada);
    const proof = await proofOf(ada.signer, ada.userId, challenge);
    const { revoked_sessions } = await expectJson(
      await redeem(app, challenge.challenge_id, proof),
      200,
    );
    assert.equal(revoked_sessions, 2);
    for (const token of [ada.token, other.access_token]) {
      await expectProblem(
        await app.send("GET", "/v1/auth/profile", { token }),
        "error.auth.token_invalid",
      );
    }
    await expectJson(
      await app.send("GET", "/v1/auth/profile", { token: bob.token }),
      200,
    );
  });
});

Deno.test("the account of a global sign-out comes from the credential, whatever the request names", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const bob = await registerWriter(app, "bob");
    const path = `/v1/auth/logout/all/challenge?user_id=${bob.userId}`;
    const challenge = await expectJson(
      await app.send("POST", path, {
        token: ada.token,
        json: { user_id: bob.userId },
      }),
      200,
    );
    const named = await app.send("POST", "/v1/auth/logout/all", {
      json: {
        challenge_id: challenge.challenge_id,
        proof: await proofOf(bob.signer, bob.userId, challenge),
        user_id: bob.userId,
      },
    });
    await expectProblem(named, "error.request.invalid");
    const proof = await proofOf(ada.signer, ada.userId, challenge);
    await expectJson(await redeem(app, challenge.challenge_id, proof), 200);
    await expectProblem(
      await app.send("GET", "/v1/auth/profile", ada),
      "error.auth.token_invalid",
    );
    await expectJson(await app.send("GET", "/v1/auth/profile", bob), 200);
  });
});

Deno.test("every attempt burns the challenge, and every failure is one answer", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const mallory = await registerWriter(app, "mallory");
    const nobody = await registerPerson(app, "nobody");
    const attempts: Promise<Response>[] = [];
    const attempt = async (
      challenge: Json,
      proof: string,
    ) => {
      attempts.push(redeem(app, challenge.challenge_id, proof));
      await attempts.at(-1);
      // Burned: not even the right proof redeems it now.
      const right = await proofOf(ada.signer, ada.userId, challenge);
      attempts.push(redeem(app, challenge.challenge_id, right));
      await attempts.at(-1);
    };
    const first = await challengeFor(app, ada);
    await attempt(first, await proofOf(mallory.signer, ada.userId, first));
    const second = await challengeFor(app, ada);
    await attempt(second, await proofOf(ada.signer, mallory.userId, second));
    const third = await challengeFor(app, ada);
    await attempt(third, await proofOf(ada.signer, ada.userId, third, "x"));
    const fourth = await challengeFor(app, ada);
    await attempt(fourth, toBase64(new Uint8Array(10)));
    const fifth = await challengeFor(app, nobody);
    await attempt(fifth, await proofOf(nobody.signer, nobody.userId, fifth));
    const late = await challengeFor(app, ada);
    const lateProof = await proofOf(ada.signer, ada.userId, late);
    app.clock.advance(300_000);
    attempts.push(redeem(app, late.challenge_id, lateProof));
    attempts.push(redeem(app, "nonsense", lateProof));
    const answers = await Promise.all(
      attempts.map(async (answer) => {
        const { status, headers } = await answer;
        return {
          status,
          headers: [...headers],
          body: await (await answer).text(),
        };
      }),
    );
    assert.equal(answers.length, 12);
    for (const answer of answers) {
      assert.match(answer.body, /error\.auth\.proof_required/);
      assert.deepEqual(answer, answers[0]);
    }
    const { sessions } = await expectJson(
      await app.send("GET", "/v1/auth/sessions", { token: ada.token }),
      200,
    );
    assert.equal(sessions.length, 1);
  });
});

Deno.test("a proof that is no base64 is 422 and burns nothing", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const challenge = await challengeFor(app, ada);
    await expectProblem(
      await redeem(app, challenge.challenge_id, "not base64!"),
      "error.request.invalid",
    );
    const proof = await proofOf(ada.signer, ada.userId, challenge);
    await expectJson(await redeem(app, challenge.challenge_id, proof), 200);
  });
});

Deno.test("one right proof sent twice at once closes the sessions once", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const challenge = await challengeFor(app, ada);
    const proof = await proofOf(ada.signer, ada.userId, challenge);
    const statuses = await Promise.all([1, 2, 3].map(async () => {
      const answer = await redeem(app, challenge.challenge_id, proof);
      await answer.body?.cancel();
      return answer.status;
    }));
    assert.deepEqual(statuses.toSorted(), [200, 401, 401]);
  });
});

Deno.test("a caller revokes one of their sessions, their own included; any other is unknown", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    const other = await expectJson(await login(app, ada), 200);
    const revoke = (token: string, id: string) =>
      app.send("DELETE", `/v1/auth/sessions/${id}`, { token });
    for (const id of [bob.sessionId, "0192f0c1-0000-7000-8000-000000000000"]) {
      await expectProblem(
        await revoke(ada.token, id),
        "error.auth.session_not_found",
      );
    }
    await expectProblem(
      await revoke(ada.token, "nonsense"),
      "error.request.malformed",
    );
    await expectEmpty(await revoke(ada.token, other.session_id), 204);
    await expectProblem(
      await revoke(ada.token, other.session_id),
      "error.auth.session_not_found",
    );
    await expectProblem(
      await app.send("POST", "/v1/auth/refresh", {
        json: { session_token: other.session_token },
      }),
      "error.auth.session_token_invalid",
    );
    await expectEmpty(await revoke(ada.token, ada.sessionId), 204);
    await expectProblem(
      await app.send("GET", "/v1/auth/profile", { token: ada.token }),
      "error.auth.token_invalid",
    );
  });
});

Deno.test("sessions are listed newest first, live ones only, and cohorts outlive them", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    app.clock.advance(1_000);
    const cohort = "cd".repeat(32);
    const second = await expectJson(
      await app.send("POST", "/v1/auth/login", {
        json: {
          address: ada.address,
          password: "correct horse battery staple",
          cohort_hash: cohort,
          device_id: "b7e0a9a2-52ac-4f0c-8c3c-0f1d8f4b8a11",
        },
      }),
      200,
    );
    const list = async (token: string) =>
      await expectJson(
        await app.send("GET", "/v1/auth/sessions", { token }),
        200,
      );
    const both = await list(ada.token);
    assert.deepEqual(
      both.sessions.map((one: Json) => [one.session_id, one.current]),
      [[second.session_id, false], [ada.sessionId, true]],
    );
    assert.equal(
      both.sessions[0].device_id,
      "b7e0a9a2-52ac-4f0c-8c3c-0f1d8f4b8a11",
    );
    await expectEmpty(
      await app.send("POST", "/v1/auth/logout", { token: second.access_token }),
      204,
    );
    const one = await list(ada.token);
    assert.equal(one.sessions.length, 1);
    assert.equal(one.cohorts[0].cohort_hash, cohort);
  });
});
