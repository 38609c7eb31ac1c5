/**
 * What the packaging scripts share: where releases lie, their version and
 * checksums, how the tools are run, and how a script ends.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import manifest from "../../deno.json" with { type: "json" };

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Everything that packaging makes lies here. */
export const DIST = `${ROOT}dist`;
export const VERSION: string = manifest.version;

/** Status of a script that lacks what only a network could bring. */
export const NOT_TO_BE_HAD = 3;

/** Why a script ends without having done its work, in one line. */
export class PackagingFault extends Error {
  override readonly name = "PackagingFault";
  constructor(message: string, readonly status: 1 | 2 | 3 = 1) {
    super(message);
  }
}

/** Runs a script; a {@link PackagingFault} is its last line and its status. */
export async function runScript(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof PackagingFault)) throw error;
    complain(error.message);
    Deno.exit(error.status);
  }
}

/** One line to whoever started the script. */
export function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** One line to whoever has to do something about it. */
export function complain(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** What a tool said until it ended. */
interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a tool to its end, in the checkout or where it says; a missing one is a fault. */
export async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = ROOT,
): Promise<Ended> {
  try {
    const { code, stdout, stderr } = await new Deno.Command(program, {
      args: [...args],
      cwd,
      env: { NO_COLOR: "1", ...env },
      stdin: "null",
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { status: code, stdout: text(stdout), stderr: text(stderr) };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new PackagingFault(`${program} is not installed`);
  }
}

/** The same where anything but success is a fault. */
export async function runOrFail(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = ROOT,
): Promise<string> {
  const ended = await run(program, args, env, cwd);
  if (ended.status === 0) return ended.stdout;
  throw new PackagingFault(
    `${program} ${args[0] ?? ""}: ${ended.stderr.trim() || ended.stdout}`,
  );
}

/** Removes a folder of an earlier build, if there is one, and makes a new one. */
export async function freshFolder(path: string): Promise<void> {
  await Deno.remove(path, { recursive: true }).catch(() => {});
  await Deno.mkdir(path, { recursive: true });
}

/** Hex SHA-256 of a file, a piece at a time. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  using file = await Deno.open(path);
  for await (const chunk of file.readable) hash.update(chunk);
  return hash.digest("hex");
}

/**
 * Writes SHA256SUMS over every release file of a folder, as
 * `sha256sum --check` reads it.
 */
export async function writeSums(folder = DIST): Promise<void> {
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && /^strongroom[-_]/.test(name)) names.push(name);
  }
  const lines: string[] = [];
  for (const name of names.sort()) {
    lines.push(`${await sha256Of(`${folder}/${name}`)}  ${name}\n`);
  }
  await Deno.writeTextFile(`${folder}/SHA256SUMS`, lines.join(""));
}

/** Seconds since 1970 that every file of a release bears (SOURCE_DATE_EPOCH). */
export async function sourceDate(): Promise<number> {
  const given = Deno.env.get("SOURCE_DATE_EPOCH");
  if (given !== undefined && /^\d+$/.test(given)) return Number(given);
  const { status, stdout } = await run("git", ["log", "-1", "--format=%ct"]);
  if (status === 0) return Number(stdout.trim());
  throw new PackagingFault(
    "this is no git checkout: name the time of the sources with " +
      "SOURCE_DATE_EPOCH, in seconds",
  );
}
