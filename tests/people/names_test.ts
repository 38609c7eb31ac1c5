/**
 * Names of files: as they were wherever the disk takes them, and named where it
 * does not; what `push` passes over because it is hidden.
 *
 * @module
 */
import assert from "node:assert/strict";
import { debianProgram } from "../support/debian.ts";
import { mayMount, withoutPermissions } from "../support/small_disk.ts";
import { newAccount, withTown } from "../support/people_commands.ts";

const canMountExfat = await mayMount() &&
  await debianProgram("mount.exfat-fuse", "exfat-fuse") !== undefined &&
  await debianProgram("mkfs.exfat", "exfatprogs") !== undefined;

const NAMES = [
  "why?.jpg",
  '10:30 <a|b> "c" * d\\e.jpg',
  "aux.jpg",
  "Name.jpg",
  "name.jpg",
  "end.",
  "\u00e9.jpg",
  `${"長".repeat(83)}.jpg`,
];

Deno.test("pull changes only what this folder's file system refuses in names, and counts and names it", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    for (const [at, name] of NAMES.entries()) {
      await laptop.write(`Pictures/${name}`, `file ${at}`);
    }
    await laptop.done("push", laptop.path("Pictures"));
    const pull = ["pull", "--layout", "{name}"] as const;

    const here = laptop.path("here");
    const events = await laptop.events(...pull, here);
    assert.deepEqual(await namesIn(here), [...NAMES].sort());
    assert.equal(events.some(({ event }) => event === "renamed"), false);
    assert.equal(events.at(-1)?.["renamed"], 0);

    if (!canMountExfat) return;
    await withoutPermissions("exfat", async (disk) => {
      const { status, stdout, stderr } = await laptop.run(...pull, disk);
      assert.equal(status, 0, stderr);
      const names = await namesIn(disk);
      assert.equal(names.length, NAMES.length, String(names));
      const [, count = "", listed = ""] =
        /^(\d+) files written under another name.*:\n((?: {2}.*\n)+)/m
          .exec(stdout) ?? [];
      assert.match(listed, /^ {2}why\?\.jpg: why_\.jpg$/m);
      assert.match(listed, /^ {2}10:30 .*: 10_30 _a_b_ _c_ _ d_e\.jpg$/m);
      assert.match(listed, /^ {2}([Nn]ame)\.jpg: \1 \(2\)\.jpg$/m);
      assert.equal(Number(count), listed.trimEnd().split("\n").length);
      assert(!names.some((name) => name.startsWith(".strongroom")));
      // The others keep their names.
      for (const name of ["aux.jpg", "\u00e9.jpg"]) {
        assert(names.includes(name));
      }
    });
  });
});

Deno.test("push and verify --local count and name the hidden files that they pass over, the first ten of many", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const pictures = laptop.path("Pictures");
    await laptop.write("Pictures/a.jpg", "a");
    for (let at = 10; at < 22; at += 1) {
      await laptop.write(`Pictures/.hidden${at}.jpg`, "hidden");
    }
    await laptop.write("Pictures/.folder/b.jpg", "b");
    await laptop.write("Pictures/.strongroomignore", "/.hidden10.jpg\n");
    // What a system leaves behind is not missed.
    await laptop.write("Pictures/.DS_Store", "system");
    await laptop.write("Pictures/._a.jpg", "system");
    for (
      const command of [["push"], ["verify", "--local"], ["sync"]] as const
    ) {
      const said = await laptop.done(...command, pictures);
      const from = said.indexOf("12 hidden files passed over:\n");
      assert(from >= 0, said);
      const listed = said.slice(from).split("\n").slice(1, 12);
      assert.deepEqual(listed, [
        `  ${pictures}/.folder/`,
        ...[...Array(9).keys()].map((at) =>
          `  ${pictures}/.hidden${at + 11}.jpg`
        ),
        "  and 2 more",
      ]);
    }
    const events = await laptop.events("push", pictures);
    assert.equal(events.at(-1)?.["passed_over"], 12);
  });
});

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.flatMap(({ name, isFile }) => isFile ? [name] : []).sort();
}
