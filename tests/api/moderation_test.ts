/**
 * The moderation record, and what the operator may do (protocol/moderation.md;
 * accounts-and-moderation.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { attachDatabase } from "../../src/store/sqlite/database.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { START_MS, type TestApp } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import {
  actionsOf,
  type Command,
  expectFault,
  operate,
  recordOf,
} from "../support/moderation.ts";
import {
  createAsset,
  type Person,
  registerPerson,
  registerWriter,
  uuidOf,
} from "../support/people.ts";
import { readFeed } from "../support/albums.ts";
import { readAsset, withFaultlessApp } from "../support/api.ts";

const AT = (ms: number) => new Date(START_MS + ms).toISOString();

function withPerson(
  test: (app: TestApp, ada: Person) => Promise<void>,
): Promise<void> {
  return withFaultlessApp(async (app) => {
    await test(app, await registerPerson(app, "ada"));
  });
}

function withAsset(
  test: (app: TestApp, ada: Person, assetId: string) => Promise<void>,
): Promise<void> {
  return withFaultlessApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    await test(app, ada, (await createAsset(app, ada, "photo")).assetId);
  });
}

Deno.test("the record of an active account is active and has no events", async () => {
  await withPerson(async (app, ada) => {
    assert.deepEqual(await recordOf(app, ada), {
      standing: "active",
      events: [],
    });
  });
});

Deno.test("a suspension is in the record with its time and its reason", async () => {
  await withPerson(async (app, ada) => {
    app.clock.advance(5_000);
    await operate(app, "suspend", ada.userId, "  it was reported \n");
    app.clock.advance(5_000);
    assert.deepEqual(await recordOf(app, ada), {
      standing: "suspended",
      suspended_since: AT(5_000),
      events: [
        { action: "suspended", at: AT(5_000), reason: "it was reported" },
      ],
    });
  });
});

Deno.test("a reinstatement does not erase the suspension it lifted", async () => {
  await withPerson(async (app, ada) => {
    await operate(app, "suspend", ada.userId, "first");
    app.clock.advance(1_000);
    await operate(app, "reinstateAccount", ada.userId);
    const events = [
      { action: "suspended", at: AT(0), reason: "first" },
      { action: "reinstated", at: AT(1_000) },
    ];
    assert.deepEqual(await recordOf(app, ada), { standing: "active", events });
    app.clock.advance(1_000);
    await operate(app, "suspend", ada.userId);
    assert.deepEqual(await recordOf(app, ada), {
      standing: "suspended",
      suspended_since: AT(2_000),
      events: [...events, { action: "suspended", at: AT(2_000) }],
    });
  });
});

Deno.test("a reason is absent if the operator gave none", async () => {
  await withPerson(async (app, ada) => {
    for (const reason of [undefined, "", " \t\n"]) {
      await operate(app, "suspend", ada.userId, reason);
      await operate(app, "reinstateAccount", ada.userId, reason);
    }
    const { events } = await recordOf(app, ada);
    assert.equal(events.length, 6);
    for (const event of events) {
      assert.deepEqual(Object.keys(event), ["action", "at"]);
    }
  });
});

Deno.test("events about an asset name it, and are its owner's", async () => {
  await withAsset(async (app, ada, asset_id) => {
    const bob = await registerPerson(app, "bob");
    for (
      const command of [
        "takeDown",
        "hold",
        "reinstate",
        "release",
      ] as const
    ) await operate(app, command, asset_id, `to ${command}`);
    assert.deepEqual(await recordOf(app, ada), {
      standing: "active",
      events: [
        ["taken_down", "takeDown"],
        ["legal_hold", "hold"],
        ["reinstated", "reinstate"],
        ["hold_lifted", "release"],
      ].map(([action, command]) => ({
        action,
        asset_id,
        at: AT(0),
        reason: `to ${command}`,
      })),
    });
    assert.deepEqual((await recordOf(app, bob)).events, []);
  });
});

Deno.test("events stand oldest first, in the order in which they were done", async () => {
  await withAsset(async (app, ada, assetId) => {
    await operate(app, "takeDown", assetId);
    // The clock was set back.
    app.clock.advance(-60_000);
    await operate(app, "suspend", ada.userId);
    await operate(app, "reinstate", assetId);
    assert.deepEqual(await actionsOf(app, ada), [
      "taken_down",
      "suspended",
      "reinstated",
    ]);
  });
});

Deno.test("the record is for the caller alone", async () => {
  await withPerson(async (app) => {
    await expectProblem(
      await app.send("GET", "/v1/moderation/record"),
      "error.auth.token_missing",
    );
  });
});

Deno.test("an account is named by its id or its address, however that is written", async () => {
  await withPerson(async (app, ada) => {
    await operate(app, "suspend", ada.address.toUpperCase());
    await operate(app, "reinstateAccount", ada.address);
    await operate(app, "suspend", ada.userId);
    assert.equal((await recordOf(app, ada)).events.length, 3);
  });
});

Deno.test("what is so already is refused, and leaves no event", async () => {
  await withAsset(async (app, ada, assetId) => {
    const pairs: [Command, Command, string, RegExp][] = [
      ["suspend", "reinstateAccount", ada.userId, /already suspended/],
      ["takeDown", "reinstate", assetId, /already taken down/],
      ["hold", "release", assetId, /already under legal hold/],
    ];
    for (const [lay, lift, what, already] of pairs) {
      const before = (await actionsOf(app, ada)).length;
      await expectFault(operate(app, lift, what), /is not/);
      await operate(app, lay, what);
      await expectFault(operate(app, lay, what, "again"), already);
      await operate(app, lift, what);
      await expectFault(operate(app, lift, what), /is not/);
      assert.equal((await actionsOf(app, ada)).length, before + 2);
    }
  });
});

Deno.test("an unknown account or asset is refused", async () => {
  await withAsset(async (app) => {
    for (
      const nobody of [
        uuidOf("nobody"),
        "nobody@example.org",
        "",
        "%",
        "ada",
        "\ud800",
        "'; drop table account; --",
      ]
    ) {
      for (const command of ["suspend", "reinstateAccount"] as const) {
        await expectFault(operate(app, command, nobody), /no account/);
      }
    }
    const commands = ["takeDown", "reinstate", "hold", "release"] as const;
    for (const command of commands) {
      await expectFault(
        operate(app, command, uuidOf("no asset")),
        /there is no asset/,
      );
      for (const text of ["", "photo", uuidOf("x").toUpperCase(), "\u0000"]) {
        await expectFault(operate(app, command, text), /is not an asset id/);
      }
    }
    assert.deepEqual(
      await app.app.db.selectFrom("moderation_event").selectAll().execute(),
      [],
    );
  });
});

Deno.test("a reason of more than 2,000 characters, or no text, is refused and does nothing", async () => {
  await withAsset(async (app, ada, assetId) => {
    for (const reason of ["x".repeat(2_001), "\ud800"]) {
      await expectFault(
        operate(app, "suspend", ada.userId, reason),
        /the reason/,
      );
      await expectFault(
        operate(app, "takeDown", assetId, reason),
        /the reason/,
      );
    }
    await readAsset(app, ada, assetId);
    const longest = "\u{1f512}".repeat(2_000);
    await operate(app, "suspend", ada.userId, longest);
    const { events } = await recordOf(app, ada);
    assert.deepEqual(events, [
      { action: "suspended", at: AT(0), reason: longest },
    ]);
  });
});

Deno.test("an act that fails half way has done nothing", async () => {
  await withAsset(async (app, ada, assetId) => {
    const before = await readFeed(app, ada.token);
    const other = openSqlite(`${app.dataDir}/db/strongroom.sqlite`);
    other.exec(`create trigger broken before insert on moderation_event
      begin select raise(abort, 'broken'); end`);
    await assert.rejects(operate(app, "suspend", ada.userId), /broken/);
    await assert.rejects(operate(app, "takeDown", assetId), /broken/);
    await assert.rejects(operate(app, "hold", assetId), /broken/);
    other.exec("drop trigger broken");
    other.close();
    assert.equal((await recordOf(app, ada)).standing, "active");
    await readAsset(app, ada, assetId);
    assert.deepEqual(await readFeed(app, ada.token), before);
    await expectFault(operate(app, "release", assetId), /is not/);
  });
});

Deno.test("of suspensions at the same time one is done, and so of reinstatements", async () => {
  await withPerson(async (app, ada) => {
    for (let round = 0; round < 3; round++) {
      for (const command of ["suspend", "reinstateAccount"] as const) {
        const outcomes = await Promise.allSettled(
          Array.from({ length: 8 }, () => operate(app, command, ada.userId)),
        );
        assert.equal(
          outcomes.filter(({ status }) => status === "fulfilled").length,
          1,
        );
      }
    }
    assert.deepEqual(
      await actionsOf(app, ada),
      Array.from({ length: 3 }, () => ["suspended", "reinstated"]).flat(),
    );
  });
});

Deno.test("suspending and reinstating at the same time leaves a record that agrees with the standing", async () => {
  await withPerson(async (app, ada) => {
    const read = recordOf.bind(undefined, app, ada);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const command = n % 3 === 0 ? "reinstateAccount" : "suspend";
        await operate(app, command, ada.userId).catch(() => undefined);
        return await read();
      }),
    );
    for (const { standing, events } of outcomes) {
      const last = events.at(-1)?.action ?? "reinstated";
      assert.equal(standing, last === "suspended" ? "suspended" : "active");
    }
    // Never the same twice in a row.
    const actions = await actionsOf(app, ada);
    for (const [n, action] of actions.entries()) {
      assert.equal(action, n % 2 === 0 ? "suspended" : "reinstated");
    }
  });
});

Deno.test("what another process does is in force from the next request on", async () => {
  await withAsset(async (app, ada, assetId) => {
    const db = attachDatabase(`${app.dataDir}/db/strongroom.sqlite`);
    await operate(app, "takeDown", assetId, "by hand", db);
    await expectProblem(
      await app.send("GET", `/v1/assets/${assetId}`, { token: ada.token }),
      "error.asset.not_found",
    );
    await operate(app, "suspend", ada.address, "by hand", db);
    await expectProblem(
      await app.send("PATCH", "/v1/auth/profile", {
        token: ada.token,
        json: { display_name: "Ada" },
      }),
      "error.account.suspended",
    );
    await operate(app, "reinstateAccount", ada.address, "by hand", db);
    await operate(app, "reinstate", assetId, "by hand", db);
    await db.destroy();
    await readAsset(app, ada, assetId);
    assert.equal((await recordOf(app, ada)).events.length, 4);
  });
});

Deno.test("record, suspension and take-down survive a restart", async () => {
  await withAsset(async (app, ada, assetId) => {
    await operate(app, "takeDown", assetId, "for good");
    await operate(app, "suspend", ada.userId);
    const before = await recordOf(app, ada);
    const again = await app.reopen();
    assert.deepEqual(await recordOf(again, ada), before);
    await expectProblem(
      await again.send("GET", `/v1/assets/${assetId}`, { token: ada.token }),
      "error.asset.not_found",
    );
    await expectProblem(
      await again.send("POST", "/v1/shares", { token: ada.token, json: {} }),
      "error.account.suspended",
    );
  });
});

Deno.test("an accepted report changes no standing and stands in no record", async () => {
  await withAsset(async (app, ada, assetId) => {
    await app.app.db.insertInto("federated_report").values({
      report_id: uuidOf("report") as never,
      reporting_server: "https://peer.example",
      reported_user: ada.userId,
      asset_hash: "0".repeat(64),
      album_id: uuidOf("album"),
      reason: "reported",
      reported_at: AT(0),
      received_at: START_MS,
    }).execute();
    assert.deepEqual(await recordOf(app, ada), {
      standing: "active",
      events: [],
    });
    await readAsset(app, ada, assetId);
  });
});

Deno.test("a legal hold shows in nothing but the record", async () => {
  await withAsset(async (app, ada, assetId) => {
    const seen = async () => [
      await readAsset(app, ada, assetId),
      await readFeed(app, ada.token),
      await expectJson(
        await app.send("GET", `/v1/assets/${assetId}/receipts`, {
          token: ada.token,
        }),
        200,
      ),
    ];
    const before = await seen();
    await operate(app, "hold", assetId);
    assert.deepEqual(await seen(), before);
    assert.deepEqual(await actionsOf(app, ada), ["legal_hold"]);
    await operate(app, "release", assetId);
    assert.deepEqual(await seen(), before);
  });
});
