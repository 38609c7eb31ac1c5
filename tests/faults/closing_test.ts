/**
 * An application that is closed in the middle of something.
 *
 * @module
 */
import assert from "node:assert/strict";
import { databasePath } from "../../src/store/data_paths.ts";
import { openStore } from "../../src/store/store.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { withTestApp } from "../support/app.ts";

Deno.test("closing waits for the periodic task, whose run succeeds", async () => {
  await withTestApp(async (app) => {
    const purged = app.purge();
    await app.reopen();
    await purged;
    assert.deepEqual(app.logged.filter(({ level }) => level === "error"), []);
  });
});

Deno.test("a database that answers nothing any more is let go of all the same", async () => {
  await withTestApp(async ({ app }) => {
    const directory = await Deno.makeTempDir({ prefix: "strongroom-test-" });
    try {
      const store = await openStore(directory, app.platform, denoFiles);
      // As a disk that fails: nothing can be asked of it any more.
      await store.db.selectFrom("server").selectAll().execute();
      await store.db.destroy();
      await store.close();
      await (await openStore(directory, app.platform, denoFiles)).close();
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
});

Deno.test("what fails when the log is emptied at the end is told, and the directory is let go of", async () => {
  await withTestApp(async ({ app }) => {
    const directory = await Deno.makeTempDir({ prefix: "strongroom-test-" });
    const open = () => openStore(directory, app.platform, denoFiles);
    try {
      await (await open()).close();
      const store = await open();
      await store.db.updateTable("server").set({ feed_epoch: "other" })
        .execute();
      // As a disk that does not have what it took.
      await Deno.truncate(`${databasePath(directory)}-wal`);
      await assert.rejects(store.close(), /disk I\/O error/);
      await (await open()).close();
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
});
