import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import {
  change,
  type Db,
  serveDatabase,
  type ServedDatabase,
  transaction,
  type Tx,
} from "../../src/store/sqlite/database.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { WriterLost } from "../../src/store/sqlite/writer.ts";
import { withTestApp, yieldToEventLoop } from "../support/app.ts";
import { expectJson, expectProblem } from "../support/expect.ts";
import { ciphertext, createUpload, registerWriter } from "../support/people.ts";
import { withDataDir } from "../support/program.ts";

interface Table {
  readonly x: number;
}

async function withServed(
  test: (served: ServedDatabase, path: string) => Promise<void>,
): Promise<void> {
  await withDataDir(async (dir) => {
    const path = `${dir}/a.sqlite`;
    const served = await serveDatabase(path, "epoch");
    try {
      await sql`create table t (x integer primary key) strict`
        .execute(served.db);
      await test(served, path);
    } finally {
      await served.db.destroy();
    }
  });
}

function insert(db: Db, x: number) {
  return sql`insert into t values (${x})`.execute(db);
}

async function held(db: Db): Promise<number[]> {
  const { rows } = await sql<Table>`select x from t order by x`.execute(db);
  return rows.map(({ x }) => x);
}

Deno.test("no read waits for another's write", async () => {
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    using other = openSqlite(`${app.dataDir}/db/strongroom.sqlite`);
    other.exec("begin immediate");
    let isCreated = false;
    const creating = createUpload(app, ada, ciphertext("later", 100))
      .finally(() => isCreated = true);
    const profile = () =>
      app.send("GET", "/v1/auth/profile", { token: ada.token });
    for (let n = 0; n < 20; n++) await expectJson(await profile(), 200);
    assert.equal(isCreated, false);
    other.exec("rollback");
    await creating;
  });
});

Deno.test("only the transaction itself sees what it has written before it is committed", async () => {
  await withServed(async ({ db }) => {
    await transaction(db, async (tx) => {
      await insert(tx, 1);
      assert.deepEqual(await held(tx), [1]);
      assert.deepEqual(await held(db), []);
    });
    assert.deepEqual(await held(db), [1]);
    const thrown = new Error("not this time");
    await assert.rejects(
      transaction(db, async (tx) => {
        await insert(tx, 2);
        throw thrown;
      }),
      thrown,
    );
    assert.deepEqual(await held(db), [1]);
  });
});

Deno.test("transactions and single writes have their turn in the order in which they asked", async () => {
  await withServed(async ({ db }) => {
    const done: number[] = [];
    const slow = transaction(db, async (tx) => {
      for (let n = 0; n < 50; n++) await insert(tx, 100 + n);
    }).then(() => done.push(1));
    const single = insert(db, 1).then(() => done.push(2));
    const last = transaction(db, async (tx) => {
      assert.equal((await held(tx)).length, 51);
    }).then(() => done.push(3));
    await Promise.all([slow, single, last]);
    assert.deepEqual(done, [1, 2, 3]);
  });
});

Deno.test("an error of the writer's keeps what SQLite said of it", async () => {
  await withServed(async ({ db }) => {
    await insert(db, 1);
    const refused = {
      code: "ERR_SQLITE_ERROR",
      errcode: 1555,
      errstr: "constraint failed",
      message: "UNIQUE constraint failed: t.x",
    };
    await assert.rejects(insert(db, 1), refused);
    await assert.rejects(transaction(db, (tx) => insert(tx, 1)), refused);
    await assert.rejects(sql`insert into nowhere values (1)`.execute(db), {
      errcode: 1,
      message: "no such table: nowhere",
    });
    assert.deepEqual(await held(db), [1]);
  });
});

Deno.test("a transaction that cannot begin fails as a whole, and nothing of it is written", async () => {
  await withServed(async ({ db }, path) => {
    await sql`pragma busy_timeout = 50`.execute(db);
    const other = openSqlite(path);
    other.exec("begin immediate");
    await assert.rejects(
      transaction(db, async (tx) => {
        await insert(tx, 1).catch(() => undefined);
        await insert(tx, 2);
      }),
      { errcode: 5 },
    );
    other.close();
    assert.deepEqual(await held(db), []);
    await insert(db, 3);
    assert.deepEqual(await held(db), [3]);
  });
});

Deno.test("a change without a waiter makes the next one fail, at the latest the commit", async () => {
  await withServed(async ({ db }) => {
    await insert(db, 1);
    const made = (tx: Tx, x: number) =>
      change(tx, {
        compile: () => sql`insert into t values (${x})`.compile(tx),
      });
    const refused = { errcode: 1555, message: "UNIQUE constraint failed: t.x" };
    await assert.rejects(
      transaction(db, async (tx) => {
        await made(tx, 2);
        await made(tx, 1);
      }),
      refused,
    );
    await assert.rejects(
      transaction(db, async (tx) => {
        await made(tx, 1);
        await held(tx);
      }),
      refused,
    );
    assert.deepEqual(await held(db), [1]);
    await transaction(db, async (tx) => {
      await made(tx, 3);
      assert.deepEqual(await held(tx), [1, 3]);
    });
    assert.deepEqual(await held(db), [1, 3]);
  });
});

/** Whether the log of a database can be emptied, which no reader must hold up. */
function canEmptyLog(path: string): boolean {
  const other = new DatabaseSync(path, { timeout: 0 });
  try {
    const row = other.prepare("pragma wal_checkpoint(truncate)").get();
    return row?.["busy"] === 0;
  } finally {
    other.close();
  }
}

Deno.test("what one turn of the event loop reads is of one instant, and the next turn sees what another process has committed", async () => {
  await withServed(async ({ db, version }, path) => {
    const other = openSqlite(path);
    try {
      await yieldToEventLoop();
      assert.deepEqual(await held(db), []);
      const before = version();
      other.exec("insert into t values (1)");
      assert.deepEqual(await held(db), []);
      assert.equal(version(), before);
      await yieldToEventLoop();
      assert.notEqual(version(), before);
      assert.deepEqual(await held(db), [1]);
    } finally {
      other.close();
    }
  });
});

Deno.test("a caller that learns of a commit reads what was committed, even in the same turn", async () => {
  await withServed(async ({ db, afterCommit }) => {
    const seen: unknown[] = [];
    let told: Promise<unknown> = Promise.resolve();
    afterCommit(() => {
      // Before whoever committed goes on.
      told = held(db).then((rows) => seen.push(rows));
    });
    await yieldToEventLoop();
    for (let x = 0; x < 20; x++) {
      assert.equal((await held(db)).length, x);
      const written = x % 2 === 0
        ? insert(db, x)
        : transaction(db, (tx) => insert(tx, x));
      // In the turns between, others read.
      const reads = [held(db), yieldToEventLoop().then(() => held(db))];
      await written;
      await told;
      assert.equal((await held(db)).length, x + 1);
      assert.deepEqual(seen.at(-1), await held(db));
      await Promise.all(reads);
    }
  });
});

Deno.test("reading holds up the emptying of the log for one turn of the event loop, and not between turns", async () => {
  await withServed(async ({ db }, path) => {
    await insert(db, 1);
    await yieldToEventLoop();
    assert.deepEqual(await held(db), [1]);
    assert.equal(canEmptyLog(path), false);
    await yieldToEventLoop();
    assert.equal(canEmptyLog(path), true);
    // One that fails is ended with its turn as well.
    await assert.rejects(sql`select x from nowhere`.execute(db));
    await assert.rejects(
      sql`select abs(-9223372036854775808) from t`.execute(db),
      /integer overflow/,
    );
    await yieldToEventLoop();
    assert.equal(canEmptyLog(path), true);
  });
});

Deno.test("the log is moved into the database while the server runs", async () => {
  await withServed(async ({ db }, path) => {
    await sql`create table b (x blob) strict`.execute(db);
    const logBytes = async () => (await Deno.stat(`${path}-wal`)).size;
    const piece = new Uint8Array(1024 * 1024);
    for (let n = 0; n < 30; n++) {
      await sql`insert into b values (${piece})`.execute(db);
    }
    assert.ok(await logBytes() < 12 * piece.length, `${await logBytes()} B`);
  });
});

Deno.test("a writer whose thread dies is told of, and nothing waits for it", async () => {
  const writer = new Worker(
    new URL("../../src/store/sqlite/writer_worker.ts", import.meta.url),
    { type: "module" },
  );
  await withTestApp(async (app) => {
    const ada = await registerWriter(app, "ada");
    const write = () =>
      app.send("POST", "/v1/auth/devices/enroll/code", { token: ada.token });
    // Its fault, not one that it answers.
    writer.postMessage([{ kind: "nothing that it knows" }]);
    await expectProblem(await write(), "error.internal");
    const lost = await app.lost;
    assert.ok(lost instanceof WriterLost);
    assert.match(lost.message, /thread ended/);
    await expectProblem(await write(), "error.internal");
    const profile = await app.send("GET", "/v1/auth/profile", {
      token: ada.token,
    });
    await expectJson(profile, 200);
  }, { startWriter: () => writer });
});
