/**
 * The tiers of the tests, and each in parts.
 *
 * Everyone's (`deno task test`) needs nothing but this checkout: what it tests
 * runs in the test's own process. The gate (`deno task test:all`) has what
 * wants a browser, an installed program, a process of its own, a kill or a
 * wait. Which of them a file is in says what it uses.
 *
 * Deno gives every file that it tests an isolate of its own, which loads the
 * application and warms up again: for a file of a dozen tests that takes longer
 * than they do. So each tier tests the files of a folder here, each of which
 * imports a part of a folder of tests.
 *
 * @module
 */
export const ROOT = new URL("../../", import.meta.url);

/** What is in the gate whatever it uses. */
const GATE = [
  "tests/faults/",
  "tests/packaging/",
  "tests/pages/",
  "tests/power/",
  "tests/proxies/",
  // Derive keys of passphrases at their whole cost, against a store.
  "tests/backup/remote_backup",
  // Spoils every request of a start, in every way.
  "tests/api/bucket_claim_test.ts",
  // Bundles the app again and again.
  "tests/app/files_test.ts",
  "tests/clients/generated_test.ts",
  // Takes a minute of a processor.
  "tests/malicious_input/worst_input_test.ts",
];

/** What a test imports that drives a browser. */
const BROWSERS = /support\/(browser|web_app|upload_page|engines\/\w+)\.ts"/;

/** What else a test of the gate uses: installed programs and processes. */
const TOOLS =
  /support\/(debian|videos|mortal_server|killing_proxy|next_release|nginx|sshd|proxies|small_disk|certificates|pki)\.ts"|\b(startProgram|startKillable|startTask|runProcess)\b|\bnew Deno\.Command\b/;

/**
 * What only packaging can break: run before a release and by night. The gate
 * runs the smoke tests of what is shipped.
 */
const RELEASE = [
  "tests/app/files_test.ts",
  "tests/clients/generated_test.ts",
  "tests/packaging/bundle_test.ts",
  "tests/packaging/client_package_test.ts",
  "tests/packaging/containers_test.ts",
  "tests/packaging/deb_test.ts",
  "tests/packaging/demo_test.ts",
  "tests/packaging/one_file_test.ts",
  "tests/packaging/release_test.ts",
  "tests/packaging/systemd_test.ts",
  "tests/suite/release/core_over_s3_test.ts",
];

/** Tests of the gate that have isolates of their own, the longest first. */
const ALONE = [
  "tests/proxies/",
  "tests/power/",
  "tests/faults/kill_test.ts",
  "tests/malicious_input/worst_input_test.ts",
  "tests/faults/load_test.ts",
  "tests/packaging/",
  "tests/app/engines_test.ts",
];

/** Stories in a browser, which all files of an entry share. */
const STORIES = ["tests/app/", "tests/pages/"];

/** Folders of the gate that have entries of their own; others share some. */
const GATE_ENTRIES = ["tests/faults/", ...STORIES];

/**
 * Imports the tests of the part that a file's name says. Those of the gate have
 * the web app with all its parts from the start, whichever files run with them.
 */
export async function importPart(url: string): Promise<void> {
  if (url.includes("/gate/")) await import("../support/whole_app.ts");
  for (const path of await filesOf(url)) await import(new URL(path, ROOT).href);
}

/**
 * The test files of a part, from the root; the n-th of every so many. None
 * where it repeats those of others.
 */
export async function filesOf(url: string): Promise<string[]> {
  const [, tier, folder = "", part, parts] =
    /\/(everyone|gate)\/([a-z_]+)_(\d+)_of_(\d+)_test\.ts$/.exec(url) ?? [];
  if (tier === undefined) return [];
  const files = folder === "others"
    ? await othersOfGate()
    : folder === "stories"
    ? await stories()
    : await inTier(folder === "src" ? "src" : `tests/${folder}`, tier);
  return files.filter((_, at) => at % Number(parts) === Number(part) - 1);
}

/**
 * Tests of the gate that have isolates of their own, from the root, the longest
 * first.
 */
export async function aloneInGate(): Promise<string[]> {
  const found = (await inTier("tests", "gate", true)).filter(isAlone);
  const rank = (path: string) =>
    ALONE.findIndex((start) => path.startsWith(start));
  return found.sort((a, b) => rank(a) - rank(b));
}

/** The tests of a release, from the root, each with an isolate of its own. */
export function ofRelease(): readonly string[] {
  return RELEASE;
}

async function stories(): Promise<string[]> {
  const all = await Promise.all(
    STORIES.map((folder) => inTier(folder.slice(0, -1), "gate")),
  );
  return all.flat();
}

async function othersOfGate(): Promise<string[]> {
  const all = [
    ...await inTier("tests", "gate"),
    ...await inTier("src", "gate"),
  ];
  return all.filter((path) =>
    !GATE_ENTRIES.some((start) => path.startsWith(start))
  );
}

/** The tests below a folder that are in a tier; if not said, without those alone. */
async function inTier(
  folder: string,
  tier: string,
  withAlone = false,
): Promise<string[]> {
  const found: string[] = [];
  for (const path of await testsUnder(folder)) {
    if (path.startsWith("tests/suite/") || RELEASE.includes(path)) continue;
    const isOfGate = await isInGate(path);
    if (isOfGate !== (tier === "gate")) continue;
    if (isOfGate && isAlone(path) && !withAlone) continue;
    found.push(path);
  }
  return found;
}

async function isInGate(path: string): Promise<boolean> {
  if (GATE.some((start) => path.startsWith(start))) return true;
  const text = await Deno.readTextFile(new URL(path, ROOT));
  return BROWSERS.test(text) || TOOLS.test(text);
}

/**
 * The files that a failed test may be in: those with its name in their text, or
 * all of them if none has it or no name is given. `file` is what the report
 * names: one of those that ran, or a module of support that registered the
 * test. Undefined if one of the files drives no browser.
 */
export async function storiesNamed(
  file: string,
  name: string | undefined,
  ran: readonly string[],
): Promise<readonly string[] | undefined> {
  const addressOf = (path: string) => new URL(path, ROOT).href;
  const isOfThese = ran.some((one) => addressOf(one) === addressOf(file));
  const texts = new Map<string, string>();
  for (const entry of isOfThese ? [file] : ran) {
    const parts = await filesOf(addressOf(entry));
    for (const path of parts.length > 0 ? parts : [entry]) {
      texts.set(path, await Deno.readTextFile(new URL(path, ROOT)));
    }
  }
  const named = [...texts].filter(([, text]) =>
    name !== undefined && text.includes(name)
  );
  const found = named.length > 0 ? named : [...texts];
  return found.every(([, text]) => BROWSERS.test(text))
    ? found.map(([path]) => path)
    : undefined;
}

function isAlone(path: string): boolean {
  return ALONE.some((start) => path.startsWith(start));
}

/** Every test file in a folder and below it, from the root, in order. */
export async function testsUnder(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(new URL(`${folder}/`, ROOT))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await testsUnder(path));
    else if (entry.name.endsWith("_test.ts")) found.push(path);
  }
  return found.toSorted();
}
