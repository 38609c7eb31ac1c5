/**
 * Everything that is exported comes back, into another account, of every kind.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Machine,
  newAccount,
  withTown,
} from "../support/people_commands.ts";
import { sha256Hex } from "../../src/crypto/sha256.ts";

const MEDIA = new URL("../support/media/", import.meta.url);

async function copy(machine: Machine, name: string, as: string) {
  await machine.write(as, await Deno.readFile(new URL(name, MEDIA)));
}

/** What an export tells, without what every account has of its own. */
async function told(machine: Machine, folder: string) {
  const read = async (path: string) =>
    JSON.parse(await Deno.readTextFile(machine.path(`${folder}/${path}`)));
  const { files, collections, albums } = await read("strongroom-export.json");
  const names = new Map<string, string>();
  const all = [];
  for (const one of files) names.set(one.asset_id, one.name);
  for (const one of files) {
    const {
      asset_id: _id,
      derivatives,
      edited_of,
      ...said
    } = await read(`${one.path}.json`);
    all.push({
      ...said,
      ...(edited_of && { edited_of: names.get(edited_of) }),
      kinds: derivatives.map(({ kind }: { kind: string }) => kind).sort(),
      video: one.video === undefined ? undefined : sha256Hex(
        await Deno.readFile(machine.path(`${folder}/${one.video}`)),
      ),
      bytes: sha256Hex(
        await Deno.readFile(machine.path(`${folder}/${one.path}`)),
      ),
    });
  }
  const lists = [
    ...collections.map((
      { title, assets }: { title: string; assets: string[] },
    ) => [title, assets.map((id) => names.get(id)).sort()]),
    ...albums.map(({ title, files: paths }: {
      title: string;
      files: string[];
    }) => [title, paths.map((path) => path.replace(/.*\//, "")).sort()]),
  ].sort();
  const key = ({ name }: { name: string }) => name;
  return { files: all.sort((a, b) => key(a) < key(b) ? -1 : 1), lists };
}

function takeout(title: string, more: object = {}): string {
  return JSON.stringify({
    title,
    photoTakenTime: { timestamp: "1718445600" },
    ...more,
  });
}

Deno.test("an export of everything comes back into another account with captions, marks, pairs, albums and collections", async () => {
  await withTown(async (town) => {
    const ada = await town.machine("ada");
    await newAccount(town, ada, "ada@example.org");
    const year = "Takeout/Google Photos/Photos from 2024";
    const trip = "Takeout/Google Photos/Trip";
    await copy(ada, "camera.jpg", `${year}/walk.jpg`);
    await ada.write(
      `${year}/walk.jpg.json`,
      takeout("walk.jpg", {
        description: "the lake, é 写真",
        favorited: true,
        geoData: { latitude: 47.5, longitude: 8.75, altitude: 0 },
      }),
    );
    await copy(ada, "turned.jpg", `${year}/walk-edited.jpg`);
    await copy(ada, "camera.png", `${year}/shy.png`);
    await ada.write(
      `${year}/shy.png.json`,
      takeout("shy.png", { archived: true }),
    );
    await copy(ada, "camera.webp", `${trip}/trip.webp`);
    await ada.write(`${trip}/trip.webp.json`, takeout("trip.webp"));
    await ada.write(
      `${trip}/metadata.json`,
      JSON.stringify({ title: "Our trip", date: { timestamp: "1" } }),
    );
    await ada.done("import", "takeout", ada.path("Takeout"));
    await copy(ada, "camera.heic", "in/deep/IMG_1.HEIC");
    await copy(ada, "iphone.mov", "in/deep/IMG_1.MOV");
    await copy(ada, "android.mp4", "in/video.mp4");
    await ada.write("in/notes.txt", "a note");
    await ada.write("in/empty.txt", "");
    await ada.done("push", ada.path("in"));
    await ada.done("favourite", "add", "video.mp4");
    await ada.done("album", "new", "Summer");
    await ada.write("more/lake.raf", "of an unknown camera");
    await ada.done("push", ada.path("more"), "--album", "Summer");
    await ada.done("export-all", ada.path("all"));

    // What changes later is in the next export into the same folder.
    const sidecar = ada.path("all/photos/2024/06/walk.jpg.json");
    assert.match(await Deno.readTextFile(sidecar), /"favourite": true/);
    assert.match(
      await ada.done("ls", "favourite"),
      /walk\.jpg {2}\(favourite\)/,
    );
    // What Google Photos archived is archived here, too.
    const archived = ada.path("all/photos/2024/06/shy.png.json");
    assert.match(await Deno.readTextFile(archived), /"archived": true/);
    assert.match(
      await ada.done("ls", "archived"),
      /shy\.png {2}\(archived\)\n1 file,/,
    );
    assert.match(
      await ada.done("archive", "add", "notes.txt"),
      /^archived: notes\.txt$/m,
    );
    assert.match(await ada.done("ls", "archived"), /\n2 files,/);
    assert.match(
      await ada.done("archive", "rm", "notes.txt"),
      /^no longer archived: notes\.txt$/m,
    );
    assert.match(await ada.done("ls", "archived"), /\n1 file,/);
    await ada.done("favourite", "rm", "walk.jpg");
    await ada.done("favourite", "add", "notes");
    await ada.done("export-all", ada.path("all"));
    assert.doesNotMatch(await Deno.readTextFile(sidecar), /"favourite": true/);
    const want = await told(ada, "all");
    assert.equal(want.files.length, 9);

    const bob = await town.machine("bob");
    await newAccount(town, bob, "bob@example.org");
    const dry = await bob.run(
      "import",
      "strongroom",
      "--dry-run",
      ada.path("all"),
    );
    assert.match(dry.stdout, /^9 files to keep/m, dry.stderr);
    assert.match(
      await bob.done("import", "strongroom", ada.path("all")),
      /^9 files kept, 0 files known, 2 collections$/m,
    );
    await bob.done("export-all", bob.path("all"));
    assert.deepEqual(await told(bob, "all"), want);
    assert.match(
      await bob.done("import", "strongroom", ada.path("all")),
      /^0 files kept, 9 files known, 2 collections$/m,
    );

    // What the list does not have is named, and what changed is not taken.
    await ada.write("all/strange.jpg", "strange");
    await ada.write("all/albums/Summer/lake.raf", "of another camera");
    const odd = await bob.run("import", "strongroom", ada.path("all"));
    assert.match(
      odd.stdout,
      /passed over .*strange\.jpg: it is not in the list/,
    );
    assert.equal(odd.status, 3);
    assert.match(odd.stderr, /lake\.raf: its bytes are not those/);
  });
});

Deno.test("what was deleted on purpose does not come back with an export, unless that is asked for", async () => {
  await withTown(async (town) => {
    const ada = await town.machine("ada");
    await newAccount(town, ada, "ada@example.org");
    for (const name of ["kept", "binned", "burnt"]) {
      await ada.write(`in/${name}.txt`, `what was ${name}`);
    }
    await ada.done("push", ada.path("in"));
    await ada.done("favourite", "add", "burnt.txt");
    await ada.done("export-all", ada.path("all"));
    await ada.done("rm", "--yes", "burnt.txt");
    await ada.done("trash", "empty", "--yes");
    await ada.done("rm", "--yes", "binned.txt");

    const names = async () =>
      (await ada.done("ls")).match(/\w+\.txt/g)?.toSorted();
    const left = await ada.done("import", "strongroom", ada.path("all"));
    assert.match(left, /^left out, because you deleted it: .*burnt\.txt$/m);
    assert.match(
      left,
      /^0 files kept, 1 file known, 0 collections, 2 files deleted before/m,
    );
    assert.deepEqual(await names(), ["kept.txt"]);
    assert.match(
      await ada.done("import", "strongroom", "--again", ada.path("all")),
      /^2 files kept, 1 file known/m,
    );
    assert.deepEqual(await names(), ["binned.txt", "burnt.txt", "kept.txt"]);
    assert.match(await ada.done("ls", "favourite"), /burnt\.txt/);
  });
});
