/**
 * Exports of immich, ente and Apple Photos, taken in by the commands, and what
 * a sidecar tells of a file that is there already.
 *
 * @module
 */
import assert from "node:assert/strict";
import { xmpOf } from "../../src/media/exports/xmp_writer.ts";
import type { Metadata } from "../../src/client/documents/metadata.ts";
import {
  type Machine,
  newAccount,
  withTown,
} from "../support/people_commands.ts";

const MEDIA = new URL("../support/media/", import.meta.url);

async function copy(machine: Machine, name: string, as: string) {
  return await machine.write(as, await Deno.readFile(new URL(name, MEDIA)));
}

/** A sidecar as photo programs write it. */
function xmp(about: Partial<Metadata>): string {
  return xmpOf({
    name: "",
    mime: "image/jpeg",
    size: 0,
    sha256: "",
    derivatives: [],
    ...about,
  });
}

/** What is known of each file, by its name. */
async function known(machine: Machine): Promise<Record<string, Metadata>> {
  const back = machine.path(`back ${crypto.randomUUID()}`);
  const layout = ["--layout", "{name}", "--sidecars", "json"];
  await machine.done("pull", back, ...layout);
  const found: Record<string, Metadata> = {};
  for await (const { name } of Deno.readDir(back)) {
    if (!name.endsWith(".json")) continue;
    found[name.slice(0, -5)] = JSON.parse(
      await Deno.readTextFile(`${back}/${name}`),
    );
  }
  return found;
}

Deno.test("what immich knows of a photograph comes with it, and what it made of others does not", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const root = "upload";
    await copy(laptop, "camera.jpg", `${root}/library/ada/2024/walk.jpg`);
    await laptop.write(
      `${root}/library/ada/2024/walk.jpg.xmp`,
      xmp({
        taken_at: "2024-07-01T09:00:00.000Z",
        taken_offset: 60,
        place: { latitude: 47.5, longitude: 8.75 },
        caption: "moved by hand",
        favourite: true,
      }),
    );
    await copy(laptop, "camera.png", `${root}/upload/1f/a2/1fa2.png`);
    await copy(laptop, "camera.webp", `${root}/thumbs/1f/1fa2-preview.webp`);
    await laptop.write(`${root}/library/ada/2024/bad.xmp`, "<!DOCTYPE x>");
    await laptop.write(`${root}/library/ada/2024/lost.jpg.xmp`, xmp({}));

    // A photograph that is there already is told more of, not sent again.
    await copy(laptop, "camera.png", "in/snap.png");
    await laptop.done("push", laptop.path("in"));
    await laptop.write(
      `${root}/upload/1f/a2/1fa2.xmp`,
      xmp({ caption: "the lake" }),
    );
    const dry = ["import", "immich", "--dry-run", laptop.path(root)];
    assert.equal((await laptop.events(...dry)).at(-1)?.["amended"], 1);
    const events = await laptop.events("import", "immich", laptop.path(root));
    const { sent_bytes: _, ...end } = events.at(-1) ?? { event: "" };
    assert.deepEqual(end, {
      event: "end",
      status: 0,
      kept: 1,
      known: 1,
      amended: 1,
      trashed: 0,
      failed: 0,
      passed_over: 2,
      unmatched: 0,
      albums: 0,
    });
    assert(
      events.some(({ event, path }) =>
        event === "unmatched" && String(path).endsWith("lost.jpg.xmp")
      ),
    );
    const { "walk.jpg": walk, "snap.png": snap } = await known(laptop);
    assert.equal(walk?.taken_at, "2024-07-01T09:00:00.000Z");
    assert.equal(walk?.taken_offset, 60);
    assert.equal(walk?.taken_source, "sidecar");
    assert.deepEqual(walk?.place, { latitude: 47.5, longitude: 8.75 });
    assert.equal(Object(walk).locality?.country_code, "CH");
    assert.equal(walk?.caption, "moved by hand");
    // immich's stars are no favourites.
    assert.equal(walk?.favourite, undefined);
    assert.equal(walk?.path, "2024");
    assert.equal(snap?.caption, "the lake");

    const again = (await laptop.events("import", "immich", laptop.path(root)))
      .at(-1);
    assert.deepEqual(
      [again?.["kept"], again?.["known"], again?.["amended"]],
      [0, 2, 0],
    );
  });
});

Deno.test("ente's albums, dates and captions come with its files, and live photos stay whole", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const album = "Ente Photos/Our walks";
    const told = (title: string, more: object = {}) =>
      JSON.stringify({
        title,
        creationTime: { timestamp: 1_718_445_600, formatted: "" },
        modificationTime: { timestamp: 1_718_445_600, formatted: "" },
        ...more,
      });
    await copy(laptop, "camera.heic", `${album}/IMG_1.HEIC`);
    await copy(laptop, "iphone.mov", `${album}/IMG_1.MOV`);
    for (const name of ["IMG_1.HEIC", "IMG_1.MOV"]) {
      await laptop.write(
        `${album}/metadata/${name}.json`,
        told(name, {
          caption: "the lake",
          geoData: { latitude: 47.5, longitude: 8.75 },
        }),
      );
    }
    await laptop.write("Ente Photos/Uncategorized/a.png", "a");
    await laptop.write("Ente Photos/Uncategorized/metadata/a.png.json", "{");
    await laptop.write("Ente Photos/Trash/Our walks/b.png", "b");
    await laptop.write("Ente Photos/export_status.json", "{}");
    const root = laptop.path("Ente Photos");
    const end = (await laptop.events("import", "ente", root)).at(-1);
    assert.deepEqual(
      ["kept", "passed_over", "unmatched", "albums"].map((name) => end?.[name]),
      [3, 3, 1, 1],
    );
    const { "IMG_1.HEIC": walk } = await known(laptop);
    assert.equal(walk?.taken_at, "2024-06-15T10:00:00.000Z");
    assert.equal(walk?.caption, "the lake");
    assert.deepEqual(walk?.place, { latitude: 47.5, longitude: 8.75 });
    assert(walk?.derivatives.some(({ kind }) => kind === "motion"));
    const again = (await laptop.events("import", "ente", root)).at(-1);
    assert.deepEqual([again?.["kept"], again?.["known"]], [0, 3]);
  });
});

Deno.test("what ente's command line exports comes with its albums' own titles", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    // The folder's name is the album's, as far as a disk takes it.
    const album = "ente/Lake_ 2024_1";
    const told = (title: string, fileNames: string[], more: object = {}) =>
      JSON.stringify({
        title,
        description: null,
        location: null,
        creationTime: "2024-06-15T12:00:00+02:00",
        modificationTime: "2024-06-16T00:00:00Z",
        info: { id: 1, hash: null, ownerID: 7, fileNames },
        ...more,
      });
    await copy(laptop, "camera.heic", `${album}/IMG_1.HEIC`);
    await copy(laptop, "iphone.mov", `${album}/IMG_1_1.MOV`);
    await copy(laptop, "camera.png", `${album}/IMG_2_1.png`);
    await laptop.write(
      `${album}/.meta/album_meta.json`,
      JSON.stringify({ id: 3, ownerID: 7, albumName: "Lake: 2024" }),
    );
    await laptop.write(
      `${album}/.meta/IMG_1.HEIC.json`,
      told("IMG_1.HEIC", ["IMG_1.HEIC"], {
        description: "the lake",
        location: { latitude: 47.5, longitude: 8.75 },
      }),
    );
    // Another name than the file's: what is inside counts.
    await laptop.write(
      `${album}/.meta/IMG_2.png.json`,
      told("IMG_2.png", ["IMG_2_1.png"]),
    );
    await laptop.write(`${album}/.meta/bad.json`, "{");
    await laptop.write(`${album}/.hidden/secret.jpg`, "no part of it");
    await laptop.write("ente/Uncategorized/.meta/album_meta.json", "{}");
    await copy(laptop, "turned.jpg", "ente/Uncategorized/b.jpg");
    const events = await laptop.events("import", "ente", laptop.path("ente"));
    const end = events.at(-1);
    assert.deepEqual(
      ["kept", "passed_over", "unmatched", "albums"].map((name) => end?.[name]),
      [4, 2, 2, 1],
    );
    const all = await known(laptop);
    assert.equal(all["IMG_1.HEIC"]?.taken_at, "2024-06-15T10:00:00.000Z");
    assert.equal(all["IMG_1.HEIC"]?.caption, "the lake");
    assert.deepEqual(all["IMG_1.HEIC"]?.place, {
      latitude: 47.5,
      longitude: 8.75,
    });
    assert.equal(all["IMG_2_1.png"]?.taken_at, "2024-06-15T10:00:00.000Z");
    await laptop.done("export-all", laptop.path("out"));
    const { collections } = JSON.parse(
      await Deno.readTextFile(laptop.path("out/strongroom-export.json")),
    );
    assert.equal(collections.length, 1);
    assert.equal(collections[0].title, "Lake: 2024");
    assert.equal(collections[0].assets.length, 3);
  });
});

Deno.test("Apple's favourites, edited versions and sidecars of either name are taken in", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await copy(laptop, "camera.heic", "out/IMG_1.HEIC");
    await copy(laptop, "turned.jpg", "out/IMG_1_edited.jpeg");
    await copy(laptop, "camera.png", "out/IMG_2.PNG");
    await laptop.write("out/IMG_1.HEIC.xmp", xmp({ favourite: true }));
    await laptop.write("out/img_2.xmp", xmp({ caption: "by hand" }));
    await laptop.write("out/IMG_1.AAE", "<plist>");
    const end = (await laptop.events("import", "apple", laptop.path("out")))
      .at(-1);
    assert.deepEqual([end?.["kept"], end?.["passed_over"]], [3, 1]);
    const all = await known(laptop);
    assert.equal(all["IMG_1.HEIC"]?.favourite, true);
    assert.equal(all["IMG_2.PNG"]?.caption, "by hand");
    assert.match(all["IMG_1_edited.jpeg"]?.edited_of ?? "", /^[0-9a-f-]{36}$/);
    // What the camera said stays where the sidecar says nothing else.
    assert.equal(all["IMG_1.HEIC"]?.taken_source, "exif");
  });
});

Deno.test("an archived photo stays archived by its sidecar, until a person takes it out of the archive", async () => {
  await withTown(async (town) => {
    const ada = await town.machine("ada");
    await newAccount(town, ada, "ada@example.org");
    await copy(ada, "camera.jpg", "in/walk.jpg");
    await copy(ada, "camera.png", "in/snap.png");
    await ada.done("push", ada.path("in"));
    await ada.done("archive", "add", "walk.jpg");
    const property = /<strongroom:Archived>True</;
    const printed = (name: string) => ada.done("get", name, "--sidecar", "xmp");
    assert.match(await printed("walk.jpg"), property);
    assert.doesNotMatch(await printed("snap.png"), property);
    const out = ada.path("out");
    const layout = ["--layout", "{name}", "--sidecars", "xmp"];
    await ada.done("pull", out, ...layout);
    assert.match(await Deno.readTextFile(`${out}/walk.jpg.xmp`), property);

    // Another account takes the folder in.
    const bob = await town.machine("bob");
    await newAccount(town, bob, "bob@example.org");
    await bob.done("import", "immich", out);
    assert.match(await bob.done("ls"), /2 files/);
    const archived = () => bob.done("ls", "archived");
    assert.match(await archived(), /walk\.jpg {2}\(archived\)\n1 file,/);
    await bob.done("archive", "rm", "walk.jpg");
    await bob.done("import", "immich", out);
    assert.doesNotMatch(await archived(), /walk/);

    // A photo that is there already learns it as it does anything else.
    const eve = await town.machine("eve");
    await newAccount(town, eve, "eve@example.org");
    await copy(eve, "camera.jpg", "in/walk.jpg");
    await eve.done("push", eve.path("in"));
    await eve.done("import", "immich", out);
    assert.match(await eve.done("ls", "archived"), /walk\.jpg/);
  });
});
