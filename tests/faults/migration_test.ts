/**
 * The next release on a data directory of today's, as programs of their own:
 * its commands before it has brought the database to its schema, a kill while
 * it does, and the way back (moving/previous-release.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { freePort } from "../../src/server/free_port.ts";
import { expectDone, expectRefused } from "../support/ended.ts";
import { withNextRelease } from "../support/next_release.ts";
import {
  runProcess,
  startKillable,
  startProgram,
  withDataDir,
} from "../support/program.ts";
import { withReceiver } from "../support/targets.ts";
import { until } from "../support/until.ts";
import {
  contentOf,
  databaseOf,
  layOut,
  shapeOf,
} from "../support/data_directory.ts";
import { toSchemaOne } from "../support/schema_one.ts";
import { SCHEMA } from "../../src/store/sqlite/migrations.ts";

const MIGRATION = "create table of_the_next_release (number integer) strict";

/** One that comes to no end. */
const ENDLESS = `${MIGRATION};
  insert into of_the_next_release
    with recursive n (i) as (select 1 union all select i + 1 from n)
    select max(i) from n`;

const DISCOVERY = [
  "/v1/version",
  "/.well-known/service/server-info",
  "/.well-known/service/deprecation",
  "/.well-known/service/attestation-keys",
];

const COMMON = [
  "x-service-min-client-build",
  "x-service-protocol-min",
  "x-service-protocol-max",
];

/** A data directory of today's, with the settings of its server. */
async function withToday(
  test: (
    dataDir: string,
    settings: Record<string, string>,
    outside: string,
  ) => Promise<void>,
): Promise<void> {
  await withDataDir(async (outside) => {
    const dataDir = `${outside}/data`;
    await Deno.mkdir(dataDir);
    const { origin } = new URL(await layOut(dataDir));
    await test(dataDir, {
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_BASE_URL: origin,
    }, outside);
  });
}

Deno.test("a migration that is killed has changed nothing: today's program serves the database, and the next one brings it to its schema", async () => {
  await withToday(async (dataDir, settings) => {
    const path = databaseOf(dataDir);
    const before = shapeOf(path);
    await withNextRelease(ENDLESS, async ({ spawn }) => {
      const server = spawn(settings);
      try {
        await untilCopied(`${path}.before-${SCHEMA + 1}`, before);
      } finally {
        server.kill("SIGKILL");
        await server.status;
      }
    });
    assert.deepEqual(shapeOf(path), before);
    const today = await startProgram(settings);
    assert.equal(await today.stop(), 0, await today.complaint());
    assert.equal(shapeOf(path).version, SCHEMA);
    await withNextRelease(MIGRATION, async ({ serve }) => {
      const server = await serve(settings);
      assert.equal(await server.stop(), 0, await server.complaint());
    });
    assert.equal(shapeOf(path).version, SCHEMA + 1);
  });
});

Deno.test("a kill once blobs are counted otherwise, before that is committed, leaves a database of schema 1, which today's program brings to its schema and finds right", async () => {
  await withToday(async (dataDir, settings) => {
    const path = databaseOf(dataDir);
    const sqlite = new DatabaseSync(path);
    sqlite.exec(`update asset
      set state = 'deleted', deleted_at = 1000 * unixepoch()
      where asset_id = (select max(asset_id) from asset);
      update usage set live_assets = live_assets - 1`);
    const counted = sqlite.prepare("select * from usage").get();
    sqlite.close();
    await toSchemaOne(path);
    const older = new DatabaseSync(path);
    older.exec("update usage set used_bytes = 7, trash_bytes = 8");
    older.close();
    const before = contentOf(path);
    assert.equal(before.version, 1);
    await withNextRelease(ENDLESS, async ({ spawn }) => {
      const port = freePort();
      const server = spawn({
        ...settings,
        STRONGROOM_LISTEN: `127.0.0.1:${port}`,
      });
      try {
        await until(async () => {
          const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
            .catch(() => undefined);
          return (await answer?.json())?.migration?.step;
        }, SCHEMA);
      } finally {
        server.kill("SIGKILL");
        await server.status;
      }
    });
    assert.deepEqual(contentOf(path), before);
    const today = await startProgram(settings);
    assert.equal(await today.stop(), 0, await today.complaint());
    assert.equal(shapeOf(path).version, SCHEMA);
    const after = new DatabaseSync(path);
    assert.deepEqual(after.prepare("select * from usage").get(), counted);
    assert.deepEqual(
      after.prepare(
        `select distinct asset.state, in_use
          from holding join asset using (owner_id, asset_id)
          order by in_use`,
      ).all().map((row) => Object.values(row)),
      [["deleted", 0], ["live", 1]],
    );
    after.close();
    expectDone(await runProcess(["check", "--deep"], settings));
  });
});

Deno.test("a server that is told to stop while it migrates ends at once and cleanly, and the next start begins again", async () => {
  await withToday(async (dataDir, settings) => {
    const path = databaseOf(dataDir);
    const before = shapeOf(path);
    await withNextRelease(ENDLESS, async ({ spawn }) => {
      const server = spawn(settings);
      // One that waits for the end of its migration waits for ever.
      const late = setTimeout(() => server.kill("SIGKILL"), 60_000);
      try {
        await untilCopied(`${path}.before-${SCHEMA + 1}`, before);
      } finally {
        server.kill("SIGTERM");
        const { code, signal } = await server.status;
        clearTimeout(late);
        assert.deepEqual([code, signal], [0, null]);
      }
    });
    assert.deepEqual(shapeOf(path), before);
    await withNextRelease(MIGRATION, async ({ serve }) => {
      const server = await serve(settings);
      assert.equal(await server.stop(), 0, await server.complaint());
    });
    assert.equal(shapeOf(path).version, SCHEMA + 1);
  });
});

Deno.test("the operator gets a notice of a migration that is done", async () => {
  await withReceiver((receiver) =>
    withToday((_dataDir, settings) =>
      withNextRelease(MIGRATION, async ({ serve }) => {
        const server = await serve({
          ...settings,
          STRONGROOM_NOTIFY: `${receiver.origin}/hook`,
        });
        const [told] = await receiver.come(1);
        assert.equal(await server.stop(), 0, await server.complaint());
        const { event, facts } = JSON.parse(told?.body ?? "{}");
        assert.equal(event, "migrated");
        assert.deepEqual(facts, { from: SCHEMA, to: SCHEMA + 1 });
      })
    )
  );
});

Deno.test("while a migration runs, the server's addresses say what it does and how far it is, and nothing else; the server that follows serves there", async () => {
  await withDataDir(async (dataDir) => {
    const settings = { STRONGROOM_DATA_DIR: dataDir };
    const [main, metrics] = [freePort(), freePort()];
    const placed = {
      ...settings,
      STRONGROOM_LISTEN: `127.0.0.1:${main}`,
      STRONGROOM_METRICS_LISTEN: `127.0.0.1:${metrics}`,
    };
    const ask = (port: number, path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`);
    const discovered = () =>
      Promise.all(DISCOVERY.map(async (path) => {
        const answer = await ask(main, path);
        assert.equal(answer.status, 200, path);
        const seen = COMMON.map((name) => answer.headers.get(name));
        assert(!seen.includes(null), path);
        return [path, await answer.json(), ...seen];
      }));
    const today = await startProgram(placed);
    const before = await discovered();
    assert.equal(await today.stop(), 0, await today.complaint());
    await withNextRelease(ENDLESS, async ({ spawn }) => {
      const server = spawn(placed);
      try {
        const told = async () => {
          const answer = await ask(main, "/healthz").catch(() => undefined);
          if (answer === undefined) return undefined;
          assert.equal(answer.status, 200);
          return await answer.json();
        };
        await until(told, (said) => said?.migration.doing === "changing");
        const health = await told();
        const { seconds, ...migration } = health.migration;
        assert.equal(health.status, "migrating");
        assert(Number.isInteger(seconds) && seconds >= 0);
        assert.deepEqual(migration, {
          ...{ from: SCHEMA, to: SCHEMA + 1 },
          ...{ doing: "changing", step: 1, steps: 1 },
        });
        // Version and discovery answer as ever.
        assert.deepEqual(await discovered(), before);
        const list = await ask(main, "/.well-known/service/revoked-jti");
        assert.equal(list.status, 503);
        assert.equal(
          (await list.json()).code,
          "error.federation.revocations_unavailable",
        );
        for (const path of ["/", "/healthz", "/v1/albums", "/nowhere"]) {
          const answer = await ask(main, path);
          await answer.body?.cancel();
          for (const name of COMMON) assert(answer.headers.has(name), path);
        }
        const other = await ask(main, "/v1/auth/profile");
        assert.equal(other.status, 500);
        assert.equal(other.headers.get("retry-after"), "10");
        const { code, detail } = await other.json();
        assert.equal(code, "error.storage.unavailable");
        assert.match(detail, /^The server is being upgraded: it /);
        const page = await fetch(`http://127.0.0.1:${main}/`, {
          headers: { "Accept": "text/html" },
        });
        assert.equal(page.status, 503);
        assert.match(await page.text(), /^The server is being upgraded: it /);
        const live = await ask(metrics, "/healthz");
        assert.equal(live.status, 200);
        assert.match(await live.text(), /changes its database, step 1 of 1\n$/);
        const ready = await ask(metrics, "/readyz");
        assert.equal(ready.status, 503);
        await ready.body?.cancel();
      } finally {
        server.kill("SIGKILL");
        await server.status;
      }
    });
    await withNextRelease(MIGRATION, async ({ spawn }) => {
      const server = spawn(placed);
      try {
        await until(async () => {
          const answer = await ask(main, "/healthz").catch(() => undefined);
          return (await answer?.json())?.status;
        }, "ok");
        const ready = await ask(metrics, "/readyz");
        assert.equal(ready.status, 200);
        await ready.body?.cancel();
      } finally {
        server.kill("SIGTERM");
        assert.equal((await server.status).code, 0);
      }
    });
    assert.equal(shapeOf(databaseOf(dataDir)).version, SCHEMA + 1);
  });
});

Deno.test("today's program refuses the database of the next release, and goes back to the copy that this left", async () => {
  await withToday(async (dataDir, settings) => {
    const before = shapeOf(databaseOf(dataDir));
    await withNextRelease(MIGRATION, async ({ serve }) => {
      const server = await serve(settings);
      assert.equal(await server.stop(), 0, await server.complaint());
    });
    const refused = await startKillable(settings);
    assert.equal(await refused.exited, 1);
    assert.match(await refused.complaint(), /`strongroom rollback`/);
    expectDone(await runProcess(["rollback", "--yes"], settings));
    assert.deepEqual(shapeOf(databaseOf(dataDir)), before);
    const server = await startProgram(settings);
    assert.equal(await server.stop(), 0, await server.complaint());
    expectDone(await runProcess(["check", "--deep"], settings));
  });
});

Deno.test("before its first start the next release backs the older database up as it is, restores it, and says what is to be done", async () => {
  await withToday(async (dataDir, settings, outside) => {
    await withNextRelease(MIGRATION, async ({ run }) => {
      const before = shapeOf(databaseOf(dataDir));
      const secret = { STRONGROOM_BACKUP_PASSPHRASE: "a long passphrase" };
      for (const place of [`${outside}/backup`, `file://${outside}/off`]) {
        const own = { ...settings, ...secret };
        expectDone(await run(["backup", place], own));
        expectDone(await run(["backup", "verify", place], own));
        const restored = `${outside}/restored-${place.length}`;
        expectDone(
          await run(["restore", place, "--data-dir", restored], secret),
        );
        expectDone(
          await run(["check", "--deep", "--data-dir", restored]),
        );
      }
      assert.deepEqual(shapeOf(databaseOf(dataDir)), before);
      expectRefused(
        await run(["peer", "list"], settings),
        /start this program's server once/,
      );
      const { stdout } = await run(["doctor"], settings);
      assert.match(
        stdout,
        /^warning +database: schema \d+, and this program has \d+\n.*start this program's server once/m,
      );
    });
    // What it backed up is still a database of today's.
    expectDone(await runProcess(["backup", "verify", `${outside}/backup`]));
  });
});

/** Waits for the copy, after which the migration begins. */
async function untilCopied(
  copy: string,
  before: ReturnType<typeof shapeOf>,
): Promise<void> {
  const giveUpAt = performance.now() + 120_000;
  while (!isWhole(copy, before)) {
    assert(performance.now() < giveUpAt, `${copy} never came`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isWhole(copy: string, before: ReturnType<typeof shapeOf>): boolean {
  try {
    return shapeOf(copy).objects.length === before.objects.length;
  } catch {
    return false;
  }
}
