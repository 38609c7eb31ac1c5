/**
 * The lockout of protocol/authentication.md#lockout, with a count of three
 * wrong passwords from one client address and so thirty from all together.
 *
 * @module
 */
import assert from "node:assert/strict";
import { sql } from "kysely";
import { UNKNOWN_MAX } from "../../src/features/lockout/store.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { hashOf, PASSWORD, registerPerson } from "../support/people.ts";
import { expectSameAnswers } from "../support/api.ts";
import { enrollConfirmed } from "../support/second_factor.ts";

const MINUTE = 60_000;
const THREE = { settings: { STRONGROOM_LIMIT_LOCKOUT: "3" } };
const HOME = "192.0.2.1";

function login(
  app: TestApp,
  password: string,
  from = HOME,
): Promise<Response> {
  return app.send("POST", "/v1/auth/login", {
    json: { address: "ada@example.org", password },
    from,
  });
}

async function fail(app: TestApp, from = HOME): Promise<void> {
  await expectProblem(
    await login(app, "a wrong password", from),
    "error.auth.credentials_invalid",
  );
}

async function expectLocked(app: TestApp, from = HOME): Promise<number> {
  const response = await login(app, PASSWORD, from);
  const seconds = Number(response.headers.get("retry-after"));
  await expectProblem(response, "error.auth.account_locked");
  return seconds;
}

Deno.test("the attempt that reaches the count still answers as wrong, the next is 423", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    for (let count = 0; count < 3; count++) await fail(app);
    // The right password included, and a wrong one too.
    const seconds = await expectLocked(app);
    assert.equal(seconds, 15 * 60);
    await expectProblem(
      await login(app, "a wrong password"),
      "error.auth.account_locked",
    );
  }, THREE);
});

Deno.test("by default ten wrong passwords lock, and nine do not", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    for (let count = 0; count < 9; count++) await fail(app);
    await expectJson(await login(app, PASSWORD), 200);
    for (let count = 0; count < 10; count++) await fail(app);
    await expectLocked(app);
  });
});

Deno.test("the lock is for 15 minutes and for that client address", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    for (let count = 0; count < 3; count++) await fail(app);
    await expectJson(await login(app, PASSWORD, "192.0.2.2"), 200);
    app.clock.advance(15 * MINUTE - 1_000);
    assert.equal(await expectLocked(app), 1);
    app.clock.advance(1_000);
    await expectJson(await login(app, PASSWORD), 200);
  }, THREE);
});

Deno.test("trying while locked does not make the lock longer", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    for (let count = 0; count < 3; count++) await fail(app);
    app.clock.advance(14 * MINUTE);
    for (let count = 0; count < 5; count++) {
      await expectProblem(
        await login(app, "a wrong password"),
        "error.auth.account_locked",
      );
    }
    app.clock.advance(MINUTE);
    await expectJson(await login(app, PASSWORD), 200);
  }, THREE);
});

Deno.test("wrong passwords count within 15 minutes only", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    await fail(app);
    await fail(app);
    app.clock.advance(15 * MINUTE + 1);
    await fail(app);
    await fail(app);
    await expectJson(await login(app, PASSWORD), 200);
  }, THREE);
});

Deno.test("a completed sign-in resets the count", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    for (let round = 0; round < 4; round++) {
      await fail(app);
      await fail(app);
      await expectJson(await login(app, PASSWORD), 200);
    }
  }, THREE);
});

Deno.test("ten times as many from all addresses together lock for all", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    for (let count = 0; count < 30; count++) {
      await fail(app, `198.51.100.${count}`);
    }
    await expectLocked(app, "203.0.113.7");
    await expectLocked(app, HOME);
    app.clock.advance(15 * MINUTE);
    await expectJson(await login(app, PASSWORD, "203.0.113.7"), 200);
  }, THREE);
});

Deno.test("a lock is of one account, and sessions that are open stay open", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const bob = await registerPerson(app, "bob");
    for (let count = 0; count < 3; count++) await fail(app);
    await expectLocked(app);
    await expectJson(
      await app.send("POST", "/v1/auth/login", {
        json: { address: bob.address, password: PASSWORD },
      }),
      200,
    );
    await expectJson(
      await app.send("POST", "/v1/auth/refresh", {
        json: { session_token: ada.sessionToken },
      }),
      200,
    );
  }, THREE);
});

Deno.test("a lock survives a restart and the purge", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    for (let count = 0; count < 3; count++) await fail(app);
    await expectLocked(app);
    const again = await app.reopen();
    await again.purge();
    await expectLocked(again);
  }, THREE);
});

Deno.test("an unknown address is counted and locked like a known one", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const tried = (address: string, from: string) =>
      app.send("POST", "/v1/auth/login", {
        json: { address, password: "a wrong password" },
        from,
      });
    // Step by step, from one address, from another, after the lock, and again.
    const steps: readonly (readonly [times: number, from: string])[] = [
      [5, HOME],
      [1, "192.0.2.2"],
      ...Array.from(
        { length: 26 },
        (_, n) => [1, `198.51.100.${n}`] as const,
      ),
      [2, "203.0.113.7"],
    ];
    let locked = 0;
    for (const [times, from] of steps) {
      for (let count = 0; count < times; count++) {
        const answers = {
          known: await tried(ada.address, from),
          unknown: await tried("eve@example.org", from),
          impossible: await tried("no address", from),
        };
        if (answers.known.status === 423) locked += 1;
        await expectSameAnswers(answers);
      }
    }
    // Two of the five from home, and both after thirty in all.
    assert.equal(locked, 4);
    app.clock.advance(15 * MINUTE);
    await expectSameAnswers({
      known: await tried(ada.address, HOME),
      unknown: await tried("eve@example.org", HOME),
    });
  }, THREE);
});

Deno.test("only a keyed hash of unknown addresses is kept, for a short time", async () => {
  await withTestApp(async (app) => {
    for (let count = 0; count < 3; count++) {
      const answer = await app.send("POST", "/v1/auth/login", {
        json: { address: "eve@example.org", password: "a wrong password" },
      });
      await answer.body?.cancel();
    }
    const { db } = app.app;
    const failures = await db.selectFrom("unknown_failure")
      .select("subject").execute();
    const locks = await db.selectFrom("unknown_lock")
      .select("subject").execute();
    assert.deepEqual([failures.length, locks.length], [3, 1]);
    for (const { subject } of [...failures, ...locks]) {
      assert.match(subject, /^[0-9a-f]{64}$/);
      assert.notEqual(subject, hashOf("eve@example.org"));
    }
    app.clock.advance(15 * MINUTE);
    await app.purge();
    for (const table of ["unknown_failure", "unknown_lock"] as const) {
      const rows = await db.selectFrom(table).selectAll().execute();
      assert.deepEqual(rows, [], table);
    }
  }, THREE);
});

Deno.test("no table has a client's address, whatever was counted for it", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await enrollConfirmed(app, ada);
    const home = "203.0.113.77";
    for (const address of [ada.address, "eve@example.org"]) {
      for (let n = 0; n < 3; n++) {
        const guess = await app.send("POST", "/v1/auth/login", {
          json: { address, password: "a wrong password" },
          from: home,
        });
        await guess.body?.cancel();
      }
    }
    const signIn = await app.send("POST", "/v1/auth/login", {
      json: { address: ada.address, password: PASSWORD },
      from: "203.0.113.78",
    });
    assert.equal(signIn.status, 202);
    await signIn.body?.cancel();
    const counted: string[] = [];
    for (
      const table of [
        "password_failure",
        "password_lock",
        "unknown_failure",
        "unknown_lock",
        "second_factor_challenge",
      ] as const
    ) {
      const rows = await app.app.db.selectFrom(table).select("client")
        .execute();
      counted.push(...rows.map(({ client }) => client));
      assert(rows.length > 0, table);
    }
    for (const client of counted) {
      assert.match(client, /^[0-9a-f]{64}$/);
      assert.notEqual(client, hashOf(home));
    }
    assert(!(await rowsInText(app)).includes("203.0.113."));
  }, THREE);
});

/** Every row of every table, as text. */
async function rowsInText({ app: { db } }: TestApp): Promise<string> {
  const tables = await db.introspection.getTables();
  const rows = await Promise.all(
    tables.map(async ({ name }) =>
      (await sql`select * from ${sql.table(name)}`.execute(db)).rows
    ),
  );
  return JSON.stringify(rows);
}

Deno.test("guesses at unknown addresses take a bounded number of rows", async () => {
  await withTestApp(async (app) => {
    const { db } = app.app;
    // As after so many guesses: the next one makes the oldest go.
    await db.insertInto("unknown_failure").values([
      { failure_seq: 1, subject: "a", client: HOME, failed_at: 0 },
      {
        failure_seq: UNKNOWN_MAX,
        subject: "b",
        client: HOME,
        failed_at: 0,
      },
    ]).execute();
    const answer = await app.send("POST", "/v1/auth/login", {
      json: { address: "eve@example.org", password: "a wrong password" },
    });
    await answer.body?.cancel();
    const rows = await db.selectFrom("unknown_failure")
      .select("failure_seq").orderBy("failure_seq").execute();
    assert.deepEqual(rows.map(({ failure_seq }) => failure_seq), [
      UNKNOWN_MAX,
      UNKNOWN_MAX + 1,
    ]);
  });
});

Deno.test("all addresses of a /64 are one client address to the lockout", async () => {
  await withTestApp(async (app) => {
    await registerPerson(app, "ada");
    for (let n = 1; n <= 3; n++) await fail(app, `2001:db8:0:7::${n}`);
    await expectLocked(app, "2001:db8:0:7::99");
    await expectJson(await login(app, PASSWORD, "2001:db8:0:8::1"), 200);
  }, THREE);
});
