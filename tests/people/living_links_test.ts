/**
 * `share --album`: a link that shows what comes into an album later.
 *
 * @module
 */
import assert from "node:assert/strict";
import { acceptAll, fileOf } from "../support/library.ts";
import { editHalf } from "../support/library_sharing.ts";
import { ciphertext } from "../support/people.ts";
import {
  newAccount,
  settingsOf,
  withTown,
} from "../support/people_commands.ts";
import { programCommand } from "../support/program.ts";
import { takeFalsely } from "../support/album_cast.ts";
import { openedIndex, viewed } from "../support/viewed_links.ts";
import { PASSWORD } from "../support/web_app.ts";
import { photographer } from "../support/web_people.ts";

Deno.test("the link of an album shows what a push adds, until it is to stay as it is", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.done("album", "new", "Lake");
    await laptop.write("in/a.txt", "first");
    await laptop.done("push", "--album", "Lake", laptop.path("in"));
    const shared = await laptop.run("share", "--album", "Lake");
    assert.equal(shared.status, 0, shared.stderr);
    assert.match(shared.stderr, /and what comes into the album later/);
    const link = shared.stdout.trim();
    const now = (await laptop.done("share", "--album", "Lake", "--as-now"))
      .trim();
    const namesAt = async (url: string) =>
      (await viewed(url)).map(({ name }) => name).toSorted();
    assert.deepEqual(await namesAt(link), ["a.txt"]);

    await laptop.write("in/b.txt", "second");
    await laptop.done("push", "--album", "Lake", laptop.path("in"));
    assert.deepEqual(await namesAt(link), ["a.txt", "b.txt"]);
    assert.deepEqual(await namesAt(now), ["a.txt"]);

    const id = /\/s\/([0-9a-f]+)/.exec(link)?.[1] ?? "";
    const said = await laptop.done("links", "follow", id, "--off");
    assert.match(said, /stays as it is now/);
    await laptop.write("in/c.txt", "third");
    await laptop.done("push", "--album", "Lake", laptop.path("in"));
    assert.deepEqual(await namesAt(link), ["a.txt", "b.txt"]);
    await laptop.done("links", "follow", id);
    assert.deepEqual(await namesAt(link), ["a.txt", "b.txt", "c.txt"]);

    // Words, an album and everything are three things.
    for (
      const [args, why] of [
        [["share", "a", "--album", "Lake"], /--album, or --all/],
        [["share", "a", "--as-now"], /--as-now is for --album/],
        [["share", "--album", "Lake", "--may-react"], /is for --may-add/],
        [["share", "--album", "Sea"], /no album is called/],
      ] as const
    ) {
      const { status, stderr } = await laptop.run(...args);
      assert.equal(status, 1);
      assert.match(stderr, why);
    }
  });
});

Deno.test("viewers of a link with `--may-add` give hearts and comments only with `--may-react`", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.done("album", "new", "Lake");
    await laptop.write("in/a.txt", "first");
    await laptop.done("push", "--album", "Lake", laptop.path("in"));
    const share = async (...options: string[]) => {
      const link = await laptop.done("share", "--album", "Lake", ...options);
      const { adds } = await openedIndex(link.trim());
      return adds !== undefined && { reacts: adds.reacts };
    };
    assert.equal(await share(), false);
    assert.deepEqual(await share("--may-add"), { reacts: undefined });
    assert.deepEqual(await share("--may-add", "--may-react"), { reacts: true });
  });
});

Deno.test("what others have in an album is saved to one's own library, once, and stays when one leaves", async () => {
  await withTown(async (town) => {
    const [ada, bob] = [await town.machine("ada"), await town.machine("bob")];
    await newAccount(town, ada, "ada@example.org");
    await newAccount(town, bob, "bob@example.org");
    await ada.done("album", "new", "Lake");
    await ada.write("in/a.txt", "first");
    await ada.done("push", "--album", "Lake", ada.path("in"));
    await ada.done("album", "invite", "Lake", "bob@example.org");
    await bob.done("album", "accept", "Lake");
    assert.match(
      await bob.done("album", "save", "Lake"),
      /1 file of .*Lake.* saved to your library/,
    );
    assert.match(await bob.done("album", "save", "Lake"), /1 file known/);
    await bob.done("album", "leave", "Lake");
    assert.match(await bob.done("ls"), /a\.txt/);
  });
});

Deno.test("`album save` names a photo that is not what its member says, and `push --move` sends the true one", async () => {
  await withTown(async (town) => {
    const ada = await town.machine("ada");
    await newAccount(town, ada, "ada@example.org");
    const { library: eve, address } = await photographer(town.url, "eve");
    await ada.done("album", "new", "Lake");
    await ada.done("album", "invite", "--role", "contributor", "Lake", address);
    await eve.sync();
    assert(await acceptAll(eve));
    const [album] = eve.albums.list();
    const truth = new TextEncoder().encode("the pier");
    await takeFalsely(eve, "pier.txt", album?.id ?? "", truth);
    const { status, stderr } = await ada.run("album", "save", "Lake");
    assert.equal(status, 3);
    assert.match(stderr, /cannot be saved: pier\.txt/);
    await ada.write("in/pier.txt", truth);
    const pushed = await ada.events(
      ...["push", "--move", "--move-after", "0", ada.path("in")],
    );
    assert.equal(pushed.at(-1)?.kept, 1);
  });
});

Deno.test("a link that an edit does not reach is named once, by whichever command finishes the edit", async () => {
  await withTown(async (town) => {
    const { library, address, words } = await photographer(town.url, "ada");
    const take = async (name: string) => {
      const { row } = await library.take(
        fileOf(`${name}.jpg`, ciphertext(name, 900)),
      );
      return row.id;
    };
    const laptop = await town.machine("laptop");
    await laptop.done(
      ...["login", town.url, "--address", address],
      ...["--password-file", await laptop.write(".password", PASSWORD)],
      ...["--words-file", await laptop.write("words", words)],
    );
    const told = (title: string) =>
      new RegExp(`the link .*${title}.* may still show a photo as it was`);

    await editHalf(library, await take("lake"), "The lake");
    const { program, args } = programCommand([
      ...["webdav", "--listen", "127.0.0.1:0"],
    ]);
    const child = new Deno.Command(program, {
      args,
      cwd: new URL("../../", import.meta.url),
      env: settingsOf(laptop.home),
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const said = new Response(child.stderr).text();
    const reader = child.stdout.getReader();
    try {
      // Its address, once it serves.
      assert(!(await reader.read()).done);
    } finally {
      child.kill("SIGINT");
      while (!(await reader.read()).done);
      await child.status;
    }
    assert.match(await said, told("The lake"));

    const assetIds = [await take("other")];
    const other = await library.share({ assetIds, title: "Other" });
    await editHalf(library, await take("garden"), "The garden");
    const { status, stderr } = await laptop.run("links", "end", other.opaqueId);
    assert.equal(status, 0, stderr);
    assert.match(stderr, told("The garden"));
    const next = await laptop.run("links", "ls");
    assert.equal(next.status, 0, next.stderr);
    assert.doesNotMatch(next.stderr, told("The"));
  });
});
