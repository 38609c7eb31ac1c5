import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { TestApp } from "./app.ts";

/** Changes that were committed to the database, as another process sees it. */
export function commitCounter(app: TestApp) {
  const other = openSqlite(`${app.dataDir}/db/strongroom.sqlite`);
  const version = other.prepare("pragma data_version");
  return {
    count: () => Number(version.get()?.["data_version"]),
    [Symbol.dispose]: () => other.close(),
  };
}
