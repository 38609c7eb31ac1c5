/**
 * A photo and its copy in another person's album are one photo at the command
 * line, as in the app: listed once, and deleted and restored together.
 *
 * @module
 */
import assert from "node:assert/strict";
import { newAccount, withTown } from "../support/people_commands.ts";

Deno.test("a photo that was pushed into an album is listed once, goes to the trash as a whole and comes back as a whole", async () => {
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
    await member.write("in/one.txt", "of Bob's");
    await member.write("in/two.txt", "of Bob's, too");
    const folder = member.path("in");
    await member.done("sync", folder);
    await member.done("push", folder, "--album", "Trip");
    assert.match(await member.done("ls"), /^2 files, /m);
    assert.match(await owner.done("ls"), /^2 files, /m);

    assert.match(await member.done("rm", "one.txt"), /in the trash: one\.txt/);
    assert.match(await member.done("ls"), /^1 file, /m);
    assert.match(await owner.done("ls"), /^1 file, /m);
    assert.match(await member.done("trash", "ls"), /^1 file in the trash/m);
    await member.done("trash", "restore", "one.txt");
    assert.match(await owner.done("ls"), /^2 files, /m);
    assert.match(await member.done("ls"), /^2 files, /m);

    await Deno.remove(`${folder}/two.txt`);
    assert.match(
      await member.done("sync", folder, "--delete"),
      /1 file to the trash/,
    );
    assert.match(await owner.done("ls"), /^1 file, /m);
    assert.match(await member.done("ls"), /^1 file, /m);
  });
});

Deno.test("a photo that is put into an album again while it is in the trash is there once when it comes back", async () => {
  await withTown(async (town) => {
    const owner = await town.machine("ada");
    await newAccount(town, owner, "ada@example.org");
    const member = await town.machine("bob");
    await newAccount(town, member, "bob@example.org");
    await owner.done("album", "new", "Trip");
    await owner.done(
      ...["album", "invite", "Trip", "bob@example.org"],
      ...["--role", "viewer"],
    );
    await member.done("album", "accept", "Trip");
    await owner.write("in/one.txt", "of Ada's");
    const folder = owner.path("in");
    await owner.done("push", folder, "--album", "Trip");
    await owner.done("push", folder);
    assert.match(await member.done("ls"), /^1 file, /m);
    await owner.done("rm", "one.txt");
    assert.match(await member.done("ls"), /^0 files/m);
    await owner.done("push", folder, "--album", "Trip", "--again");
    await owner.done("trash", "restore", "one.txt");
    assert.match(await member.done("ls"), /^1 file, /m);
    assert.match(await owner.done("ls"), /^1 file, /m);
  });
});
