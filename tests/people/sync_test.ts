/**
 * A folder and a library that come to have the same files, everything written
 * out for other programs, and the two halves of a live photo kept as one.
 *
 * @module
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { liveStill, liveVideo } from "../support/live_pairs.ts";
import { concatBytes } from "../../src/core/bytes.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";
import {
  type Machine,
  newAccount,
  signInWithWords,
  withTown,
} from "../support/people_commands.ts";

const MEDIA = new URL("../support/media/", import.meta.url);

async function copy(machine: Machine, name: string, as: string) {
  return await machine.write(as, await Deno.readFile(new URL(name, MEDIA)));
}

/** Names of a folder and below, in their order. */
async function namesIn(folder: string, inside = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) {
      found.push(...await namesIn(`${folder}/${name}`, `${inside}${name}/`));
    } else found.push(`${inside}${name}`);
  }
  return found.sort();
}

Deno.test("two folders come to have the same files, and what is missing in one is named, and trashed only with --delete", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    const words = await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/2024/walk.txt", "walk");
    await laptop.write("in/notes.txt", "notes");
    const folder = laptop.path("in");
    assert.match(
      await laptop.done("sync", folder),
      /^2 files sent .*, 0 files written, 0 files on both sides$/m,
    );
    const phone = await town.machine("phone");
    await signInWithWords(town, phone, "ada@example.org", words);
    await phone.write("in/snap.txt", "snap");
    const other = phone.path("in");
    const dry = await phone.done("sync", other, "--dry-run");
    assert.match(dry, /would keep .*snap\.txt/);
    assert.match(dry, /would write walk\.txt/);
    assert.deepEqual(await namesIn(other), ["snap.txt"]);
    await phone.done("sync", other);
    assert.deepEqual(await namesIn(other), [
      "2024/walk.txt",
      "notes.txt",
      "snap.txt",
    ]);
    assert.match(await laptop.done("sync", folder), /1 file written/);

    // A file goes here: it is named, and stays there and on the other machine.
    await Deno.remove(`${folder}/snap.txt`);
    const named = await laptop.run("sync", folder);
    assert.equal(named.status, 0);
    assert.match(named.stderr, /missing here: snap\.txt/);
    assert.match(named.stdout, /1 file missing here$/m);
    assert.match(await phone.done("ls"), /3 files/);
    // A changed file is a new one, and the one before is missing.
    await Deno.writeTextFile(`${folder}/notes.txt`, "notes, and more");
    assert.match(
      (await laptop.run("sync", folder)).stdout,
      /1 file sent .*2 files missing here/,
    );
    await laptop.done("sync", folder, "--delete", "--dry-run");
    assert.match(await laptop.done("ls"), /4 files/);
    assert.match(
      await laptop.done("sync", folder, "--delete"),
      /2 files to the trash/,
    );
    assert.match(await laptop.done("trash", "ls"), /2 files in the trash/);
    // The other machine keeps what it has.
    assert.match(await phone.done("sync", other), /1 file written/);
    assert.deepEqual(await namesIn(other), [
      "2024/walk.txt",
      "notes (2).txt",
      "notes.txt",
      "snap.txt",
    ]);
    assert.match(await phone.done("ls"), /2 files/);
  });
});

Deno.test("a folder that was emptied, or cannot be read whole, trashes nothing unless that is meant", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    for (const name of ["a", "b", "c"]) await laptop.write(`in/${name}`, name);
    const folder = laptop.path("in");
    await laptop.done("sync", folder);
    // As a disk that is not mounted.
    await Deno.remove(folder, { recursive: true });
    const gone = await laptop.run("sync", folder, "--delete");
    assert.equal(gone.status, 1);
    assert.match(gone.stderr, /in: there is no such file or folder/);
    await Deno.mkdir(folder);
    const empty = await laptop.run("sync", folder, "--delete");
    assert.equal(empty.status, 1);
    assert.match(empty.stderr, /3 files of 3 would go to the trash.*--yes/);
    assert.match(await laptop.done("ls"), /3 files/);
    await laptop.done("sync", folder, "--delete", "--yes");
    assert.match(await laptop.done("ls"), /0 files/);
  });
});

Deno.test("a subfolder that vanished as a whole trashes nothing unless that is meant", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    for (let at = 0; at < 8; at++) {
      await laptop.write(`in/${at}`, `${at}`);
      if (at < 2) await laptop.write(`in/card/${at}`, `card ${at}`);
    }
    const folder = laptop.path("in");
    await laptop.done("sync", folder);
    await Deno.remove(`${folder}/7`);
    assert.match(
      await laptop.done("sync", folder, "--delete"),
      /1 file to the trash/,
    );
    await Deno.remove(`${folder}/card`, { recursive: true });
    const gone = await laptop.run("sync", folder, "--delete");
    assert.equal(gone.status, 1);
    assert.match(
      gone.stderr,
      /2 files of 9 would go to the trash: every file is gone from the folder .*card\. .*--yes/,
    );
    assert.match(await laptop.done("ls"), /9 files/);
    await laptop.done("sync", folder, "--delete", "--yes");
    assert.match(await laptop.done("ls"), /7 files/);
  });
});

Deno.test("a subfolder that is empty, because its disk is not mounted, trashes nothing unless that is meant", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    for (let at = 0; at < 30; at++) await laptop.write(`in/${at}`, `${at}`);
    for (const at of ["a", "b"]) {
      await laptop.write(`in/disks/card/DCIM/${at}`, `card ${at}`);
    }
    const folder = laptop.path("in");
    const card = `${folder}/disks/card`;
    await laptop.done("sync", folder);
    const asked = /2 files of 3\d would go to the trash: every file is gone/;
    for (const left of ["DCIM", undefined, "note"]) {
      await Deno.remove(card, { recursive: true });
      await laptop.write(`in/disks/card/${left ?? ""}/.mount`, "");
      // What is written to the mount point meanwhile was never on the disk.
      if (left === "note") await laptop.write("in/disks/card/new", "new");
      const empty = await laptop.run("sync", folder, "--delete");
      assert.equal(empty.status, 1, empty.stdout);
      assert.match(empty.stderr, asked);
    }
    assert.match(await laptop.done("ls"), /33 files/);
    await laptop.done("sync", folder, "--delete", "--yes");
    assert.match(await laptop.done("ls"), /31 files/);
  });
});

Deno.test("a root that was emptied trashes nothing unasked, also where files went to the trash before", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    for (let at = 0; at < 6; at++) await laptop.write(`in/${at}`, `${at}`);
    const folder = laptop.path("in");
    await laptop.done("sync", folder);
    await Deno.remove(`${folder}/0`);
    await laptop.done("sync", folder, "--delete");
    await Deno.remove(folder, { recursive: true });
    await Deno.mkdir(folder);
    const empty = await laptop.run("sync", folder, "--delete");
    assert.equal(empty.status, 1);
    assert.match(empty.stderr, /5 files of 5 would go to the trash/);
    assert.match(await laptop.done("ls"), /5 files/);
  });
});

Deno.test("files whose folder is on another disk now trash nothing unless that is meant, and a disk that only changed its number asks nothing", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const other = await laptop.write("in/other", "other");
    const kept = await laptop.write("in/card/kept", "kept");
    const gone = await laptop.write("in/card/gone", "gone");
    const folder = laptop.path("in");
    await laptop.done("sync", folder);
    const store = (await namesIn(laptop.home))
      .find((name) => name.endsWith("library.sqlite"));
    assert(store !== undefined);
    const number = (device: number, ...paths: string[]) => {
      using database = new DatabaseSync(laptop.path(store));
      for (const path of paths) {
        database.prepare("update file set device = ? where path = ?")
          .run(device, path);
      }
    };
    // The disk had the one file, and the folder below it has the other.
    number(4_711, gone);
    await Deno.remove(gone);
    const asked = await laptop.run("sync", folder, "--delete");
    assert.equal(asked.status, 1);
    assert.match(asked.stderr, /another disk is at the folder .*card/);
    number(4_711, kept, other);
    assert.match(
      await laptop.done("sync", folder, "--delete"),
      /1 file to the trash/,
    );
  });
});

Deno.test("the two halves of a live photo are one asset, however they come, and both are moved and found", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    const words = await newAccount(town, laptop, "ada@example.org");
    await copy(laptop, "camera.heic", "in/IMG_1.HEIC");
    await copy(laptop, "iphone.mov", "in/IMG_1.MOV");
    // No video of a still: nothing says how long it is.
    await laptop.write("in/IMG_2.jpg", "still");
    await laptop.write("in/IMG_2.mp4", "no video");
    const folder = laptop.path("in");
    const first = (await laptop.events("push", folder)).at(-1);
    assert.deepEqual([first?.["kept"], first?.["known"]], [4, 0]);
    assert.match(await laptop.done("ls"), /3 files/);
    // The still alone, and what else there is where that is asked for.
    const got = async (...options: string[]) =>
      await laptop.run("get", "IMG_1", ...options);
    const xmp = await got("--sidecar", "xmp");
    assert.match(xmp.stdout, /x:xmpmeta/);
    assert.match(
      (await got("--sidecar", "json")).stdout,
      /"name": "IMG_1\.HEIC"/,
    );
    const [still, video] = await Promise.all(
      ["camera.heic", "iphone.mov"].map(async (name) =>
        new TextDecoder().decode(await Deno.readFile(new URL(name, MEDIA)))
      ),
    );
    assert.equal((await got()).stdout, still);
    assert.equal((await got("--video")).stdout, video);
    const none = await laptop.run("get", "IMG_2.jpg", "--video");
    assert.equal(none.status, 1);
    assert.match(none.stderr, /not a live photo/);
    const again = (await laptop.events("push", folder)).at(-1);
    assert.deepEqual([again?.["kept"], again?.["known"]], [0, 4]);
    assert.match(
      await laptop.done("verify", "--local", folder),
      /nothing wrong/,
    );

    // Another machine, which knows nothing of the video, finds it is there.
    const other = await town.machine("other");
    await signInWithWords(town, other, "ada@example.org", words);
    await copy(other, "camera.heic", "in/IMG_1.HEIC");
    await copy(other, "iphone.mov", "in/IMG_1.MOV");
    const third = (await other.events("push", other.path("in"))).at(-1);
    assert.deepEqual([third?.["kept"], third?.["known"]], [0, 2]);
    // One of the same length and other bytes is not it.
    const changed = await Deno.readFile(other.path("in/IMG_1.MOV"));
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    await other.write("in/IMG_1.MOV", changed);
    const fourth = (await other.events("push", other.path("in"))).at(-1);
    assert.deepEqual([fourth?.["kept"], fourth?.["known"]], [1, 1]);

    // A video that comes after its still joins it.
    await copy(laptop, "turned.jpg", "late/IMG_3.jpg");
    await laptop.done("push", laptop.path("late"));
    const film = await Deno.readFile(new URL("android.mp4", MEDIA));
    const header = new TextDecoder("latin1").decode(film).indexOf("mvhd");
    // It states no date, so its name decides.
    film.fill(0, header + 8, header + 12);
    await laptop.write("late/IMG_3.MP4", film);
    await copy(laptop, "camera.jpg", "late/IMG_4.JPG");
    await copy(laptop, "camera.avif", "late/IMG_4.HEIC");
    await laptop.write("late/IMG_4.MOV", concatBytes(film, film.slice(0, 9)));
    const said = await laptop.done("push", laptop.path("late"));
    assert.match(
      said,
      /kept .*IMG_4\.JPG, as a separate photo next to a live photo$/m,
    );
    const listed = (await laptop.events("ls", "IMG_3"))
      .filter(({ event }) => event === "asset");
    assert.deepEqual(listed.map(({ name }) => name), ["IMG_3.jpg"]);

    const late = laptop.path("late");
    assert.match(
      await laptop.done("push", "--move", "--move-after", "0", late),
      /5 files moved/,
    );
    assert.deepEqual(await namesIn(late), []);
    await laptop.done("pull", late, "--query", "IMG_3", "--layout", "{name}");
    assert.equal(
      sha256Hex(await Deno.readFile(`${late}/IMG_3.MP4`)),
      sha256Hex(film),
    );
  });
});

Deno.test("a renamed pair is one photo by its content identifier, in whichever order it comes", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const [one, two, three] = ["1111-2222", "3333-4444", "5555-6666"];
    await laptop.write("in/beach.jpg", liveStill("beach", one));
    await laptop.write("in/sea.MOV", liveVideo("sea", one));
    // Their names and times agree, and they are two of one phone.
    await laptop.write("in/IMG_1.JPG", liveStill("first", "7777-8888"));
    await laptop.write("in/IMG_1.MOV", liveVideo("second", two));
    const folder = laptop.path("in");
    const counts = async (...options: readonly string[]) => {
      const end = (await laptop.events("push", folder, ...options)).at(-1);
      return [end?.["kept"], end?.["known"]];
    };
    const listed = async () =>
      (await laptop.events("ls")).filter(({ event }) => event === "asset")
        .map(({ name }) => name).sort();
    assert.deepEqual(await counts(), [4, 0]);
    assert.deepEqual(await listed(), ["IMG_1.JPG", "IMG_1.MOV", "beach.jpg"]);
    assert.deepEqual(await counts(), [0, 4]);

    // A video that comes later finds its still among those that are known.
    await laptop.write("in/zoo.jpg", liveStill("zoo", three));
    assert.deepEqual(await counts(), [1, 4]);
    await laptop.write("in/apes.MOV", liveVideo("apes", three));
    assert.deepEqual(await counts(), [1, 5]);
    assert.equal((await listed()).length, 4);

    // The video alone is known as what it is, and may be moved.
    await Deno.remove(`${folder}/beach.jpg`);
    assert.deepEqual(await counts(), [0, 5]);
    const moved = await laptop.done(
      "push",
      "--move",
      "--move-after",
      "0",
      folder,
    );
    assert.match(moved, /5 files moved/);
    assert.deepEqual(await namesIn(folder), []);
  });
});

Deno.test("everything is written out with sidecars, checksums, albums and receipts, and again only what is new", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await copy(laptop, "camera.jpg", "in/walk.jpg");
    await copy(laptop, "iphone.mov", "in/walk.mov");
    await laptop.write("in/notes.txt", "notes");
    await laptop.done("push", laptop.path("in"));
    await laptop.done("album", "new", "../Summer");
    await laptop.write("more/lake.txt", "lake");
    await laptop.done("push", laptop.path("more"), "--album", "../Summer");
    const out = laptop.path("out");
    // Each blob has one: also the small picture of the photo that has a place.
    assert.match(
      await laptop.done("export-all", out),
      /4 files written .*, 11 receipts/,
    );
    const names = await namesIn(out);
    assert(names.includes("albums/__Summer/lake.txt"), names.join("\n"));
    assert(names.includes("photos/2024/06/walk.jpg.xmp"));
    assert(names.includes("photos/2024/06/walk.jpg.json"));
    const xmp = await Deno.readTextFile(`${out}/photos/2024/06/walk.jpg.xmp`);
    assert.match(xmp, /<exif:DateTimeOriginal>2024-06-30T/);
    const { files, albums } = JSON.parse(
      await Deno.readTextFile(`${out}/strongroom-export.json`),
    );
    assert.equal(files.length, 3);
    assert.equal(albums[0].title, "../Summer");
    const sums = (await Deno.readTextFile(`${out}/strongroom-export.sha256`))
      .trim().split("\n");
    assert.equal(sums.length, 4);
    for (const line of sums) {
      const [hash = "", path = ""] = line.split("  ");
      assert.equal(sha256Hex(await Deno.readFile(`${out}/${path}`)), hash);
    }
    assert.match(
      await laptop.done("export-all", out),
      /0 files written .* 4 files already there, 11 receipts/,
    );
    assert.deepEqual(await namesIn(out), names);
    const wrong = await laptop.run("pull", out, "--sidecars", "yaml");
    assert.match(wrong.stderr, /--sidecars is json, xmp, or json,xmp/);
  });
});
