/**
 * What the command line says of assets that are not one's own, and of those
 * that one's own keys do not open.
 *
 * @module
 */
import assert from "node:assert/strict";
import { openDatabase } from "../support/storage.ts";
import { storeAsset } from "../../src/library/adding/store_asset.ts";
import { sourceOf } from "../../src/client/api/send.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import { fileOf } from "../support/library.ts";
import {
  type Machine,
  newAccount,
  signInWithWords,
  type Town,
  withTown,
} from "../support/people_commands.ts";
import { ciphertext } from "../support/people.ts";
import { PASSWORD } from "../support/web_app.ts";
import { photographer } from "../support/web_people.ts";

/** A person with a photo, and an asset of another program under another key. */
async function withForeignAsset(town: Town): Promise<[Machine, string]> {
  const { address, words, library } = await photographer(town.url, "ada");
  await library.take(fileOf("mine.jpg", ciphertext("mine", 900)));
  const bytes = ciphertext("sealed otherwise", 500);
  const { platform } = library.vault.session;
  const { row } = await storeAsset(library, {
    assetId: "01890000-0000-7000-8000-000000000001",
    albumId: library.vault.libraryAlbumId,
    epoch: 0,
    amk: new Uint8Array(platform.random(32)),
    fileKey: new Uint8Array(platform.random(32)),
    original: {
      ...sourceOf(bytes),
      hash: sha256Hex(bytes),
      size: bytes.length,
      plaintextSize: 468,
    },
    derivatives: [],
    metadata: {
      name: "theirs.jpg",
      mime: "image/jpeg",
      size: 468,
      sha256: sha256Hex(ciphertext("theirs", 468)),
      derivatives: [],
    },
  });
  const laptop = await town.machine("ada");
  await laptop.done(
    ...["login", town.url, "--address", address],
    ...["--password-file", await laptop.write(".password", PASSWORD)],
    ...["--words-file", await laptop.write("words", words)],
  );
  return [laptop, row.id];
}

Deno.test("an asset that the keys here do not open is named by every command that goes through all, and is not called kept", async () => {
  await withTown(async (town) => {
    const [laptop, id] = await withForeignAsset(town);
    const listed = await laptop.run("ls");
    assert.match(listed.stdout, /mine\.jpg[\s\S]*1 file/);
    assert.match(listed.stderr, new RegExp(`does not open here: .*${id}`));
    for (
      const [status, ...command] of [
        [4, "verify"],
        [4, "verify", "--download"],
        [3, "pull", laptop.path("out")],
        [3, "export-all", laptop.path("all")],
        [3, "sync", laptop.path("out")],
      ] as const
    ) {
      const ended = await laptop.run(...command);
      assert.equal(ended.status, status, `${command[0]}: ${ended.stdout}`);
      assert.match(ended.stderr, new RegExp(`does not open here: .*${id}`));
      assert.doesNotMatch(ended.stdout, /nothing wrong/);
    }
    // What was looked for is there, whatever else is.
    await laptop.done("pull", laptop.path("some"), "--query", "mine");
    assert.match(await laptop.done("verify", "mine"), /nothing wrong/);
    assert.match(listed.stderr, /`strongroom rm ID` moves such a photo/);
    assert.match(await laptop.done("rm", id), /in the trash/);
    assert.match(await laptop.done("verify"), /nothing wrong/);
  });
});

Deno.test("what others brought into an album is not called missing, and is read back where that is asked", async () => {
  await withTown(async (town) => {
    const owner = await town.machine("ada");
    await newAccount(town, owner, "ada@example.org");
    const member = await town.machine("bob");
    await newAccount(town, member, "bob@example.org");
    await owner.done("album", "new", "Trip");
    await owner.done(
      ...["album", "invite", "Trip", "bob@example.org"],
      ...["--role", "contributor"],
    );
    await member.done("album", "accept", "Trip");
    await member.write("in/six.txt", "of Bob's");
    await member.done("push", member.path("in"), "--album", "Trip");
    await owner.write("in/one.txt", "of Ada's");
    await owner.done("push", owner.path("in"), "--album", "Trip");
    // Photos pushed into another person's album are kept in the own library
    // too.
    const expected = [
      {
        person: owner,
        asked: /^1 file confirmed .*, 1 file of other people .*, nothing wrong/,
        read: /^2 files read back and found as they were, nothing wrong/,
      },
      {
        person: member,
        asked:
          /^2 files confirmed .*, 1 file of other people .*, nothing wrong/,
        read: /^3 files read back and found as they were, nothing wrong/,
      },
    ];
    for (const { person, asked, read } of expected) {
      assert.match(await person.done("verify"), asked);
      assert.match(await person.done("verify", "--download"), read);
      assert.doesNotMatch(await person.done("ls"), /missing/);
    }
  });
});

Deno.test("who gave the password long ago gives it again in a file, and without one is told how", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("ada");
    await newAccount(town, laptop, "ada@example.org");
    forgetPresentations(town);
    const make = ["phrase", "--words-file", laptop.path("new-words")];
    const refused = await laptop.run(...make);
    assert.notEqual(refused.status, 0);
    assert.match(refused.stderr, /--password-file/);
    // No file is left of words that open nothing.
    await assert.rejects(Deno.stat(laptop.path("new-words")));
    await laptop.done(...make, "--password-file", laptop.path(".password"));
    const [before, after] = await Promise.all(
      ["words", "new-words"].map((name) =>
        Deno.readTextFile(laptop.path(name))
      ),
    );
    assert.equal(after?.trim().split(/\s+/).length, 24);
    assert.notEqual(after, before);
  });
});

/** Makes every session one whose password was given long ago. */
function forgetPresentations({ folder }: Town): void {
  const database = openDatabase(`${folder}/data`);
  try {
    database.exec("UPDATE session SET presented_at = 1");
  } finally {
    database.close();
  }
}

Deno.test("a photo that its album's owner threw away keeps no member's new machine from its library", async () => {
  await withTown(async (town) => {
    const owner = await town.machine("ada");
    await newAccount(town, owner, "ada@example.org");
    const member = await town.machine("bob");
    const words = await newAccount(town, member, "bob@example.org");
    await owner.done("album", "new", "Trip");
    await owner.done("album", "invite", "Trip", "bob@example.org");
    await owner.write("in/one.txt", "of Ada's");
    await owner.write("in/two.txt", "of Ada's, too");
    await owner.done("push", owner.path("in"), "--album", "Trip");
    await member.done("album", "accept", "Trip");
    await member.done("ls");
    await owner.done("rm", "one.txt");

    const laptop = await town.machine("bob's laptop");
    await signInWithWords(
      ...[town, laptop, "bob@example.org"] as const,
      await Deno.readTextFile(words).then((text) => laptop.write("w", text)),
    );
    const listed = await laptop.done("ls");
    assert.match(listed, /two\.txt/);
    assert.doesNotMatch(listed, /one\.txt/);
    await laptop.write("in/mine.txt", "of Bob's");
    assert.match(await laptop.done("push", laptop.path("in")), /1 file kept/);
    assert.match(await laptop.done("pull", laptop.path("out")), /2 files/);
    assert.match(await laptop.done("trash", "ls"), /0 files/);
  });
});

Deno.test("two machines that push one folder at once end with each file once", async () => {
  await withTown(async (town) => {
    const one = await town.machine("one");
    const words = await newAccount(town, one, "ada@example.org");
    const two = await town.machine("two");
    await signInWithWords(town, two, "ada@example.org", words);
    for (const machine of [one, two]) {
      for (let i = 0; i < 12; i++) {
        await machine.write(`in/${i}.txt`, `the photo of number ${i}`);
      }
    }
    await Promise.all([one, two].map((m) => m.done("push", m.path("in"))));
    for (const machine of [one, two, one, two]) {
      assert.match(await machine.done("ls"), /12 files/);
    }
    // What was let go of is not called "in the trash".
    for (const machine of [one, two]) {
      assert.match(
        await machine.done("push", machine.path("in")),
        /12 files known$/m,
      );
    }
  });
});
