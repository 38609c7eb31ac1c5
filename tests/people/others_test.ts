/**
 * Other people and other devices, from the command line: an album between two,
 * guests from both sides, a second device by its code, and what a server is
 * asked for proof of.
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { appEntry } from "../../src/features/log/entries.ts";
import { loseBlobs } from "../support/storage.ts";
import {
  type Machine,
  newAccount,
  settingsOf,
  signInWithWords,
  type Town,
  withTown,
} from "../support/people_commands.ts";
import { withInterceptor } from "../support/intercepting_server.ts";
import { until } from "../support/until.ts";
import { programCommand, runProcess, runProgram } from "../support/program.ts";

async function ada(town: Town): Promise<Machine> {
  const laptop = await town.machine("ada");
  await newAccount(town, laptop, "ada@example.org");
  return laptop;
}

Deno.test("an album goes from invitation to removal, and what comes after is not for who left", async () => {
  await withTown(async (town) => {
    const owner = await ada(town);
    const member = await town.machine("bob");
    await newAccount(town, member, "bob@example.org");
    await owner.done("album", "new", "Summer");
    await owner.write("in/first.txt", "for both of us");
    await owner.done("push", owner.path("in"), "--album", "Summer");
    const said = await owner.done(
      "album",
      "invite",
      "Summer",
      "bob@example.org",
    );
    assert.match(said, /Compare this with them/);
    // Nothing of it is there before it is accepted.
    assert.match(await member.done("album", "ls"), /invitation .*Summer/);
    assert.doesNotMatch(await member.done("ls"), /first/);
    const number = /(\d{5} ){11}\d{5}/.exec(said)?.[0] ?? "";
    assert.ok(
      (await member.done("album", "accept", "Summer")).includes(number),
    );
    assert.match(await member.done("album", "ls"), /viewer .*1 file .*Summer/);
    assert.match(await member.done("ls"), /first\.txt/);
    assert.equal(await member.done("get", "first"), "for both of us");
    await owner.done("album", "remove", "Summer", "bob@example.org");
    const again = await owner.run(
      ...["album", "remove", "Summer", "bob@example.org"],
    );
    assert.equal(again.status, 1);
    assert.equal(
      again.stderr,
      "strongroom: bob@example.org is not in the album\n",
    );
    await owner.write("in/second.txt", "for me alone");
    await owner.done("push", owner.path("in"), "--album", "Summer");
    assert.doesNotMatch(await member.done("ls"), /first|second/);
    assert.match(
      await owner.done("ls"),
      /second\.txt[\s\S]*first\.txt|first\.txt[\s\S]*second\.txt/,
    );
  });
});

Deno.test("an invitation is declined, and a blocked person cannot send another", async () => {
  await withTown(async (town) => {
    const owner = await ada(town);
    const member = await town.machine("bob");
    await newAccount(town, member, "bob@example.org");
    await owner.done("album", "new", "Summer");
    await owner.done("album", "new", "Winter");
    await owner.done("album", "invite", "Summer", "bob@example.org");
    await member.done("album", "decline", "Summer");
    assert.match(await member.done("album", "ls"), /^0 albums/);
    await owner.done("album", "invite", "Winter", "bob@example.org");
    const [invitation] = await member.events("album", "ls");
    const from = String(invitation?.["owner"]);
    assert.match(
      await member.done("album", "block", from.slice(0, 8)),
      /is blocked/,
    );
    assert.match(await member.done("album", "ls"), /^0 albums/);
    await member.done("album", "unblock", from);
    await member.done("album", "accept", "Winter");
    assert.match(await member.done("album", "ls"), /viewer .*Winter/);
  });
});

Deno.test("favourite albums are listed first, on every machine of the account and for no other member", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("ada");
    const words = await newAccount(town, laptop, "ada@example.org");
    const member = await town.machine("bob");
    await newAccount(town, member, "bob@example.org");
    for (const title of ["Spring", "Summer", "Winter"]) {
      await laptop.done("album", "new", title);
      await laptop.done("album", "invite", title, "bob@example.org");
      await member.done("album", "accept", title);
    }
    const listed = async (machine: Machine) =>
      (await machine.events("album", "ls"))
        .filter(({ event }) => event === "album")
        .map(({ title, favourite }) => ({ title, favourite }));
    const [one, two, last] = await listed(laptop);
    assert(one !== undefined && two !== undefined && last !== undefined);
    assert.deepEqual([one, two, last].map((of) => of.favourite), [
      false,
      false,
      false,
    ]);
    const before = await listed(member);
    assert.match(
      await laptop.done("album", "favourite", String(last.title)),
      /^a favourite: /,
    );
    const marked = [{ ...last, favourite: true }, one, two];
    assert.deepEqual(await listed(laptop), marked);
    assert.match(
      await laptop.done("album", "ls"),
      new RegExp(`^\\S+ .*${last.title} {2}\\(favourite\\)\n`),
    );
    assert.deepEqual(await listed(member), before);

    const phone = await town.machine("phone");
    await signInWithWords(town, phone, "ada@example.org", words);
    assert.deepEqual((await listed(phone))[0], marked[0]);
    await phone.done("album", "unfavourite", String(last.title));
    assert(
      (await listed(laptop)).every(({ favourite }) => favourite === false),
    );
  });
});

Deno.test("a guest sends by a link without an account, and the owner accepts or refuses", async () => {
  await withTown(async (town) => {
    const owner = await ada(town);
    const link = (await owner.done("request", "--expires", "1d")).trim();
    const camera = await town.machine("camera");
    await camera.write("out/one.jpg", "from the camera");
    await camera.write("out/two.jpg", "blurred");
    assert.match(
      await camera.done("send", link, camera.path("out")),
      /2 files sent/,
    );
    assert.match(
      await camera.done("send", link, camera.path("out")),
      /0 files sent, 2 files sent before/,
    );
    // Nothing is kept on the camera that could read it.
    await assert.rejects(Deno.stat(camera.path(".config")));
    const waiting = await owner.events("inbox", "ls");
    assert.deepEqual(
      waiting.slice(0, 2).map(({ name }) => name).sort(),
      ["one.jpg", "two.jpg"],
    );
    const idOf = (name: string) =>
      String(waiting.find((one) => one["name"] === name)?.["id"]);
    // By what is shown, too: the ids of one minute begin alike.
    const shown = /^(\S+) .*one\.jpg$/m.exec(await owner.done("inbox", "ls"));
    await owner.done("inbox", "accept", shown?.[1] ?? "");
    await owner.done("inbox", "refuse", idOf("two.jpg"));
    assert.equal(await owner.done("get", "one.jpg"), "from the camera");
    assert.match(await owner.done("inbox", "ls"), /0 files/);
  });
});

Deno.test("what another device accepts meanwhile is accepted once, and is no failure here", async () => {
  await withTown(async (town) => {
    const other = await town.machine("other");
    const words = await newAccount(town, other, "ada@example.org");
    const link = (await other.done("request", "--expires", "1d")).trim();
    const camera = await town.machine("camera");
    for (const name of ["one.jpg", "two.jpg"]) {
      await camera.write(`out/${name}`, `of ${name}`);
    }
    await camera.done("send", link, camera.path("out"));
    // The other device comes first, after this one has looked what waits.
    let meanwhile: Promise<string> | undefined;
    await withInterceptor(town.url, async (method, path) => {
      if (method !== "POST" || !path.endsWith("/ops")) return;
      await (meanwhile ??= other.done("inbox", "accept", "all"));
    }, async (url) => {
      const laptop = await town.machine("ada");
      await signInWithWords({ ...town, url }, laptop, "ada@example.org", words);
      // A process of its own: in this one commands run one after another.
      const { status, stdout: said, stderr } = await runProcess(
        ["inbox", "accept", "all"],
        settingsOf(laptop.home),
      );
      assert.equal(status, 0, stderr);
      assert.match(
        said,
        /^one\.jpg was accepted or refused on another device/m,
      );
      assert.match(
        said,
        /^two\.jpg was accepted or refused on another device/m,
      );
      assert.match(await meanwhile ?? "", /accepted one[^]*accepted two/);
      // Nothing waits, which is no mistake of whoever asks for all of it.
      assert.match(await laptop.done("inbox", "accept", "all"), /0 files/);
      assert.equal(await laptop.done("get", "one.jpg"), "of one.jpg");
      const listed = await laptop.done("ls");
      for (const name of [/one\.jpg/g, /two\.jpg/g]) {
        assert.equal(listed.match(name)?.length, 1, listed);
      }
    });
  });
});

Deno.test("a second device comes by the link that the first one shows", async () => {
  await withTown(async (town) => {
    const laptop = await ada(town);
    await laptop.write("in/a.txt", "hello");
    await laptop.done("push", laptop.path("in"));
    const command = programCommand(["enroll", "--json", "--yes"]);
    const child = new Deno.Command(command.program, {
      args: command.args,
      cwd: new URL("../../", import.meta.url),
      env: settingsOf(laptop.home),
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const errors = new Response(child.stderr).text();
    const reader = child.stdout.pipeThrough(new TextDecoderStream())
      .getReader();
    let text = "";
    while (!text.includes("\n")) {
      const { done, value } = await reader.read();
      if (done) assert.fail(await errors);
      text += value;
    }
    const { link } = JSON.parse(text.slice(0, text.indexOf("\n")));
    const phone = await town.machine("phone");
    const password = await phone.write(
      ".password",
      await Deno.readTextFile(laptop.path(".password")),
    );
    await phone.done(
      ...["join", link, "--address", "ada@example.org"],
      ...["--password-file", password, "--device", "phone", "--yes"],
    );
    while (!(await reader.read()).done);
    assert.equal((await child.status).code, 0, await errors);
    assert.equal(await phone.done("get", "a.txt"), "hello");
    assert.match(await laptop.done("devices"), /\(this one\)/);
  });
});

Deno.test("what is kept is confirmed, a file that is not kept is named, and a lost blob is status 4", async () => {
  await withTown(async (town) => {
    const laptop = await ada(town);
    await laptop.write("in/a.txt", "first");
    await laptop.write("in/b.txt", "second");
    const folder = laptop.path("in");
    await laptop.done("push", folder);
    assert.match(
      await laptop.done("verify", "--deep"),
      /2 files .*nothing wrong/,
    );
    assert.match(
      await laptop.done("verify", "--download"),
      /2 files read back .*nothing wrong/,
    );
    assert.match(
      await laptop.done("verify", "--receipts"),
      /6 receipts verified[\s\S]*nothing wrong/,
    );
    for (const kept of ["digest", "whole"]) {
      assert.match(
        await laptop.done("verify", `--receipts=${kept}`),
        /6 receipts verified[\s\S]*nothing wrong/,
      );
    }
    const other = await laptop.run("verify", "--receipts=all");
    assert.match(other.stderr, /--receipts takes digest, whole/);
    for (const share of ["half", "0%", "101"]) {
      const none = await laptop.run("verify", "--sample", share);
      assert.equal(none.status, 1);
      assert.match(none.stderr, /--sample is a share from 1% to 100%/);
    }
    await laptop.write("in/c.txt", "third");
    const local = await laptop.run("verify", "--local", folder);
    assert.equal(local.status, 4);
    assert.match(local.stderr, /not stored: .*c\.txt/);
    assert.match(local.stdout, /^2 files .*1 fault FOUND\n$/);
    // The disk of the server loses everything.
    await loseBlobs({ dataDir: `${town.folder}/data` });
    const lost = await laptop.run("verify");
    assert.equal(lost.status, 4, lost.stdout);
    assert.match(lost.stderr, /MISSING at the server: a\.txt/);
  });
});

Deno.test("the web app that a server hands out is held against the one in the program", async () => {
  await withTown(async (town) => {
    // Whoever stands between can change what browsers run, and how.
    let rewrite = (
      answer: Response,
      _path: string,
    ): Response | Promise<Response> => answer;
    const between = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => undefined,
    }, async (request) => {
      const { pathname, search } = new URL(request.url);
      const answer = await fetch(`${town.url}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        body: request.body,
        redirect: "manual",
      });
      const headers = new Headers(answer.headers);
      headers.delete("content-encoding");
      headers.delete("content-length");
      const { status } = answer;
      const body = status === 204 || status === 304 ? null : answer.body;
      return rewrite(new Response(body, { status, headers }), pathname);
    });
    try {
      const laptop = await town.machine("ada");
      const url = `http://127.0.0.1:${between.addr.port}`;
      await newAccount({ ...town, url }, laptop, "ada@example.org");
      assert.match(
        await laptop.done("verify", "--app"),
        /files of the web app served as this program carries them[\s\S]*nothing/,
      );
      rewrite = (answer, path) =>
        path.endsWith(".css")
          ? new Response("body { display: none }", answer)
          : answer;
      const changed = await laptop.run("verify", "--app");
      assert.equal(changed.status, 4);
      assert.match(
        changed.stderr,
        /NOT OURS: \/app\/.*\.css: the file is different/,
      );
      rewrite = (answer, path) => {
        if (path === "/") answer.headers.delete("Content-Security-Policy");
        return answer;
      };
      const open = await laptop.run("verify", "--app");
      assert.equal(open.status, 4);
      assert.match(
        open.stderr,
        /NOT OURS: \/: its security policy is different/,
      );
      rewrite = async (answer, path) =>
        path === "/v1/version"
          ? Response.json({ ...await answer.json(), version: "9.9.9" })
          : answer;
      const other = await laptop.run("verify", "--app");
      assert.equal(other.status, 1);
      assert.match(other.stderr, /only the web app of the same version/);

      // What is served is ours, and the log names another for everybody.
      rewrite = (answer) => answer;
      const path = `${town.folder}/data/db/strongroom.sqlite`;
      using database = new DatabaseSync(path);
      database.prepare("insert into log_entry (entry) values (?)")
        .run(appEntry("ab".repeat(32)));
      await until(
        async () => (await laptop.run("verify", "--app")).stderr,
        (said) =>
          /NOT OURS: \/: the public log names another one for everyone/
            .test(said),
      );
    } finally {
      await between.shutdown();
    }
  }, { STRONGROOM_LOG_SECONDS: "1" });
});

Deno.test("what a member pushed into an album and moved is theirs when the membership ends", async () => {
  await withTown(async (town) => {
    const owner = await ada(town);
    const member = await town.machine("bob");
    const words = await newAccount(town, member, "bob@example.org");
    await owner.done("album", "new", "Summer");
    await owner.done(
      ...["album", "invite", "Summer", "bob@example.org"],
      ...["--role", "contributor"],
    );
    await member.done("album", "accept", "Summer");
    await member.write("in/beach.txt", "of bob");
    assert.match(
      await member.done(
        ...["push", "--move", "--move-after", "0", member.path("in")],
        ...["--album", "Summer"],
      ),
      /1 file kept .* 1 file moved/,
    );
    assert.equal(await owner.done("get", "beach"), "of bob");
    await owner.done("album", "remove", "Summer", "bob@example.org");
    assert.equal(await member.done("get", "beach"), "of bob");
    assert.match(await member.done("verify", "--deep"), /nothing wrong/);
    const fresh = await town.machine("fresh");
    await signInWithWords(town, fresh, "bob@example.org", words);
    assert.equal(await fresh.done("get", "beach"), "of bob");
  });
});

Deno.test("a link that carries a secret comes from a file or from standard input", async () => {
  await withTown(async (town) => {
    const owner = await ada(town);
    const link = (await owner.done("request", "--expires", "1d")).trim();
    const camera = await town.machine("camera");
    const file = await camera.write("link", `${link}\n`);
    const [a, b] = [
      await camera.write("out/a.txt", "a"),
      await camera.write("out/b.txt", "b"),
    ];
    assert.match(
      await camera.done("send", "--link-file", file, a),
      /1 file sent/,
    );
    const piped = await runProgram(
      ["send", "-", b],
      settingsOf(camera.home),
      `${link}\n`,
    );
    assert.match(piped.stdout, /1 file sent/, piped.stderr);
    assert.match(
      (await camera.run("send", "--link-file", "-")).stderr,
      /missing required argument 'link'/,
    );
    assert.match(
      (await camera.run("send", link)).stderr,
      /name the files to send/,
    );
    assert.match(
      (await camera.run("join")).stderr,
      /no terminal to ask:.*--link-file/,
    );
    const fragment = link.split("#")[1] ?? "";
    const told = await runProgram(
      ["join", "-"],
      settingsOf(camera.home),
      `${town.url}/#/join/${fragment}\n`,
    );
    assert.equal(told.status, 1);
    assert.doesNotMatch(told.stderr, /no terminal/);
    assert.match(await owner.done("inbox", "ls"), /2 files/);
  });
});

Deno.test("a live photo that a guest sends stays one, with every byte of both halves", async () => {
  await withTown(async (town) => {
    const owner = await ada(town);
    const link = (await owner.done("request", "--expires", "1d")).trim();
    const camera = await town.machine("camera");
    const media = new URL("../support/media/", import.meta.url);
    const halves = [["camera.heic", "IMG_1.HEIC"], ["iphone.mov", "IMG_1.MOV"]];
    for (const [from = "", to = ""] of halves) {
      await camera.write(
        `out/${to}`,
        await Deno.readFile(new URL(from, media)),
      );
    }
    await camera.write("out/IMG_2.jpg", "a still");
    await camera.write("out/IMG_2.mp4", "no video of it");
    const file = await camera.write("link", link);
    await camera.done("send", "--link-file", file, camera.path("out"));
    await owner.done("inbox", "accept", "all");
    assert.match(await owner.done("inbox", "ls"), /0 files/);
    assert.match(await owner.done("ls"), /3 files/);
    await owner.done("pull", owner.path("back"), "--layout", "{name}");
    for (const [from = "", to = ""] of halves) {
      assert.deepEqual(
        await Deno.readFile(owner.path(`back/${to}`)),
        await Deno.readFile(new URL(from, media)),
      );
    }
  });
});
