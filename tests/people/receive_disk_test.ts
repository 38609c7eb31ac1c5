/**
 * A disk that is really full under `strongroom receive`: the telephone is told
 * to try again, and nothing that was acknowledged is lost.
 *
 * @module
 */
import assert from "node:assert/strict";
import { ciphertext } from "../support/people.ts";
import { mayMount, withSmallDisk } from "../support/small_disk.ts";
import { withTelephone } from "../support/telephone.ts";

const CAN_MOUNT = await mayMount();

Deno.test({
  name: "on a full disk a telephone gets 507, and what came before arrives",
  ignore: !CAN_MOUNT,
  async fn() {
    await withSmallDisk(4_000_000, async (disk) => {
      await withTelephone(
        async (town) => {
          const first = ciphertext("first", 500_000);
          assert.equal(await town.status("/first.jpg", { body: first }), 201);
          await disk.leavePages(20);
          // A stream tells no length: the disk is met while it is written.
          const big = ciphertext("big", 3_000_000);
          const stream = new Blob([big]).stream();
          assert.equal(await town.status("/big.mp4", { body: stream }), 507);
          assert.equal(await town.status("/big.mp4", { method: "HEAD" }), 404);
          // Until nothing at all can be written.
          await disk.leavePages(0);
          const small = ciphertext("small", 5_000);
          assert.equal(await town.status("/small.jpg", { body: small }), 507);
          assert.equal(await town.status("/album", { method: "MKCOL" }), 507);
          await disk.release();
          assert.equal(await town.status("/small.jpg", { body: small }), 201);
          await town.kill();
          assert.equal((await town.deliver()).sent, 2);
          const waiting = await town.inbox();
          assert.deepEqual(
            waiting.map(({ file }) => file?.name),
            ["first.jpg", "small.jpg"],
          );
          assert.deepEqual(
            await Array.fromAsync(Deno.readDir(`${town.root}/incoming`)),
            [],
          );
        },
        {},
        disk.path,
      );
    });
  },
});
