/**
 * What may happen between a server and a place off the premises, at each
 * request of a backup and of a removal: every generation that is there stays
 * whole, and nothing is removed that one needs.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  firstMet,
  INJECTED_FAULTS,
  type InjectedFault,
  STRIDE,
} from "../support/bucket.ts";
import { type KillingProxy, withProxy } from "../support/killing_proxy.ts";
import {
  done,
  expectRestored,
  expectWhole,
  NAME,
  refused,
  withWorld,
  type World,
} from "../support/remote_backup_world.ts";
import { type EndedProgram, programCommand } from "../support/program.ts";

/** More requests than anything here takes. */
const REQUESTS_MAX = 200;
/** A few of the ways, or by night all of them. */
const WAYS: readonly InjectedFault[] = Deno.env.get("TEST_FAULTS") === "all"
  ? INJECTED_FAULTS
  : ["lost", "wrong 404"];
/** By day each way over one kind of store. */
const STRICT: Readonly<Partial<Record<InjectedFault, readonly boolean[]>>> =
  Deno.env.get("TEST_FAULTS") === "all"
    ? {}
    : { lost: [true], "wrong 404": [false] };

/** Over both kinds of stores, for each request and each way of injecting. */
function withFaults(
  what: string,
  prepare: (world: World) => Promise<void>,
  work: (
    world: World,
    happened: string,
    ended: EndedProgram,
  ) => Promise<void>,
  commandOf: (world: World) => Promise<readonly string[]>,
): void {
  for (const how of WAYS) {
    Deno.test(`${what} of which one request is answered wrongly (${how}) leaves every generation whole`, async () => {
      for (const strict of STRICT[how] ?? [false, true]) {
        await withWorld(
          strict,
          async (world) => {
            await prepare(world);
            const command = await commandOf(world);
            await world.save();
            for (let n = firstMet(how);; n += STRIDE) {
              assert(n < REQUESTS_MAX);
              world.bucket.injectFault(n, how);
              const ended = await world.run(...command);
              const happened = world.bucket.faultHappened();
              world.bucket.injectFault(Infinity, how);
              if (ended.status !== 0) refused(ended);
              await work(world, `${how} ${n} ${strict}`, ended);
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

withFaults(
  "a backup",
  async () => {},
  async (world, what) => {
    const numbers = await expectWhole(world, what);
    assert.equal(numbers[0], 1);
    // What was begun is gone on with.
    done(await world.run("backup", NAME));
    assert((await expectWhole(world, what)).length > numbers.length);
  },
  () => Promise.resolve(["backup", NAME]),
);

withFaults(
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
  () => Promise.resolve(["backup", "prune", NAME, "--keep-last", "1"]),
);

Deno.test("a record and an object of which the store loses the end are sent again, and none is believed to be there", async () => {
  for (const kind of ["generations", "objects"]) {
    // A store that says it checks what it is sent is not read back.
    await withWorld(true, async (world) => {
      const { bucket, run } = world;
      const put = new RegExp(`^PUT home/${kind}/`);
      await world.save();
      bucket.injectFault(Infinity, "shortened");
      done(await run("backup", NAME));
      const n = bucket.seen().findIndex((request) => put.test(request)) + 1;
      assert(n > 0);
      await world.reset();
      bucket.injectFault(n, "shortened");
      const ended = await run("backup", NAME);
      assert(bucket.faultHappened());
      assert.match(bucket.seen()[n - 1] ?? "", put);
      if (kind === "generations") done(ended);
      else {
        assert.match(refused(ended), /objects\/.* not as it was put there/);
        assert.deepEqual(await expectWhole(world, kind), [1]);
        done(await run("backup", NAME));
      }
      assert.deepEqual(await expectWhole(world, kind), [1, 2]);
    });
  }
});

/** The command that has another key file open a world's backup. */
async function changeOfKey(world: World): Promise<readonly string[]> {
  const path = `${world.room}/other-key`;
  await Deno.writeTextFile(path, "d4".repeat(32), { mode: 0o600 });
  return ["backup", "passphrase", NAME, "--new-key-file", path];
}

/** The world with the key that opens its backup, which is one of the two. */
async function opened(
  world: World,
): Promise<{ readonly by: "old" | "new"; readonly world: World }> {
  const changed: World = {
    ...world,
    run: (...args) =>
      world.runWith({
        STRONGROOM_BACKUP_KEY_FILE: `${world.room}/other-key`,
      }, ...args),
  };
  const [old, other] = [
    await world.run("backup", "list", NAME),
    await changed.run("backup", "list", NAME),
  ];
  if (old.status === 0) {
    assert.match(refused(other), /encrypted with another key file/);
    return { by: "old", world };
  }
  assert.match(refused(old), /encrypted with another key file/);
  done(other);
  return { by: "new", world: changed };
}

/** Whatever became of a change, it can be gone on with, and nothing is lost. */
async function expectChangeable(world: World, what: string): Promise<void> {
  const now = await opened(world);
  assert.deepEqual(await expectWhole(now.world, what), [1]);
  if (now.by === "old") done(await world.run(...await changeOfKey(world)));
  const { by, world: changed } = await opened(world);
  assert.equal(by, "new");
  done(await changed.run("backup", NAME));
  assert.deepEqual(await expectWhole(changed, what), [1, 2]);
}

withFaults(
  "a change of the key file",
  async () => {},
  async (world, what, ended) => {
    const { by } = await opened(world);
    if (ended.status === 0) assert.equal(by, "new", what);
    await expectChangeable(world, what);
  },
  changeOfKey,
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

Deno.test("a change of the key file that is killed at any of its requests leaves a backup that one of the two opens", async () => {
  await withWorld(false, async (world) => {
    const command = await changeOfKey(world);
    await world.save();
    const { settings } = world;
    const endpoint = settings["STRONGROOM_BACKUP_S3_ENDPOINT"] ?? "";
    await withProxy(endpoint, async (proxy) => {
      const env = {
        ...settings,
        STRONGROOM_BACKUP_S3_ENDPOINT: proxy.endpoint,
      };
      const found = new Set<string>();
      for (let n = 1; await killAt(proxy, n, command, env); n += STRIDE) {
        found.add((await opened(world)).by);
        await expectChangeable(world, `killed at ${n}`);
        await world.reset();
      }
      assert.deepEqual([...found], ["old", "new"]);
    });
  });
});
