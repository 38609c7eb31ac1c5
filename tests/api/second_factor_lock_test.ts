/**
 * Codes are not guessed past the lockout: few challenges live at once, and a
 * lock ends them (protocol/authentication.md#lockout).
 *
 * @module
 */
import assert from "node:assert/strict";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem, type Json } from "../support/expect.ts";
import { PASSWORD, type Person, registerPerson } from "../support/people.ts";
import {
  type Authenticator,
  enrollConfirmed,
  wrongCode,
} from "../support/second_factor.ts";

const MINUTE = 60_000;
const HOME = "192.0.2.1";
const ELSEWHERE = "192.0.2.2";

interface Guarded {
  readonly app: TestApp;
  readonly ada: Person;
  readonly authenticator: Authenticator;
}

async function withGuarded(
  test: (guarded: Guarded) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enrollConfirmed(app, ada);
    await test({ app, ada, authenticator });
  }, { settings });
}

async function challenge(
  { app, ada }: Guarded,
  from = HOME,
): Promise<string> {
  const answer: Json = await expectJson(
    await app.send("POST", "/v1/auth/login", {
      json: { address: ada.address, password: PASSWORD },
      from,
    }),
    202,
  );
  return answer.challenge_id;
}

function verify(
  { app }: Guarded,
  challenge_id: string,
  code: string,
  from = HOME,
): Promise<Response> {
  return app.send("POST", "/v1/auth/login/verify-totp", {
    json: { challenge_id, code },
    from,
  });
}

async function guessWrongly(
  guarded: Guarded,
  id: string,
  times: number,
  from = HOME,
): Promise<void> {
  for (let count = 0; count < times; count++) {
    await expectProblem(
      await verify(guarded, id, wrongCode(guarded.authenticator), from),
      "error.auth.second_factor_invalid",
    );
  }
}

Deno.test("an account has at most five live challenges: a sixth ends the oldest", async () => {
  await withGuarded(async (guarded) => {
    const ids: string[] = [];
    for (let count = 0; count < 6; count++) {
      ids.push(await challenge(guarded));
      guarded.app.clock.advance(1_000);
    }
    const [oldest = "", second = ""] = ids;
    const code = guarded.authenticator.code();
    await expectProblem(
      await verify(guarded, oldest, code),
      "error.auth.challenge_expired",
    );
    await expectJson(await verify(guarded, second, code), 200);
  });
});

Deno.test("challenges of one account end none of another's", async () => {
  await withGuarded(async (guarded) => {
    const { app } = guarded;
    const bob = await registerPerson(app, "bob");
    await enrollConfirmed(app, bob);
    const mine = await challenge(guarded);
    for (let count = 0; count < 6; count++) {
      await challenge({ ...guarded, ada: bob });
    }
    const code = guarded.authenticator.code();
    await expectJson(await verify(guarded, mine, code), 200);
  });
});

Deno.test("challenges that were opened before a lock guess nothing past it, the right code included", async () => {
  await withGuarded(async (guarded) => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.push(await challenge(guarded));
    const [first = "", second = "", third = ""] = ids;
    await guessWrongly(guarded, first, 5);
    await guessWrongly(guarded, second, 5);
    const code = guarded.authenticator.code();
    for (const id of ids) {
      await expectProblem(
        await verify(guarded, id, code),
        "error.auth.challenge_expired",
      );
    }
    // It is over with them, not only for as long as the lock holds.
    guarded.app.clock.advance(4 * MINUTE);
    await expectProblem(
      await verify(guarded, third, guarded.authenticator.code(), ELSEWHERE),
      "error.auth.challenge_expired",
    );
  });
});

Deno.test("a lock for one client address leaves the challenges of the others", async () => {
  await withGuarded(async (guarded) => {
    const here = await challenge(guarded);
    const there = await challenge(guarded, ELSEWHERE);
    await guessWrongly(guarded, here, 3);
    const code = guarded.authenticator.code();
    // Neither from where it was made, nor from anywhere else.
    for (const from of [HOME, ELSEWHERE, "192.0.2.3"]) {
      await expectProblem(
        await verify(guarded, here, code, from),
        "error.auth.challenge_expired",
      );
    }
    // Nor may the locked address go on with what another one has begun.
    await expectProblem(
      await verify(guarded, there, code),
      "error.auth.challenge_expired",
    );
    await expectJson(await verify(guarded, there, code, ELSEWHERE), 200);
  }, { STRONGROOM_LIMIT_LOCKOUT: "3" });
});

Deno.test("a lock for all ends every challenge, wherever it was made", async () => {
  await withGuarded(async (guarded) => {
    const { app, ada } = guarded;
    const there = await challenge(guarded, ELSEWHERE);
    for (let n = 0; n < 20; n++) {
      await expectProblem(
        await app.send("POST", "/v1/auth/login", {
          json: { address: ada.address, password: "a wrong password" },
          from: `198.51.100.${n}`,
        }),
        "error.auth.credentials_invalid",
      );
    }
    await expectProblem(
      await verify(guarded, there, guarded.authenticator.code(), ELSEWHERE),
      "error.auth.challenge_expired",
    );
    const left = await app.app.db.selectFrom("second_factor_challenge")
      .selectAll().execute();
    assert.deepEqual(left, []);
  }, { STRONGROOM_LIMIT_LOCKOUT: "2" });
});

Deno.test("guessing from one address examines no more codes than the lockout counts", async () => {
  await withGuarded(async (guarded) => {
    // All of them are opened before the first code is tried.
    const ids: string[] = [];
    for (let count = 0; count < 30; count++) {
      ids.push(await challenge(guarded));
    }
    let examined = 0;
    for (const id of ids) {
      for (let count = 0; count < 5; count++) {
        const code = wrongCode(guarded.authenticator);
        const guess = await verify(guarded, id, code);
        const { code: problem } = await guess.json();
        if (problem === "error.auth.second_factor_invalid") examined += 1;
      }
    }
    assert.equal(examined, 10);
  });
});
