import assert from "node:assert/strict";
import { openSqlite } from "../store/sqlite/sqlite.ts";
import { failureInWords } from "./failure.ts";

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

Deno.test("a refusal of the database is reported in one line with its fix", () => {
  using sqlite = openSqlite(":memory:");
  sqlite.exec("create table t (a)");
  sqlite.exec("pragma query_only = on");
  assert.match(
    failureInWords(
      thrownBy(() => sqlite.prepare("insert into t values (1)").run()),
    ) ?? "",
    /^the database refuses that \([^\n]+\): run this as the server's user[^\n]*$/,
  );
});

Deno.test("a refusal of the system is reported in one line with its fix", () => {
  assert.match(
    failureInWords(new Deno.errors.PermissionDenied("open\nx")) ?? "",
    /^open x: run this as the server's user[^\n]*$/,
  );
  assert.match(
    failureInWords(thrownBy(() => Deno.readTextFileSync("/proc/none"))) ?? "",
    /^[^\n]+: fix that and run this again$/,
  );
});

Deno.test("a fault of the program stays one", () => {
  assert.equal(failureInWords(new TypeError("x is undefined")), undefined);
  assert.equal(failureInWords("x"), undefined);
});
