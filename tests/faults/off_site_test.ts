/**
 * What may happen between a server and a place off the premises, at each
 * request of a backup and of a removal: every generation that is there stays
 * whole, and nothing is removed that one needs.
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { platform } from "../../main.ts";
import {
  MEDDLING,
  type Meddling,
  type TestBucket,
  withBucket,
} from "../support/bucket.ts";
import type { Json } from "../support/expect.ts";
import { faultsOf, withRoom, withServer } from "../support/backups.ts";
import { runInProcess } from "../support/in_process.ts";
import { type KillingProxy, withProxy } from "../support/killing_proxy.ts";
import { createAsset, registerWriter } from "../support/people.ts";
import { type EndedProgram, programCommand } from "../support/program.ts";

/** More requests than anything here takes. */
const REQUESTS_MAX = 200;
/** A few of the ways, or by night all of them. */
const WAYS: readonly Meddling[] = Deno.env.get("TEST_MEDDLING") === "all"
  ? MEDDLING
  : ["lost", "wrong 404"];
/** Killed at every request by night, at every third by day. */
const STRIDE = Deno.env.get("TEST_MEDDLING") === "all" ? 1 : 3;
/** By day each way over one kind of store. */
const STRICT: Readonly<Partial<Record<Meddling, readonly boolean[]>>> =
  Deno.env.get("TEST_MEDDLING") === "all"
    ? {}
    : { lost: [true], "wrong 404": [false] };
/** Time goes so much faster: what is waited for is waited for in vain. */
const HASTE = 50;
const NAME = "s3://photos/home";
const HOUR = 3_600_000;

/** A backup with a generation, a server that has more since, and a way there. */
interface World {
  readonly bucket: TestBucket;
  readonly data: string;
  readonly room: string;
  readonly settings: Record<string, string>;
  /** A command, by way of whoever meddles. */
  readonly run: (...args: readonly string[]) => Promise<EndedProgram>;
  /** The bucket as it is now, to come back to. */
  readonly save: () => Promise<void>;
  readonly reset: () => Promise<void>;
}

async function withWorld(
  strict: boolean,
  test: (world: World) => Promise<void>,
  more: Record<string, string> = {},
): Promise<void> {
  await withBucket(async (bucket) => {
    await withRoom(async (room) => {
      const keyFile = `${room}/key`;
      await Deno.writeTextFile(keyFile, "c3".repeat(32), { mode: 0o600 });
      const data = `${room}/data`;
      const settings = {
        STRONGROOM_DATA_DIR: data,
        STRONGROOM_BACKUP_KEY_FILE: keyFile,
        STRONGROOM_BACKUP_S3_ENDPOINT:
          bucket.settings["STRONGROOM_S3_ENDPOINT"] ?? "",
        STRONGROOM_BACKUP_S3_ACCESS_KEY_ID: "S3RVER",
        STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY: "S3RVER",
        STRONGROOM_BACKUP_S3_TIMEOUT_SECONDS: "600",
        ...more,
      };
      const hasty = {
        ...platform,
        fetch: bucket.fetch,
        monotonic: () => platform.monotonic() * HASTE,
        sleep: (ms: number, signal: AbortSignal) =>
          platform.sleep(ms / HASTE, signal),
      };
      const run = (...args: readonly string[]) =>
        runInProcess([...args, "--json"], settings, new Uint8Array(), hasty);
      const saved = `${room}/saved`;
      const root = dirname(bucket.pathOf("home/x"));
      const world: World = {
        ...{ bucket, data, room, settings, run },
        save: () => copyTree(root, saved),
        reset: async () => {
          await Deno.remove(root, { recursive: true });
          await copyTree(saved, root);
        },
      };
      await withServer(data, async (server) => {
        const ada = await registerWriter(server, "ada");
        await createAsset(server, ada, "one");
        done(await run("backup", NAME));
        await createAsset(server, ada, "two");
      });
      await test(world);
    });
  }, { strict });
}

async function copyTree(from: string, to: string): Promise<void> {
  await Deno.remove(to, { recursive: true }).catch(() => {});
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyTree(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

function done({ status, stdout, stderr }: EndedProgram): Json {
  assert.equal(status, 0, stderr + stdout);
  return JSON.parse(stdout);
}

/** A line says why; what the program did not expect would be a stack of them. */
function refused({ status, stderr }: EndedProgram): string {
  assert.equal(status, 1);
  assert.match(stderr, /^(strongroom: [^\n]+\n)+$/);
  return stderr;
}

/** Every generation is whole, byte for byte; returns their numbers. */
async function expectWhole({ run }: World, what: string): Promise<number[]> {
  await run("backup", "unlock", NAME, "--force");
  const ended = await run("backup", "verify", NAME, "--deep");
  const { findings, generations } = JSON.parse(ended.stdout || "{}");
  assert.deepEqual(findings, [], `${what}: ${ended.stderr}`);
  return generations.map(({ generation }: Json) => generation);
}

async function expectRestored({ run, room }: World, number: number) {
  const to = `${room}/restored`;
  done(
    await run(
      "restore",
      NAME,
      "--generation",
      String(number),
      "--data-dir",
      to,
    ),
  );
  assert.deepEqual(await faultsOf(to), []);
  await Deno.remove(to, { recursive: true });
}

/** Over both kinds of stores, for each request and each way of meddling. */
function meddled(
  what: string,
  prepare: (world: World) => Promise<void>,
  work: (world: World, happened: string) => Promise<void>,
  command: readonly string[],
): void {
  for (const how of WAYS) {
    Deno.test(`${what} of which one request is meddled with (${how}) leaves every generation whole`, async () => {
      for (const strict of STRICT[how] ?? [false, true]) {
        await withWorld(
          strict,
          async (world) => {
            await prepare(world);
            await world.save();
            for (let n = 1;; n++) {
              assert(n < REQUESTS_MAX);
              world.bucket.meddle(n, how);
              const ended = await world.run(...command);
              const happened = world.bucket.meddled();
              world.bucket.meddle(Infinity, how);
              if (ended.status !== 0) refused(ended);
              await work(world, `${how} ${n} ${strict}`);
              await world.reset();
              if (!happened) return;
            }
          },
          how === "late" ? { STRONGROOM_BACKUP_S3_TIMEOUT_SECONDS: "60" } : {},
        );
      }
    });
  }
}

meddled(
  "a backup",
  async () => {},
  async (world, what) => {
    const numbers = await expectWhole(world, what);
    assert.equal(numbers[0], 1);
    // What was begun is gone on with.
    done(await world.run("backup", NAME));
    assert((await expectWhole(world, what)).length > numbers.length);
  },
  ["backup", NAME],
);

meddled(
  "a removal",
  async (world) => {
    done(await world.run("backup", NAME));
  },
  async (world, what) => {
    const numbers = await expectWhole(world, what);
    assert.equal(numbers.at(-1), 2, what);
    const { removed } = done(
      await world.run("backup", "prune", NAME, "--keep-last", "1"),
    );
    assert.deepEqual([...numbers.slice(0, -1), ...removed].at(0), removed[0]);
    assert.deepEqual(await expectWhole(world, what), [2]);
    const { leftovers } = done(await world.run("backup", "verify", NAME));
    assert.equal(leftovers, 0);
  },
  ["backup", "prune", NAME, "--keep-last", "1"],
);

/** Runs a process to its end, or to its n-th request. */
async function killAt(
  proxy: KillingProxy,
  n: number,
  args: readonly string[],
  env: Record<string, string>,
): Promise<boolean> {
  const command = programCommand(args);
  const child = new Deno.Command(command.program, {
    args: command.args,
    cwd: new URL("../../", import.meta.url),
    env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  proxy.at(n, n % 2 === 0 ? "after" : "before", () => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  });
  return (await child.status).signal === "SIGKILL";
}

for (
  const [what, command] of [
    ["a backup", ["backup", NAME]],
    ["a removal", ["backup", "prune", NAME, "--keep-last", "1"]],
  ] as const
) {
  Deno.test(`${what} that is killed at any of its requests leaves every generation whole, and the next one goes on`, async () => {
    await withWorld(false, async (world) => {
      const { settings, run } = world;
      const endpoint = settings["STRONGROOM_BACKUP_S3_ENDPOINT"] ?? "";
      if (what === "a removal") done(await run("backup", NAME));
      await world.save();
      await withProxy(endpoint, async (proxy) => {
        const env = {
          ...settings,
          STRONGROOM_BACKUP_S3_ENDPOINT: proxy.endpoint,
          // What a killed process leaves there goes with the test.
          TMPDIR: world.room,
        };
        let killed = 0;
        for (let n = 1;; n += STRIDE) {
          if (!await killAt(proxy, n, command, env)) break;
          killed += 1;
          // Without a word from anybody: whose lock it was is known.
          if (what === "a backup") {
            done(await run("backup", NAME));
            assert((await expectWhole(world, `killed at ${n}`)).length >= 2);
          } else {
            const numbers = await expectWhole(world, `killed at ${n}`);
            assert.equal(numbers.at(-1), 2);
            done(await run(...command));
            assert.deepEqual(await expectWhole(world, String(n)), [2]);
          }
          await world.reset();
        }
        assert(killed * STRIDE >= 15, String(killed));
      });
      await expectRestored(world, what === "a backup" ? 1 : 2);
    });
  });
}

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
      bucket.meddle(n, "lost");
      const ended = await run("backup", "prune", NAME, "--keep-last", "1");
      const [, request = ""] =
        /^DELETE (.*)$/.exec(bucket.seen()[n - 1] ?? "") ??
          [];
      bucket.meddle(Infinity, "lost");
      if (request.includes("/objects/")) {
        assert.match(refused(ended), /does not answer as it should/);
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
      bucket.meddle(Infinity, "lost");
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
      /a backup into it is running/,
    );
    // Reading goes on beside it.
    done(await run("backup", "verify", NAME));
    await age(world, 29 * 60_000);
    assert.match(
      refused(await run("backup", NAME)),
      /last heard of 29 minutes/,
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
        assert.match(said, /is locked|was taken by another/);
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
