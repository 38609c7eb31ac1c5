/**
 * Backups off the premises (backup-off-site.md): sealed before they leave, in
 * generations, and back from there with nothing but the passphrase.
 *
 * @module
 */
import assert from "node:assert/strict";
import { verifyReceiptChain } from "../../src/crypto/receipt_chain.ts";
import {
  faultsOf,
  filesUnder,
  publishedBy,
  receiptsOf,
  signIn,
  withServer,
} from "../support/backups.ts";
import {
  doneOn,
  foundOn,
  keysOf,
  refusedOn,
  withPassphrase,
  withPlace,
} from "../support/remote_backup.ts";
import { backUp, restore, story } from "../support/remote_backup_tests.ts";
import { createAsset, hashOf } from "../support/people.ts";
import { expectBytes, readBlob } from "../support/api.ts";

story(
  "a machine that burned down is back with the passphrase alone",
  async (given) => {
    const world = { ...given, place: withPassphrase(given.place) };
    const { place, data, ada, photo } = world;
    const made = await backUp(world);
    assert.deepEqual([made.generation, made.blobs.count, made.sent], [1, 3, 3]);
    const published = await publishedBy(world.server);
    await world.server.program.stop();
    const receipts = await receiptsOf(data);
    await Deno.remove(data, { recursive: true });

    const restored = `${place.room}/new`;
    const answer = await restore(world, restored);
    assert.deepEqual([answer.blobs.count, answer.receipts], [3, 3]);
    assert(answer.receipts_above >= 1_000_000);
    assert.deepEqual(await faultsOf(restored), []);
    await withServer(restored, async (server) => {
      const again = await signIn(server, ada);
      const hash = hashOf(photo.original);
      const blob = await readBlob(server, again, photo.assetId, hash);
      expectBytes(
        new Uint8Array(await blob.arrayBuffer()),
        photo.original,
        "the photo",
      );
      await createAsset(server, again, "after");
      const all = await receiptsOf(restored);
      assert.deepEqual(all.slice(0, receipts.length), receipts);
      const keys = await publishedBy(server);
      assert.equal(keys.keys[0]?.keyId, published.keys[0]?.keyId);
      assert((await verifyReceiptChain(all, keys)).ok);
    });
    assert.deepEqual(await faultsOf(restored), []);
  },
);

story(
  "what is there already is not sent again, and each generation has its own",
  async (world) => {
    const { place, data, server, ada } = world;
    await backUp(world);
    const first = await keysOf(place, "objects/");
    assert.deepEqual(
      [(await backUp(world)).sent, (await backUp(world)).kept],
      [0, 3],
    );
    // The database did not change either: three records are all there is more.
    assert.deepEqual(await keysOf(place, "objects/"), first);
    assert.equal((await keysOf(place, "generations/")).length, 3);
    const second = await createAsset(server, ada, "second");
    const more = await backUp(world);
    assert.deepEqual([more.generation, more.sent, more.kept], [4, 3, 3]);
    const { generations } = await doneOn(place, "backup", "list", place.name);
    assert.deepEqual(
      generations.map(({ generation, blobs }: never) => [
        generation,
        blobs["count"],
      ]),
      [[1, 3], [2, 3], [3, 3], [4, 6]],
    );
    assert.deepEqual(await foundOn(place, "--deep"), []);
    await server.program.stop();
    await Deno.remove(data, { recursive: true });
    const old = await restore(world, `${place.room}/old`, "--generation", "3");
    assert.equal(old.blobs.count, 3);
    assert.deepEqual(await faultsOf(`${place.room}/old`), []);
    await restore(world, `${place.room}/new`);
    const names = [...(await filesUnder(`${place.room}/new/blobs`)).keys()];
    assert(names.some((name) => name.endsWith(hashOf(second.original))));
  },
);

story(
  "the backup of another server, and a place that holds something else, are refused",
  async (world) => {
    const { place } = world;
    await backUp(world);
    const other = `${place.room}/other`;
    await withServer(other, async () => {
      assert.match(
        await refusedOn(place, "backup", place.name, "--data-dir", other),
        /backup of another server/,
      );
      const foreign = `${place.room}/foreign`;
      await Deno.mkdir(foreign);
      await Deno.writeTextFile(`${foreign}/letter`, "");
      for (const name of [`file://${foreign}`]) {
        assert.match(
          await refusedOn(place, "backup", name, "--data-dir", other),
          /it has letter/,
        );
      }
      assert.match(
        await refusedOn(
          place,
          "backup",
          `${place.name}-new`,
          "--existing",
          "--data-dir",
          other,
        ),
        /contains no backup/,
      );
    });
  },
);

Deno.test("what is no place, and what a directory does not have, is refused by name", async () => {
  await withPlace("a directory", async (place) => {
    const data = `${place.room}/data`;
    await withServer(data, () => Promise.resolve());
    const dir = `${place.room}/plain`;
    const refusals: readonly [readonly string[], RegExp][] = [
      [["backup", "ftp://host/x"], /go to a directory, to s3:/],
      [["backup", "file://relative"], /three slashes/],
      [["backup", "file:///a/../b"], /is not a directory/],
      [["backup", "s3://B"], /is not a place in a bucket/],
      [["backup", "s3://bucket/a"], /STRONGROOM_BACKUP_S3_ENDPOINT/],
      [["backup", `file://${place.room}/not/there`], /mount the disk/],
      [["backup", place.name, "--copy"], /--copy is for a directory/],
      [["backup", dir, "--keep-last", "2"], /contains only one backup/],
      [["backup", place.name, "--keep-last", "0"], /a number of 1 or more/],
      [["backup", "list", dir], /is a directory/],
      [["backup", "list", place.name], /contains no backup/],
    ];
    for (const [args, complaint] of refusals) {
      const inPlace = args[1] === "list" ? [] : ["--data-dir", data];
      assert.match(await refusedOn(place, ...args, ...inPlace), complaint);
    }
    assert.match(
      await refusedOn(place, "restore", dir, "--generation", "1"),
      /--generation is for remote backups/,
    );
    await doneOn(place, "backup", place.name, "--data-dir", data);
    for (
      const [args, complaint] of [
        [["backup", "prune", place.name], /every generation would be removed/],
        [["restore", place.name, "--generation", "x"], /is not a generation/],
        [["restore", place.name, "--generation", "7"], /no generation 7/],
      ] as const
    ) {
      assert.match(
        await refusedOn(place, ...args, "--data-dir", `${place.room}/new`),
        complaint,
      );
    }
  });
});
