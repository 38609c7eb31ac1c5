/**
 * The Deno runtime of another machine's kind, out of the npm registry: what a
 * package carries next to the bundle if there is no compiled executable.
 *
 * @module
 */
import { createHash } from "node:crypto";
import {
  DIST,
  freshFolder,
  NOT_TO_BE_HAD,
  PackagingFault,
  run,
  runOrFail,
} from "./release.ts";

/** Debian's names of processors, and the npm packages with a runtime each. */
export const RUNTIME_PACKAGES = {
  amd64: "@deno/linux-x64-glibc",
  arm64: "@deno/linux-arm64-glibc",
} as const;

export type Architecture = keyof typeof RUNTIME_PACKAGES;

/**
 * SHA-512 of archives that were looked at (the registry's `dist.integrity`).
 * Others are held against what the registry says of them.
 */
const KNOWN: Readonly<Record<string, string>> = {
  "@deno/linux-x64-glibc@2.9.6":
    "sha512-3md4TKLCuzsLDmfOoC5KN7NAZaxSVkMgm64vg6foD00JBADCpYS2/5QqXfzgnP5ZQz3iLP9vBQJtEgc116OAoQ==",
  "@deno/linux-arm64-glibc@2.9.5":
    "sha512-IuYjsz9PGl7CJcNXMuN27KNDB8Q40brK3SG3l+TXMDVW61ZKwcn0fQHBHnXFiiygEwI8by/fKnASEluhZB1atw==",
};

/**
 * The path of a runtime, fetched once and kept in `dist`. Throws a
 * {@link PackagingFault}, of status 3 where the registry has none.
 */
export async function fetchRuntime(
  architecture: Architecture,
  version: string = Deno.version.deno,
): Promise<string> {
  const name = `${RUNTIME_PACKAGES[architecture]}@${version}`;
  const folder = `${DIST}/.runtime/${architecture}-${version}`;
  const path = `${folder}/deno`;
  if (await isFile(path)) return path;
  const expected = KNOWN[name] ?? await registeredIntegrity(name);
  const scratch = `${folder}.part`;
  await freshFolder(scratch);
  const packed = await run("npm", [
    ...["pack", "--silent", "--pack-destination", scratch, name],
  ]);
  if (packed.status !== 0) throw notToBeHad(name, packed.stderr);
  const archive = `${scratch}/${packed.stdout.trim().split("\n").at(-1)}`;
  const sum = createHash("sha512").update(await Deno.readFile(archive));
  const integrity = `sha512-${sum.digest("base64")}`;
  if (integrity !== expected) {
    throw new PackagingFault(
      `${name}: the archive is ${integrity}, and ought to be ${expected}`,
    );
  }
  await runOrFail("tar", [
    ...["--extract", "--gzip", `--file=${archive}`, `--directory=${scratch}`],
    ...["--no-same-owner", "--strip-components=1", "package/deno"],
  ]);
  await Deno.remove(archive);
  await Deno.chmod(`${scratch}/deno`, 0o755);
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.rename(scratch, folder);
  return path;
}

async function registeredIntegrity(name: string): Promise<string> {
  const { status, stdout, stderr } = await run("npm", [
    ...["view", "--silent", name, "dist.integrity"],
  ]);
  const integrity = stdout.trim();
  if (status === 0 && integrity.startsWith("sha512-")) return integrity;
  throw notToBeHad(name, stderr);
}

function notToBeHad(name: string, stderr: string): PackagingFault {
  const why = stderr.trim().split("\n")[0] ?? "";
  return new PackagingFault(
    `the runtime ${name} cannot be had from the npm registry` +
      `${why === "" ? "" : ` (${why})`}: name another that it has with ` +
      "--runtime-version, or a file with --runtime",
    NOT_TO_BE_HAD,
  );
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
