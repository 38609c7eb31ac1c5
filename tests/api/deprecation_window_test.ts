/**
 * An announced cutoff from its announcement to its end, as clients see it
 * (protocol/transport.md#deprecation).
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  announceDeprecation,
  withdrawDeprecation,
} from "../../src/features/deprecations/deprecations.ts";
import type { Db } from "../../src/store/sqlite/database.ts";
import { openBesideServer } from "../../src/store/store.ts";
import { START_MS, type TestApp, withTestApp } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { PASSWORD } from "../support/people.ts";

const HOUR_MS = 3_600_000;
const CUTOFF_MS = START_MS + 48 * HOUR_MS;
const CUTOFF = new Date(CUTOFF_MS).toISOString();
const OLD = "2026-08-15";
const MIN = "2026-10-01";
const LINK = '</.well-known/service/deprecation>; rel="deprecation"';
const DETAILS = "https://photos.example/upgrade";

async function withOperator(
  test: (app: TestApp, beside: Db) => Promise<void>,
): Promise<void> {
  await withTestApp(async (app) => {
    const beside = await openBesideServer(app.dataDir);
    try {
      await test(app, beside);
    } finally {
      await beside.destroy();
    }
  });
}

let people = 0;

/** A write by a client of that date. */
function write(app: TestApp, protocol: string): Promise<Response> {
  const address = `client${people++}@example.org`;
  return app.send("POST", "/v1/auth/register", {
    protocol,
    json: { address, password: PASSWORD },
  });
}

function warningOf({ headers }: Response) {
  return {
    deprecation: headers.get("deprecation"),
    sunset: headers.get("sunset"),
    link: headers.get("link"),
  };
}

const NONE = { deprecation: null, sunset: null, link: null };
const WARNING = {
  deprecation: `@${START_MS / 1_000}`,
  sunset: new Date(CUTOFF_MS).toUTCString(),
  link: LINK,
};

Deno.test("a cutoff is warned of until it comes, and refuses from then on", async () => {
  await withOperator(async (app, beside) => {
    const first = await write(app, OLD);
    assert.deepEqual(warningOf(first), NONE);
    await expectJson(first, 200);

    await announceDeprecation(beside, {
      min: MIN,
      cutoff: CUTOFF,
      detailUrl: DETAILS,
    }, app.clock.now);
    for (const at of [START_MS, CUTOFF_MS - 1]) {
      app.clock.now = at;
      const old = await write(app, OLD);
      assert.deepEqual(warningOf(old), WARNING);
      assert.equal(old.headers.get("x-service-protocol-min"), "2026-06-01");
      await expectJson(old, 200);
      const young = await write(app, MIN);
      assert.deepEqual(warningOf(young), NONE);
      await expectJson(young, 200);
    }

    app.clock.now = CUTOFF_MS;
    const late = await write(app, OLD);
    assert.equal(late.headers.get("link"), LINK);
    assert.equal(late.headers.get("x-service-protocol-min"), MIN);
    const problem = await expectProblem(
      late,
      "error.handshake.protocol_unsupported",
    );
    assert.equal(problem.protocol_min, MIN);
    assert.equal(problem.protocol_max, "2026-11-01");
    await expectJson(await write(app, MIN), 200);
  });
});

Deno.test("the record and server-info have the announcement, a restart too, until it is withdrawn", async () => {
  await withOperator(async (app, beside) => {
    const announced = [{
      min_protocol_version: MIN,
      announced_at: new Date(START_MS).toISOString(),
      cutoff: CUTOFF,
      detail_url: DETAILS,
    }, {
      min_protocol_version: "2026-07-01",
      announced_at: new Date(START_MS + 5).toISOString(),
      cutoff: CUTOFF,
      detail_url: null,
    }];
    const expectAnnounced = async (one: TestApp, list: unknown) => {
      const read = async (name: string) =>
        await expectJson(
          await one.send("GET", `/.well-known/service/${name}`),
          200,
        );
      assert.deepEqual(await read("deprecation"), { announcements: list });
      assert.deepEqual((await read("server-info")).deprecations, list);
    };
    for (const one of announced) {
      await announceDeprecation(beside, {
        min: one.min_protocol_version,
        cutoff: one.cutoff,
        detailUrl: one.detail_url ?? undefined,
      }, Date.parse(one.announced_at));
    }
    await expectAnnounced(app, announced);
    const again = await app.reopen();
    await expectAnnounced(again, announced);
    again.clock.now = CUTOFF_MS;
    const info = await expectJson(
      await again.send("GET", "/.well-known/service/server-info"),
      200,
    );
    assert.deepEqual(info.protocol_version, { min: MIN, max: "2026-11-01" });
    await expectProblem(
      await write(again, OLD),
      "error.handshake.protocol_unsupported",
    );
    await withdrawDeprecation(beside, MIN);
    const answer = await write(again, OLD);
    assert.deepEqual(warningOf(answer), NONE);
    await expectJson(answer, 200);
    await expectAnnounced(again, announced.slice(1));
  });
});
