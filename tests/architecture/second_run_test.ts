/**
 * What runs the gate: a file that drives a browser has a second run, alone,
 * and no other file has.
 *
 * @module
 */
import assert from "node:assert/strict";
import { filesOf, ROOT, storiesNamed, testsUnder } from "../suite/parts.ts";

const FIRST_TIME_ONLY = `
  import "./support/browser.ts";
  const mark = new URL("ran", import.meta.url);
  Deno.test("stalls once > and never again", async (t) => {
    await t.step("looks", async () => {
      const hasRun = await Deno.stat(mark).then(() => true, () => false);
      await Deno.writeTextFile(mark, "");
      if (!hasRun) throw new Error("stalled");
    });
  });
  Deno.test("always passes", () => {});
  Deno.test({ name: "is not for here", ignore: true, fn: () => {} });
`;

const UNCAUGHT_FIRST_TIME = FIRST_TIME_ONLY.replace(
  /Deno\.test\("stalls[\s\S]*?\n {2}\}\);/,
  `Deno.test("leaves something behind", async () => {
    const hasRun = await Deno.stat(mark).then(() => true, () => false);
    await Deno.writeTextFile(mark, "");
    if (!hasRun) Promise.reject(new Error("nobody waited"));
    await new Promise((resolve) => setTimeout(resolve, 0));
  });`,
);

/** A module of support registers it, by whose name the report has it. */
const BY_SUPPORT = FIRST_TIME_ONLY
  .replace("support/browser.ts", "support/web_app.ts")
  .replace('import "', 'import { appStory } from "')
  .replace("Deno.test(", "appStory(");

/** What the report names of every story of the app. */
const APP_STORY = "tests/support/web_app.ts";

const ALWAYS = `
  import "./support/browser.ts";
  Deno.test("never passes", () => { throw new Error("broken"); });
`;

const NO_BROWSER = FIRST_TIME_ONLY.replace(/import .*/, "");

const PASSES = `Deno.test("passes", () => {});`;

/** Runs tests by their text; what was said, and the exit status. */
async function run(
  tests: Readonly<Record<string, string>>,
): Promise<{ status: number; said: string }> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-second-run-" });
  try {
    await Deno.mkdir(`${folder}/support`);
    await Deno.writeTextFile(`${folder}/support/browser.ts`, "export {};");
    await Deno.writeTextFile(
      `${folder}/support/web_app.ts`,
      "export const appStory = (name, story) => Deno.test(name, story);",
    );
    const files = Object.keys(tests).map((name) => `${folder}/${name}_test.ts`);
    for (const [name, text] of Object.entries(tests)) {
      await Deno.writeTextFile(`${folder}/${name}_test.ts`, text);
    }
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-lock", "--allow-all", "tests/suite/run.ts", ...files],
      cwd: ROOT,
      env: { NO_COLOR: "1" },
      stderr: "null",
    }).output();
    return { status: code, said: new TextDecoder().decode(stdout) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** What `.ci/run` counts: the last summary. */
function summaryOf(said: string): string {
  const [summary = ""] = said.match(/^(ok|FAILED) \| \d+ passed.*$/gm)
    ?.slice(-1) ?? [];
  return summary.replace(/ \(\d+m?s\)$/, "");
}

Deno.test("a story that fails the first time only is named, and the run succeeds", async () => {
  const { status, said } = await run({
    first_time: FIRST_TIME_ONLY,
    passes: PASSES,
  });
  assert.equal(status, 0, said);
  assert.match(
    said,
    /^!! passed only when run alone: .*\/first_time_test\.ts$/m,
  );
  assert.equal(summaryOf(said), "ok | 3 passed | 0 failed | 1 ignored");
});

Deno.test("a story that a module of support registered is found in its file", async () => {
  const { status, said } = await run({
    by_support: BY_SUPPORT,
    passes: PASSES,
  });
  assert.equal(status, 0, said);
  assert.match(
    said,
    /^!! passed only when run alone: .*\/by_support_test\.ts$/m,
  );
  assert.equal(summaryOf(said), "ok | 3 passed | 0 failed | 1 ignored");
});

Deno.test("a story that fails outside of its tests, the first time only, is named, too", async () => {
  const { status, said } = await run({
    uncaught: UNCAUGHT_FIRST_TIME,
    passes: PASSES,
  });
  assert.equal(status, 0, said);
  assert.match(said, /^!! passed only when run alone: .*\/uncaught_test\.ts$/m);
  assert.match(summaryOf(said), /^ok \| [23] passed \| 0 failed/);
});

Deno.test("a story that fails twice fails the run", async () => {
  const { status, said } = await run({
    always: ALWAYS,
    first_time: FIRST_TIME_ONLY,
    passes: PASSES,
  });
  assert.equal(status, 1, said);
  assert.match(said, /^!! failed twice: .*\/always_test\.ts$/m);
  assert.match(
    said,
    /^!! passed only when run alone: .*\/first_time_test\.ts$/m,
  );
  assert.equal(summaryOf(said), "FAILED | 3 passed | 1 failed | 1 ignored");
});

Deno.test("a test without a browser has no second run, nor has any story of the same run", async () => {
  const { status, said } = await run({
    no_browser: NO_BROWSER,
    passes: PASSES,
  });
  assert.equal(status, 1, said);
  assert.doesNotMatch(said, /^(!!|==)/m);
  assert.match(
    summaryOf(said),
    /^FAILED \| 2 passed \| 1 failed \(1 step\) \| 1 ignored$/,
  );
});

Deno.test("a run that ends before its tests do is no success", async () => {
  const { status, said } = await run({
    lacks: `import "./support/browser.ts"; import "./nowhere.ts";`,
  });
  assert.notEqual(status, 0, said);
  assert.doesNotMatch(summaryOf(said), /^ok/);
});

Deno.test("where everything passes, the run says what deno test says", async () => {
  const { status, said } = await run({ passes: PASSES });
  assert.equal(status, 0);
  assert.equal(summaryOf(said), "ok | 1 passed | 0 failed");
});

Deno.test("each story of an entry is found in the file that has it", async () => {
  let found = 0;
  const entries = await testsUnder("tests/suite/gate");
  for (const entry of entries) {
    if (!entry.includes("/stories_")) continue;
    for (const path of await filesOf(new URL(entry, ROOT).href)) {
      const text = await Deno.readTextFile(new URL(path, ROOT));
      for (
        const [, name] of text.matchAll(/(?:app|night)Story\(\s*"([^"\\]+)"/g)
      ) {
        const files = await storiesNamed(APP_STORY, name, [entry]);
        assert.deepEqual(files, [path], name);
        found++;
      }
    }
  }
  assert(found > 0);
  // Wherever it is looked for.
  const path = "tests/app/adding_test.ts";
  const text = await Deno.readTextFile(new URL(path, ROOT));
  const [, name] = /appStory\(\s*"([^"\\]+)"/.exec(text) ?? [];
  assert.deepEqual(await storiesNamed(APP_STORY, name, entries), [path]);
});
