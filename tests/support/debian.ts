/**
 * Programs that Debian has as packages and that some tests hold ours against.
 *
 * @module
 */
import assert from "node:assert/strict";

/** Where Debian keeps programs that a user's PATH may leave out. */
const SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];
/** The interpreter that Debian's packages of modules are for. */
export const DEBIAN_PYTHON = "/usr/bin/python3";
const PACKAGE_LISTS = "/var/lib/apt/lists";

/**
 * The path of a program, which CI on Debian installs where it is missing.
 * Undefined where it cannot be had: the tests that need it are ignored then,
 * and a line on standard error says which program that is.
 */
export async function debianProgram(
  program: string,
  packageName: string,
): Promise<string | undefined> {
  const found = await findProgram(program) ??
    (await mayInstall()
      ? await install(() => findProgram(program), packageName)
      : undefined);
  if (found === undefined) await regret(program, packageName);
  return found;
}

/**
 * Whether Debian's python3 has a module, which comes from a package, too.
 */
export async function debianPython(
  module: string,
  packageName: string,
): Promise<boolean> {
  const find = async () => {
    // Another python3 on the PATH has other modules.
    if (await statOf(DEBIAN_PYTHON) === undefined) return undefined;
    const args = ["-c", `import ${module}`];
    const { success } = await new Deno.Command(DEBIAN_PYTHON, {
      args,
      stdin: "null",
      stderr: "null",
    }).output();
    return success ? module : undefined;
  };
  const found = await find() ??
    (await mayInstall() ? await install(find, packageName) : undefined);
  if (found === undefined) await regret(`python3's ${module}`, packageName);
  return found !== undefined;
}

/**
 * The python3 on the PATH, if it has a module that Debian does not have yet;
 * otherwise a line says how to get it.
 */
export async function pythonWith(
  module: string,
  how: string,
): Promise<string | undefined> {
  const program = await findProgram("python3");
  if (program !== undefined) {
    const args = ["-c", `import ${module}`];
    const options = { args, stdin: "null", stderr: "null" } as const;
    const { success } = await new Deno.Command(program, options).output();
    if (success) return program;
  }
  await complain(`tests that need python3's ${module} are ignored: ${how}`);
  return undefined;
}

/** Go and what it is to be started with, so that it finds Debian's packages. */
interface DebianGo {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

const GO_SOURCES = "/usr/share/gocode";

/** Debian's Go, with the sources of a package that Debian has too. */
export async function debianGo(
  module: string,
  packageName: string,
): Promise<DebianGo | undefined> {
  const program = await debianProgram("go", "golang-go");
  if (program === undefined) return undefined;
  const find = async () => {
    const info = await statOf(`${GO_SOURCES}/src/${module}`);
    return info?.isDirectory ? program : undefined;
  };
  const found = await find() ??
    (await mayInstall() ? await install(find, packageName) : undefined);
  if (found === undefined) {
    await regret(`Go's ${module}`, packageName);
    return undefined;
  }
  // Nothing is fetched: the sources are those of the package.
  return {
    program,
    env: { GO111MODULE: "off", GOPATH: GO_SOURCES, GOPROXY: "off" },
  };
}

async function regret(what: string, packageName: string): Promise<void> {
  await complain(
    `tests that need ${what} are ignored: ` +
      `apt-get install ${packageName} brings it`,
  );
}

async function findProgram(program: string): Promise<string | undefined> {
  const path = Deno.env.get("PATH") ?? "";
  for (const folder of [...path.split(":"), ...SYSTEM_FOLDERS]) {
    const info = await statOf(`${folder}/${program}`);
    if (info?.isFile && ((info.mode ?? 0) & 0o111) !== 0) {
      return `${folder}/${program}`;
    }
  }
  return undefined;
}

/** Only a machine that is there to be thrown away is written to. */
export async function mayInstall(): Promise<boolean> {
  return Deno.env.get("CI") === "true" && Deno.uid() === 0 &&
    await statOf("/etc/debian_version") !== undefined;
}

/**
 * Test files run in parallel, and neither apt-get nor dpkg can run twice at
 * once: the holder of this lock may run them.
 */
export async function lockPackages(): Promise<Deno.FsFile> {
  const folder = Deno.env.get("TMPDIR") ?? "/tmp";
  const lock = await Deno.open(`${folder}/strongroom-apt-get.lock`, {
    create: true,
    write: true,
  });
  await lock.lock(true);
  return lock;
}

async function install(
  find: () => Promise<string | undefined>,
  packageName: string,
): Promise<string | undefined> {
  using _lock = await lockPackages();
  const installed = await find();
  if (installed !== undefined) return installed;
  const ready = await hasPackageLists() || await aptGet("update");
  const options = ["--yes", "--no-install-recommends"];
  if (ready) await aptGet("install", ...options, packageName);
  return await find();
}

async function hasPackageLists(): Promise<boolean> {
  if (await statOf(PACKAGE_LISTS) === undefined) return false;
  for await (const { name } of Deno.readDir(PACKAGE_LISTS)) {
    if (name.includes("_Packages")) return true;
  }
  return false;
}

/** Quiet unless it fails; resolves to whether it succeeded. */
async function aptGet(...args: string[]): Promise<boolean> {
  const { success, stderr } = await new Deno.Command("apt-get", {
    args: [
      "--quiet=2",
      // A machine without a network is not waited for.
      ...["--option", "Acquire::Retries=1"],
      ...["--option", "Acquire::http::Timeout=20"],
      ...["--option", "DPkg::Lock::Timeout=60"],
      ...args,
    ],
    env: { DEBIAN_FRONTEND: "noninteractive" },
    stdin: "null",
  }).output();
  if (!success) await complain(new TextDecoder().decode(stderr).trim());
  return success;
}

async function statOf(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch {
    // Missing, or not to be looked at: as good as not there.
    return undefined;
  }
}

async function complain(line: string): Promise<void> {
  await Deno.stderr.write(new TextEncoder().encode(`${line}\n`));
}

/**
 * What a program says, which has to succeed; `program` is one of those that
 * {@link debianProgram} found.
 */
export async function done(
  program: string | undefined,
  args: readonly string[],
  input = "",
  env: Record<string, string> = {},
): Promise<string> {
  const child = new Deno.Command(program ?? "", {
    args: [...args],
    env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  const text = new TextDecoder().decode(stdout);
  assert(success, text + new TextDecoder().decode(stderr));
  return text;
}
