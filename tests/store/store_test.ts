import assert from "node:assert/strict";
import { sql } from "kysely";
import {
  compiledOnce,
  compiledWrite,
} from "../../src/store/sqlite/compiled.ts";
import {
  type Db,
  migrate,
  serveDatabase,
  transaction,
} from "../../src/store/sqlite/database.ts";
import { isDiskFull, StoreFault } from "../../src/store/failure.ts";
import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { withDataDir } from "../support/program.ts";

const openDatabase = async (path: string, firstEpoch: string): Promise<Db> =>
  (await serveDatabase(path, firstEpoch)).db;

Deno.test("the database commits to the disk, checks references, and has strict tables", async () => {
  await withDataDir(async (dir) => {
    const db = await openDatabase(`${dir}/a.sqlite`, "epoch");
    await db.destroy();
    const sqlite = openSqlite(`${dir}/a.sqlite`);
    const pragma = (name: string) =>
      Object.values(sqlite.prepare(`pragma ${name}`).get() ?? {})[0];
    assert.equal(pragma("journal_mode"), "wal");
    assert.equal(pragma("synchronous"), 2);
    assert.equal(pragma("foreign_keys"), 1);
    assert.equal(pragma("user_version"), MIGRATIONS.length);
    const tables = sqlite.prepare(
      "select name from pragma_table_list where schema = 'main'" +
        " and strict = 0 and name not like 'sqlite_%'",
    ).all();
    assert.deepEqual(tables, []);
    sqlite.close();
  });
});

Deno.test("a database from a newer program is refused and left alone", async () => {
  await withDataDir(async (dir) => {
    const path = `${dir}/a.sqlite`;
    const newer = openSqlite(path);
    await migrate(newer, path, [
      ...MIGRATIONS,
      "create table a (x integer) strict",
    ]);
    newer.close();
    await assert.rejects(
      openDatabase(path, "epoch"),
      (error) =>
        error instanceof StoreFault && /run the newer program/.test(`${error}`),
    );
  });
});

Deno.test("before a database changes, a copy is put next to it", async () => {
  await withDataDir(async (dir) => {
    const path = `${dir}/a.sqlite`;
    const sqlite = openSqlite(path);
    await migrate(sqlite, path, ["create table a (x integer) strict"]);
    sqlite.exec("insert into a values (7)");
    await migrate(sqlite, path, [
      "create table a (x integer) strict",
      "drop table a",
    ]);
    sqlite.close();
    const copy = openSqlite(`${path}.before-2`);
    assert.equal(copy.prepare("select x from a").get()?.x, 7);
    copy.close();
  });
});

Deno.test("a migration that fails changes nothing", async () => {
  await withDataDir(async (dir) => {
    const path = `${dir}/a.sqlite`;
    const sqlite = openSqlite(path);
    await assert.rejects(
      migrate(sqlite, path, ["create table a (x integer) strict", "nonsense"]),
    );
    const tables = sqlite.prepare("select name from sqlite_schema").all();
    assert.deepEqual(tables, []);
    assert.equal(sqlite.prepare("pragma user_version").get()?.user_version, 0);
    sqlite.close();
  });
});

Deno.test("what makes SQLite roll back by itself is what a transaction throws", async () => {
  await withDataDir(async (dir) => {
    const db = await openDatabase(`${dir}/a.sqlite`, "epoch");
    await sql`create table a (x blob) strict`.execute(db);
    await sql`pragma max_page_count = 1`.execute(db);
    const fill = transaction(db, async (tx) => {
      await sql`insert into a values (x'00')`.execute(tx);
      await sql`insert into a values (zeroblob(1000000))`.execute(tx);
    });
    await assert.rejects(fill, isDiskFull);
    await sql`pragma max_page_count = 1000000`.execute(db);
    await transaction(db, async (tx) => {
      await sql`insert into a values (x'01')`.execute(tx);
    });
    const { rows } = await sql<object>`select hex(x) as x from a`.execute(
      db,
    );
    assert.deepEqual(rows.map((row) => ({ ...row })), [{ x: "01" }]);
    await db.destroy();
  });
});

Deno.test("a read that is compiled once sees what is committed, and waits for no transaction", async () => {
  await withDataDir(async (dir) => {
    const db = await openDatabase(`${dir}/a.sqlite`, "first");
    const epoch = compiledOnce((db) =>
      db.selectFrom("server").select("feed_epoch")
    );
    const write = (handle: Db) =>
      handle.updateTable("server").set({ feed_epoch: "second" }).execute();
    await transaction(db, async (tx) => {
      await write(tx);
      assert.equal((await epoch(db))?.feed_epoch, "first");
      assert.equal((await epoch(tx))?.feed_epoch, "second");
    });
    assert.equal((await epoch(db))?.feed_epoch, "second");
    await db.destroy();
  });
});

Deno.test("a query that writes cannot be one of those", async () => {
  await withDataDir(async (dir) => {
    const db = await openDatabase(`${dir}/a.sqlite`, "first");
    const write = compiledOnce((db) => db.deleteFrom("server").returningAll());
    await assert.rejects(write(db), /readonly/);
    await db.destroy();
  });
});

Deno.test("a write that is compiled once has each value in its places, and can build nothing else of one", async () => {
  await withDataDir(async (dir) => {
    const db = await openDatabase(`${dir}/a.sqlite`, "first");
    let built = 0;
    const renew = compiledWrite(
      (db, { from, to }: { from: string; to?: string | undefined }) => {
        built++;
        return db.updateTable("server")
          .set(to === undefined ? { feed_epoch: "none" } : { feed_epoch: to })
          .where("feed_epoch", "=", from)
          .where("feed_epoch", "in", ["first", from])
          .returning("feed_epoch");
      },
    );
    const become = async (from: string, to?: string) =>
      (await db.executeQuery(renew(db, { from, to }))).rows;
    assert.deepEqual(await become("first", "second"), [{
      feed_epoch: "second",
    }]);
    assert.deepEqual(await become("first", "third"), []);
    assert.deepEqual(await become("second", "third"), [{
      feed_epoch: "third",
    }]);
    assert.equal(built, 1);
    // A value that is left out makes another statement.
    assert.deepEqual(await become("third"), [{ feed_epoch: "none" }]);
    assert.equal(built, 2);
    const spelt = compiledWrite((db, { to }: { to: string }) =>
      db.updateTable("server").set({ feed_epoch: `the ${to}` })
    );
    assert.throws(() => spelt(db, { to: "last" }), /to is no parameter/);
    await db.destroy();
  });
});
