/**
 * The periodic task when the clock leaps: nothing is deleted by a clock that
 * may be wrong, and what one that was ahead has dated is put right
 * (protocol/manifests.md#collection).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  ClockWatch,
  judge,
  judgeInstant,
} from "../../src/features/clock/clock.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  createAsset,
  PASSWORD,
  type Person,
  registerPerson,
  registerWriter,
} from "../support/people.ts";
import { signIn } from "../support/backups.ts";
import { confirm, enroll, wrongCode } from "../support/second_factor.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Lets a server run for so long, with a round of the task every ten minutes. */
async function run(app: TestApp, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10 * MINUTE_MS) {
    app.clock.advance(10 * MINUTE_MS);
    await app.purge();
  }
}

/** An asset that was thrown away just now; by its id there can be restored. */
async function throwAway(app: TestApp, ada: Person): Promise<string> {
  const { assetId } = await createAsset(app, ada, "thrown away");
  await expectJson(
    await app.send("DELETE", `/v1/assets/${assetId}`, { token: ada.token }),
    200,
  );
  return assetId;
}

async function isThere(app: TestApp, assetId: string): Promise<boolean> {
  const row = await app.app.db.selectFrom("asset").select("asset_id")
    .where("asset_id", "=", assetId as never).executeTakeFirst();
  return row !== undefined;
}

function complaints(app: TestApp): number {
  return app.logged.filter(({ level, message }) =>
    level === "error" && message.includes("nothing is deleted")
  ).length;
}

Deno.test("a clock that leaps ahead deletes nothing until the server has run for a day with it", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const assetId = await throwAway(app, ada);
    await app.purge();
    app.clock.jump(40 * DAY_MS);
    await app.purge();
    assert.equal(complaints(app), 1);
    assert(await isThere(app, assetId));
    const sessions = () =>
      app.app.db.selectFrom("session").selectAll().execute();
    assert.equal((await sessions()).length, 1);
    await run(app, 23 * HOUR_MS);
    assert(await isThere(app, assetId));
    assert(complaints(app) > 10);
    await run(app, 2 * HOUR_MS);
    assert.equal(await isThere(app, assetId), false);
  });
});

Deno.test("a clock that leapt and is set right again has cost nothing, and is believed at once", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const assetId = await throwAway(app, ada);
    app.clock.jump(400 * DAY_MS);
    await run(app, 20 * HOUR_MS);
    app.clock.jump(-400 * DAY_MS);
    await run(app, HOUR_MS);
    assert(await isThere(app, assetId));
    const { state } = await expectJson(
      await app.send("POST", `/v1/assets/${assetId}/restore`, {
        token: (await signIn(app, ada)).token,
      }),
      200,
    );
    assert.equal(state, "live");
    // And another leap is doubted as the first one was.
    app.clock.jump(400 * DAY_MS);
    await run(app, HOUR_MS);
    assert.equal(complaints(app), 21);
  });
});

Deno.test("a server that was off for half a year recovers by itself, restarts in between or not", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const assetId = await throwAway(app, ada);
    app.clock.jump(180 * DAY_MS);
    let again = await app.reopen();
    for (let evening = 0; evening < 4; evening++) {
      assert(await isThere(again, assetId));
      await run(again, 6 * HOUR_MS);
      // Off for the night.
      app.clock.jump(18 * HOUR_MS);
      again = await again.reopen();
    }
    await run(again, 10 * MINUTE_MS);
    assert.equal(await isThere(again, assetId), false);
  });
});

Deno.test("a server says at its start that its clock is far from when it ran last, and else nothing", async () => {
  await withTestApp(async (app) => {
    const told = ({ logged }: TestApp) =>
      logged.flatMap(({ message }) =>
        /^this machine's clock is (.*) of when this server last ran/
          .exec(message)?.[1] ?? []
      );
    assert.deepEqual(told(app), []);
    app.clock.jump(40 * DAY_MS);
    let again = await app.reopen();
    assert.deepEqual(told(again), ["40 days ahead"]);
    app.clock.jump(-43 * DAY_MS);
    again = await again.reopen();
    assert.deepEqual(told(again), ["3 days behind"]);
    app.clock.jump(3 * DAY_MS);
    again = await again.reopen();
    assert.deepEqual(told(again), []);
  });
});

Deno.test("a server that is off for a night deletes in the morning what is due", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const assetId = await throwAway(app, ada);
    for (let day = 0; day <= 30; day++) {
      assert(await isThere(app, assetId));
      app.clock.advance(DAY_MS - HOUR_MS);
      await app.purge();
      app.clock.jump(HOUR_MS);
    }
    const again = await app.reopen();
    await again.purge();
    assert.equal(await isThere(again, assetId), false);
    assert.equal(complaints(again), 0);
  });
});

Deno.test("a database of an older program knows by its last request when it was used last", async () => {
  await withTestApp(async (app) => {
    await registerWriter(app, "ada");
    const forget = () =>
      app.app.db.updateTable("server").set({ clock_known_at: null }).execute();
    await forget();
    const { now } = app.clock;
    const ahead = await judgeInstant(app.app.db, now + 2 * DAY_MS);
    assert.deepEqual([ahead.verdict, ahead.recorded?.at], ["ahead", now]);
    const near = await judgeInstant(app.app.db, now + DAY_MS);
    assert.equal(near.verdict, "believed");
    app.clock.jump(2 * DAY_MS);
    const watch = new ClockWatch(app.app.db, app.app.platform);
    assert.equal((await watch.look()).verdict, "ahead");
  });
});

Deno.test("a second leap restarts the doubt, and so does a long absence", () => {
  const at = 1_000 * DAY_MS;
  const leapt = judge({ knownAt: at, doubt: undefined }, at + 9 * DAY_MS, 0);
  assert.equal(leapt.verdict, "ahead");
  const ran = judge(
    leapt.state,
    at + 9 * DAY_MS + 20 * HOUR_MS,
    20 * HOUR_MS,
  );
  assert.equal(ran.verdict, "ahead");
  assert.equal(ran.state.doubt?.ranMs, 20 * HOUR_MS);
  const again = judge(ran.state, at + 900 * DAY_MS, 5 * HOUR_MS);
  assert.deepEqual([again.verdict, again.state.doubt?.ranMs], ["ahead", 0]);
  const confirmed = judge(
    ran.state,
    at + 9 * DAY_MS + 24 * HOUR_MS,
    4 * HOUR_MS,
  );
  assert.equal(confirmed.verdict, "believed");
  // Behind it is not believed either, though it deletes too little.
  const behind = judge({ knownAt: at, doubt: undefined }, at - 9 * DAY_MS, 0);
  assert.equal(behind.verdict, "behind");
});

Deno.test("a lock of the future ends when its length has passed since it was seen", async () => {
  const settings = { STRONGROOM_LIMIT_LOCKOUT: "3" };
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const login = (password: string, address = ada.address) =>
      app.send("POST", "/v1/auth/login", { json: { address, password } });
    for (const leap of [10 * 365 * DAY_MS, 2 * HOUR_MS]) {
      app.clock.jump(leap);
      for (let count = 0; count < 3; count++) {
        await expectProblem(
          await login("a wrong password"),
          "error.auth.credentials_invalid",
        );
      }
      app.clock.jump(-leap);
      const locked = await login(PASSWORD);
      assert.equal(Number(locked.headers.get("retry-after")), 15 * 60);
      await expectProblem(locked, "error.auth.account_locked");
      app.clock.advance(15 * MINUTE_MS);
      await expectJson(await login(PASSWORD), 200);
    }
    // Only the periodic task sees it.
    app.clock.jump(DAY_MS);
    for (let count = 0; count < 3; count++) {
      await (await login("a wrong password")).body?.cancel();
      await (await login("wrong", "nobody@example.org")).body?.cancel();
    }
    app.clock.jump(-DAY_MS);
    await app.purge();
    app.clock.advance(15 * MINUTE_MS);
    await expectJson(await login(PASSWORD), 200);
    await expectProblem(
      await login("wrong", "nobody@example.org"),
      "error.auth.credentials_invalid",
    );
    // And wrong passwords of the future are of now: they are over in time.
    app.clock.jump(DAY_MS);
    for (let count = 0; count < 2; count++) {
      await (await login("a wrong password")).body?.cancel();
    }
    app.clock.jump(-DAY_MS);
    await (await login("a wrong password")).body?.cancel();
    await expectProblem(await login(PASSWORD), "error.auth.account_locked");
    app.clock.advance(15 * MINUTE_MS);
    await (await login("a wrong password")).body?.cancel();
    await expectJson(await login(PASSWORD), 200);
  }, { settings });
});

Deno.test("wrong codes of the future are over when their time has passed since they were seen", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    const authenticator = await enroll(app, ada);
    app.clock.jump(DAY_MS);
    const then = await signIn(app, ada);
    for (let count = 0; count < 5; count++) {
      const answer = await confirm(app, then, wrongCode(authenticator));
      await expectProblem(answer, "error.auth.second_factor_code_refused");
    }
    app.clock.jump(-DAY_MS);
    const exhausted = await confirm(app, ada, authenticator.code());
    assert.equal(Number(exhausted.headers.get("retry-after")), 15 * 60);
    await expectProblem(
      exhausted,
      "error.auth.second_factor_attempts_exhausted",
    );
    app.clock.advance(15 * MINUTE_MS);
    const now = await signIn(app, ada);
    assert.equal((await confirm(app, now, authenticator.code())).status, 204);
  });
});

Deno.test("a session of the future lives for its length from now on, and no presentation of then is recent", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const leap = 300 * DAY_MS;
    app.clock.jump(leap);
    const then = await signIn(app, ada);
    app.clock.jump(-leap);
    await app.purge();
    const row = await app.app.db.selectFrom("session").selectAll()
      .where("session_id", "=", then.sessionId as never)
      .executeTakeFirstOrThrow();
    const { now } = app.clock;
    assert.deepEqual(
      [row.created_at, row.issued_at, row.last_used_at, row.presented_at],
      [now, now, now, 0],
    );
    assert.equal(row.expires_at, now + app.app.limits.sessionLifetimeMs);
    const { access_token } = await expectJson(
      await app.send("POST", "/v1/auth/refresh", {
        json: { session_token: then.sessionToken },
      }),
      200,
    );
    await expectJson(
      await app.send("GET", "/v1/auth/profile", { token: access_token }),
      200,
    );
  });
});

Deno.test("sessions that were used by a clock that was behind go on once it is set right, and idle ones do not", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const idle = await signIn(app, ada);
    const { sessionInactivityMs } = app.app.limits;
    app.clock.advance(sessionInactivityMs - DAY_MS);
    const used = await signIn(app, ada);
    await app.purge();
    app.clock.advance(2 * DAY_MS);
    await app.purge();
    // It was a year behind all the time.
    app.clock.jump(365 * DAY_MS);
    const refreshed = (sessionToken: string) =>
      app.send("POST", "/v1/auth/refresh", {
        json: { session_token: sessionToken },
      });
    const { access_token } = await expectJson(
      await refreshed(used.sessionToken),
      200,
    );
    await expectJson(
      await app.send("GET", "/v1/auth/profile", { token: access_token }),
      200,
    );
    await expectProblem(
      await refreshed(idle.sessionToken),
      "error.auth.session_token_invalid",
    );
    // From then on it is as idle as any other.
    app.clock.advance(sessionInactivityMs + DAY_MS);
    await expectProblem(
      await refreshed(used.sessionToken),
      "error.auth.session_token_invalid",
    );
  });
});
