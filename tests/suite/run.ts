/**
 * Runs the test files that it is given, as `deno test --parallel` does. Files
 * that drive a browser and failed run once more, alone, after everything else:
 * one story in thousands that a stalled machine spoils must not refuse a whole
 * build. A file that passes then is named at the end, so that it gets fixed;
 * one that fails twice fails the run, and so does every other test at once.
 *
 * @module
 */
import { LOCKED } from "../../scripts/locked.ts";
import { storiesNamed } from "./parts.ts";
import {
  failuresIn,
  type Outcome,
  type Tested,
  testedIn,
  uncaughtIn,
} from "./report.ts";

/** Where more files than these failed, chance is not why. */
const MOST_AGAIN = 6;

interface Run {
  /** The exit status. */
  readonly status: number;
  readonly tested: readonly Tested[];
  /** How many failures there were, inside of tests and outside. */
  readonly failures: number;
}

/**
 * Files at a time. Stories wait for pages, kills for what is to be killed: with
 * one file more than there are cores, half of the processor had nothing to do.
 */
const JOBS = navigator.hardwareConcurrency * 2;

const run = await runTests(Deno.args, ["--parallel"]);
Deno.exit(run.status === 0 ? 0 : await runAgain(run) ?? run.status);

/** The exit status, if what failed gets a second run. */
async function runAgain(run: Run): Promise<number | undefined> {
  const { tested } = run;
  const failures: { name?: string; stories: readonly string[] }[] = [];
  for (const { outcome, file, ...test } of tested) {
    if (outcome !== "failed") continue;
    const stories = await storiesNamed(file, test.name, Deno.args);
    if (stories === undefined) return undefined;
    failures.push({ ...test, stories });
  }
  const files = new Set(failures.flatMap(({ stories }) => stories));
  if (
    // It ended by something else, such as a module that is not there.
    failures.length === 0 || failures.length !== run.failures ||
    files.size > MOST_AGAIN
  ) return undefined;
  const passed = new Set<string>();
  for (const file of files) {
    say("", `== ${file} failed, and runs once more, alone`);
    const { status, tested } = await runTests([file], []);
    const isPassed = tested.some(({ outcome }) => outcome === "passed");
    if (status === 0 && isPassed) passed.add(file);
  }
  const rule = `!! ${"=".repeat(69)}`;
  const verdicts = [...files].map((file) =>
    passed.has(file)
      ? `!! passed only when run alone: ${file}`
      : `!! failed twice: ${file}`
  );
  const isMended = ({ stories }: { stories: readonly string[] }) =>
    stories.every((file) => passed.has(file));
  const mended = failures.filter(isMended);
  const broken = failures.length - mended.length;
  const count = (wanted: Outcome) =>
    tested.filter(({ outcome }) => outcome === wanted).length;
  const regained = mended.filter(({ name }) => name !== undefined).length;
  say(
    ...["", rule, ...verdicts, rule, ""],
    // In deno's own words: what counts tests reads the last such line.
    [
      broken === 0 ? "ok" : "FAILED",
      `${count("passed") + regained} passed`,
      `${broken} failed`,
      `${count("ignored")} ignored`,
    ].join(" | "),
  );
  return broken === 0 ? 0 : 1;
}

/** Runs files, and shows what `deno test` says. */
async function runTests(
  files: readonly string[],
  options: readonly string[],
): Promise<Run> {
  const report = await Deno.makeTempFile({ suffix: ".xml" });
  try {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["test", ...LOCKED, "--no-check", "--allow-all", ...options],
        ...[`--junit-path=${report}`, ...files],
      ],
      env: { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? String(JOBS) },
      stdin: "null",
      stdout: "piped",
    }).spawn();
    let output = "";
    for await (
      const piece of child.stdout.pipeThrough(new TextDecoderStream())
    ) {
      write(piece);
      output += piece;
    }
    const { code } = await child.status;
    return {
      status: code,
      failures: failuresIn(output),
      tested: [
        ...testedIn(await Deno.readTextFile(report)),
        ...uncaughtIn(output),
      ],
    };
  } finally {
    await Deno.remove(report);
  }
}

function say(...lines: string[]): void {
  write(`${lines.join("\n")}\n`);
}

function write(text: string): void {
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}
