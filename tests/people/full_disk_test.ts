/**
 * Disks that fill up, here and at the server: nothing half written is taken for
 * whole, what failed is said, and everything goes on once there is room.
 *
 * @module
 */
import assert from "node:assert/strict";
import { newAccount, withTown } from "../support/people_commands.ts";
import { mayMount, withSmallDisk } from "../support/small_disk.ts";

const MIB = 1024 * 1024;
const CAN_MOUNT = await mayMount();

function bytes(seed: number, length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + seed * 97) & 0xff);
}

Deno.test({
  name: "a disk that is full here leaves no half file, and pull goes on later",
  ignore: !CAN_MOUNT,
  async fn() {
    await withTown(async (town) => {
      const laptop = await town.machine("laptop");
      await newAccount(town, laptop, "ada@example.org");
      for (let seed = 0; seed < 4; seed++) {
        await laptop.write(`in/${seed}.bin`, bytes(seed, MIB));
      }
      await laptop.done("push", laptop.path("in"));
      await withSmallDisk(6 * MIB, async ({ path, leavePages, release }) => {
        // Room for two files and a half.
        await leavePages(2.5 * MIB / 4_096);
        const pull = ["pull", `${path}/back`, "--layout", "{name}"];
        const { status, stderr } = await laptop.run(...pull);
        assert.equal(status, 3, stderr);
        assert.match(stderr, /this machine's disk is full/);
        const names = [];
        for await (const { name } of Deno.readDir(`${path}/back`)) {
          names.push(name);
          assert.equal((await Deno.stat(`${path}/back/${name}`)).size, MIB);
        }
        assert.equal(names.length, 2, names.join());
        await release();
        assert.match(await laptop.done(...pull), /2 files written/);
      });
    });
  },
});

Deno.test({
  name: "a server whose disk is full is told of, and push goes on later",
  ignore: !CAN_MOUNT,
  async fn() {
    await withSmallDisk(32 * MIB, async ({ path, leavePages, release }) => {
      await withTown(async (town) => {
        const laptop = await town.machine("laptop");
        await newAccount(town, laptop, "ada@example.org");
        await laptop.write("in/small.bin", bytes(9, 1_000));
        await laptop.done("push", laptop.path("in"));
        for (let seed = 0; seed < 4; seed++) {
          await laptop.write(`in/${seed}.bin`, bytes(seed, MIB));
        }
        await leavePages(1.5 * MIB / 4_096);
        const full = await laptop.run("push", laptop.path("in"));
        assert.notEqual(full.status, 0);
        assert.match(full.stderr, /the server's disk is full/);
        await release();
        await laptop.done("push", laptop.path("in"));
        assert.match(await laptop.done("verify"), /5 files .*nothing wrong/);
      }, {
        STRONGROOM_DATA_DIR: `${path}/data`,
        STRONGROOM_RESERVED_DISK_BYTES: String(MIB),
      });
    });
  },
});

Deno.test({
  name: "a full disk under what is remembered here is said, and costs nothing",
  ignore: !CAN_MOUNT,
  async fn() {
    await withTown(async (town) => {
      const laptop = await town.machine("laptop");
      await withSmallDisk(8 * MIB, async ({ path, leavePages, release }) => {
        await Deno.mkdir(laptop.path(".local"), { recursive: true });
        await Deno.symlink(path, laptop.path(".local/state"));
        await newAccount(town, laptop, "ada@example.org");
        await laptop.write("in/first.bin", bytes(1, 1_000));
        await laptop.done("push", laptop.path("in"));
        for (let seed = 0; seed < 24; seed++) {
          await laptop.write(`in/${seed}.bin`, bytes(seed, 2_000));
        }
        await leavePages(16);
        const full = await laptop.run("push", laptop.path("in"));
        assert.notEqual(full.status, 0);
        assert.match(full.stderr, /this machine's disk is full/);
        assert.doesNotMatch(full.stderr, /\.ts:\d+/);
        await release();
        await laptop.done("push", laptop.path("in"));
        assert.match(await laptop.done("ls"), /25 files/);
        assert.match(
          await laptop.done("verify", "--receipts"),
          /nothing wrong/,
        );
      });
    });
  },
});
