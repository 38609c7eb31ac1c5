/**
 * Backups off the premises (backup-off-site.md): sealed before they leave, in
 * generations, and back from there with nothing but the passphrase.
 *
 * @module
 */
import assert from "node:assert/strict";
import { verifyReceiptChain } from "../../src/crypto/receipt_chain.ts";
import {
  faultsOf,
  filesUnder,
  publishedBy,
  receiptsOf,
  type Running,
  signIn,
  withServer,
} from "../support/backups.ts";
import {
  doneOn,
  foundOn,
  keysOf,
  type OffSitePlace,
  onPlace,
  type PlaceKind,
  PLACES,
  refusedOn,
  withPassphrase,
  withPlace,
} from "../support/off_site.ts";
import {
  createAsset,
  hashOf,
  type LiveAsset,
  type Person,
  registerWriter,
} from "../support/people.ts";
import { expectBytes, readBlob } from "../support/stories.ts";

/** A server with a photo, and what is known of it. */
interface World {
  readonly place: OffSitePlace;
  readonly data: string;
  readonly server: Running;
  readonly ada: Person;
  readonly photo: LiveAsset;
}

/** What takes a hundred commands is told of those that need no handshake. */
const NEAR: readonly PlaceKind[] = ["a bucket", "a directory"];

/** Over every kind of place. */
function story(
  what: string,
  tell: (world: World) => Promise<void>,
  kinds: readonly PlaceKind[] = PLACES,
): void {
  for (const kind of kinds) {
    Deno.test(`${what} (${kind})`, async () => {
      await withPlace(kind, async (place) => {
        const data = `${place.room}/data`;
        await withServer(data, async (server) => {
          const ada = await registerWriter(server, "ada");
          const photo = await createAsset(server, ada, "photo", {
            length: 150_000,
          });
          await tell({ place, data, server, ada, photo });
        });
      });
    });
  }
}

function backUp({ place, data }: World, ...more: readonly string[]) {
  return doneOn(place, "backup", place.name, "--data-dir", data, ...more);
}

function restore({ place }: World, to: string, ...more: readonly string[]) {
  return doneOn(place, "restore", place.name, "--data-dir", to, ...more);
}

story(
  "a machine that burned down is back with the passphrase alone",
  async (given) => {
    const world = { ...given, place: withPassphrase(given.place) };
    const { place, data, ada, photo } = world;
    const made = await backUp(world);
    assert.deepEqual([made.generation, made.blobs.count, made.sent], [1, 3, 3]);
    const published = await publishedBy(world.server);
    await world.server.program.stop();
    const receipts = await receiptsOf(data);
    await Deno.remove(data, { recursive: true });

    const restored = `${place.room}/new`;
    const answer = await restore(world, restored);
    assert.deepEqual([answer.blobs.count, answer.receipts], [3, 3]);
    assert(answer.receipts_above >= 1_000_000);
    assert.deepEqual(await faultsOf(restored), []);
    await withServer(restored, async (server) => {
      const again = await signIn(server, ada);
      const hash = hashOf(photo.original);
      const blob = await readBlob(server, again, photo.assetId, hash);
      expectBytes(
        new Uint8Array(await blob.arrayBuffer()),
        photo.original,
        "the photo",
      );
      await createAsset(server, again, "after");
      const all = await receiptsOf(restored);
      assert.deepEqual(all.slice(0, receipts.length), receipts);
      const keys = await publishedBy(server);
      assert.equal(keys.keys[0]?.keyId, published.keys[0]?.keyId);
      assert((await verifyReceiptChain(all, keys)).ok);
    });
    assert.deepEqual(await faultsOf(restored), []);
  },
);

story(
  "what is there already is not sent again, and each generation has its own",
  async (world) => {
    const { place, data, server, ada } = world;
    await backUp(world);
    const first = await keysOf(place, "objects/");
    assert.deepEqual(
      [(await backUp(world)).sent, (await backUp(world)).kept],
      [0, 3],
    );
    // The database did not change either: three records are all there is more.
    assert.deepEqual(await keysOf(place, "objects/"), first);
    assert.equal((await keysOf(place, "generations/")).length, 3);
    const second = await createAsset(server, ada, "second");
    const more = await backUp(world);
    assert.deepEqual([more.generation, more.sent, more.kept], [4, 3, 3]);
    const { generations } = await doneOn(place, "backup", "list", place.name);
    assert.deepEqual(
      generations.map(({ generation, blobs }: never) => [
        generation,
        blobs["count"],
      ]),
      [[1, 3], [2, 3], [3, 3], [4, 6]],
    );
    assert.deepEqual(await foundOn(place, "--deep"), []);
    await server.program.stop();
    await Deno.remove(data, { recursive: true });
    const old = await restore(world, `${place.room}/old`, "--generation", "3");
    assert.equal(old.blobs.count, 3);
    assert.deepEqual(await faultsOf(`${place.room}/old`), []);
    await restore(world, `${place.room}/new`);
    const names = [...(await filesUnder(`${place.room}/new/blobs`)).keys()];
    assert(names.some((name) => name.endsWith(hashOf(second.original))));
  },
);

story(
  "neither a content address nor a byte of a blob, a receipt or an address is in what leaves",
  async (world) => {
    const { place, data, photo, ada } = world;
    await backUp(world);
    const keys = await place.keys();
    const hashes = [photo.original, photo.metadata, photo.manifest].map(hashOf);
    const [receipt = new Uint8Array()] = await receiptsOf(data);
    const texts = [
      ada.address,
      "SQLite format",
      ...[photo.original.subarray(500, 532), receipt.subarray(20, 52)]
        .map((bytes) => bytes.toHex()),
      ...hashes,
    ];
    for (const key of keys) {
      assert(!hashes.some((hash) => key.includes(hash)), key);
      const bytes = await Deno.readFile(place.fileOf(key));
      const hex = bytes.toHex();
      for (const text of texts) {
        assert(!hex.includes(text), `${key} has ${text}`);
        assert(!hex.includes(new TextEncoder().encode(text).toHex()), key);
      }
    }
    // Sealed twice it is another object, though of the same name.
    const [object = ""] = await keysOf(place, "objects/");
    const before = await Deno.readFile(place.fileOf(object));
    await Deno.remove(place.fileOf(object));
    await backUp(world);
    assert.notDeepEqual(await Deno.readFile(place.fileOf(object)), before);
  },
);

story(
  "another passphrase, a key file in its place, or none opens nothing",
  async (given) => {
    const world = { ...given, place: withPassphrase(given.place) };
    const { place, data } = world;
    await backUp(world);
    const before = await place.keys();
    const { STRONGROOM_BACKUP_PASSPHRASE: _, ...open } = place.settings;
    const keyFile = `${place.room}/key`;
    await Deno.writeTextFile(keyFile, "ab".repeat(32), { mode: 0o600 });
    const others: readonly [Record<string, string>, RegExp][] = [
      [
        { STRONGROOM_BACKUP_PASSPHRASE: "twelve tame owls on a wirE" },
        /sealed by another passphrase/,
      ],
      [{ STRONGROOM_BACKUP_KEY_FILE: keyFile }, /sealed by a passphrase/],
      [{}, /no terminal to ask for the passphrase on/],
    ];
    for (const [secret, complaint] of others) {
      const other = { ...place, settings: { ...open, ...secret } };
      for (
        const args of [
          ["backup", place.name, "--data-dir", data],
          ["backup", "list", place.name],
          ["backup", "verify", place.name],
          ["backup", "prune", place.name, "--keep-last", "1"],
          ["backup", "unlock", place.name],
          ["restore", place.name, "--data-dir", `${place.room}/new`],
        ]
      ) assert.match(await refusedOn(other, ...args), complaint);
    }
    assert.deepEqual(await place.keys(), before);
  },
);

story(
  "a key file seals and opens, if it is its owner's alone",
  async (world) => {
    const { place, data } = world;
    const { STRONGROOM_BACKUP_KEY_FILE: _, ...open } = place.settings;
    const keyFile = `${place.room}/key`;
    const settings = { ...open, STRONGROOM_BACKUP_KEY_FILE: keyFile };
    const args = ["backup", place.name, "--data-dir", data] as const;
    await Deno.writeTextFile(keyFile, `${"0f".repeat(32)}\n`, { mode: 0o644 });
    assert.match(await refusedOn({ settings }, ...args), /chmod 600/);
    await Deno.chmod(keyFile, 0o600);
    await doneOn({ settings }, ...args);
    await doneOn(
      { settings },
      "restore",
      place.name,
      "--data-dir",
      `${place.room}/new`,
    );
    assert.deepEqual(await faultsOf(`${place.room}/new`), []);
    await Deno.writeTextFile(keyFile, "1f".repeat(32));
    assert.match(await refusedOn({ settings }, ...args), /another key file/);
    await Deno.writeTextFile(keyFile, "short");
    assert.match(await refusedOn({ settings }, ...args), /64 hex digits/);
  },
);

story(
  "the passphrase of a new backup is no short one, and may stand in a credential of systemd's",
  async (world) => {
    const { place, data } = world;
    const { STRONGROOM_BACKUP_KEY_FILE: _, ...open } = place.settings;
    const args = ["backup", place.name, "--data-dir", data] as const;
    const short = { ...open, STRONGROOM_BACKUP_PASSPHRASE: "sesame" };
    assert.match(await refusedOn({ settings: short }, ...args), /longer one/);
    const credentials = `${place.room}/credentials`;
    await Deno.mkdir(credentials);
    await Deno.writeTextFile(`${credentials}/phrase`, "twelve tame owls\n", {
      mode: 0o440,
    });
    const settings = {
      ...open,
      STRONGROOM_BACKUP_PASSPHRASE_FILE: "phrase",
      CREDENTIALS_DIRECTORY: credentials,
    };
    await doneOn({ settings }, ...args);
    const typed = { ...open, STRONGROOM_BACKUP_PASSPHRASE: "twelve tame owls" };
    await doneOn({ settings: typed }, "backup", "list", place.name);
  },
);

story(
  "one byte changed in any kind of object is named, and nothing is restored",
  async (world) => {
    const { place } = world;
    await backUp(world);
    const to = `${place.room}/new`;
    const restoring = ["restore", place.name, "--data-dir", to] as const;
    const index = await indexKey(world, await keysOf(place, "objects/"));
    for (const key of await place.keys()) {
      // What asked the store how it is.
      if (key.startsWith("probe/")) continue;
      const path = place.fileOf(key);
      const whole = await Deno.readFile(path);
      for (const at of [0, 40, whole.length - 1]) {
        const changed = whole.slice();
        changed[at] = (changed[at] ?? 0) ^ 1;
        await Deno.writeFile(path, changed);
        if (key.startsWith("objects/")) {
          const found = await foundOn(place, "--deep");
          assert.deepEqual([...new Set(found)], [`object_changed ${key}`]);
        }
        // A restore does without it.
        if (key === index) continue;
        const complaint = await refusedOn(place, ...restoring);
        assert(complaint.includes(key), `${key} at ${at}: ${complaint}`);
      }
      await Deno.writeFile(path, whole);
    }
    await restore(world, to);
  },
  NEAR,
);

story(
  "an object that is missing, cut off, or another's is named, and nothing is restored",
  async (world) => {
    const { place } = world;
    await backUp(world);
    const to = `${place.room}/new`;
    const restoring = ["restore", place.name, "--data-dir", to] as const;
    const objects = await keysOf(place, "objects/");
    const index = await indexKey(world, objects);
    for (const key of objects) {
      const path = place.fileOf(key);
      const whole = await Deno.readFile(path);
      const other = objects.find((one) => one !== key) ?? "";
      const swapped = await Deno.readFile(place.fileOf(other));
      const spoilings: readonly [string, () => Promise<void>][] = [
        ["object_missing", () => Deno.remove(path)],
        ["object_changed", () => Deno.writeFile(path, whole.slice(0, -1))],
        ["object_changed", () => Deno.writeFile(path, swapped)],
      ];
      for (const [kind, spoil] of spoilings) {
        await spoil();
        const found = new Set(await foundOn(place, "--deep"));
        assert(found.has(`${kind} ${key}`), `${kind} ${key}: ${[...found]}`);
        if (key !== index) {
          assert((await refusedOn(place, ...restoring)).includes(key));
        }
        await Deno.writeFile(path, whole);
      }
    }
    assert.deepEqual(await foundOn(place, "--deep"), []);
  },
  NEAR,
);

/** The object that a restore does without. */
async function indexKey(
  { place }: World,
  objects: readonly string[],
): Promise<string | undefined> {
  for (const key of objects) {
    const path = place.fileOf(key);
    const whole = await Deno.readFile(path);
    await Deno.remove(path);
    const to = `${place.room}/tried`;
    const { status } = await onPlace(
      place,
      "restore",
      place.name,
      "--data-dir",
      to,
    );
    await Deno.writeFile(path, whole);
    await Deno.remove(to, { recursive: true });
    if (status === 0) return key;
  }
  return undefined;
}

story(
  "what rotted there is sent again by --verify, and what is not of its size at once",
  async (world) => {
    const { place, data } = world;
    await backUp(world);
    const objects = await keysOf(place, "objects/");
    for (const key of objects) {
      const path = place.fileOf(key);
      const bytes = await Deno.readFile(path);
      bytes[60] = (bytes[60] ?? 0) ^ 1;
      await Deno.writeFile(path, bytes);
    }
    const mended = await backUp(world, "--verify");
    assert.equal(mended.replaced, 3);
    assert.deepEqual(await foundOn(place, "--deep"), []);
    for (const key of objects) await Deno.truncate(place.fileOf(key), 50);
    await backUp(world);
    assert.deepEqual(await foundOn(place, "--deep"), []);
    assert.deepEqual(await keysOf(place, "locks/"), []);
    assert(!(await filesUnder(data)).has("off-site/work"));
  },
);

story(
  "a generation around a blob that the server lost names it, and is restored without it",
  async (world) => {
    const { place, data, photo } = world;
    const hash = hashOf(photo.original);
    const path = `${data}/blobs/${hash.slice(0, 2)}/${
      hash.slice(2, 4)
    }/${hash}`;
    const bytes = await Deno.readFile(path);
    bytes[9] = (bytes[9] ?? 0) ^ 1;
    await Deno.writeFile(path, bytes);
    const ended = await onPlace(
      place,
      "backup",
      place.name,
      "--data-dir",
      data,
    );
    assert.equal(ended.status, 1);
    assert.match(ended.stderr, new RegExp(`blob ${hash} is damaged`));
    const report = JSON.parse(ended.stdout);
    assert.deepEqual([report.lost, report.blobs.count], [[hash], 2]);
    const restored = await onPlace(
      place,
      "restore",
      place.name,
      "--data-dir",
      `${place.room}/new`,
    );
    const { lost } = JSON.parse(restored.stdout);
    assert.deepEqual(
      lost.map(({ hash, because }: never) => [hash, because]),
      [[hash, "before"]],
    );
    assert.deepEqual(await foundOn(place, "--deep"), [`blob_lost ${hash}`]);
  },
);

story(
  "the backup of another server, and a place that holds something else, are refused",
  async (world) => {
    const { place } = world;
    await backUp(world);
    const other = `${place.room}/other`;
    await withServer(other, async () => {
      assert.match(
        await refusedOn(place, "backup", place.name, "--data-dir", other),
        /backup of another server/,
      );
      const foreign = `${place.room}/foreign`;
      await Deno.mkdir(foreign);
      await Deno.writeTextFile(`${foreign}/letter`, "");
      for (const name of [`file://${foreign}`]) {
        assert.match(
          await refusedOn(place, "backup", name, "--data-dir", other),
          /letter lies there/,
        );
      }
      assert.match(
        await refusedOn(
          place,
          "backup",
          `${place.name}-new`,
          "--existing",
          "--data-dir",
          other,
        ),
        /holds no backup/,
      );
    });
  },
);

Deno.test("what is no place, and what a directory does not have, is refused by name", async () => {
  await withPlace("a directory", async (place) => {
    const data = `${place.room}/data`;
    await withServer(data, () => Promise.resolve());
    const dir = `${place.room}/plain`;
    const refusals: readonly [readonly string[], RegExp][] = [
      [["backup", "ftp://host/x"], /go to a directory, to s3:/],
      [["backup", "file://relative"], /three slashes/],
      [["backup", "file:///a/../b"], /names no directory/],
      [["backup", "s3://B"], /names no place in a bucket/],
      [["backup", "s3://bucket/a"], /STRONGROOM_BACKUP_S3_ENDPOINT/],
      [["backup", `file://${place.room}/not/there`], /mount the disk/],
      [["backup", place.name, "--copy"], /--copy is for a directory/],
      [["backup", dir, "--keep-last", "2"], /holds one backup alone/],
      [["backup", place.name, "--keep-last", "0"], /a number from 1 on/],
      [["backup", "list", dir], /is a directory/],
      [["backup", "list", place.name], /holds no backup/],
    ];
    for (const [args, complaint] of refusals) {
      const inPlace = args[1] === "list" ? [] : ["--data-dir", data];
      assert.match(await refusedOn(place, ...args, ...inPlace), complaint);
    }
    assert.match(
      await refusedOn(place, "restore", dir, "--generation", "1"),
      /--generation is for places off/,
    );
    await doneOn(place, "backup", place.name, "--data-dir", data);
    for (
      const [args, complaint] of [
        [["backup", "prune", place.name], /every generation would go/],
        [["restore", place.name, "--generation", "x"], /is no generation/],
        [["restore", place.name, "--generation", "7"], /no generation 7/],
      ] as const
    ) {
      assert.match(
        await refusedOn(place, ...args, "--data-dir", `${place.room}/new`),
        complaint,
      );
    }
  });
});
