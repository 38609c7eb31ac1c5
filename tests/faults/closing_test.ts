/**
 * An application that is closed in the middle of something.
 *
 * @module
 */
import assert from "node:assert/strict";
import { openStore } from "../../src/store/store.ts";
import { denoFiles } from "../../src/store/deno_files.ts";
import { withTestApp } from "../support/app.ts";

Deno.test("closing waits for the periodic task, whose run succeeds", async () => {
  await withTestApp(async (app) => {
    const purged = app.purge();
    await app.reopen();
    await purged;
    assert.deepEqual(app.logged.filter(({ level }) => level === "error"), []);
  });
});

Deno.test("a database that cannot be checkpointed is let go of all the same", async () => {
  await withTestApp(async ({ app }) => {
    const directory = await Deno.makeTempDir({ prefix: "strongroom-test-" });
    try {
      const store = await openStore(directory, app.platform, denoFiles);
      // As a disk that fails: nothing can be asked of it any more.
      await store.db.selectFrom("server").selectAll().execute();
      await store.db.destroy();
      await assert.rejects(store.close());
      await (await openStore(directory, app.platform, denoFiles)).close();
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
});
