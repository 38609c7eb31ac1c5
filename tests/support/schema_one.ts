/**
 * A database of schema 1, as the program wrote it before it counted each blob
 * of an account once.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { migrate } from "../../src/store/sqlite/database.ts";
import { MIGRATIONS } from "../../src/store/sqlite/migrations.ts";

/** Writes a database of this schema down as one of schema 1. */
export async function toSchemaOne(path: string): Promise<void> {
  const older = `${path}.older`;
  const sqlite = new DatabaseSync(older);
  try {
    await migrate(sqlite, undefined, MIGRATIONS.slice(0, 1));
    sqlite.exec("pragma foreign_keys = off");
    sqlite.prepare("attach ? as newer").run(path);
    const tables = sqlite.prepare(
      "select name from main.sqlite_schema where type = 'table'" +
        " and name not like 'sqlite_%'",
    ).all().map(({ name }) => String(name));
    // Triggers count what comes, and the counters come last.
    const counters = ["usage", "blob_month"];
    const order = [
      ...tables.filter((name) => !counters.includes(name)),
      ...counters,
    ];
    for (const name of order) {
      const columns = sqlite.prepare(
        "select name from pragma_table_info(?, 'main')",
      ).all(name).map((column) => `"${column.name}"`).join(", ");
      sqlite.exec(`delete from main."${name}";
        insert into main."${name}" (${columns})
          select ${columns} from newer."${name}"`);
    }
  } finally {
    sqlite.close();
  }
  for (const suffix of ["-wal", "-shm"]) {
    await Deno.remove(path + suffix).catch(() => {});
  }
  await Deno.rename(older, path);
}
