/**
 * `strongroom proof` and `strongroom receipts prove`: the proof of a photo as a
 * file, and the message if there is none.
 *
 * @module
 */
import assert from "node:assert/strict";
import { newAccount, withTown } from "../support/people_commands.ts";
import { until } from "../support/until.ts";

Deno.test("the proof of a photo is written once, and verified after the server has gone", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("ada");
    await newAccount(town, laptop, "ada@example.org");
    for (const name of ["walk", "talk"]) {
      await laptop.write(`in/${name}.txt`, `the photo ${name}`);
    }
    await laptop.done("push", laptop.path("in"));
    const [file, other] = [laptop.path("in/walk.txt"), laptop.path("other")];
    const proof = laptop.path("walk.tlog-proof");
    const prove = ["receipts", "prove", file, "--to", proof];
    await until(async () => (await laptop.run(...prove)).status, 0);

    const again = await laptop.run(...prove);
    assert.equal(again.status, 1);
    assert.match(again.stderr, /already exists: give another file/);
    const several = await laptop.run("receipts", "prove", ".txt");
    assert.equal(several.status, 1);
    assert.match(several.stderr, /means 2 files: give the beginning of one id/);
    await laptop.write("in/new.txt", "never pushed");
    const unkept = await laptop.run(
      ...["receipts", "prove", laptop.path("in/new.txt")],
    );
    assert.equal(unkept.status, 1);
    assert.match(unkept.stderr, /is not in the library/);
    // By a word, the same photo has the same receipt.
    const [said] = await laptop.events(
      ...["receipts", "prove", "walk", "--to", other],
    );
    assert.equal(said?.event, "proof");
    // With the photo's key, from the file and from what the server has.
    const opening = [laptop.path("a.tlog-proof"), laptop.path("b.tlog-proof")];
    for (const [at, what] of [file, "walk"].entries()) {
      const told = await laptop.done("proof", what, "--to", opening[at] ?? "");
      assert.match(told, /the file has the key of this photo/);
    }

    await town.server.stop();
    const stranger = await town.machine("stranger");
    for (const one of [proof, other]) {
      const verified = await stranger.done(
        ...["receipts", "verify", one, "--pinned"],
        String(said?.["server_key_id"]),
      );
      assert(verified.includes(`signed receipt ${said?.["receipt_seq"]} at`));
      assert(verified.includes(String(said?.["asset_id"])), verified);
    }
    for (const one of opening) {
      const pinned = ["--pinned", String(said?.["server_key_id"])];
      const prove = ["receipts", "verify", one, ...pinned, "--photo"];
      assert.match(
        await stranger.done(...prove, file),
        /walk\.txt is that original, byte for byte/,
      );
      const refused = await stranger.run(...prove, laptop.path("in/talk.txt"));
      assert.equal(refused.status, 1);
      assert.match(refused.stdout, /proves nothing: other_photo/);
      const nowhere = await stranger.run(...prove, laptop.path("in/none.txt"));
      assert.equal(nowhere.status, 1);
      assert.match(nowhere.stderr, /the photo .* cannot be read/);
    }
  }, { STRONGROOM_LOG_SECONDS: "1" });
});

Deno.test("a photo whose receipt is not in the log yet is to be tried again later", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("ada");
    await newAccount(town, laptop, "ada@example.org");
    const file = await laptop.write("walk.txt", "the photo walk");
    await laptop.done("push", file);
    const said = await laptop.run("receipts", "prove", file);
    assert.equal(said.status, 75, said.stdout + said.stderr);
    assert.match(said.stderr, /receipt \d+ of walk\.txt is not yet in the/);
  }, { STRONGROOM_LOG_SECONDS: "86400" });
});
