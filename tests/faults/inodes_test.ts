/**
 * A disk with room and without inodes, and a user who is over a quota: notices,
 * the doctor and the metrics say which it is (notices.md).
 *
 * Ignored where this process may not mount a small tmpfs, which wants root. The
 * quota's error is made by the test: few kernels have quotas.
 *
 * @module
 */
import assert from "node:assert/strict";
import { lookAround } from "../../src/features/notices/conditions.ts";
import { type Event, wordsOf } from "../../src/features/notices/events.ts";
import { Gauges } from "../../src/features/metrics/gauges.ts";
import { denoFiles } from "../../src/store/files/deno_files.ts";
import { tryFileSystem } from "../../src/cli/operator/doctor/disk.ts";
import { findingsOf } from "../../src/cli/operator/doctor/finding.ts";
import { type TestApp, withTestApp } from "../support/app.ts";
import { examine } from "../support/doctor.ts";
import { mayMount, withSmallDisk } from "../support/small_disk.ts";

const MIB = 1024 ** 2;
const ignore = !await mayMount();
const SETTINGS = {
  STRONGROOM_NOTIFY: "smtp://127.0.0.1:1?from=a@home.example&to=b@home.example",
};

/** The titles of what lasts, after a look around. */
async function titles(app: TestApp): Promise<string[]> {
  await lookAround(app.app, app.app.notices, {
    files: denoFiles,
    root: app.dataDir,
    certificateEnds: () => undefined,
  });
  const rows = await app.app.db.selectFrom("notice").select(["event", "facts"])
    .where("ended_at", "is", null).execute();
  return rows.map(({ event, facts }) =>
    wordsOf({
      event: event as Event,
      facts: JSON.parse(facts),
      state: "began",
      since: 0,
      at: 0,
    }).title
  );
}

Deno.test({
  name: "a disk that runs out of inodes is told, by its metrics and doctor too",
  ignore,
  fn: () =>
    withSmallDisk(64 * MIB, async ({ path }) => {
      await withTestApp(async (app) => {
        const left = async () => (await new Gauges(app.app).read()).freeInodes;
        assert.deepEqual(await titles(app), []);
        let made = 0;
        const leave = async (count: number) => {
          while (await left() > count) {
            await Deno.writeTextFile(`${path}/many-${made++}`, "");
          }
        };
        await leave(500);
        assert.deepEqual(await titles(app), [
          "The disk is running out of inodes: 500 more files can be made",
        ]);
        await leave(0);
        const [title = "", ...more] = await titles(app);
        assert.match(
          title,
          /^The disk is out of inodes, although \d.* are free/,
        );
        assert.deepEqual(more, []);
        const { checks } = await examine(app.dataDir);
        const found = checks.find(({ detail }) =>
          /no file can be created .* although it has room/.test(detail)
        );
        assert.match(found?.mend ?? "", /out of inodes/);
        for (let n = 0; n < made; n++) await Deno.remove(`${path}/many-${n}`);
        assert.deepEqual(await titles(app), []);
      }, { place: path, settings: SETTINGS, blobs: "directory" });
    }, { inodes: 1_200 }),
});

Deno.test("a quota that is spent is told as such", async () => {
  let isSpent = false;
  const files: typeof denoFiles = {
    ...denoFiles,
    open: (path, mode) =>
      isSpent && mode === "create"
        ? Promise.reject(Object.assign(new Error("over"), { code: "EDQUOT" }))
        : denoFiles.open(path, mode),
  };
  await withTestApp(async (app) => {
    isSpent = true;
    const [title = ""] = await titles(app);
    assert.match(title, /^The server's user is over its disk quota/);
    const room = findingsOf("disk").ok("");
    const found = await tryFileSystem(files, app.dataDir, "ab", room);
    assert.match(found?.mend?.says ?? "", /over its quota/);
    isSpent = false;
    assert.deepEqual(await titles(app), []);
  }, { files, settings: SETTINGS });
});
