/**
 * What `deno test` tells of a run: its report in the format of JUnit, and its
 * output.
 *
 * @module
 */

export type Outcome = "passed" | "failed" | "ignored";

/** A test that was to run, or a file that failed outside of its tests. */
export interface Tested {
  /** As it was given to `deno test`. */
  readonly file: string;
  readonly name?: string;
  readonly outcome: Outcome;
}

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  failure: "failed",
  // A test that was cancelled, because something failed outside of tests.
  error: "failed",
  skipped: "ignored",
};

/**
 * The tests of a report, without their steps. A test is in the suite of the
 * module that registered it, and a step may be in another one.
 */
export function testedIn(report: string): Tested[] {
  const tags =
    /<testsuite name="([^"]*)"|<testcase name="([^"]*)"[^>]*>\s*(?:<(failure|error|skipped)\b)?/g;
  const found: (Tested & { readonly name: string })[] = [];
  let file = "";
  for (const [, suite, test, ended = ""] of report.matchAll(tags)) {
    if (suite !== undefined) file = unescaped(suite).replace(/^\.\//, "");
    if (test === undefined) continue;
    const name = unescaped(test);
    found.push({ file, name, outcome: OUTCOMES[ended] ?? "passed" });
  }
  const names = new Set(found.map(({ name }) => name));
  return found.filter(({ name }) => !isStep(name, names));
}

/** The files that failed outside of their tests: no report names them. */
export function uncaughtIn(output: string): Tested[] {
  return [...output.matchAll(/^Uncaught error from (?:\.\/)?(.+) FAILED$/gm)]
    .map(([, file = ""]) => ({ file, outcome: "failed" }));
}

/** How many failures the summary counts; none where there is none. */
export function failuresIn(output: string): number {
  const [, failed] = /^FAILED \| .*?\| (\d+) failed/m.exec(output) ?? [];
  return Number(failed ?? 0);
}

/** A step follows its test, and is called "the test > the step". */
function isStep(name: string, tests: ReadonlySet<string>): boolean {
  return [...name.matchAll(/ > /g)].some(({ index }) =>
    tests.has(name.slice(0, index))
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  amp: "&",
};

function unescaped(text: string): string {
  return text.replace(/&(\w+);/g, (_, entity) => ENTITIES[entity] ?? "");
}
