/**
 * A disk that is full, under a backup and under a restore.
 *
 * Ignored where this process may not mount a small tmpfs, which wants root.
 *
 * @module
 */
import assert from "node:assert/strict";
import { expectRefused } from "../support/ended.ts";
import {
  backUp,
  faultsOf,
  placesIn,
  restore,
  verifyBackup,
  withRoom,
  withServer,
} from "../support/backups.ts";
import {
  ciphertext,
  registerWriter,
  uploadBlob,
  uuidOf,
} from "../support/people.ts";
import { runProgram } from "../support/program.ts";
import { mayMount, withSmallDisk } from "../support/small_disk.ts";

const MIB = 1024 ** 2;
const ignore = !await mayMount();
const where = ignore ? " (ignored: mounting a small disk needs root)" : "";

Deno.test({
  name: `a full disk refuses a backup, and the one before is whole${where}`,
  ignore,
  fn: () =>
    withSmallDisk(24 * MIB, (disk) =>
      withRoom(async (room) => {
        const { data, restored } = placesIn(room);
        const backup = `${disk.path}/backup`;
        await withServer(data, async (server) => {
          const ada = await registerWriter(server, "ada");
          const put = (word: string) =>
            uploadBlob(server, ada, ciphertext(word, MIB), {
              fileId: uuidOf(word),
            });
          for (const word of ["one", "two", "three"]) await put(word);
          const first = await backUp(data, backup);
          // Another file system: nothing can be linked.
          assert.deepEqual([first.linked, first.copied], [0, 3]);
          for (const word of ["four", "five", "six"]) await put(word);
          for (const pages of [0, 1, 4, 100, 300]) {
            await disk.leavePages(pages);
            expectRefused(
              await runProgram(["backup", backup, "--data-dir", data]),
              /the disk is full .*free some space and run this again/,
            );
            await disk.release();
            const { found, made_at } = await verifyBackup(backup);
            assert.deepEqual([found, made_at], [0, first.made_at]);
          }
          const { blobs, copied, kept } = await backUp(data, backup);
          assert.equal(blobs.count, 6);
          assert(kept >= 3 && copied + kept === 6);
          assert.equal((await verifyBackup(backup)).found, 0);
          await restore(backup, restored);
          assert.deepEqual(await faultsOf(restored), []);
        });
      })),
});

Deno.test({
  name: `a full disk refuses a restore, and leaves the directory empty${where}`,
  ignore,
  fn: () =>
    withSmallDisk(24 * MIB, (disk) =>
      withRoom(async (room) => {
        const { data, backup } = placesIn(room);
        await withServer(data, async (server) => {
          const ada = await registerWriter(server, "ada");
          for (const word of ["one", "two", "three"]) {
            await uploadBlob(server, ada, ciphertext(word, MIB), {
              fileId: uuidOf(word),
            });
          }
        });
        await backUp(data, backup);
        const target = `${disk.path}/restored`;
        for (const pages of [0, 3, 40, 200, 600]) {
          await disk.leavePages(pages);
          expectRefused(
            await runProgram(["restore", backup, "--data-dir", target]),
            /the disk is full .*free some space|needs .* free: free some space/,
          );
          const left = await Array.fromAsync(Deno.readDir(target))
            .catch(() => []);
          assert.deepEqual(
            left.map(({ name }) => name).filter((name) => name !== "lock"),
            [],
          );
          await disk.release();
        }
        await restore(backup, target);
        assert.deepEqual(await faultsOf(target), []);
        assert.equal((await verifyBackup(backup)).found, 0);
      })),
});
