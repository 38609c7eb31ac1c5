/**
 * `deno task try:arm64 [--runtime-version VERSION]`: starts the program for
 * arm64 under qemu's user mode, has it hash a password and write its database,
 * and stops it. The compiled executable where the base runtime can be had, else
 * the bundle with the arm64 runtime of the npm registry. Debian's packages
 * qemu-user-static, libc6-arm64-cross and libgcc-s1-arm64-cross; a few minutes.
 *
 * Exit status 0 it works, 1 it does not, 2 usage, 3 a runtime cannot be had.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { type Bundle, bundle } from "../bundle.ts";
import { compile } from "../compile.ts";
import {
  LAZY_FLAG,
  PROGRAM_PERMISSIONS,
  RUNTIME_FLAGS,
} from "./permissions.ts";
import {
  complain,
  NOT_TO_BE_HAD,
  PackagingFault,
  runScript,
  say,
  VERSION,
} from "./release.ts";
import { fetchRuntime } from "./runtime.ts";

const QEMU = "qemu-aarch64-static";
/** Where Debian's cross packages have the libraries of arm64. */
const LIBRARIES = "/usr/aarch64-linux-gnu";
/** Everything is much slower than on the machine itself. */
const PATIENCE_MS = 300_000;

/** The words that start the program, its own arguments aside. */
async function commandLine(
  bundled: Bundle,
  runtimeVersion: string | undefined,
): Promise<string[]> {
  try {
    return [await compile("linux-arm64", bundled)];
  } catch (error) {
    if (!(error instanceof PackagingFault) || error.status !== NOT_TO_BE_HAD) {
      throw error;
    }
    complain(`${error.message}; trying the bundle and a runtime instead`);
  }
  const runtime = await fetchRuntime("arm64", runtimeVersion);
  const alone = ["--quiet", "--no-config", "--no-lock", "--no-prompt"];
  return [
    runtime,
    "run",
    ...alone,
    ...RUNTIME_FLAGS,
    LAZY_FLAG,
    ...PROGRAM_PERMISSIONS,
    bundled.main,
  ];
}

function start(
  words: readonly string[],
  dataDir: string,
  ...args: string[]
): Deno.ChildProcess {
  try {
    return new Deno.Command(QEMU, {
      args: ["-L", LIBRARIES, ...words, ...args],
      cwd: dataDir,
      env: { STRONGROOM_LISTEN: "127.0.0.1:0", STRONGROOM_DATA_DIR: dataDir },
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).spawn();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new PackagingFault(
      `${QEMU} is not installed: apt-get install qemu-user-static ` +
        "libc6-arm64-cross libgcc-s1-arm64-cross",
    );
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  const seconds = (performance.now() - started) / 1e3;
  say(`${what}: ${seconds.toFixed(1)} s`);
  return result;
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new PackagingFault(`on arm64 ${what}`);
}

async function trial(words: readonly string[], dataDir: string): Promise<void> {
  const version = await timed("strongroom --version", async () => {
    const { stdout } = await start(words, dataDir, "--version").output();
    return new TextDecoder().decode(stdout).trim();
  });
  expect(version === VERSION, `--version says ${JSON.stringify(version)}`);

  const server = start(words, dataDir, "serve");
  const reader = server.stdout.getReader();
  try {
    const line = await timed("strongroom serve, to its line", async () => {
      const { value } = await reader.read();
      return new TextDecoder().decode(value);
    });
    const url = /http:\/\/\S+/.exec(line)?.[0];
    expect(url !== undefined, "serve says nothing");
    const status = await timed("an account, its password hashed", async () => {
      const response = await fetch(`${url}/v1/auth/register`, {
        method: "POST",
        headers: {
          "X-Service-Protocol": "2026-11-01",
          "Content-Type": "application/json",
        },
        body: JSON.stringify({
          address: "ada@example.org",
          password: "a password of some length",
        }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      await response.body?.cancel();
      return response.status;
    });
    expect(status === 200, `registering is answered with ${status}`);
  } finally {
    server.kill("SIGTERM");
    await reader.cancel();
  }
  const { code } = await timed("the drain", () => server.status);
  expect(code === 0, `the server ends with ${code}`);
}

if (import.meta.main) {
  await runScript(async () => {
    const { values } = parseArgs({
      options: { "runtime-version": { type: "string" } },
    });
    const scratch = await Deno.makeTempDir({ prefix: "strongroom-arm64-" });
    try {
      const bundled = await bundle(`${scratch}/bundle`);
      const words = await commandLine(bundled, values["runtime-version"]);
      await Deno.mkdir(`${scratch}/data`);
      await trial(words, `${scratch}/data`);
      say(`arm64 works: ${words.join(" ")}`);
    } finally {
      await Deno.remove(scratch, { recursive: true });
    }
  });
}
