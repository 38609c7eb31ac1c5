import assert from "node:assert/strict";
import { type Failure, failureOf, isDamaged } from "./failure.ts";
import { openSqlite } from "./sqlite/sqlite.ts";

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

function withCode(code: string, message = "os"): Error {
  return Object.assign(new Error(message), { code });
}

function ofSqlite(errcode: number): Error {
  return Object.assign(withCode("ERR_SQLITE_ERROR", "sqlite"), { errcode });
}

const FAILURES: readonly [
  what: string,
  thrown: unknown,
  Failure | undefined,
][] = [
  ["no room", withCode("ENOSPC"), "full"],
  ["no room under the quota", withCode("EDQUOT"), "full"],
  ["no room for the database", ofSqlite(13), "full"],
  ["no room for the log's index", ofSqlite(4_874), "full"],
  ["no room for a copy", new Error("database or disk is full"), "full"],
  ["a file system without writes", withCode("EROFS"), "read_only"],
  ["a database without writes", ofSqlite(8), "read_only"],
  ["a file of another user", new Deno.errors.PermissionDenied(), "forbidden"],
  [
    "a database of another user",
    withCode("ERR_SQLITE_ERROR", "attempt to write a readonly database"),
    "forbidden",
  ],
  ["a directory in the way", new Deno.errors.IsADirectory(), "in_the_way"],
  ["a database that is held", ofSqlite(5 | 2 << 8), "busy"],
  ["a disk that fails", ofSqlite(10 | 4 << 8), "io"],
  ["a broken database", ofSqlite(11), "damaged"],
  ["a broken constraint", ofSqlite(19), undefined],
  ["a fault of the program", new TypeError("x is undefined"), undefined],
  ["no error", "full", undefined],
];

for (const [what, thrown, failure] of FAILURES) {
  Deno.test(`failure: ${what} is ${failure ?? "none"}`, () => {
    assert.equal(failureOf(thrown), failure);
  });
}

Deno.test("failure: what SQLite throws itself is told by its code or its text", () => {
  const path = Deno.makeTempFileSync();
  try {
    Deno.writeTextFileSync(path, "no database at all".repeat(100));
    const damage = thrownBy(() => {
      using sqlite = openSqlite(path);
      sqlite.exec("select * from t");
    });
    assert.equal(failureOf(damage), "damaged");
    assert(isDamaged(new Error("while opening", { cause: damage })));
    using empty = openSqlite(":memory:");
    const lacking = thrownBy(() => empty.prepare("select * from t"));
    assert.equal(failureOf(lacking), "incomplete");
  } finally {
    Deno.removeSync(path);
  }
});
