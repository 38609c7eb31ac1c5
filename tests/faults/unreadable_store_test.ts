/**
 * A database that another program has locked, and tables that cannot be read
 * (protocol/transport.md#implied-problems).
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { transaction } from "../../src/store/sqlite/database.ts";
import { expectNoErrors } from "../support/api.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectEmpty, expectJson, expectProblem } from "../support/expect.ts";
import { PASSWORD, registerPerson, registerWriter } from "../support/people.ts";

/** Another program's connection to the database. */
function beside(app: TestApp): DatabaseSync {
  return new DatabaseSync(`${app.dataDir}/db/strongroom.sqlite`);
}

Deno.test("a database that another program has locked is 500 error.storage.unavailable with Retry-After, and one line without a stack", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    // The writer waits for a lock; of this one it soon has enough.
    await transaction(
      app.app.db,
      (tx) => sql`pragma busy_timeout = 1`.execute(tx),
    );
    const other = beside(app);
    other.exec("begin immediate");
    const rename = () =>
      app.send("PATCH", "/v1/auth/profile", {
        token: ada.token,
        json: { display_name: "Ada" },
      });
    const register = () =>
      app.send("POST", "/v1/auth/register", {
        json: { address: "bob@example.org", password: PASSWORD },
      });
    app.logged.length = 0;
    for (const write of [rename, register]) {
      const answer = await write();
      assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
      await expectProblem(answer, "error.storage.unavailable");
    }
    const lines = app.logged.filter(({ message }) => message === "request");
    assert.equal(lines.length, 2);
    for (const { level, properties } of lines) {
      assert.equal(level, "warn");
      assert.doesNotMatch(String(properties["cause"]), /\n/);
    }
    expectNoErrors(app);
    // Reading goes on, and writing once the lock is let go.
    const read = await app.send("GET", "/v1/auth/profile", ada);
    await expectJson(read, 200);
    other.exec("rollback");
    other.close();
    await expectJson(await rename(), 200);
    await expectJson(await register(), 200);
  });
});

/** Hides a table while something is done. */
async function without(
  app: TestApp,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  const other = beside(app);
  other.exec("pragma legacy_alter_table = on");
  other.exec(`alter table ${table} rename to hidden_table`);
  await work();
  other.exec(`alter table hidden_table rename to ${table}`);
  other.close();
}

async function unavailable(answer: Response): Promise<void> {
  assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  await expectProblem(answer, "error.auth.unavailable");
}

Deno.test("where the sessions cannot be read, signing in and out is 500 error.auth.unavailable with Retry-After", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const login = () =>
      app.send("POST", "/v1/auth/login", {
        json: { address: ada.address, password: PASSWORD },
      });
    const register = () =>
      app.send("POST", "/v1/auth/register", {
        json: { address: "bob@example.org", password: PASSWORD },
      });
    const refresh = () =>
      app.send("POST", "/v1/auth/refresh", {
        json: { session_token: ada.sessionToken },
      });
    const logout = () =>
      app.send("POST", "/v1/auth/logout", { token: ada.token });
    await without(app, "session", async () => {
      for (const call of [login, register, refresh, logout]) {
        await unavailable(await call());
      }
      // A token is refused: the server cannot read whether its session is open.
      const read = await app.send("GET", "/v1/auth/profile", ada);
      await expectProblem(read, "error.auth.token_invalid");
    });
    await expectJson(await login(), 200);
    await expectJson(await refresh(), 200);
    await expectEmpty(await logout(), 204);
  });
});

Deno.test("where the second factors cannot be read, the sign-in fails closed and the profile is 500 error.auth.unavailable", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const { token } = ada;
    await without(app, "totp", async () => {
      for (
        const call of [
          () =>
            app.send("POST", "/v1/auth/login", {
              json: { address: ada.address, password: PASSWORD },
            }),
          () => app.send("GET", "/v1/auth/profile", { token }),
          () => app.send("POST", "/v1/auth/totp/enroll", { token }),
          () =>
            app.send("POST", "/v1/auth/totp/disable", {
              token,
              json: { code: "000000" },
            }),
        ]
      ) await unavailable(await call());
    });
    await expectJson(await app.send("GET", "/v1/auth/profile", ada), 200);
  });
});

Deno.test("where the enrollments cannot be read, their operations are 500 error.auth.unavailable", async () => {
  await withTestApp(async (app) => {
    const { token } = await registerPerson(app, "ada");
    const path = "/v1/auth/devices/enroll";
    const issue = () => app.send("POST", `${path}/code`, { token });
    const { code } = await expectJson(await issue(), 200);
    await without(app, "enrollment_code", async () => {
      await unavailable(await issue());
      await unavailable(await app.send("GET", `${path}/code`, { token }));
      await unavailable(
        await app.send("POST", `${path}/redeem`, { json: { code } }),
      );
    });
    await without(app, "enrollment_channel", async () => {
      const channel = `${path}/channel/${"a".repeat(32)}`;
      await unavailable(
        await app.send("GET", `${channel}?direction=to_initiator`),
      );
      await unavailable(await app.send("DELETE", channel, { token }));
    });
  });
});

Deno.test("recording the cohort is best-effort: its failure is logged and never fails the sign-in", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const login = () =>
      app.send("POST", "/v1/auth/login", {
        json: {
          address: ada.address,
          password: PASSWORD,
          cohort_hash: "c".repeat(64),
        },
      });
    await without(app, "cohort", async () => {
      await expectJson(await login(), 200);
      assert(app.logged.some(({ message }) => message.includes("cohort")));
    });
    expectNoErrors(app);
    await expectJson(await login(), 200);
    const listed = await app.send("GET", "/v1/auth/sessions", ada);
    const { cohorts } = await expectJson(listed, 200);
    assert.deepEqual(
      cohorts.map((one: { cohort_hash: string }) => one.cohort_hash),
      ["c".repeat(64)],
    );
  });
});
