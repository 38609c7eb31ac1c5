/**
 * The operator's operations (protocol/operators.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import type { UserId } from "../../src/core/ids.ts";
import {
  listActs,
  nameOperator,
} from "../../src/features/operators/operators.ts";
import { ROUTES } from "../../src/routes.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import {
  expectEmpty,
  expectJson,
  expectProblem,
  type Json,
} from "../support/expect.ts";
import { PASSWORD, type Person, registerPerson } from "../support/people.ts";
import {
  type OperatorPerson,
  present,
  registerOperator,
} from "../support/operators.ts";
import { login, verify } from "../support/second_factor.ts";

const NOT_PRESENTED = "error.auth.reauthentication_required";
const UNKNOWN = "error.request.route_unknown";
const MINUTE = 60_000;

/** One request of each operation about a person. */
function requests(person: Person): [string, string, Json?][] {
  const of = `/v1/operator/people/${person.userId}`;
  return [
    ["GET", "/v1/operator/overview"],
    ["GET", "/v1/operator/people"],
    ["GET", "/v1/operator/invitations"],
    ["POST", "/v1/operator/invitations", { days: 7 }],
    ["DELETE", `/v1/operator/invitations/${person.userId}`],
    ["PUT", `${of}/quota`, { quota_bytes: 5_000 }],
    ["PUT", `${of}/suspension`, { suspended: false }],
    ["DELETE", `${of}/sessions`],
  ];
}

function sendAll(
  app: TestApp,
  token: string | undefined,
  person: Person,
): Promise<Response[]> {
  return Promise.all(
    requests(person).map(([method, path, json]) =>
      app.send(method, path, {
        ...token === undefined ? {} : { token },
        ...json === undefined ? {} : { json },
      })
    ),
  );
}

/** Asks as an operator and expects a body. */
function ask(app: TestApp, operator: OperatorPerson) {
  return async (method: string, path: string, json?: Json): Promise<Json> =>
    await expectJson(
      await app.send(method, path, {
        token: operator.token,
        ...json === undefined ? {} : { json },
      }),
      200,
    );
}

async function acts({ app }: TestApp): Promise<Json[]> {
  return (await Array.fromAsync(listActs(app.db))).flat();
}

Deno.test("the tests know every operation of operators", () => {
  const asked = requests({ userId: "{user_id}" } as never)
    .map(([method, path]) =>
      `${method} ${
        path.replace("invitations/{user_id}", "invitations/{invitation_id}")
      }`
    );
  assert.deepEqual(
    ROUTES.flatMap(({ spec }) =>
      spec.forOperators ? [`${spec.method} ${spec.path}`] : []
    ).filter((name) => !name.endsWith("/presentation")).toSorted(),
    asked.toSorted(),
  );
});

Deno.test("an operator who presented the second factor does everything, for ten minutes", async () => {
  await withTestApp(async (app) => {
    const ada = await registerOperator(app, "ada");
    const bob = await registerPerson(app, "bob");
    for (const answer of await sendAll(app, ada.token, bob)) {
      await expectProblem(answer, NOT_PRESENTED);
    }
    assert.deepEqual(await acts(app), []);
    await present(app, ada);
    app.clock.advance(10 * MINUTE - 1);
    for (const answer of await sendAll(app, ada.token, bob)) {
      assert([200, 204].includes(answer.status), String(answer.status));
      await answer.body?.cancel();
    }
    app.clock.advance(1);
    const [answer] = await sendAll(app, ada.token, bob);
    assert(answer !== undefined);
    await expectProblem(answer, NOT_PRESENTED);
  });
});

Deno.test("signing in with a code counts as a presentation, and the password alone does not", async () => {
  await withTestApp(async (app) => {
    const ada = await registerOperator(app, "ada");
    await expectJson(
      await app.send("POST", "/v1/auth/reauthenticate", {
        token: ada.token,
        json: { password: PASSWORD },
      }),
      200,
    );
    const overview = (token: string) =>
      app.send("GET", "/v1/operator/overview", { token });
    await expectProblem(await overview(ada.token), NOT_PRESENTED);
    const { challenge_id } = await expectJson(await login(app, ada), 202);
    const { access_token } = await expectJson(
      await verify(app, challenge_id, ada.authenticator.code()),
      200,
    );
    await expectJson(await overview(access_token), 200);
    await expectProblem(await overview(ada.token), NOT_PRESENTED);
  });
});

Deno.test("a wrong password, a wrong code and a used one are refused and counted", async () => {
  await withTestApp(async (app) => {
    const ada = await registerOperator(app, "ada");
    const given = (password: string, code: string) =>
      app.send("POST", "/v1/operator/presentation", {
        token: ada.token,
        json: { password, code },
      });
    const code = ada.authenticator.code();
    await expectProblem(
      await given("not the password", code),
      "error.auth.password_incorrect",
    );
    await expectJson(await given(PASSWORD, code), 200);
    for (const wrong of [code, "000000", "x", "", "1"]) {
      await expectProblem(
        await given(PASSWORD, wrong),
        "error.auth.second_factor_code_refused",
      );
    }
    await expectProblem(
      await given(PASSWORD, ada.authenticator.code(1)),
      "error.auth.second_factor_attempts_exhausted",
    );
  });
});

Deno.test("without a second factor the page stays shut", async () => {
  await withTestApp(async (app) => {
    const ada = await registerPerson(app, "ada");
    await nameOperator(app.app.db, ada.userId, true, app.clock.now);
    await expectProblem(
      await app.send("POST", "/v1/operator/presentation", {
        token: ada.token,
        json: { password: PASSWORD, code: "123456" },
      }),
      "error.auth.second_factor_not_confirmed",
    );
    await expectProblem(
      await app.send("GET", "/v1/operator/overview", { token: ada.token }),
      NOT_PRESENTED,
    );
  });
});

Deno.test("to persons, suspended operators, former ones and strangers the paths are unknown", async () => {
  await withTestApp(async (app) => {
    const ada = await registerOperator(app, "ada");
    const bob = await registerPerson(app, "bob");
    const expectUnknown = async (token: string | undefined) => {
      for (const answer of await sendAll(app, token, bob)) {
        await expectProblem(answer, UNKNOWN);
      }
    };
    await expectUnknown(bob.token);
    await expectUnknown(undefined);
    await expectUnknown("nonsense");
    await present(app, ada);
    const { db } = app.app;
    const suspended_at = (at: number | null) =>
      db.updateTable("account").set({ suspended_at: at })
        .where("user_id", "=", ada.userId as UserId).execute();
    await suspended_at(app.clock.now);
    await expectUnknown(ada.token);
    await suspended_at(null);
    const profile = async () =>
      (await expectJson(
        await app.send("GET", "/v1/auth/profile", { token: ada.token }),
        200,
      )).is_operator;
    assert.equal(await profile(), true);
    await nameOperator(db, ada.userId, false, app.clock.now);
    await expectUnknown(ada.token);
    assert.equal(await profile(), undefined);
    assert.deepEqual(await acts(app), []);
  });
  await withTestApp(async (app) => {
    const ada = await registerOperator(app, "ada");
    for (const answer of await sendAll(app, ada.token, ada)) {
      await expectProblem(answer, UNKNOWN);
    }
  }, { settings: { STRONGROOM_OPERATOR_PAGE: "off" } });
});

Deno.test("acts do what commands do, and each is written down with who and whom", async () => {
  await withTestApp(async (app) => {
    const ada = await registerOperator(app, "ada");
    const bob = await registerPerson(app, "bob");
    await present(app, ada);
    const asked = ask(app, ada);
    const of = `/v1/operator/people/${bob.userId}`;
    const put = async (path: string, json: Json) =>
      await expectEmpty(
        await app.send("PUT", path, { token: ada.token, json }),
        204,
      );
    const seen = async (): Promise<Json> =>
      (await asked("GET", "/v1/operator/people")).people
        .find((one: Json) => one.user_id === bob.userId);

    await put(`${of}/quota`, { quota_bytes: 5_000 });
    assert.equal((await seen()).quota_bytes, 5_000);
    await put(`${of}/quota`, { quota_bytes: null });
    assert.equal("quota_bytes" in await seen(), false);
    await put(`${of}/quota`, { quota_bytes: "default" });
    assert.equal((await seen()).quota_is_default, true);

    await put(`${of}/suspension`, { suspended: true, reason: "spam" });
    await put(`${of}/suspension`, { suspended: true });
    assert.equal(typeof (await seen()).suspended_at, "string");
    await put(`${of}/suspension`, { suspended: false });
    assert.equal("suspended_at" in await seen(), false);

    const made = await asked("POST", "/v1/operator/invitations", { days: 3 });
    assert.match(made.link, /\/#\/invited\/[A-Za-z0-9_-]{22}$/);
    assert.equal(made.mailed, false);
    const id = made.invitation_id;
    const invited = async () =>
      (await asked("GET", "/v1/operator/invitations")).invitations;
    assert.equal((await invited())[0].invitation_id, id);
    await expectEmpty(
      await app.send("DELETE", `/v1/operator/invitations/${id}`, {
        token: ada.token,
      }),
      204,
    );
    assert.deepEqual(await invited(), []);

    const { closed_sessions } = await asked("DELETE", `${of}/sessions`);
    assert.equal(closed_sessions, 1);
    const written = await acts(app);
    assert.deepEqual(
      written.map(({ act, subject, detail }) => [act, subject, detail]),
      [
        ["quota", "bob@example.org", "5000"],
        ["quota", "bob@example.org", "none"],
        ["quota", "bob@example.org", "default"],
        ["suspend", "bob@example.org", "spam"],
        ["reinstate", "bob@example.org", null],
        ["invite", null, null],
        ["uninvite", null, null],
        ["sign-out", "bob@example.org", null],
      ],
    );
    assert(written.every(({ operator }) => operator === "ada@example.org"));
    const lines = app.logged.filter(({ message }) =>
      message === "an operator acted"
    );
    assert.equal(lines.length, written.length);
    assert.doesNotMatch(JSON.stringify(lines), /example\.org|spam/);
  });
});

Deno.test("an unknown account, or one without a password, is not found, and nothing is recorded", async () => {
  await withTestApp(async (app) => {
    const ada = await registerOperator(app, "ada");
    await present(app, ada);
    const nobody = "3f1c1f0e-7d0c-4d0a-9c8c-0b7f5a0f6a51";
    for (
      const [method, path, json] of requests({ userId: nobody } as never)
        .filter(([, path]) => path.includes("/people/"))
    ) {
      await expectProblem(
        await app.send(method, path, {
          token: ada.token,
          ...json === undefined ? {} : { json },
        }),
        "error.user.not_found",
      );
    }
    assert.deepEqual(await acts(app), []);
  });
});

Deno.test("the overview tells of room, a backup and the targets of notices", async () => {
  await withTestApp(async (app) => {
    const ada = await registerOperator(app, "ada");
    await present(app, ada);
    const overview = await ask(app, ada)("GET", "/v1/operator/overview");
    assert.equal(overview.accounts, 1);
    assert.equal(overview.mail, false);
    assert.equal("backup" in overview, false);
    assert(overview.room.free_bytes > 0);
    assert.deepEqual(overview.notices.map(({ target }: Json) => target), [
      "ntfy at ntfy.example.org",
    ]);
    assert.doesNotMatch(JSON.stringify(overview), /secret-topic/);
  }, {
    settings: {
      STRONGROOM_NOTIFY: "ntfy+https://ntfy.example.org/secret-topic",
    },
  });
});

Deno.test("of two suspensions at the same moment one is written down, and both are answered alike", async () => {
  await withTestApp(async (app) => {
    const ada = await registerOperator(app, "ada");
    const bob = await registerPerson(app, "bob");
    await present(app, ada);
    const suspend = () =>
      app.send("PUT", `/v1/operator/people/${bob.userId}/suspension`, {
        token: ada.token,
        json: { suspended: true },
      });
    for (const answer of await Promise.all([suspend(), suspend()])) {
      await expectEmpty(answer, 204);
    }
    assert.deepEqual((await acts(app)).map(({ act }) => act), ["suspend"]);
  });
});
