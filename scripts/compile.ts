/**
 * `deno task compile [--target NAME]… [--all] [--fast]`: one self-contained
 * executable per target in `dist/`, of the very files that `deno task bundle`
 * makes, with SHA256SUMS. Without a target: for this machine.
 *
 * The base runtime (`denort`) comes from dl.deno.land on first use and is
 * cached; `DENORT_BIN` names one that is there already. Where it cannot be had,
 * the file of a Linux target carries the runtime of the npm registry instead
 * (`packaging/one_file.ts`), larger and sooner made with `--fast`. Exit status
 * 0 done, 1 failed, 2 usage, 3 where neither can be had, which is no fault of
 * the program's.
 *
 * @module
 */
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { type Bundle, bundle, THIRD_PARTIES } from "./bundle.ts";
import { architectureOf, makeOneFile } from "./packaging/one_file.ts";
import { PROGRAM_PERMISSIONS, RUNTIME_FLAGS } from "./packaging/permissions.ts";
import {
  complain,
  DIST,
  NOT_TO_BE_HAD,
  PackagingFault,
  run,
  runScript,
  say,
  sha256Of,
  sourceDate,
  VERSION,
  writeSums,
} from "./packaging/release.ts";

/** Our names of the targets, and Deno's. */
const TARGETS = {
  "linux-x64": "x86_64-unknown-linux-gnu",
  "linux-arm64": "aarch64-unknown-linux-gnu",
  "macos-x64": "x86_64-apple-darwin",
  "macos-arm64": "aarch64-apple-darwin",
  "windows-x64": "x86_64-pc-windows-msvc",
} as const;

export type Target = keyof typeof TARGETS;

/** The target of the machine that this runs on; undefined for any other. */
function hostTarget(): Target | undefined {
  return targetNames().find((name) => TARGETS[name] === Deno.build.target);
}

/** Every target. */
export function targetNames(): Target[] {
  return Object.keys(TARGETS).filter(isTarget);
}

function isTarget(name: string): name is Target {
  return Object.hasOwn(TARGETS, name);
}

/** Where the executable for a target lies. */
export function executablePath(target: Target, folder = DIST): string {
  const ending = target.startsWith("windows") ? ".exe" : "";
  return `${folder}/strongroom-${VERSION}-${target}${ending}`;
}

/** Compiles for a target into a folder; throws a {@link PackagingFault}. */
export async function compile(
  target: Target,
  { main, parts, workers, app }: Bundle,
  folder = DIST,
): Promise<string> {
  const path = executablePath(target, folder);
  // The compiler overwrites what it made itself, and no file that unpacks itself.
  await Deno.remove(path).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  const ended = await run(Deno.execPath(), [
    "compile",
    "--quiet",
    "--no-config",
    "--no-lock",
    "--no-check",
    "--no-prompt",
    ...RUNTIME_FLAGS,
    ...PROGRAM_PERMISSIONS,
    ...[...parts, ...workers, app].flatMap((file) => ["--include", file]),
    ...["--target", TARGETS[target]],
    ...["--output", path],
    main,
  ]);
  if (ended.status !== 0) throw faultOf(target, ended.stderr);
  if (target === hostTarget()) await expectOurs(path);
  return path;
}

function faultOf(target: Target, stderr: string): PackagingFault {
  const given = Deno.env.get("DENORT_BIN");
  if (!stderr.includes("Setting up base binary") || given !== undefined) {
    return new PackagingFault(`deno compile for ${target}: ${stderr.trim()}`);
  }
  const [, url = "dl.deno.land"] = /url \((\S+)\)/.exec(stderr) ?? [];
  return new PackagingFault(
    `the base runtime for ${target} cannot be had from ${url}: run this with ` +
      "a network, or unpack that archive elsewhere and name the file in it " +
      "with DENORT_BIN; deno task bundle needs neither",
    NOT_TO_BE_HAD,
  );
}

/**
 * Compiles for a target into a folder, or makes the file that unpacks itself
 * where that is not possible; `tell` gets a line about that. Throws a
 * {@link PackagingFault}.
 */
async function executableFor(
  target: Target,
  bundled: Bundle,
  tell: (line: string) => void,
  { folder = DIST, fast = false }: {
    readonly folder?: string;
    readonly fast?: boolean;
  } = {},
): Promise<string> {
  try {
    return await compile(target, bundled, folder);
  } catch (error) {
    const isAway = error instanceof PackagingFault &&
      error.status === NOT_TO_BE_HAD;
    if (!isAway || architectureOf(target) === undefined) throw error;
    const path = executablePath(target, folder);
    const date = await sourceDate();
    await makeOneFile(target, dirname(bundled.main), path, { date, fast });
    tell(`${path} unpacks itself: ${error.message}`);
    if (target === hostTarget()) await expectOurs(path);
    return path;
  }
}

/** A file that is no denort is compiled into something that is not ours. */
async function expectOurs(path: string): Promise<void> {
  const { status, stdout } = await run(path, ["--version"]);
  if (status === 0 && stdout.trim() === VERSION) return;
  await Deno.remove(path);
  const given = Deno.env.get("DENORT_BIN");
  throw new PackagingFault(
    `the executable does not run as strongroom ${VERSION}` +
      (given === undefined ? "" : `: DENORT_BIN names ${given}, which is no ` +
        `denort ${Deno.version.deno}`),
  );
}

function readWishes(
  args: string[],
): { readonly targets: Target[]; readonly fast: boolean } {
  const usage = (why: string) =>
    new PackagingFault(
      `${why}; targets: ${targetNames().join(", ")}, or --all`,
      2,
    );
  const { values } = read();
  const host = hostTarget();
  const names = values.all
    ? targetNames()
    : values.target ?? (host === undefined ? [] : [host]);
  const chosen = names.map((name) => {
    const target = targetNames().find((one) =>
      one === name || TARGETS[one] === name
    );
    if (target === undefined) throw usage(`there is no target ${name}`);
    return target;
  });
  if (chosen.length === 0) {
    throw usage("this machine is not one of the targets");
  }
  if (chosen.length > 1 && Deno.env.get("DENORT_BIN") !== undefined) {
    throw usage("DENORT_BIN is the base runtime of one target: name that one");
  }
  return { targets: chosen, fast: values.fast ?? false };

  function read() {
    try {
      return parseArgs({
        args,
        options: {
          target: { type: "string", multiple: true },
          all: { type: "boolean" },
          fast: { type: "boolean" },
        },
      });
    } catch (error) {
      throw usage(error instanceof Error ? error.message : String(error));
    }
  }
}

if (import.meta.main) {
  await runScript(async () => {
    const { targets, fast } = readWishes(Deno.args);
    await Deno.mkdir(DIST, { recursive: true });
    const scratch = await Deno.makeTempDir({ dir: DIST, prefix: ".bundle-" });
    try {
      const bundled = await bundle(scratch);
      for (const target of targets) {
        const path = await executableFor(target, bundled, complain, { fast });
        say(`${await sha256Of(path)}  ${path}`);
      }
      await Deno.copyFile(
        `${scratch}/${THIRD_PARTIES}`,
        `${DIST}/${THIRD_PARTIES}`,
      );
      await writeSums();
    } finally {
      await Deno.remove(scratch, { recursive: true });
    }
  });
}
