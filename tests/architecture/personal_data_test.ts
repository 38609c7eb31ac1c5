/**
 * The page of what the server stores about a person names every column
 * (protocol/personal-data.md).
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";

const PAGE = new URL(
  "../../src/docs/protocol/personal-data.md",
  import.meta.url,
);

/** Every column that the schema has, as `table.column`. */
function columnsOfSchema(): string[] {
  using sqlite = new DatabaseSync(":memory:");
  for (const sql of MIGRATIONS) sqlite.exec(sql);
  return sqlite.prepare(`
    select made.name || '.' || held.name as name
    from sqlite_schema as made join pragma_table_info(made.name) as held
    where made.type = 'table' and made.name not like 'sqlite_%'
  `).all().map(({ name }) => String(name)).sort();
}

/** The rows of the page's tables, as their cells. */
async function rowsOfPage(): Promise<string[][]> {
  const page = await Deno.readTextFile(PAGE);
  return page.split("\n").filter((line) => /^\| `/.test(line))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

Deno.test("the page of personal data names every column of every table, and no other", async () => {
  const named = (await rowsOfPage()).flatMap(([table = "", columns = ""]) =>
    [...columns.matchAll(/`([a-z_0-9]+)`/g)].map(([, column]) =>
      `${table.replaceAll("`", "")}.${column}`
    )
  );
  assert.deepEqual(named.sort(), columnsOfSchema());
});

Deno.test("every column that names an account is among those with a reason and a time", async () => {
  const explained = (await rowsOfPage())
    .filter(([, , why = "", howLong = ""]) => why !== "" && howLong !== "")
    .flatMap(([table = "", columns = ""]) =>
      [...columns.matchAll(/`([a-z_0-9]+)`/g)].map(([, column]) =>
        `${table.replaceAll("`", "")}.${column}`
      )
    );
  const personal = columnsOfSchema().filter((name) =>
    /\.(user_id|owner_id|issuer_id|member|address|display_name|handle|subject|client|device_id|cohort_hash|deleted_by|operator_id|subject_id|reported_user|album_owner_id)$/
      .test(name)
  );
  for (const name of personal) assert(explained.includes(name), name);
});
