/**
 * What a start sees to before it serves, and what it tells (operate.md).
 */
import assert from "node:assert/strict";
import { withTestApp } from "../support/app.ts";
import { uploadNamed } from "../support/custody.ts";
import { registerWriter } from "../support/people.ts";
import { watchedFiles } from "../support/watched_files.ts";

const HOUR_MS = 3_600_000;

Deno.test("a clock behind the newest receipt is told at the start", async () => {
  await withTestApp(async (app) => {
    const told = ({ logged }: typeof app) =>
      logged.filter(({ message }) => message.includes("clock is behind"));
    const ada = await registerWriter(app, "ada");
    await uploadNamed(app, ada, "photo");
    const again = await app.reopen();
    assert.deepEqual(told(again), []);
    again.clock.advance(-HOUR_MS);
    const [line] = told(await again.reopen());
    assert.equal(line?.level, "error");
    assert.equal(
      Date.parse(String(line?.properties.newest_receipt)) -
        Date.parse(String(line?.properties.clock)),
      HOUR_MS,
    );
  });
});

Deno.test("the name of a data directory that is made is on the disk before anything in it counts", async () => {
  const files = watchedFiles();
  const synced: string[] = [];
  files.after = (operation, path) => {
    synced.push(`${operation} ${path}`);
    return Promise.resolve();
  };
  await withTestApp((app) => {
    const above = app.dataDir.slice(0, app.dataDir.lastIndexOf("/"));
    const named = synced.indexOf(`syncDirectory ${above}`);
    const made = synced.indexOf(`makeDirectory ${app.dataDir}/keys`);
    assert(named >= 0 && named < made, synced.slice(0, 9).join("\n"));
    return Promise.resolve();
  }, { files });
});
