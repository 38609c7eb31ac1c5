/**
 * The controls of the adversary: each fix is taken out of a copy of the
 * sources, and the histories or the test that is named have to find it:
 * `deno task adversary:controls [NAME or A1 to A12]`. What finds nothing proves
 * nothing. The fixes, with their proofs, are in `fixes.ts`.
 *
 * A line a fix says what found it. What finds it has to pass while the fix is
 * there, and to fail for the fix, not because it did not start.
 *
 * @module
 */
import { type Fix, FIXES, type Proof, type TestProof } from "./fixes.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
/** Histories that are walked for a fix. */
const MOST_HISTORIES = 400;
const PARTS = [
  "src",
  "tests",
  "scripts",
  "deno.json",
  "imports.json",
  "deno.lock",
  "main.ts",
];

const [only] = Deno.args;
const wanted = FIXES.filter(({ name, attack }) =>
  only === undefined || name === only || attack === only
);
if (wanted.length === 0) throw new RangeError(`no fix is called ${only}`);
const passing = new Map<string, Promise<boolean>>();
let unfound = 0;
const copy = await Deno.makeTempDir({ prefix: "strongroom-control-" });
try {
  for (const part of PARTS) {
    await new Deno.Command("cp", { args: ["-r", `${ROOT}${part}`, copy] })
      .output();
  }
  for (const fix of wanted) {
    let result = "NOT FOUND";
    try {
      const found = await finding(fix);
      if (found === undefined) unfound += 1;
      else result = `found by ${found}`;
    } catch (error) {
      unfound += 1;
      result = `NOT TRIED: ${error instanceof Error ? error.message : error}`;
    }
    // deno-lint-ignore no-console -- this is what a person started
    console.log(`${fix.attack} without "${fix.name}": ${result}`);
  }
} finally {
  await Deno.remove(copy, { recursive: true });
}
if (unfound > 0) Deno.exit(1);

/** What finds that a fix is missing. */
async function finding({ name, without, found }: Fix) {
  if (!await passes(found)) {
    throw new Error("what has to find it fails although nothing was taken out");
  }
  const before = new Map<string, string>();
  try {
    for (const { file, text, by } of without) {
      const path = `${copy}/${file}`;
      const source = await Deno.readTextFile(path);
      if (!before.has(path)) before.set(path, source);
      if (source.split(text).length !== 2) {
        throw new Error(`${name}: ${file} has "${text}" not once`);
      }
      await Deno.writeTextFile(path, source.replace(text, () => by));
    }
    return "test" in found
      ? await failureOf(found)
      : await brokenPromise(found.walk);
  } finally {
    for (const [path, source] of before) await Deno.writeTextFile(path, source);
  }
}

/** Whether a proof passes with every fix there; tried once for each. */
function passes(proof: Proof): Promise<boolean> {
  const key = JSON.stringify(proof);
  const known = passing.get(key) ?? tried(proof);
  passing.set(key, known);
  return known;
}

async function tried(proof: Proof): Promise<boolean> {
  if ("walk" in proof) return await brokenPromise(proof.walk) === undefined;
  const { passed, failed } = await testsOf(proof);
  return passed > 0 && failed === 0;
}

/** The test that fails; undefined if none does. */
async function failureOf(proof: TestProof) {
  const { failed, first } = await testsOf(proof);
  return failed === 0 ? undefined : `${proof.test}, "${first}"`;
}

async function testsOf({ test, filter }: TestProof) {
  const filters = filter === undefined ? [] : ["--filter", filter];
  const said = await run([
    ...["test", "--lock", "--frozen", "--no-check", "-A"],
    ...filters,
    test,
  ]);
  const [, passed = "0", failed = "0"] =
    /(\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed/.exec(said) ?? [];
  // What cannot be loaded fails too, and proves nothing.
  if (said.includes("(uncaught error)")) {
    throw new Error(`${test} does not start:\n${said}`);
  }
  const [, first] = /^(.+) => .*_test\.ts:\d+/m.exec(said) ?? [];
  return { passed: Number(passed), failed: Number(failed), first };
}

/** The promise that the walk finds broken; undefined if none is. */
async function brokenPromise(seed: number) {
  const said = await run([
    ...[
      "run",
      "--lock",
      "--frozen",
      "--no-check",
      "-A",
      "tests/adversary/walk.ts",
    ],
    ...[String(MOST_HISTORIES), String(seed), "first"],
  ]);
  const [, at, what] = /first by seed (\d+): (.*)$/m.exec(said) ?? [];
  if (at === undefined && !said.includes("0 broke a promise")) {
    throw new Error(`the walk does not start:\n${said}`);
  }
  return at === undefined ? undefined : `the walk, seed ${at}: ${what}`;
}

async function run(args: string[]): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: copy,
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder();
  return text.decode(stdout) + text.decode(stderr);
}
