/**
 * What the server lost or damaged, and a folder of originals from which it is
 * stored again; what is said of it until then.
 *
 * @module
 */
import assert from "node:assert/strict";
import { faultsOf } from "../support/backups.ts";
import { editPhoto } from "../../src/library/care/editing_photo.ts";
import { sampleBytes } from "../support/samples.ts";
import { damageBlob, openDatabase } from "../support/storage.ts";
import { PASSWORD } from "../support/web_app.ts";
import { photographer, sample } from "../support/web_people.ts";
import { DatabaseSync } from "node:sqlite";
import { plainOf } from "../../src/library/mod.ts";
import {
  type Machine,
  newAccount,
  type Town,
  withTown,
} from "../support/people_commands.ts";

/** Opens the server's database for a while. */
function inDatabase<T>(
  { folder }: Town,
  work: (database: DatabaseSync) => T,
): T {
  const database = openDatabase(`${folder}/data`);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** The hashes of every blob of a photo, or of those of one role. */
function blobsOf(town: Town, assetId: string, role = "%"): string[] {
  const found = inDatabase(town, (database) =>
    database.prepare(
      "select hash from holding where asset_id = ? and role like ?",
    ).all(assetId, role));
  return found.map((one) => String(one["hash"]));
}

/** The hash of a photo's original. */
function originalOf(town: Town, assetId: string): string {
  return blobsOf(town, assetId, "original")[0] ?? "";
}

async function spoil(
  town: Town,
  assetId: string,
  damage: "a flipped byte" | "a missing file" = "a flipped byte",
): Promise<void> {
  const dataDir = `${town.folder}/data`;
  await damageBlob({ dataDir }, originalOf(town, assetId), damage);
}

/** Takes an asset away, as the server's own purge leaves the feed. */
function lose(town: Town, assetId: string): void {
  inDatabase(town, (database) => {
    database.exec("pragma foreign_keys = off");
    database.prepare(
      "insert into feed (user_id, action, album_id, asset_id, at) " +
        "select owner_id, 'purge', album_id, asset_id, updated_at " +
        "from asset where asset_id = ?",
    ).run(assetId);
    for (const table of ["holding", "manifest", "asset"]) {
      database.prepare(`delete from ${table} where asset_id = ?`).run(assetId);
    }
  });
}

async function idOf(machine: Machine, name: string): Promise<string> {
  const [event] = await machine.events("ls", name);
  return String(event?.["asset_id"]);
}

async function pushed(town: Town, names: readonly string[]) {
  const laptop = await town.machine("ada");
  await newAccount(town, laptop, "ada@example.org");
  for (const name of names) {
    await laptop.write(`in/${name}.txt`, `the photo ${name}`);
  }
  await laptop.done("push", laptop.path("in"));
  await Deno.remove(laptop.path("in"), { recursive: true });
  return laptop;
}

Deno.test("verify --heal stores what is missing and what is damaged again, and names what is lost still", async () => {
  await withTown(async (town) => {
    const names = ["absent", "damaged", "lost", "whole"];
    const laptop = await pushed(town, names);
    const absent = await idOf(laptop, "absent");
    await laptop.done("favourite", "add", "absent");
    await spoil(town, absent, "a missing file");
    await spoil(town, await idOf(laptop, "damaged"));
    lose(town, await idOf(laptop, "lost"));

    await laptop.write("some/unknown.txt", "nothing of it is here");
    await laptop.write("some/a.txt", "the photo absent");
    const some = await laptop.run(
      ...["verify", "--deep", "--heal", laptop.path("some")],
    );
    assert.equal(some.status, 4);
    assert.match(some.stdout, /^healed: absent\.txt /m);
    assert.match(some.stdout, /1 file healed, 2 faults FOUND/);
    assert.match(some.stderr, /DAMAGED at the server: damaged\.txt/);
    assert.match(some.stderr, /MISSING at the server.*lost\.txt/);
    assert.doesNotMatch(some.stderr, /absent\.txt/);

    await laptop.write("all/b.txt", "the photo damaged");
    await laptop.write("all/c.txt", "the photo lost");
    const all = laptop.path("all");
    assert.match(
      await laptop.done("verify", "--deep", "--heal", all),
      /2 files healed, nothing wrong$/m,
    );
    assert.match(
      await laptop.done("verify", "--deep", "--heal", all),
      /0 files healed, nothing wrong$/m,
    );
    // The same photo, and not another one with its bytes.
    assert.equal(await idOf(laptop, "absent"), absent);
    assert.match(await laptop.done("ls", "absent"), /\(favourite\)/);
    assert.match(await laptop.done("ls"), /^4 files, /m);
    assert.equal((await laptop.run("verify", "--heal", "nowhere")).status, 1);
  });
});

Deno.test("an export that is taken in again gives back what the server lost of it", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("ada");
    await newAccount(town, laptop, "ada@example.org");
    for (const name of ["lost", "whole"]) {
      await laptop.write(`out/${name}.txt`, `the photo ${name}`);
    }
    const taken = () => laptop.done("import", "immich", laptop.path("out"));
    await taken();
    const lost = await idOf(laptop, "lost");
    await laptop.done("favourite", "add", "lost");
    // Everything that there was of it, its manifest too.
    for (const hash of blobsOf(town, lost)) {
      await damageBlob(
        { dataDir: `${town.folder}/data` },
        hash,
        "a missing file",
      );
    }
    assert.equal((await laptop.run("verify")).status, 4);
    assert.match(await taken(), /^1 file kept, 1 file known/m);
    assert.match(await laptop.done("verify"), /nothing wrong$/m);
    assert.equal(await idOf(laptop, "lost"), lost);
    assert.match(await laptop.done("ls", "lost"), /\(favourite\)/);
    assert.match(await taken(), /^0 files kept, 2 files known/m);
    assert.deepEqual(await faultsOf(`${town.folder}/data`), []);
  });
});

Deno.test("a damaged photo that pull and sync cannot write is one that failed", async () => {
  await withTown(async (town) => {
    const laptop = await pushed(town, ["damaged", "whole"]);
    await spoil(town, await idOf(laptop, "damaged"));
    const pulled = await laptop.run("pull", laptop.path("out"));
    assert.equal(pulled.status, 3, pulled.stderr);
    assert.match(pulled.stderr, /damaged\.txt .*the server's copy/);
    assert.match(pulled.stdout, /1 file written .*1 file FAILED/);
    await Deno.mkdir(laptop.path("folder"));
    const synced = await laptop.run("sync", laptop.path("folder"));
    assert.equal(synced.status, 3, synced.stderr);
  });
});

Deno.test("a photo whose copy in an album is there is healed from it by verify --heal and by sync, without the file", async () => {
  await withTown(async (town) => {
    const laptop = await pushed(town, ["damaged", "lost"]);
    await laptop.done("album", "new", "Summer");
    for (const name of ["damaged", "lost"]) {
      await laptop.write(`again/${name}.txt`, `the photo ${name}`);
    }
    const own = new Map<string, string>();
    for (const name of ["damaged", "lost"]) {
      own.set(name, await idOf(laptop, name));
    }
    await laptop.done("push", laptop.path("again"), "--album", "Summer");
    await Deno.remove(laptop.path("again"), { recursive: true });
    await spoil(town, own.get("damaged") ?? "");
    lose(town, own.get("lost") ?? "");

    const found = await laptop.run("verify", "--deep");
    assert.equal(found.status, 4, found.stdout);
    const healed = await laptop.done("verify", "--deep", "--heal");
    assert.match(healed, /^healed: damaged\.txt .* from its copy/m);
    assert.match(healed, /^healed: lost\.txt .* from its copy/m);
    assert.match(healed, /2 files healed, nothing wrong$/m);

    await spoil(town, own.get("damaged") ?? "", "a missing file");
    assert.equal((await laptop.run("verify")).status, 4);
    await Deno.mkdir(laptop.path("folder"));
    assert.match(
      await laptop.done("sync", laptop.path("folder")),
      /^healed: damaged\.txt /m,
    );
    assert.match(await laptop.done("verify", "--deep"), /nothing wrong$/m);
  });
});

/** A picture that is large enough for a small one. */
async function largePicture(): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(900, 600);
  const bitmap = await createImageBitmap(new ImageData(900, 600));
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
  return await (await canvas.convertToBlob({ type: "image/png" })).bytes();
}

/** The hashes of a photo's small pictures. */
function smallOf(town: Town, assetId: string): readonly string[] {
  const found = inDatabase(town, (database) =>
    database.prepare(
      "select hash from holding where asset_id = ? and role = 'derivative'",
    ).all(assetId));
  return found.map((row) => String(row["hash"]));
}

Deno.test("verify says that a small picture alone is lost, and --heal makes it again", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("ada");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/wide.png", await largePicture());
    await laptop.done("push", laptop.path("in"));
    const id = await idOf(laptop, "wide");
    const [small, ...more] = smallOf(town, id);
    assert(small !== undefined);
    const place = { dataDir: `${town.folder}/data` };
    for (const hash of [small, ...more]) {
      await damageBlob(place, hash, "a missing file");
    }
    const found = await laptop.run("verify");
    assert.equal(found.status, 4);
    assert.match(
      found.stderr,
      /MISSING at the server, only its preview: wide\.png/,
    );
    assert.match(found.stderr, /`verify --heal` makes previews again/);
    assert.match(
      await laptop.done("verify", "--heal"),
      /^healed: the preview of wide\.png .*made again$/m,
    );
    assert.match(await laptop.done("verify", "--deep"), /nothing wrong$/m);
    assert.equal(await idOf(laptop, "wide"), id);
    assert.equal(smallOf(town, id).length, 1 + more.length);
  });
});

Deno.test("the small pictures of an edited photo are left to the app, because the original is not what they show", async () => {
  await withTown(async (town) => {
    const { library, address, words } = await photographer(town.url, "ada");
    const { row: { id } } = await library.take(await sample("cat.jpg"));
    await editPhoto(library, id, { mirrored: true }, {
      width: 300,
      height: 200,
      thumbhash: new Uint8Array([1, 2, 3, 4, 5]),
      smaller: [{
        kind: "thumbnail",
        mime: "image/jpeg",
        bytes: await sampleBytes("thumbnails/cat.jpg"),
      }],
    });
    const laptop = await town.machine("ada");
    await laptop.done(
      "login",
      town.url,
      "--address",
      address,
      "--password-file",
      await laptop.write("password", PASSWORD),
      "--words-file",
      await laptop.write("words", words),
    );
    // The server let go of the picture of before the edit.
    const small = library.index.get(id)?.metadata?.derivatives[0]?.hash ?? "";
    assert.deepEqual(smallOf(town, id), [small]);
    const place = { dataDir: `${town.folder}/data` };
    assert.match(await laptop.done("verify", "--deep"), /nothing wrong$/m);
    await damageBlob(place, small, "a missing file");

    const { status, stdout, stderr } = await laptop.run("verify", "--heal");
    assert.equal(status, 4, stderr);
    assert.doesNotMatch(stdout, /healed: the preview/);
    assert.match(
      stderr,
      /the preview of cat\.jpg cannot be made here, because the photo was edited: look at the photo in the app/,
    );
    await library.sync();
    const { metadata } = library.index.get(id) ?? {};
    assert.deepEqual(metadata?.edit, { mirrored: true });
    assert.equal(metadata?.derivatives[0]?.hash, small);
  });
});

Deno.test("of a film that lost only its copy verify says so, and --heal gives the copy up", async () => {
  await withTown(async (town) => {
    const { library, address, words } = await photographer(town.url, "ada");
    const { row: { id } } = await library.take({
      source: plainOf(new Uint8Array(1_000).fill(1)),
      about: { name: "lake.mp4", mime: "video/mp4" },
      derivatives: [{
        kind: "playable",
        mime: "video/mp4",
        bytes: new Uint8Array(500).fill(2),
      }],
    });
    const laptop = await town.machine("ada");
    await laptop.done(
      "login",
      town.url,
      "--address",
      address,
      "--password-file",
      await laptop.write("password", PASSWORD),
      "--words-file",
      await laptop.write("words", words),
    );
    assert.match(await laptop.done("verify", "--deep"), /nothing wrong$/m);
    const [copy = ""] = smallOf(town, id);
    const place = { dataDir: `${town.folder}/data` };
    await damageBlob(place, copy, "a missing file");
    const found = await laptop.run("verify");
    assert.equal(found.status, 4);
    assert.match(
      found.stderr,
      /MISSING at the server, only its copy that plays everywhere: lake\.mp4/,
    );
    assert.match(
      await laptop.done("verify", "--heal"),
      /^healed: lake\.mp4 .* is whole\. The copy .* make it again in the app$/m,
    );
    assert.match(await laptop.done("verify", "--deep"), /nothing wrong$/m);
    await library.sync();
    assert.deepEqual(library.index.get(id)?.metadata?.derivatives, []);
  });
});
