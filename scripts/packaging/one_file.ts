/**
 * One file that runs, where the base runtime of `deno compile` cannot be had:
 * the bundle and the runtime of the npm registry behind a script that unpacks
 * them once and becomes them.
 *
 * What is unpacked lies in a package as Debian has it. A system without xz has
 * `dpkg-deb`, which reads that, or tells what is missing.
 *
 * @module
 */
import type { Target } from "../compile.ts";
import {
  freshFolder,
  PackagingFault,
  runOrFail,
  sha256Of,
  VERSION,
} from "./release.ts";
import { type Architecture, fetchRuntime } from "./runtime.ts";

/** The targets that there is a runtime for, and what their systems are like. */
const MACHINES: Readonly<Partial<Record<Target, Machine>>> = {
  "linux-x64": {
    architecture: "amd64",
    names: "x86_64",
    loader: "/lib64/ld-linux-x86-64.so.2",
  },
  "linux-arm64": {
    architecture: "arm64",
    names: "aarch64",
    loader: "/lib/ld-linux-aarch64.so.1",
  },
};

interface Machine {
  readonly architecture: Architecture;
  /** What `uname -m` says. */
  readonly names: string;
  /** Of glibc, without which the runtime does not start. */
  readonly loader: string;
}

/** Debian's name of the processor of a target; undefined if no file is made. */
export function architectureOf(target: Target): Architecture | undefined {
  return MACHINES[target]?.architecture;
}

interface OneFileOptions {
  /** Seconds since 1970 that its files bear. */
  readonly date: number;
  /** A file with the runtime, instead of the registry's. */
  readonly runtime?: string | undefined;
  /** A larger file, made sooner. */
  readonly fast?: boolean;
}

/**
 * Writes the file of a target to `path`, out of the bundle in a folder. The
 * same bundle, runtime and date give the same bytes. Throws a
 * {@link PackagingFault}, of status 3 where the runtime cannot be had.
 */
export async function makeOneFile(
  target: Target,
  bundled: string,
  path: string,
  { date, runtime, fast = false }: OneFileOptions,
): Promise<void> {
  const machine = MACHINES[target];
  if (machine === undefined) {
    throw new PackagingFault(`there is no runtime for ${target} to pack`, 3);
  }
  const deno = runtime ?? await fetchRuntime(machine.architecture);
  const tree = `${path}.tree`;
  const packed = `${path}.deb`;
  try {
    await freshFolder(tree);
    await runOrFail("cp", ["--archive", `${bundled}/.`, `${tree}/`]);
    await Deno.copyFile(deno, `${tree}/deno`);
    const sums = await writeSums(tree);
    await writeControl(tree, machine.architecture);
    await runOrFail("chmod", ["--recursive", "a+rX,u+w,go-w", tree]);
    for (const name of ["deno", "strongroom"]) {
      await Deno.chmod(`${tree}/${name}`, 0o755);
    }
    await runOrFail("dpkg-deb", [
      ...["--root-owner-group", "-Zxz", `-z${fast ? 0 : 9}`],
      ...fast ? [] : ["-Sextreme"],
      ...["--build", tree, packed],
    ], { SOURCE_DATE_EPOCH: String(date) });
    const archive = await Deno.readFile(packed);
    const script = new TextEncoder().encode(
      scriptOf(machine, sums, dataOf(archive)),
    );
    const file = new Uint8Array(script.length + archive.length);
    file.set(script);
    file.set(archive, script.length);
    await Deno.writeFile(path, file);
    await Deno.chmod(path, 0o755);
  } finally {
    await Deno.remove(packed).catch(() => {});
    await Deno.remove(tree, { recursive: true }).catch(() => {});
  }
}

/** Writes the sums of a tree's files into it; the sum of those, in hex. */
async function writeSums(tree: string): Promise<string> {
  const lines: string[] = [];
  for await (const { name, isFile } of Deno.readDir(tree)) {
    if (isFile) lines.push(`${await sha256Of(`${tree}/${name}`)}  ${name}\n`);
  }
  const path = `${tree}/SHA256SUMS`;
  await Deno.writeTextFile(path, lines.toSorted().join(""));
  return await sha256Of(path);
}

async function writeControl(
  tree: string,
  architecture: Architecture,
): Promise<void> {
  await Deno.mkdir(`${tree}/DEBIAN`);
  await Deno.writeTextFile(
    `${tree}/DEBIAN/control`,
    `Package: strongroom-unpacked
Version: ${VERSION}
Architecture: ${architecture}
Maintainer: strongroom
Description: what the one file of strongroom unpacks
`,
  );
}

/** A part of a file, in bytes. */
interface Extent {
  readonly at: number;
  readonly length: number;
}

const AR_MAGIC_BYTES = 8;
const AR_HEADER_BYTES = 60;

/** Where the member `data.tar.xz` of a package lies (deb(5), ar(5)). */
function dataOf(archive: Uint8Array): Extent {
  const text = new TextDecoder("latin1");
  for (let at = AR_MAGIC_BYTES; at < archive.length;) {
    const header = text.decode(archive.subarray(at, at + AR_HEADER_BYTES));
    const length = Number(header.slice(48, 58));
    if (header.startsWith("data.tar.xz")) {
      return { at: at + AR_HEADER_BYTES, length };
    }
    at += AR_HEADER_BYTES + length + length % 2;
  }
  throw new PackagingFault("dpkg-deb made no data.tar.xz");
}

/** Numbers in the script take as many characters whatever they are. */
const DIGITS = 12;

/** The script, which knows where what follows it lies. */
function scriptOf(machine: Machine, sums: string, data: Extent): string {
  const padded = (number: number) => String(number).padStart(DIGITS, "0");
  const withStart = (start: number) =>
    SCRIPT
      .replaceAll("@VERSION@", VERSION)
      .replaceAll("@SUMS@", sums)
      .replaceAll("@NAME@", `${VERSION}-${sums.slice(0, 16)}`)
      .replaceAll("@MACHINE@", machine.names)
      .replaceAll("@LOADER@", machine.loader)
      // As tail counts: the first byte is 1.
      .replaceAll("@PACKAGE@", padded(start + 1))
      .replaceAll("@DATA@", padded(start + data.at + 1))
      .replaceAll("@LENGTH@", padded(data.length));
  return withStart(withStart(0).length);
}

const SCRIPT = `#!/bin/sh
# strongroom @VERSION@ with its runtime. The first start unpacks it into a cache
# folder of whoever starts it; every start becomes the program there.
fail() {
  echo "strongroom: $*" >&2
  exit 1
}
cache=\${XDG_CACHE_HOME:-\${HOME:-}/.cache}/strongroom
other="set XDG_CACHE_HOME to another folder"
home=$cache/@NAME@
# What others may write or exchange is not run.
is_own() {
  [ -O "$cache" ] && [ ! -L "$cache" ] &&
    case $(stat -c %A "$cache") in d????-??-*) ;; *) false ;; esac
}
is_there() {
  is_own && [ -x "$home/deno" ] && [ -f "$home/SHA256SUMS" ] || return 1
  while read -r sum name; do
    [ -f "$home/$name" ] || return 1
  done <"$home/SHA256SUMS"
}
unpack() {
  case $(uname -m) in
  @MACHINE@) ;;
  *) fail "this file is for @MACHINE@, and this machine is $(uname -m)" ;;
  esac
  [ -e @LOADER@ ] || fail "this system has no glibc (@LOADER@), which the" \\
    "runtime needs; systems with musl, like Alpine, cannot run this file"
  umask 077
  mkdir -p "$cache" 2>/dev/null || fail "cannot write to $cache: $other"
  is_own || fail "$cache is a link, or others may write there: $other"
  new=$(mktemp -d "$cache/.new-XXXXXX") || fail "cannot write to $cache: $other"
  trap 'rm -rf "$new"' EXIT
  trap 'exit 1' HUP INT TERM
  if command -v xz >/dev/null; then
    tail -c +@DATA@ -- "$self" | head -c @LENGTH@ |
      xz --decompress --stdout 2>/dev/null |
      tar --extract --directory="$new" 2>/dev/null
  elif command -v dpkg-deb >/dev/null; then
    tail -c +@PACKAGE@ -- "$self" >"$new/package" &&
      dpkg-deb --extract "$new/package" "$new" 2>/dev/null &&
      rm "$new/package"
  else
    fail "xz is not installed, which the first start needs (xz-utils)"
  fi
  (
    cd "$new" &&
      echo "@SUMS@  SHA256SUMS" | sha256sum --check --status 2>/dev/null &&
      sha256sum --check --status SHA256SUMS 2>/dev/null
  ) || fail "$self could not be unpacked into $cache as it was packed: the disk" \\
    "may be full, or the file damaged"
  "$new/deno" --version >/dev/null 2>&1 ||
    fail "programs cannot be run from $cache, which may be mounted noexec:" \\
      "$other"
  # Another start may have been first, or something was deleted there.
  mv -T "$new" "$home" 2>/dev/null || is_there || mv -f "$new"/* "$home" ||
    fail "cannot write to $cache: $other"
}
self=$(readlink -f -- "$0")
is_there || (unpack) || exit 1
# Code that was compiled once is kept there too.
export DENO_DIR="\${DENO_DIR:-$home/compiled}"
exec "$home/strongroom" "$@"
exit 1
`;
