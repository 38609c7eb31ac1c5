/**
 * A picture that cannot be decoded is kept without small pictures, said once,
 * and costs no other file anything: by push, import, sync, and through one's own
 * upload link.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toBase64, utf8 } from "../../src/core/bytes.ts";
import {
  type Machine,
  newAccount,
  withTown,
} from "../support/people_commands.ts";
import { withPhone } from "../support/receive.ts";
import {
  lyingFiles,
  oddJpegs,
  oddPngs,
  pictureOf,
  withoutDecoder,
} from "../support/refused_pictures.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const GOOD = await pictureOf(640, 480);
/** Bytes of its own for each good file, behind the end of the picture. */
const good = (n: number) => new Uint8Array([...GOOD, n]);

/** What the runtime or the program's own decoders draw although it is odd. */
const DECODED: ReadonlySet<string> = new Set([
  "frame-c9.jpg",
  "wide.jpg",
  "high.jpg",
  "stray.jpg",
  "app14.jpg",
  "bad-checksum.png",
  "swelling-text.png",
  "jpeg.png",
  "jpeg.heic",
  "jpeg.tif",
  "jpeg.nef",
  "jpeg.mp4",
]);

async function refused(): Promise<Map<string, Bytes>> {
  const png = await pictureOf(640, 480, "image/png");
  return new Map([
    ...Object.entries(oddJpegs(GOOD)).map(([n, b]) => [`${n}.jpg`, b] as const),
    ...Object.entries(oddPngs(png)).map(([n, b]) => [`${n}.png`, b] as const),
    ...Object.entries(lyingFiles(GOOD)).map(([n, b], at) =>
      [n, b === GOOD ? good(100 + at) : b] as const
    ),
  ]);
}

/** The names of the library's files that have a small picture. */
async function pictured(machine: Machine): Promise<readonly string[]> {
  const out = machine.path(`out-${crypto.randomUUID()}`);
  await machine.done("pull", out, "--sidecars", "json", "--layout", "{name}");
  const names: string[] = [];
  for await (const { name } of Deno.readDir(out)) {
    if (!name.endsWith(".json")) continue;
    const about = JSON.parse(await Deno.readTextFile(`${out}/${name}`));
    const kinds = about.derivatives.map(({ kind }: { kind: string }) => kind);
    if (kinds.includes("thumbnail")) names.push(about.name);
  }
  return names.toSorted();
}

async function write(machine: Machine, folder: string) {
  const odd = await refused();
  let n = 0;
  for (const [name, bytes] of odd) {
    await machine.write(`${folder}/${name}`, bytes);
    // A good one after each: it must not wait for what is wrong with another.
    await machine.write(`${folder}/${name}.good.jpg`, good(n++));
  }
  return [...odd.keys()];
}

/** Whether something is said of a file that is kept as it is. */
function isSaid(name: string): boolean {
  // Of the videos, one ends before its tables.
  return !DECODED.has(name) &&
    (name === "noise.mp4" || !name.endsWith(".mp4"));
}

Deno.test("push keeps every picture that the runtime refuses, says so once, and makes previews of all others", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const names = await write(laptop, "in");
    const { status, stdout, stderr } = await laptop.run(
      "push",
      laptop.path("in"),
    );
    assert.equal(status, 0, stderr);
    assert.match(stdout, new RegExp(`${2 * names.length} files kept`));
    const lines = stderr.split("\n").filter((line) => line !== "");
    for (const name of names) {
      const its = lines.filter((line) => line.endsWith(`/${name}`));
      assert.equal(its.length, isSaid(name) ? 1 : 0, `${name}: ${its}`);
    }
    assert.equal(lines.length, names.filter(isSaid).length, stderr);
    const again = await laptop.run("push", laptop.path("in"));
    assert.deepEqual([again.status, again.stderr], [0, ""]);
    assert.deepEqual(
      await pictured(laptop),
      [
        ...names.map((name) => `${name}.good.jpg`),
        ...DECODED,
        // It is named, and what there is of it is drawn.
        "cut.png",
      ].toSorted(),
    );
  });
});

Deno.test("push and import make the small pictures of HEIC, and say once of which they cannot", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const read = (name: string) =>
      Deno.readFile(new URL(`../support/media/${name}`, import.meta.url));
    const small = await read("camera.heic");
    await laptop.write("push/small.heic", small);
    await laptop.write("push/broken.heic", withoutDecoder(small));
    await laptop.write("push/left.avif", await read("camera.avif"));
    await laptop.write("import/large.heic", await read("gradient.heic"));
    const pushed = await laptop.run("push", laptop.path("push"));
    assert.equal(pushed.status, 0, pushed.stderr);
    assert.match(
      pushed.stderr,
      /^strongroom: .*no preview could be made of it here: .*broken\.heic\n$/,
    );
    await laptop.done("import", "apple", laptop.path("import"));

    const out = laptop.path("out");
    const how = ["--sidecars", "json", "--layout", "{name}"];
    await laptop.done("pull", out, ...how);
    const made = async (name: string) => {
      const text = await Deno.readTextFile(`${out}/${name}.json`);
      return JSON.parse(text).derivatives.map((
        { kind, width, height }: Record<string, unknown>,
      ) => `${kind} ${width} ${height}`);
    };
    assert.deepEqual(await made("small.heic"), ["thumbnail 64 48"]);
    assert.deepEqual(await made("large.heic"), [
      "preview 1920 1280",
      "thumbnail 512 341",
    ]);
    assert.deepEqual(await made("broken.heic"), []);
    assert.deepEqual(await made("left.avif"), []);
  });
});

Deno.test("import and sync go past a picture that the runtime refuses", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const { huge, "12-bit": deep, "no-tables": bare } = oddJpegs(GOOD);
    const odd = { huge, deep, bare };
    for (const how of ["import", "sync"] as const) {
      for (const [n, [name, bytes]] of Object.entries(odd).entries()) {
        assert.ok(bytes !== undefined);
        const own = new Uint8Array([...bytes, n, how.length]);
        await laptop.write(`${how}/${n}-${name}.jpg`, own);
        await laptop.write(
          `${how}/${n}-good-${how}.jpg`,
          good(n + 10 * how.length),
        );
      }
      const command = how === "import" ? ["import", "apple"] : ["sync"];
      const { status, stderr } = await laptop.run(...command, laptop.path(how));
      assert.equal(status, 0, stderr);
      const lines = stderr.split("\n").filter((line) =>
        line.includes("no preview could be made")
      );
      assert.equal(lines.length, 3, stderr);
    }
    const good3 = (how: string) => [0, 1, 2].map((n) => `${n}-good-${how}.jpg`);
    assert.deepEqual(
      await pictured(laptop),
      [...good3("import"), ...good3("sync")].toSorted(),
    );
  });
});

Deno.test("inbox accept mine goes past a picture that the runtime refuses", async () => {
  await withPhone(async ({ laptop, phone, arrived }) => {
    const { "12-bit": deep, "no-tables": bare } = oddJpegs(GOOD);
    assert.ok(deep !== undefined && bare !== undefined);
    const files = {
      "1.jpg": deep,
      "2.jpg": good(2),
      "3.jpg": bare,
      "4.jpg": good(4),
    };
    for (const [name, body] of Object.entries(files)) {
      const answer = await fetch(new URL(`/${name}`, phone.address), {
        method: "PUT",
        body,
        headers: {
          Authorization: `Basic ${
            toBase64(utf8(`${phone.name}:${phone.password}`))
          }`,
        },
      });
      await answer.body?.cancel();
      assert.ok(answer.ok);
    }
    assert.equal((await arrived(4)).length, 4);
    const { status, stdout, stderr } = await laptop.run(
      ...["inbox", "accept", "mine"],
    );
    assert.equal(status, 0, stderr);
    assert.match(stdout, /4 files accepted/);
    assert.match(stderr, /no preview could be made of it here: 1\.jpg/);
    assert.match(stderr, /no preview could be made of it here: 3\.jpg/);
    assert.deepEqual(await pictured(laptop), ["2.jpg", "4.jpg"]);
  });
});
