/**
 * From a folder to a receipt and back: `login`, `push`, `ls`, `pull`, `share`
 * as processes against a real server.
 *
 * @module
 */
import assert from "node:assert/strict";
import { loseBlobs } from "../support/storage.ts";
import { basename } from "node:path";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import {
  type Machine,
  newAccount,
  PASSWORD,
  settingsOf,
  signInWithWords,
  withTown,
} from "../support/people_commands.ts";
import { programCommand } from "../support/program.ts";

/** Files by their path below a folder, with the hash of each. */
async function contentOf(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  async function below(path: string, inside: string): Promise<void> {
    for await (const { name, isDirectory } of Deno.readDir(path)) {
      const next = `${inside}/${name}`;
      if (isDirectory) await below(`${path}/${name}`, next);
      else found.set(next, sha256Hex(await Deno.readFile(`${path}/${name}`)));
    }
  }
  await below(folder, "");
  return found;
}

async function fill(machine: Machine): Promise<string> {
  await machine.write("Pictures/2024/walk.jpg", bytes(1, 40_000));
  await machine.write("Pictures/2024/übung ñ 写真.jpg", bytes(2, 100));
  await machine.write("Pictures/2024/video.mp4", bytes(3, 9_000_000));
  await machine.write("Pictures/empty.txt", "");
  await machine.write("Pictures/.hidden/no.jpg", bytes(4, 10));
  await machine.write("Pictures/Thumbs.db", bytes(5, 10));
  await machine.write("Pictures/drafts/skip.tmp", bytes(6, 10));
  await machine.write("Pictures/drafts/keep.jpg", bytes(7, 10));
  await machine.write("Pictures/drafts/cache/skip.tmp.jpg", bytes(8, 10));
  await machine.write(
    "Pictures/drafts/.strongroomignore",
    "# no\n*.tmp\n/cache/\n",
  );
  return machine.path("Pictures");
}

function bytes(seed: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + seed * 97) & 0xff);
}

Deno.test("a photo and a film whose end is missing are kept, and named", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const media = new URL("../support/media/", import.meta.url);
    for (const name of ["camera.jpg", "iphone.mov", "turned.jpg"]) {
      const whole = await Deno.readFile(new URL(name, media));
      const end = name === "turned.jpg" ? whole.length : whole.length - 40;
      await laptop.write(`Pictures/${name}`, whole.slice(0, end));
    }
    const { stdout, stderr } = await laptop.run(
      "push",
      laptop.path("Pictures"),
    );
    assert.match(stdout, /^3 files kept/m);
    assert.match(stderr, /kept, but its end is missing: .*camera\.jpg/);
    assert.match(stderr, /kept, but its end is missing: .*iphone\.mov/);
    assert.doesNotMatch(stderr, /turned/);
  });
});

Deno.test("a folder is kept, and comes back on an empty machine with 24 words, byte for byte", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    const words = await newAccount(town, laptop, "ada@example.org");
    const pictures = await fill(laptop);
    const pushed = await laptop.done("push", pictures);
    assert.match(pushed, /^5 files kept/m);
    // Once, with the count of photos and videos: a text needs no date.
    assert.match(
      pushed,
      /^4 files have no date of their own: they stand at the file's date$/m,
    );

    const empty = await town.machine("empty");
    await signInWithWords(town, empty, "ada@example.org", words);
    const back = empty.path("back");
    const said = await empty.done("pull", back, "--layout", "{path}/{name}");
    assert.match(said, /5 files written/);
    const want = await contentOf(pictures);
    for (const name of [...want.keys()]) {
      if (/hidden|Thumbs|\.tmp|ignore/.test(name)) want.delete(name);
    }
    assert.deepEqual(
      [...await contentOf(back)].sort(),
      [...want].sort(),
    );
    // Dates come back, too.
    const [there, here] = await Promise.all(
      [pictures, back].map((path) => Deno.stat(`${path}/2024/walk.jpg`)),
    );
    assert.equal(here?.mtime?.getTime(), there?.mtime?.getTime());
    // And again: everything is there.
    assert.match(
      await empty.done("pull", back, "--layout", "{path}/{name}"),
      /^0 files written .* 5 files already there$/m,
    );
  });
});

Deno.test("the second push asks for nothing to be stored, and a moved file is known by its bytes", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const pictures = await fill(laptop);
    await laptop.done("push", pictures);
    await Deno.rename(`${pictures}/2024/walk.jpg`, `${pictures}/renamed.jpg`);
    const events = await laptop.events("push", pictures);
    assert.deepEqual(events, [{
      event: "hidden",
      count: 1,
      paths: [`${pictures}/.hidden/`],
    }, {
      event: "end",
      status: 0,
      kept: 0,
      known: 5,
      trashed: 0,
      failed: 0,
      passed_over: 1,
      sent_bytes: 0,
    }]);
    const before = (await town.server.stop(), await town.server.log());
    const created = before.split("\n")
      .filter((line) => line.includes('"operation":"createUpload"'));
    // Five originals: nothing was sent twice.
    assert.equal(created.length, 5, "uploads");
  });
});

Deno.test("proofs that strongroom wrote are passed over, named and counted, and sizes are the server's", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/walk.txt", "walk");
    const proof = await laptop.write("in/walk.txt.tlog-proof", "a proof");
    for (const paths of [[laptop.path("in")], [laptop.path("in"), proof]]) {
      const said = await laptop.done("push", ...paths);
      assert.match(
        said,
        /^passed over .*walk\.txt\.tlog-proof: it is a proof that strongroom wrote$/m,
      );
      assert.match(
        said,
        new RegExp(`, ${paths.length} files? passed over$`, "m"),
      );
    }
    const listed = await laptop.done("ls");
    assert.match(listed, /^1 file, 4 bytes$/m);
    // What was sent and what is stored is encrypted, and says so.
    assert.match(
      await laptop.done("push", await laptop.write("more.txt", "more")),
      /^1 file kept \([\d.]+ (?:bytes|KiB) sent, encrypted\)/m,
    );
    assert.match(
      await laptop.done("whoami"),
      /^ {2}stored: [\d.]+ (?:bytes|KiB), encrypted, with previews and deleted photos$/m,
    );
  });
});

Deno.test("a server's address with a mistake in its beginning is refused for that", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    for (const url of ["htp://x", "https:/x", "https:x", "ftp://a.example"]) {
      const { status, stderr } = await laptop.run("login", url);
      assert.equal(status, 1);
      assert.match(stderr, /is not an address of a server: it begins with ht/);
    }
  });
});

Deno.test("a device that the words opened says what follows, and that nothing is wrong", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    const words = await newAccount(town, laptop, "ada@example.org");
    const phone = await town.machine("phone");
    const password = await phone.write(".password", `${PASSWORD}\n`);
    const { status, stderr } = await phone.run(
      ...["login", town.url, "--address", "ada@example.org"],
      ...["--password-file", password, "--words-file", words],
    );
    assert.equal(status, 0, stderr);
    assert.match(
      stderr,
      /^strongroom: your words opened the keys\. Another dev/,
    );
    assert.doesNotMatch(stderr, /not yet confirmed/);
  });
});

Deno.test("what is there is never written over, and malicious names stay in the folder", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/up..%2f..\\..\\escape.txt", "one");
    await laptop.write("in/CON.txt", "two");
    await laptop.write("in/a\nb\u202egpj.exe", "three");
    await laptop.write("in/Same.txt", "four");
    await laptop.write("in/more/same.txt", "five");
    await laptop.done("push", laptop.path("in"));
    await laptop.write("out/CON.txt", "mine, not yours");
    await laptop.write("out/_CON.txt", "mine, too");
    await laptop.done("pull", laptop.path("out"), "--layout", "{name}");
    const names = [...(await contentOf(laptop.path("out"))).keys()];
    assert.deepEqual(
      names.map((path) => basename(path)).sort(),
      [
        "CON (2).txt",
        "CON.txt",
        "_CON.txt",
        "a_b_gpj.exe",
        "Same.txt",
        "same.txt",
        "up..%2f..\\..\\escape.txt",
      ].sort(),
    );
    assert.equal(
      await Deno.readTextFile(laptop.path("out/CON.txt")),
      "mine, not yours",
    );
    assert.equal(
      await Deno.readTextFile(laptop.path("out/_CON.txt")),
      "mine, too",
    );
  });
});

Deno.test("a file that is refused is named, the others are kept, and the status is 3", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/a.txt", "good");
    await laptop.write("in/large.mov", bytes(1, 3_000_000));
    await laptop.write("in/z.txt", "good as well");
    const path = laptop.path("in");
    await Deno.symlink("/nowhere", `${path}/link.txt`);
    const { status, stdout, stderr } = await laptop.run("push", path);
    assert.equal(status, 3, stderr);
    assert.match(stdout, /passed over .*link\.txt: it is a symbolic link/);
    assert.match(stdout, /kept .*a\.txt/);
    assert.match(stdout, /kept .*z\.txt/);
    assert.match(stderr, /large\.mov: /);
    assert.match(stdout, /2 files kept .* 1 file FAILED/);
  }, { STRONGROOM_MAX_BLOB_BYTES: String(1024 * 1024) });
});

Deno.test("a link shows what was shared, and nothing once it is ended", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.done("push", await fill(laptop));
    const url = (await laptop.done("share", "walk", "--expires", "7d")).trim();
    assert.match(url, /\/s\/[0-9a-f]{32}#[\w-]{43}$/);
    const page = await fetch(url.replace(/#.*/, ""), {
      headers: { Accept: "text/html" },
    });
    assert.equal(page.status, 200);
    await page.body?.cancel();
    const listed = await laptop.done("links", "ls");
    assert(listed.includes(url));
    assert.doesNotMatch(listed, /share-index/);
    const id = /\/s\/([0-9a-f]{32})/.exec(url)?.[1] ?? "";
    await laptop.done("links", "end", id.slice(0, 8));
    const gone = await fetch(`${town.url}/s/${id}`, {
      headers: { Accept: "application/json" },
    });
    assert.equal(gone.status, 404);
    await gone.body?.cancel();
  });
});

Deno.test("several ids mean several files, and who shares is told which", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.done("push", await fill(laptop));
    const listed = (await laptop.events("ls")).filter(({ event }) =>
      event === "asset"
    );
    const idOf = (name: string) =>
      String(listed.find((one) => one.name === name)?.asset_id);
    const ids = [idOf("walk.jpg").slice(0, 8), idOf("keep.jpg")];
    const { status, stderr } = await laptop.run("share", ...ids);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /2 files \((walk|keep)\.jpg, (walk|keep)\.jpg\)/);
    // A name given next to an id has to match, too.
    const none = await laptop.run("share", ids[0] ?? "", "keep");
    assert.equal(none.status, 1);
    const all = await laptop.run("rm", ...ids);
    assert.match(all.stderr, /2 files would go to the trash.*--yes/);
  });
});

Deno.test("what went to the trash is not pushed again, and comes back when it is asked for", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const pictures = await fill(laptop);
    await laptop.done("push", pictures);
    const many = await laptop.run("rm", "photos");
    assert.equal(many.status, 1);
    assert.match(many.stderr, /to confirm, add --yes/);
    await laptop.done("rm", "walk");
    assert.doesNotMatch(await laptop.done("ls"), /walk/);
    assert.match(await laptop.done("push", pictures), /1 file in the trash/);
    assert.match(await laptop.done("trash", "ls"), /walk\.jpg/);
    await laptop.done("trash", "restore", "walk");
    assert.match(await laptop.done("ls", "walk"), /walk\.jpg/);
    await laptop.done("rm", "video");
    assert.equal((await laptop.run("trash", "empty")).status, 1);
    assert.match(
      await laptop.done("trash", "empty", "--yes"),
      /1 file deleted permanently/,
    );
    assert.match(await laptop.done("trash", "ls"), /0 files in the trash/);
  });
});

Deno.test("a photograph says when it was taken, and a link to it has small pictures", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const tests = new URL("../", import.meta.url);
    const copy = async (name: string, as: string) =>
      await laptop.write(as, await Deno.readFile(new URL(name, tests)));
    await copy("support/media/camera.jpg", "in/walk.jpg");
    await copy("samples/hubble-deep-field.jpg", "in/IMG_20230405_060708.jpg");
    await laptop.done("push", laptop.path("in"));
    const events = await laptop.events("ls");
    assert.deepEqual(
      events.slice(0, 2).map(({ name, taken_at }) => [name, taken_at]),
      [
        ["walk.jpg", "2024-06-30T12:05:06.000Z"],
        ["IMG_20230405_060708.jpg", "2023-04-05T06:07:08.000Z"],
      ],
    );
    assert.match(await laptop.done("ls", "june", "2024"), /walk\.jpg/);
    assert.match(await laptop.done("ls", "x-t5"), /walk\.jpg/);
    // Taken in Zürich, as its file says.
    assert.match(await laptop.done("ls", "switzerland"), /walk\.jpg/);
    assert.match(await laptop.done("ls", "zurich"), /walk\.jpg/);
    assert.match(await laptop.done("ls", "lisbon"), /^0 files/m);
    assert.match(await laptop.done("ls", "2023-04"), /IMG_2023/);
    // The large one has a small picture next to it.
    const back = laptop.path("back");
    await laptop.done("pull", back, "--query", "2023", "--sidecars", "json");
    const sidecar = JSON.parse(
      await Deno.readTextFile(
        `${back}/2023/04/IMG_20230405_060708.jpg.json`,
      ),
    );
    assert.equal(sidecar.derivatives[0].kind, "thumbnail");
    assert.equal(
      Math.max(
        sidecar.derivatives[0].width,
        sidecar.derivatives[0].height,
      ),
      512,
    );
  });
});

Deno.test("a file is moved once it is proven to be kept, and stays where the server has lost it", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/a.txt", "first");
    await laptop.write("in/b.txt", "second");
    const folder = laptop.path("in");
    assert.match(
      await laptop.done("push", "--move", "--move-after", "0", folder),
      /2 files moved/,
    );
    assert.deepEqual([...await contentOf(folder)], []);
    await laptop.done("pull", folder, "--layout", "{name}");
    // The server loses its disk behind everybody's back.
    await loseBlobs({ dataDir: `${town.folder}/data` });
    const { status, stderr } = await laptop.run(
      "push",
      "--move",
      "--move-after",
      "0",
      folder,
    );
    assert.equal(status, 3, stderr);
    assert.match(
      stderr,
      /left where it is, because the server does not have all/,
    );
    assert.deepEqual([...(await contentOf(folder)).keys()].sort(), [
      "/a.txt",
      "/b.txt",
    ]);
  });
});

Deno.test("what appears in a watched folder is kept once it is still", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/a.txt", "first");
    const command = programCommand(["push", "--watch", laptop.path("in")]);
    const child = new Deno.Command(command.program, {
      args: command.args,
      cwd: new URL("../../", import.meta.url),
      env: settingsOf(laptop.home),
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.pipeThrough(new TextDecoderStream())
      .getReader();
    let said = "";
    const until = async (wanted: RegExp) => {
      while (!wanted.test(said)) {
        const { done, value } = await reader.read();
        assert(!done, said);
        said += value;
      }
    };
    await until(/kept .*a\.txt[\s\S]*watching/);
    await laptop.write("in/b.txt", "second");
    await until(/kept .*b\.txt/);
    child.kill("SIGINT");
    while (!(await reader.read()).done);
    assert.equal((await child.status).code, 130);
    assert.match(await laptop.done("ls"), /2 files/);
  });
});

Deno.test("empty files and pictures that do not open are kept, and said to be so", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/empty.jpg", "");
    await laptop.write("in/broken.jpg", bytes(1, 3_000));
    await laptop.write("in/notes.txt", "notes");
    const { status, stdout, stderr } = await laptop.run(
      "push",
      laptop.path("in"),
    );
    assert.equal(status, 0);
    assert.match(stdout, /^3 files kept/m);
    assert.match(stderr, /kept, but it is empty: .*empty\.jpg/);
    assert.match(stderr, /kept, but it does not open .*: .*broken\.jpg/);
    assert.doesNotMatch(stderr, /notes/);
  });
});
