/**
 * An export of another program, taken in by the command, and back as files.
 *
 * @module
 */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { concatBytes } from "../../src/core/bytes.ts";
import {
  type Machine,
  newAccount,
  withTown,
} from "../support/people_commands.ts";
import { liveStill, liveVideo } from "../support/live_pairs.ts";
import { type TarFile, tarOf } from "../support/tars.ts";
import { type ZipFile, zipOf } from "../support/zips.ts";

function noise(seed: number, length: number): Uint8Array {
  return Uint8Array.from(
    { length },
    (_, at) => (Math.imul(at + seed, 2654435761) >>> 11) & 0xff,
  );
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function sidecar(title: string, more: Readonly<Record<string, unknown>> = {}) {
  return json({
    title,
    photoTakenTime: { timestamp: "1718445600" },
    geoData: { latitude: 47.5, longitude: 8.7, altitude: 0 },
    ...more,
  });
}

const YEAR = "Takeout/Google Photos/Photos from 2024";
const ALBUM = "Takeout/Google Photos/Our walks";
const LONG = "a name that is as long as anybody would ever make it.png";

/** Two parts of one export: what belongs together lies in different ones. */
async function writeParts(machine: Machine): Promise<string[]> {
  const walk = noise(1, 30_000);
  const one: ZipFile[] = [
    { name: `${YEAR}/walk.png`, bytes: walk },
    { name: `${YEAR}/walk-edited.png`, bytes: noise(2, 900) },
    { name: `${YEAR}/${LONG.slice(0, 47)}.png`, bytes: noise(3, 900) },
    { name: `${YEAR}/large.mp4`, bytes: noise(4, 6_000_000), isStored: true },
    { name: `${YEAR}/lonely.png`, bytes: noise(5, 900) },
    { name: `${YEAR}/thrown.png`, bytes: noise(6, 900) },
    { name: `${YEAR}/live.heic`, bytes: noise(9, 2_000) },
    { name: `${ALBUM}/walk.png`, bytes: walk },
  ];
  const two: ZipFile[] = [
    {
      name: `${YEAR}/walk.png.supplemental-metadata.json`,
      bytes: sidecar("walk.png", { favorited: true, description: "the lake" }),
    },
    { name: `${YEAR}/${LONG.slice(0, 46)}.json`, bytes: sidecar(LONG) },
    { name: `${YEAR}/large.mp4.supplem.json`, bytes: sidecar("large.mp4") },
    {
      name: `${YEAR}/thrown.png.json`,
      bytes: sidecar("thrown.png", { trashed: true }),
    },
    { name: `${YEAR}/live.heic.s.json`, bytes: sidecar("live.heic") },
    { name: `${YEAR}/live.mp4`, bytes: noise(7, 5_000) },
    { name: `${YEAR}/gone.png.json`, bytes: sidecar("gone.png") },
    {
      name: `${ALBUM}/metadata.json`,
      bytes: json({ title: "Our walks: all", date: { timestamp: "1" } }),
    },
    { name: "Takeout/archive_browser.html", bytes: json("<html>") },
    { name: "../../escape.png", bytes: noise(8, 900) },
  ];
  return [
    await machine.write("takeout-001.zip", zipOf(one)),
    await machine.write("takeout-002.zip", zipOf(two, { isWide: true })),
  ];
}

Deno.test("all parts of a Google Photos export are taken in together, and every byte comes back", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const parts = await writeParts(laptop);
    const dry = await laptop.events("import", "takeout", "--dry-run", ...parts);
    assert.equal(dry.at(-1)?.["kept"], 8);
    assert.equal(
      (await laptop.events("ls")).filter(({ name }) => name !== undefined)
        .length,
      0,
    );

    const events = await laptop.events("import", "takeout", ...parts);
    const { sent_bytes: _, ...end } = events.at(-1) ?? { event: "" };
    assert.deepEqual(end, {
      event: "end",
      status: 0,
      kept: 7,
      known: 1,
      amended: 0,
      trashed: 0,
      failed: 0,
      passed_over: 3,
      unmatched: 1,
      albums: 1,
    });
    const named = (event: string, outcome?: string) =>
      events.filter((one) => one.event === event && one["outcome"] === outcome)
        .map(({ path }) => String(path).replace(/.*\//, "")).sort();
    assert.deepEqual(named("file", "passed_over"), [
      "archive_browser.html",
      "escape.png",
      "thrown.png",
    ]);
    assert.deepEqual(named("unmatched"), ["gone.png.json", "lonely.png"]);

    const back = laptop.path("back");
    await laptop.done(
      "pull",
      back,
      "--layout",
      "{path}/{name}",
      "--sidecars",
      "json",
    );
    const folder = `${back}/Photos from 2024`;
    const want: Readonly<Record<string, Uint8Array>> = {
      "walk.png": noise(1, 30_000),
      "walk-edited.png": noise(2, 900),
      [LONG]: noise(3, 900),
      "large.mp4": noise(4, 6_000_000),
      "lonely.png": noise(5, 900),
      "live.heic": noise(9, 2_000),
      "live.mp4": noise(7, 5_000),
    };
    for (const [name, bytes] of Object.entries(want)) {
      assert.deepEqual(await Deno.readFile(`${folder}/${name}`), bytes, name);
    }
    const known = async (name: string) =>
      JSON.parse(await Deno.readTextFile(`${folder}/${name}.json`));
    const walk = await known("walk.png");
    assert.equal(walk.taken_at, "2024-06-15T10:00:00.000Z");
    assert.equal(walk.taken_source, "sidecar");
    assert.deepEqual(walk.place, { latitude: 47.5, longitude: 8.7 });
    assert.equal(walk.caption, "the lake");
    assert.equal(walk.favourite, true);
    assert.equal((await known("walk-edited.png")).edited_of, walk.asset_id);
    const [motion] = (await known("live.heic")).derivatives;
    assert.equal(motion.kind, "motion");
    assert.equal(motion.size, 5_000);
    assert.match(
      await laptop.done("pull", back, "--layout", "{path}/{name}"),
      /^0 files written/,
    );
    await assert.rejects(Deno.stat(`${folder}/live (2).mp4`));
    // Nothing of a plaintext is left behind.
    assert.deepEqual(await stagedBy(laptop), []);

    // Again: everything is known, and nothing is sent.
    const again = (await laptop.events("import", "takeout", ...parts)).at(-1);
    assert.equal(again?.["kept"], 0);
    assert.equal(again?.["known"], 8);
    assert.equal(again?.["sent_bytes"], 0);
  });
});

Deno.test("a damaged file of an export is named, the others are kept, and the status is 3", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const zip = await laptop.write(
      "takeout.zip",
      zipOf([
        { name: `${YEAR}/good.png`, bytes: noise(1, 900) },
        { name: `${YEAR}/bad.png`, bytes: noise(2, 900), lie: { crc: 1 } },
        {
          name: `${YEAR}/large.mp4`,
          bytes: noise(3, 6_000_000),
          lie: { crc: 1 },
        },
      ]),
    );
    const { status, stdout, stderr } = await laptop.run(
      "import",
      "takeout",
      zip,
    );
    assert.equal(status, 3, stderr);
    assert.match(stdout, /kept .*good\.png/);
    assert.match(stderr, /bad\.png: it is damaged: its checksum is another/);
    assert.match(stderr, /large\.mp4: it is damaged/);
    assert.deepEqual(await stagedBy(laptop), []);
    // A part that was not downloaded whole is refused before anything is sent.
    const half = await laptop.write(
      "half.zip",
      (await Deno.readFile(zip)).slice(0, 2_000),
    );
    const refused = await laptop.run("import", "takeout", half);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /half\.zip: .*download that part again/);
  });
});

async function stagedBy({ home }: Machine): Promise<string[]> {
  const state = `${home}/.local/state/strongroom`;
  const found: string[] = [];
  for await (const profile of Deno.readDir(state)) {
    if (!profile.isDirectory) continue;
    for await (const { name } of Deno.readDir(`${state}/${profile.name}`)) {
      if (name.startsWith("import-")) found.push(name);
    }
  }
  return found;
}

Deno.test("originals of whatever camera are taken, and what is passed over is counted and named", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const ends = [
      ...["RAF", "RW2", "ORF", "PEF", "SRW", "3FR", "GPR", "insp", "m2ts"],
      ...["jfif", "wmv", "MPO", "vob", "dv", "mxf", "of-a-new-camera"],
    ];
    for (const [at, end] of ends.entries()) {
      await laptop.write(`out/DSC_${at}.${end}`, noise(at, 300));
    }
    await laptop.write("out/DSC_1.AAE", "<plist>");
    await laptop.write("out/index.html", "<html>");
    const said = await laptop.done("import", "apple", laptop.path("out"));
    assert.match(said, /passed over .*DSC_1\.AAE: it describes other files/);
    assert.match(said, /^16 files kept, .*2 files passed over/m);
    await laptop.done("pull", laptop.path("back"), "--layout", "{name}");
    const names = (await Array.fromAsync(Deno.readDir(laptop.path("back"))))
      .map(({ name }) => name).sort();
    assert.deepEqual(names, ends.map((end, at) => `DSC_${at}.${end}`).sort());
  });
});

Deno.test("albums of one title stay two, and the same bytes with two dates keep one, run after run", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const root = "Takeout/Google Photos";
    for (const [folder, seed] of [["Summer", 1], ["Summer(1)", 2]] as const) {
      await laptop.write(`${root}/${folder}/${seed}.png`, noise(seed, 900));
      await laptop.write(
        `${root}/${folder}/metadata.json`,
        json({ title: "Summer", date: { timestamp: "1" } }),
      );
    }
    const twin = noise(3, 900);
    for (
      const [name, time] of [["b.png", "1718445600"], ["c.png", "1418445600"]]
    ) {
      await laptop.write(`${root}/Photos from 2024/${name}`, twin);
      await laptop.write(
        `${root}/Photos from 2024/${name}.json`,
        sidecar(name ?? "", { photoTakenTime: { timestamp: time } }),
      );
    }
    const run = ["import", "takeout", laptop.path(root)];
    assert.equal((await laptop.events(...run)).at(-1)?.["albums"], 2);
    const listed = async () =>
      (await laptop.events("ls")).map(({ name, taken_at }) => [name, taken_at]);
    const before = await listed();
    for (let again = 0; again < 2; again++) {
      const end = (await laptop.events(...run)).at(-1);
      assert.deepEqual([end?.["kept"], end?.["amended"]], [0, 0]);
      assert.deepEqual(await listed(), before);
    }
    await laptop.done("export-all", laptop.path("all"));
    const { collections } = JSON.parse(
      await Deno.readTextFile(laptop.path("all/strongroom-export.json")),
    );
    const sizes = collections.map((one: { assets: readonly string[] }) =>
      one.assets.length
    );
    assert.deepEqual(sizes, [1, 1]);
  });
});

Deno.test("in a zip, a tar and a folder, an identifier pairs a still and a video of other names, and parts two of one name", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const filesOf = (mark: string): TarFile[] =>
      Object.entries({
        "beach.jpg": liveStill(mark, `${mark}-1111`),
        "sea.MOV": liveVideo(mark, `${mark}-1111`, 60_000),
        "IMG_1.JPG": liveStill(`${mark} one`, `${mark}-2222`),
        "IMG_1.MOV": liveVideo(`${mark} other`, `${mark}-3333`),
      }).map(([name, bytes]) => ({ name: `${mark}/${name}`, bytes }));
    const stored = filesOf("stored")
      .map((file) => ({ ...file, isStored: true }));
    const given = [
      await laptop.write("packed.zip", zipOf(filesOf("packed"))),
      await laptop.write("stored.zip", zipOf(stored)),
      await laptop.write("plain.tar", tarOf(filesOf("tarred"))),
      await laptop.write("packed.tgz", gzipSync(tarOf(filesOf("gzipped")))),
    ];
    for (const { name, bytes } of filesOf("unpacked")) {
      await laptop.write(`folder/${name}`, bytes);
    }
    const run = ["import", "apple", ...given, laptop.path("folder")];
    const end = (await laptop.events(...run)).at(-1);
    assert.deepEqual([end?.["kept"], end?.["failed"]], [20, 0]);
    const back = laptop.path("back");
    await laptop.done("pull", back, "--layout", "{path}/{name}");
    for (const mark of ["packed", "stored", "tarred", "gzipped", "unpacked"]) {
      const names = await Array.fromAsync(Deno.readDir(`${back}/${mark}`));
      assert.deepEqual(
        names.map(({ name }) => name).sort(),
        // The video of a live photo comes back by its still's name.
        ["IMG_1.JPG", "IMG_1.MOV", "beach.MOV", "beach.jpg"],
        mark,
      );
    }
    const again = (await laptop.events(...run)).at(-1);
    assert.deepEqual([again?.["kept"], again?.["known"]], [0, 20]);
  });
});

/** A tar as Google makes one. */
const TARRED: readonly TarFile[] = [
  { name: `${YEAR}/`, bytes: new Uint8Array(), type: "Directory" },
  { name: `${YEAR}/walk.png`, bytes: noise(1, 30_000) },
  { name: `./${YEAR}/${"ü".repeat(70)}.png`, bytes: noise(2, 900) },
  { name: `${YEAR}/link.png`, bytes: new Uint8Array(), type: "SymbolicLink" },
  { name: "../../escape.png", bytes: noise(8, 900) },
  { name: `${YEAR}/inner.RAR`, bytes: noise(9, 900) },
];

const TAR_OF_SIDECARS = tarOf([{
  name: `${YEAR}/walk.png.supplemental-metadata.json`,
  bytes: sidecar("walk.png", { description: "the lake" }),
}]);

Deno.test("the files of a tar, and of one that is packed, are imported as those of a zip, and every byte comes back", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const tar = tarOf(TARRED);
    // Two members, as programs that pack in parallel write them.
    const packed = [tar.subarray(0, 20_000), tar.subarray(20_000)]
      .map((half) => gzipSync(half));
    const photos = await laptop.write("part-001.TGZ", concatBytes(...packed));
    const sidecars = await laptop.write("part-002.tar", TAR_OF_SIDECARS);
    const events = await laptop.events("import", "takeout", photos, sidecars);
    const end = events.at(-1);
    assert.equal(end?.["kept"], 2);
    assert.equal(end?.["status"], 0);
    const passed = events.filter(({ outcome }) => outcome === "passed_over")
      .map(({ path, why }) => `${String(path).split("/").at(-1)}: ${why}`);
    assert.deepEqual(passed.toSorted(), [
      "escape.png: its name leaves the archive",
      "inner.RAR: it is an archive: unpack it and import its folder",
      "link.png: it is no file",
    ]);
    const back = laptop.path("back");
    await laptop.done("pull", back, "--layout", "{name}", "--sidecars", "json");
    for (const { name, bytes } of TARRED.slice(1, 3)) {
      const path = laptop.path(`back/${name.split("/").at(-1)}`);
      assert.deepEqual(await Deno.readFile(path), bytes);
    }
    assert.match(
      await Deno.readTextFile(laptop.path("back/walk.png.json")),
      /the lake/,
    );
    const again = await laptop.events("import", "takeout", photos, sidecars);
    assert.equal(again.at(-1)?.["known"], 2);
    assert.deepEqual(await staged(laptop), []);
  });
});

for (
  const [name, bytes, why] of [
    ["a.7z", noise(1, 900), /a\.7z: archives of this kind cannot be read; /],
    ["a.RAR", noise(1, 900), /Unpack it and import its folder/],
    ["a.part1.rar", noise(1, 900), /Unpack it and import its folder/],
    ["a.7z.001", noise(1, 900), /Unpack it and import its folder/],
    ["a.tar.xz", noise(1, 900), /Unpack it and import its folder/],
    ["a.tbz2", noise(1, 900), /Unpack it and import its folder/],
    ["a.gz", noise(1, 900), /Unpack it and import its folder/],
    ["a.tar", noise(1, 900), /it is damaged, or no tar; nothing was/],
    ["a.tar", tarOf(TARRED).slice(0, 20_000), /it is cut; nothing was/],
    ["a.tar", tarOf(TARRED).slice(0, -1024), /its end is missing; nothing/],
    ["a.tgz", noise(1, 900), /it is damaged, or its end is missing; nothing/],
    [
      "a.tar.gz",
      gzipSync(tarOf(TARRED)).subarray(0, -200),
      /it is damaged, or its end is missing; nothing was imported/,
    ],
    [
      "a.tgz",
      gzipSync(new Uint8Array(40_000_000)),
      /it would swell more than any photograph does/,
    ],
  ] as const
) {
  Deno.test(`${name}, of ${bytes.length} bytes, is refused by import in words, and nothing of it is kept`, async () => {
    await withTown(async (town) => {
      const laptop = await town.machine("laptop");
      await newAccount(town, laptop, "ada@example.org");
      const path = await laptop.write(`in/${name}`, bytes);
      const { status, stderr } = await laptop.run("import", "takeout", path);
      assert.equal(status, 1);
      assert.match(stderr, why);
      assert.match(await laptop.done("ls"), /0 files/);
      assert.deepEqual(await staged(laptop), []);
    });
  });
}

Deno.test("an archive that is not read is passed over and named where a folder has it", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/a.rar", noise(1, 900));
    await laptop.write("in/b.png", noise(2, 900));
    const events = await laptop.events("import", "immich", laptop.path("in"));
    assert.equal(events.at(-1)?.["kept"], 1);
    assert.match(
      String(events.find(({ outcome }) => outcome === "passed_over")?.["why"]),
      /it is an archive: unpack it/,
    );
  });
});

/** What was unpacked, and is still there. */
async function staged(machine: Machine): Promise<string[]> {
  const left: string[] = [];
  for await (const { name } of walk(machine.home)) {
    if (name.startsWith("import-")) left.push(name);
  }
  return left;
}

async function* walk(folder: string): AsyncGenerator<Deno.DirEntry> {
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) yield* walk(`${folder}/${entry.name}`);
    else yield entry;
  }
}
