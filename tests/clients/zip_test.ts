/**
 * Zips are read in place, and nothing that they say of themselves is believed.
 *
 * @module
 */
import assert from "node:assert/strict";
import { plainOf } from "../../src/library/rows/plaintext_cache.ts";
import { MalformedZip, readZip } from "../../src/media/zip.ts";
import { type ZipFile, zipOf } from "../support/zips.ts";

const TEXT = new TextEncoder().encode(
  "a photograph, as good as any ".repeat(99),
);
const NOISE = Uint8Array.from(
  { length: 100_000 },
  (_, at) => (at * at * 31 + (at >> 3)) & 0xff,
);

async function contentOf(
  zip: Uint8Array<ArrayBuffer>,
): Promise<Map<string, Uint8Array>> {
  const { entries } = await readZip(plainOf(zip));
  const found = new Map<string, Uint8Array>();
  for (const entry of entries) {
    const pieces = await Array.fromAsync(entry.read());
    found.set(entry.path, await new Blob(pieces).bytes());
  }
  return found;
}

async function refusalOf(...files: ZipFile[]) {
  return (await readZip(plainOf(zipOf(files)))).refused;
}

const GOOD: readonly ZipFile[] = [
  { name: "Takeout/übung 写真.jpg", bytes: NOISE },
  { name: "Takeout/stored.jpg", bytes: TEXT, isStored: true },
  { name: "Takeout/empty.txt", bytes: new Uint8Array() },
  { name: "Takeout/", bytes: new Uint8Array(), isStored: true },
];

for (const isWide of [false, true]) {
  Deno.test(`every byte of a zip is read${isWide ? " whose numbers have 64 bits" : ""}`, async () => {
    assert.deepEqual(
      await contentOf(zipOf(GOOD, { isWide })),
      new Map<string, Uint8Array>([
        ["Takeout/übung 写真.jpg", NOISE],
        ["Takeout/stored.jpg", TEXT],
        ["Takeout/empty.txt", new Uint8Array()],
      ]),
    );
  });
}

Deno.test("a zip is read where streams cannot be iterated, as in Safari", async () => {
  const iterated = ReadableStream.prototype[Symbol.asyncIterator];
  Object.assign(ReadableStream.prototype, {
    [Symbol.asyncIterator]: undefined,
  });
  try {
    const content = await contentOf(zipOf(GOOD));
    assert.deepEqual(content.get("Takeout/übung 写真.jpg"), NOISE);
  } finally {
    Object.assign(ReadableStream.prototype, {
      [Symbol.asyncIterator]: iterated,
    });
  }
});

for (const isWide of [false, true]) {
  Deno.test(`what is not packed is told by its place${isWide ? " in a zip of 64 bits" : ""}`, async () => {
    const zip = zipOf(GOOD, { isWide });
    const { entries } = await readZip(plainOf(zip));
    const places = await Promise.all(
      entries.map(async (one) => [one.path, await one.place()] as const),
    );
    const of = new Map(places);
    assert.equal(of.get("Takeout/übung 写真.jpg"), undefined);
    const at = of.get("Takeout/stored.jpg") ?? NaN;
    assert.deepEqual(zip.slice(at, at + TEXT.length), TEXT);
  });
}

Deno.test("bytes that are not packed and reach into the next entry have no place", async () => {
  const zip = zipOf([
    { name: "a/very/long/name/one.jpg", bytes: TEXT, isStored: true },
    { name: "two.jpg", bytes: NOISE },
  ]);
  // Its own header says that its name is longer than the directory says.
  new DataView(zip.buffer).setUint16(26, 60, true);
  const { entries } = await readZip(plainOf(zip));
  const one = entries.find(({ path }) => path.endsWith("one.jpg"));
  await assert.rejects(async () => await one?.place(), MalformedZip);
});

Deno.test("a zip that Debian's zip made is read byte for byte", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/in/a`, { recursive: true });
    await Deno.writeFile(`${folder}/in/a/walk ñ.jpg`, NOISE);
    await Deno.writeFile(`${folder}/in/video.mp4`, TEXT);
    // From its standard input it does not know a size: descriptors and ZIP64.
    const made = [
      ["-r", `${folder}/one.zip`, "in"],
      ["-fz", "-0", "-r", `${folder}/two.zip`, "in"],
    ];
    for (const args of made) {
      const { success } = await new Deno.Command("zip", {
        args: ["-q", ...args],
        cwd: folder,
      }).output();
      assert(success);
      const zip = await Deno.readFile(
        args.find((arg) => arg.endsWith(".zip")) ?? "",
      );
      const content = await contentOf(zip);
      assert.deepEqual(content.get("in/a/walk ñ.jpg"), NOISE);
      assert.deepEqual(content.get("in/video.mp4"), TEXT);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

for (
  const name of [
    "/etc/passwd",
    "../up.jpg",
    "a/../../up.jpg",
    "a\\b.jpg",
    "C:x",
  ]
) {
  Deno.test(`a name that leaves the archive is refused: ${name}`, async () => {
    assert.deepEqual(await refusalOf({ name, bytes: TEXT }), [
      { path: name, why: "its name leaves the archive", fault: "path" },
    ]);
  });
}

Deno.test("a name that is longer than a library keeps one is refused, and no other for it", async () => {
  const [name, folders] = ["n".repeat(1_020), "f".repeat(4_096)];
  // Characters, not code units, and as they are kept: e and its accent are one.
  const [wide, accents] = ["\u{1F4F7}".repeat(1_020), "e\u0301".repeat(1_020)];
  const zip = zipOf([
    { name: `${folders}/${name}.jpg`, bytes: TEXT },
    { name: `${name}.jpeg`, bytes: NOISE },
    { name: `a/${name}.jpg`, bytes: NOISE },
    { name: `${folders}f/walk.jpg`, bytes: NOISE },
    { name: `${wide}.jpg`, bytes: TEXT },
    { name: `${accents}.jpg`, bytes: TEXT },
  ]);
  const { refused, entries } = await readZip(plainOf(zip));
  assert.deepEqual(entries.map(({ path }) => path), [
    `${folders}/${name}.jpg`,
    `a/${name}.jpg`,
    `${wide}.jpg`,
    `${accents}.jpg`,
  ]);
  assert.deepEqual(refused, [
    {
      path: `${name}.jpeg`,
      why: "its name is too long",
      fault: "name",
    },
    {
      path: `${folders}f/walk.jpg`,
      why: "its name is too long",
      fault: "name",
    },
  ]);
});

Deno.test("entries that share their bytes are refused", async () => {
  const refused = await refusalOf(
    { name: "one.jpg", bytes: NOISE },
    { name: "two.jpg", bytes: NOISE, lie: { sameAs: 0 } },
  );
  assert.deepEqual(refused.map(({ why }) => why), ["it overlaps with another"]);
});

Deno.test("an entry that reaches into the next one is refused, or not read to its end", async () => {
  const zip = zipOf([
    {
      name: "one.jpg",
      bytes: TEXT,
      isStored: true,
      lie: {
        size: TEXT.length + 20,
        packedSize: TEXT.length + 20,
      },
    },
    { name: "two.jpg", bytes: NOISE },
  ]);
  const { refused, entries } = await readZip(plainOf(zip));
  assert.deepEqual(refused.map(({ path }) => path), ["one.jpg"]);
  assert.deepEqual(entries.map(({ path }) => path), ["two.jpg"]);
});

Deno.test("what would swell more than a photograph does is refused unread", async () => {
  const bomb = { name: "bomb.jpg", bytes: new Uint8Array(20_000_000) };
  assert.match((await refusalOf(bomb))[0]?.why ?? "", /swell/);
});

Deno.test("a small bomb ends where its directory says", async () => {
  const zip = zipOf([{
    name: "bomb.jpg",
    bytes: new Uint8Array(30_000_000),
    lie: { size: 100 },
  }]);
  await assert.rejects(
    contentOf(zip),
    new MalformedZip("its size is another than its directory says"),
  );
});

Deno.test("damaged entries are refused by their checksum or their packed bytes", async () => {
  const wrong = zipOf([{ name: "a.jpg", bytes: TEXT, lie: { crc: 7 } }]);
  await assert.rejects(contentOf(wrong), /checksum/);
  const broken = zipOf([{ name: "a.jpg", bytes: NOISE }]);
  broken.fill(0xff, 40, 400);
  await assert.rejects(contentOf(broken), MalformedZip);
});

Deno.test("encrypted entries and unknown methods are named", async () => {
  const refused = await refusalOf(
    { name: "a.jpg", bytes: TEXT, lie: { flags: 1 } },
    { name: "b.jpg", bytes: TEXT, lie: { method: 99 } },
  );
  assert.deepEqual(refused.map(({ why }) => why), [
    "it is encrypted",
    "it is packed by method 99, which is not known here",
  ]);
});

Deno.test("whatever is cut or changed, a zip is read or refused, and nothing else", async () => {
  const few = new TextEncoder().encode("a photo, a photo");
  const files = GOOD.slice(1).map((file) => ({ ...file, bytes: few }));
  const zip = zipOf(files, { isWide: true });
  for (let at = 0; at < zip.length; at++) {
    for (const changed of [zip.slice(0, at), flipped(zip, at)]) {
      try {
        await contentOf(changed);
      } catch (error) {
        assert(error instanceof MalformedZip, `${at}: ${error}`);
      }
    }
  }
});

function flipped(zip: Uint8Array<ArrayBuffer>, at: number) {
  const changed = zip.slice();
  changed[at] = (changed[at] ?? 0) ^ 0xff;
  return changed;
}
