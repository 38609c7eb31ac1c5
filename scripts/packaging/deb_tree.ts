/**
 * The files of the Debian package and its control archive.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { declaredPages, manPage } from "../manual.ts";
import {
  bashScript,
  fishScript,
  zshScript,
} from "../../src/cli/completions.ts";
import { THIRD_PARTIES } from "../bundle.ts";
import type { Contents } from "./contents.ts";
import { PackagingFault, ROOT, runOrFail } from "./release.ts";
import type { Architecture } from "./runtime.ts";

const HERE = `${ROOT}scripts/packaging/`;
/** Debian's own variables name whoever builds a package. */
const MAINTAINER = `${
  Deno.env.get("DEBFULLNAME") ?? "strongroom maintainers"
} <${Deno.env.get("DEBEMAIL") ?? "maintainers@strongroom.invalid"}>`;
const KIB = 1024;
const DOC = "usr/share/doc/strongroom";
const EXAMPLES = [
  "systemd/low-port.conf",
  "systemd/mdns.conf",
  "systemd/unix-socket.conf",
  "systemd/data-directory.conf",
  "examples/Caddyfile",
  "examples/apache.conf",
  "examples/haproxy.cfg",
  "examples/nginx.conf",
] as const;

interface Package {
  readonly architecture: Architecture;
  readonly version: string;
  /** Seconds since 1970 that every file bears. */
  readonly date: number;
  /** The folder of the bundled program. */
  readonly bundle: string;
  readonly contents: Contents;
  /** A folder that is not there yet, to lay the files out in. */
  readonly tree: string;
  readonly output: string;
  readonly fast: boolean;
}

/** Builds a package; returns its path. */
export async function buildPackage(wanted: Package): Promise<string> {
  const version = debianVersion(wanted.version);
  const { tree, output, architecture } = wanted;
  await layOut(wanted);
  const files = await filesUnder(tree);
  await Deno.mkdir(`${tree}/DEBIAN`);
  await writeControl(wanted, version, files);
  for (const script of ["postinst", "prerm", "postrm"]) {
    await put(tree, `DEBIAN/${script}`, `${HERE}debian/${script}`, 0o755);
  }
  await bearDate(tree, wanted.date);
  const path = `${output}/strongroom_${version}_${architecture}.deb`;
  await runOrFail("dpkg-deb", [
    "--root-owner-group",
    // Debian 11's dpkg knows no zstd.
    ...wanted.fast ? ["-Zgzip", "-z1"] : ["-Zxz", "-z1"],
    ...["--build", tree, path],
  ]);
  return path;
}

/** SemVer's pre-releases come before their release, as Debian's `~` does. */
function debianVersion(version: string): string {
  if (/^\d[\w.+-]*$/.test(version)) return version.replace("-", "~");
  throw new PackagingFault(`${version} is no version`, 2);
}

async function layOut({ tree, bundle, contents, date, version }: Package) {
  const library = "usr/lib/strongroom";
  if ("executable" in contents) {
    await put(tree, `${library}/strongroom`, contents.executable, 0o755);
  } else {
    await put(tree, `${library}/deno`, contents.runtime, 0o755);
    for (const name of await namesIn(bundle)) {
      if (name === "LICENSE" || name === THIRD_PARTIES) continue;
      const mode = name === "strongroom" ? 0o755 : 0o644;
      await put(tree, `${library}/${name}`, `${bundle}/${name}`, mode);
    }
  }
  await put(tree, "usr/bin/strongroom", `${HERE}debian/strongroom`, 0o755);
  for (
    const unit of [
      "strongroom.service",
      "strongroom-backup@.service",
      "strongroom-backup@.timer",
      "strongroom-off-site.service",
      "strongroom-off-site.timer",
      "strongroom-receive.service",
    ]
  ) {
    await put(
      tree,
      `usr/lib/systemd/system/${unit}`,
      `${HERE}systemd/${unit}`,
    );
  }
  // No conffile: postinst copies it once, and no upgrade asks about it.
  const settings = "usr/share/strongroom/strongroom.env";
  await put(tree, settings, `${HERE}debian/strongroom.env`);
  const pages = await declaredPages();
  await write(
    tree,
    "usr/share/bash-completion/completions/strongroom",
    bashScript(pages),
  );
  await write(
    tree,
    "usr/share/zsh/vendor-completions/_strongroom",
    zshScript(pages),
  );
  await write(
    tree,
    "usr/share/fish/vendor_completions.d/strongroom.fish",
    fishScript(pages),
  );
  await write(tree, "usr/share/man/man1/strongroom.1", await manPage());
  await compress(`${tree}/usr/share/man/man1/strongroom.1`);
  await put(tree, `${DOC}/copyright`, `${HERE}debian/copyright`);
  await put(tree, `${DOC}/${THIRD_PARTIES}`, `${bundle}/${THIRD_PARTIES}`);
  await put(tree, `${DOC}/NEWS.md`, `${ROOT}CHANGELOG.md`);
  for (const name of await filesUnder(`${ROOT}src/docs`)) {
    if (name.endsWith(".md")) {
      await put(tree, `${DOC}/${name}`, `${ROOT}src/docs/${name}`);
    }
  }
  for (const path of EXAMPLES) {
    const name = path.slice(path.indexOf("/") + 1);
    await put(tree, `${DOC}/examples/${name}`, `${HERE}${path}`);
  }
  await write(tree, `${DOC}/changelog`, changelog(version, date));
  await compress(`${tree}/${DOC}/changelog`);
  await write(
    tree,
    "usr/share/lintian/overrides/strongroom",
    await Deno.readTextFile(`${HERE}debian/lintian-overrides`),
  );
}

function changelog(version: string, date: number): string {
  // As date --rfc-email has it.
  const at = new Date(date * 1e3).toUTCString().replace("GMT", "+0000");
  return `strongroom (${debianVersion(version)}) stable; urgency=medium

  * What is new is in /${DOC}/NEWS.md.

 -- ${MAINTAINER}  ${at}
`;
}

async function writeControl(
  { tree, architecture, contents }: Package,
  version: string,
  files: readonly string[],
): Promise<void> {
  let bytes = 0;
  const sums: string[] = [];
  for (const path of files) {
    const content = await Deno.readFile(`${tree}/${path}`);
    bytes += Math.ceil(content.length / KIB) * KIB;
    if (path.startsWith("etc/")) continue;
    const sum = createHash("md5").update(content).digest("hex");
    sums.push(`${sum}  ${path}\n`);
  }
  // What the runtime's executable links against, in both of its forms.
  const built = "executable" in contents
    ? ""
    : ` The program runs in a Deno runtime of its own, in
 /usr/lib/strongroom.\n`;
  await write(
    tree,
    "DEBIAN/control",
    `Package: strongroom
Version: ${version}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Installed-Size: ${bytes / KIB}
Depends: libc6 (>= 2.31), libgcc-s1, adduser, init-system-helpers (>= 1.52)
Recommends: ca-certificates
Suggests: caddy | nginx
Section: net
Priority: optional
Description: end-to-end encrypted photo and file server
 People keep their photos and files on it encrypted under keys that only their
 own devices have, and share them with one another and with anybody who has a
 link. The server signs for every blob that it takes.
${built}`,
  );
  await write(tree, "DEBIAN/md5sums", sums.join(""));
}

async function put(
  tree: string,
  path: string,
  from: string,
  mode = 0o644,
): Promise<void> {
  const to = `${tree}/${path}`;
  await Deno.mkdir(dirname(to), { recursive: true });
  await Deno.copyFile(from, to);
  await Deno.chmod(to, mode);
}

async function write(tree: string, path: string, text: string): Promise<void> {
  const to = `${tree}/${path}`;
  await Deno.mkdir(dirname(to), { recursive: true });
  await Deno.writeTextFile(to, text);
  await Deno.chmod(to, 0o644);
}

/** Without a name or time in it, so that it is the same each time. */
async function compress(path: string): Promise<void> {
  await runOrFail("gzip", ["-9", "--no-name", path]);
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.filter(({ isFile }) => isFile).map(({ name }) => name).sort();
}

/** Plain files, sorted, with their paths below the folder. */
async function filesUnder(folder: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(`${folder}/${below}`)) {
    const path = `${below}${entry.name}`;
    if (entry.isFile) found.push(path);
    if (entry.isDirectory) found.push(...await filesUnder(folder, `${path}/`));
  }
  return found.sort();
}

/** Whatever the umask was, folders are for everybody, and all of one time. */
async function bearDate(folder: string, date: number): Promise<void> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) await bearDate(path, date);
    if (isFile) await Deno.utime(path, date, date);
  }
  await Deno.chmod(folder, 0o755);
  await Deno.utime(folder, date, date);
}
