/**
 * Answers requests of its standard input within its own process, and prints
 * how many pages of the database the statements of each touch.
 *
 * @module
 */
import { DatabaseSync, type SQLInputValue, StatementSync } from "node:sqlite";
import { openApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { databasePath } from "../../src/store/data_paths.ts";
import { sleep } from "../../src/server/sleep.ts";
import type { Ask } from "./sizes.ts";
import { say } from "./support.ts";

/** A statement with its values. */
interface Asked {
  readonly sql: string;
  readonly values: SQLInputValue[];
}

const texts = new WeakMap<StatementSync, string>();
let seen: Asked[] | undefined;

const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (sql, ...more) {
  const statement = prepare.call(this, sql, ...more);
  texts.set(statement, sql);
  return statement;
};
for (const name of ["all", "get", "iterate", "run"] as const) {
  const original = StatementSync.prototype[name];
  Object.defineProperty(StatementSync.prototype, name, {
    value(this: StatementSync, ...values: SQLInputValue[]) {
      const sql = texts.get(this);
      if (sql !== undefined) seen?.push({ sql, values });
      return Reflect.apply(original, this, values);
    },
  });
}

/** Pages that statements read on a connection that has none. */
function pagesOf(asked: readonly Asked[]): number {
  const path = databasePath(Deno.args[0] ?? "");
  using database = new DatabaseSync(path, { readOnly: true });
  // Its schema is read, and what counting itself reads is known.
  database.prepare("select count(*) from server").get();
  const [first, second] = [readsSoFar(), readsSoFar()];
  for (const { sql, values } of asked) {
    if (/^\s*(select|with)\b/i.test(sql)) {
      database.prepare(sql).all(...values);
    }
  }
  return readsSoFar() - second - (second - first);
}

/** How often this process has read from a file. */
function readsSoFar(): number {
  const io = Deno.readTextFileSync("/proc/self/io");
  return Number(/^syscr: (\d+)$/m.exec(io)?.[1]);
}

const asks: readonly Ask[] = JSON.parse(
  await new Response(Deno.stdin.readable).text(),
);
const nothing = () => {};
const listen = Deno.env.get("STRONGROOM_LISTEN");
const opened = await openApp(
  readConfig({ STRONGROOM_DATA_DIR: Deno.args[0] ?? "" }),
  {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    sleep,
    fetch: () => Promise.reject(new Error("no network")),
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  },
  { origin: `http://${listen}` },
);
const counted: number[] = [];
for (const { method, path, headers, json } of asks) {
  const ask = async () => {
    const answer = await opened.fetch(
      new Request(`http://${listen}${path}`, {
        method,
        headers: { ...headers, "Content-Type": "application/json" },
        body: json === undefined ? null : JSON.stringify(json),
      }),
      { clientAddress: "127.0.0.1" },
    );
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  };
  await ask();
  seen = [];
  await ask();
  const asked = seen;
  seen = undefined;
  counted.push(pagesOf(asked));
}
say(JSON.stringify(counted));
await opened.close();
