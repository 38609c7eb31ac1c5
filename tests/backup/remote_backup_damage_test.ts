/**
 * What rots, goes missing or is another's in a backup off the premises
 * (backup-off-site.md) is named, and repaired if possible.
 *
 * @module
 */
import assert from "node:assert/strict";
import { filesUnder } from "../support/backups.ts";
import {
  foundOn,
  keysOf,
  onPlace,
  refusedOn,
} from "../support/remote_backup.ts";
import {
  backUp,
  NEAR,
  restore,
  story,
  type World,
} from "../support/remote_backup_tests.ts";
import { createAsset, hashOf } from "../support/people.ts";

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
  "a blob that the server loses after it was sent is told by every backup that follows",
  async (world) => {
    const { place, data, photo } = world;
    await backUp(world);
    const hash = hashOf(photo.original);
    const leaf = `${data}/blobs/${hash.slice(0, 2)}/${hash.slice(2, 4)}`;
    const bytes = await Deno.readFile(`${leaf}/${hash}`);
    await Deno.remove(`${leaf}/${hash}`);
    for (const more of [[], ["--verify"]]) {
      const args = ["backup", place.name, "--data-dir", data, "--json"];
      const ended = await onPlace(place, ...args, ...more);
      assert.equal(ended.status, 1, ended.stderr);
      const { faulty, lost, blobs } = JSON.parse(ended.stdout);
      assert.deepEqual([faulty, lost, blobs.count], [[hash], [], 3]);
      assert.match(
        ended.stderr,
        /^strongroom: 1 blob is not whole .*\(1 missing\) and still/,
      );
      assert.equal(ended.stderr.trimEnd().split("\n").length, 1);
    }
    await Deno.writeFile(`${leaf}/${hash}`, bytes);
    assert.deepEqual((await backUp(world)).faulty, []);
  },
  NEAR,
);

story(
  "a lost piece of a database names its generation and what helps, for verify and for restore, and another generation is restored",
  async (world) => {
    const { place, server, ada } = world;
    await backUp(world);
    const first = await keysOf(place, "objects/");
    await createAsset(server, ada, "second");
    await backUp(world);
    const both = await keysOf(place, "objects/");
    const to = `${place.room}/tried`;
    const restoring = ["restore", place.name, "--data-dir", to] as const;
    let told = 0;
    for (const key of both.filter((one) => !first.includes(one))) {
      const path = place.fileOf(key);
      const whole = await Deno.readFile(path);
      await Deno.remove(path);
      const verified = await onPlace(place, "backup", "verify", place.name);
      assert.equal(verified.status, 1);
      const [finding] = JSON.parse(verified.stdout).findings;
      if (/the database of generation 2$/.test(finding.detail)) {
        told += 1;
        assert.match(finding.mend, /--generation NUMBER/);
        assert.doesNotMatch(finding.mend, /--verify/);
        for (const more of [[], ["--without-damaged"]]) {
          const complaint = await refusedOn(place, ...restoring, ...more);
          assert.match(
            complaint,
            /this is generation 2: .*--generation NUMBER/,
          );
          assert.doesNotMatch(complaint, /--without-damaged/);
        }
        await restore(world, `${place.room}/older`, "--generation", "1");
        await Deno.remove(`${place.room}/older`, { recursive: true });
      }
      await Deno.writeFile(path, whole);
    }
    assert.equal(told, 1);
  },
  NEAR,
);

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
    assert.match(
      ended.stderr,
      new RegExp(`\\(1 damaged\\) and not in this backup: ${hash};`),
    );
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
