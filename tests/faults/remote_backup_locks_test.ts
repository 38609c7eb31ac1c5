/**
 * Which commands may work on a backup off the premises at the same time: locks,
 * two machines at once, and clocks that are wrong.
 *
 * @module
 */
import assert from "node:assert/strict";
import { platform } from "../../main.ts";
import { faultsOf } from "../support/backups.ts";
import { runInProcess } from "../support/in_process.ts";
import {
  copyTree,
  done,
  expectWhole,
  NAME,
  refused,
  withWorld,
  type World,
} from "../support/remote_backup_world.ts";
import { programCommand } from "../support/program.ts";

const HOUR = 3_600_000;

/** Makes every lock as old as that, by the bucket's clock. */
async function age({ bucket }: World, ms: number): Promise<number> {
  const keys = (await bucket.keys()).filter((key) => key.includes("/locks/"));
  for (const key of keys) {
    const path = bucket.pathOf(key);
    const then = new Date(Date.now() - ms);
    await Deno.utime(path, then, then);
  }
  return keys.length;
}

Deno.test("a lock of another machine's keeps a backup from beginning until it is half an hour old, and a removal that was cut off does so for its own", async () => {
  await withWorld(false, async (world) => {
    const { bucket, run, data, room } = world;
    done(await run("backup", NAME));
    await world.save();
    // Cut off in the middle of removing: what was sent may come late.
    for (let n = 1;; n++) {
      bucket.injectFault(n, "lost");
      const ended = await run("backup", "prune", NAME, "--keep-last", "1");
      const [, request = ""] =
        /^DELETE (.*)$/.exec(bucket.seen()[n - 1] ?? "") ??
          [];
      bucket.injectFault(Infinity, "lost");
      if (request.includes("/objects/")) {
        assert.match(refused(ended), /does not answer as expected/);
        break;
      }
      await run("backup", "unlock", NAME, "--force");
      await world.reset();
    }
    for (
      const args of [
        ["backup", NAME],
        ["backup", "verify", NAME],
        ["restore", NAME, "--data-dir", `${room}/new`],
      ]
    ) {
      assert.match(
        refused(await run(...args)),
        /generations are being removed/,
      );
    }
    const { removed, left } = done(await run("backup", "unlock", NAME));
    assert.deepEqual([removed, left], [0, 1]);
    assert.equal(await age(world, HOUR), 1);
    done(await run("backup", NAME));

    // Of a machine with a copy of the data directory.
    const copy = `${room}/copy`;
    await copyTree(data, copy);
    await world.save();
    for (let n = 4;; n++) {
      // Its lock is there, and the connection is gone for good.
      await world.reset();
      bucket.injectFault(Infinity, "lost");
      const working = run("backup", NAME, "--data-dir", copy);
      while (bucket.seen().length < n) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      bucket.goAway(true);
      refused(await working);
      bucket.goAway(false);
      if (await age(world, 0) > 0) break;
    }
    assert.match(
      refused(await run("backup", NAME)),
      /a backup to it is running/,
    );
    // Reading goes on meanwhile.
    done(await run("backup", "verify", NAME));
    await age(world, 29 * 60_000);
    assert.match(
      refused(await run("backup", NAME)),
      /renewed its lock 29 minutes/,
    );
    await age(world, 31 * 60_000);
    done(await run("backup", NAME));
    await expectWhole(world, "aged");
  });
});

Deno.test("of two machines that back one server up at once no generation is half of each", async () => {
  await withWorld(false, async (world) => {
    const { settings, data, room } = world;
    const copy = `${room}/copy`;
    await copyTree(data, copy);
    let refusals = 0;
    for (let round = 0; round < 3; round++) {
      const ended = await Promise.all([data, copy].map(async (dir) => {
        const { program, args } = programCommand(["backup", NAME]);
        const { code, stderr } = await new Deno.Command(program, {
          args,
          cwd: new URL("../../", import.meta.url),
          env: { ...settings, STRONGROOM_DATA_DIR: dir },
          stdin: "null",
          stdout: "null",
          stderr: "piped",
        }).output();
        return { code, said: new TextDecoder().decode(stderr) };
      }));
      for (const { code, said } of ended) {
        if (code === 0) continue;
        refusals += 1;
        assert.match(said, /is locked|another command took the lock/);
      }
    }
    assert(refusals < 6, "one of two goes on, now and then");
    await expectWhole(world, "two at once");
  });
});

Deno.test("a clock that is an hour off on either side keeps nothing from being backed up, locked, or restored", async () => {
  for (const off of [HOUR, -HOUR]) {
    await withWorld(false, async (world) => {
      const { bucket, settings } = world;
      const skewed = {
        ...platform,
        fetch: bucket.fetch,
        now: () => platform.now() + off,
      };
      const run = (...args: readonly string[]) =>
        runInProcess([...args, "--json"], settings, new Uint8Array(), skewed);
      done(await run("backup", NAME, "--keep-last", "5"));
      // The next one's clock is right, and it comes after: its number says so.
      done(await world.run("backup", NAME, "--keep-last", "1"));
      const numbers = await expectWhole(world, String(off));
      assert.equal(numbers.at(-1), 3);
      const more = off > 0 ? ["--clock-is-right"] : [];
      const to = `${world.room}/new`;
      done(await world.run("restore", NAME, "--data-dir", to, ...more));
      assert.deepEqual(await faultsOf(to), []);
    });
  }
});
