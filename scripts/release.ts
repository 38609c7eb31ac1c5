/**
 * `deno task release [--key FILE]`: every file of a release that can be made
 * on this machine, their checksums and the signature of those, in
 * `dist/release`. What cannot be made here is named at the end, with why.
 *
 * The signature is OpenSSH's (`ssh-keygen -Y sign`, namespace `file`), so that
 * people verify it with what every system has; `src/docs/install.md` says how.
 *
 * Exit status 0 everything was made, 1 failed, 2 usage, 3 something could not
 * be made here.
 *
 * @module
 */
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { type Bundle, bundle } from "./bundle.ts";
import {
  compile,
  executablePath,
  type Target,
  targetNames,
} from "./compile.ts";
import { pack } from "./pack.ts";
import { layOutContainer } from "./packaging/container.ts";
import { type Contents, contentsFor, TARGETS } from "./packaging/contents.ts";
import { buildPackage } from "./packaging/deb_tree.ts";
import { architectureOf, makeOneFile } from "./packaging/one_file.ts";
import {
  complain,
  DIST,
  freshFolder,
  NOT_TO_BE_HAD,
  PackagingFault,
  ROOT,
  run,
  runOrFail,
  runScript,
  say,
  sourceDate,
  VERSION,
  writeSums,
} from "./packaging/release.ts";
import type { Architecture } from "./packaging/runtime.ts";
import { billOfMaterials } from "./packaging/sbom.ts";

const USAGE = "usage: deno task release [--key FILE] [--notes URL] [--trial] " +
  "[--output FOLDER] [--runtime amd64|arm64=FILE]... [--fast]";
const SUMS = "SHA256SUMS";
/** OpenSSH signs for a purpose; this one is for files. */
const NAMESPACE = "file";

interface Wishes {
  /** OpenSSH's key file, or a public one whose private half an agent has. */
  readonly key: string | undefined;
  /** Where people read what is new. */
  readonly notes: string | undefined;
  /** Of a checkout that is no clean tag. */
  readonly trial: boolean;
  readonly output: string | undefined;
  readonly runtimes: ReadonlyMap<Architecture, string>;
  /** Larger files, made sooner. */
  readonly fast: boolean;
}

function readWishes(args: string[]): Wishes {
  try {
    const { values } = parseArgs({
      args,
      options: {
        key: { type: "string" },
        notes: { type: "string" },
        trial: { type: "boolean" },
        output: { type: "string" },
        runtime: { type: "string", multiple: true },
        fast: { type: "boolean" },
      },
    });
    return {
      key: values.key,
      notes: values.notes,
      trial: values.trial ?? false,
      output: values.output,
      fast: values.fast ?? false,
      runtimes: new Map((values.runtime ?? []).map(readRuntime)),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PackagingFault(`${why}; ${USAGE}`, 2);
  }
}

function readRuntime(text: string): [Architecture, string] {
  const [, architecture, file] = /^(amd64|arm64)=(.+)$/.exec(text) ?? [];
  if (
    (architecture === "amd64" || architecture === "arm64") && file !== undefined
  ) return [architecture, file];
  throw new Error(`${text} is no runtime`);
}

/** What a release lacks on this machine. */
interface Missing {
  readonly name: string;
  readonly why: string;
}

/** Makes the files of a release in its folder, one kind after the other. */
class Release {
  readonly missing: Missing[] = [];
  readonly #executables = new Map<Target, string>();
  readonly #contents = new Map<Architecture, Contents>();

  constructor(
    readonly folder: string,
    readonly scratch: string,
    readonly date: number,
    readonly wishes: Wishes,
  ) {}

  async make(): Promise<void> {
    const bundled = await bundle(`${this.scratch}/bundle`);
    await this.#compileAll(bundled);
    for (const architecture of ["amd64", "arm64"] as const) {
      await this.#findContents(architecture, bundled);
    }
    await this.#packages();
    await this.#container();
    await this.#archive("bundle", `${this.scratch}/bundle`);
    await pack(this.folder);
    await Deno.writeTextFile(
      `${this.folder}/strongroom-${VERSION}.cdx.json`,
      await billOfMaterials(bundled.parties, this.date),
    );
    await this.#source();
  }

  async #compileAll(bundled: Bundle): Promise<void> {
    for (const target of targetNames()) {
      const name = `strongroom-${VERSION}-${target}`;
      try {
        const path = await compile(target, bundled, this.folder);
        this.#executables.set(target, path);
      } catch (error) {
        if (!await this.#madeOneFile(target, bundled, error)) {
          this.#lacks(name, error);
        }
      }
    }
  }

  /** Makes a file that unpacks itself instead of what could not be compiled. */
  async #madeOneFile(
    target: Target,
    bundled: Bundle,
    error: unknown,
  ): Promise<boolean> {
    const architecture = architectureOf(target);
    const isAway = error instanceof PackagingFault &&
      error.status === NOT_TO_BE_HAD;
    if (architecture === undefined || !isAway) return false;
    const { date, wishes: { fast, runtimes } } = this;
    const runtime = runtimes.get(architecture);
    const path = executablePath(target, this.folder);
    try {
      const options = { date, fast, runtime };
      await makeOneFile(target, dirname(bundled.main), path, options);
      return true;
    } catch (error) {
      if (!(error instanceof PackagingFault)) throw error;
      return false;
    }
  }

  async #findContents(
    architecture: Architecture,
    bundled: Bundle,
  ): Promise<void> {
    const executable = this.#executables.get(TARGETS[architecture]);
    if (executable !== undefined) {
      this.#contents.set(architecture, { executable });
      return;
    }
    const wishes = {
      bundled: true,
      runtime: this.wishes.runtimes.get(architecture),
      runtimeVersion: undefined,
    };
    try {
      this.#contents.set(
        architecture,
        await contentsFor(architecture, bundled, wishes, complain),
      );
    } catch (error) {
      this.#lacks(`strongroom_${VERSION}_${architecture}.deb`, error);
      this.#lacks(`the container's ${architecture}`, error);
    }
  }

  async #packages(): Promise<void> {
    for (const [architecture, contents] of this.#contents) {
      try {
        await buildPackage({
          architecture,
          version: VERSION,
          date: this.date,
          bundle: `${this.scratch}/bundle`,
          contents,
          tree: `${this.scratch}/${architecture}`,
          output: this.folder,
          fast: this.wishes.fast,
        });
      } catch (error) {
        this.#lacks(`strongroom_${VERSION}_${architecture}.deb`, error);
      }
    }
  }

  async #container(): Promise<void> {
    if (this.#contents.size === 0) return;
    const folder = `${this.scratch}/container`;
    await layOutContainer(folder, `${this.scratch}/bundle`, this.#contents);
    await this.#archive("container", folder);
  }

  /** The same of the same commit: no names, times or order of this machine. */
  async #archive(kind: string, folder: string): Promise<void> {
    const name = `strongroom-${VERSION}-${kind}`;
    await runOrFail("tar", [
      ...["--create", `--file=${this.folder}/${name}.tar.gz`],
      `--use-compress-program=gzip --no-name ${this.wishes.fast ? "-1" : "-9"}`,
      ...["--sort=name", `--mtime=@${this.date}`, "--format=gnu"],
      ...["--owner=0", "--group=0", "--numeric-owner"],
      // The context has its modes already, and its volume is private.
      ...kind === "container" ? [] : ["--mode=a+rX,go-w"],
      // S: the targets of symbolic links stay.
      ...[`--transform=s,^[.],${name},S`, `--directory=${folder}`, "."],
    ]);
  }

  async #source(): Promise<void> {
    const name = `strongroom-${VERSION}-source`;
    await runOrFail("git", [
      ...["-c", "tar.tar.gz.command=gzip --no-name -9"],
      ...["archive", "--format=tar.gz", `--prefix=${name}/`],
      ...[`--output=${this.folder}/${name}.tar.gz`, "HEAD"],
    ]);
  }

  /** A kind that cannot be made here is named; anything else ends the script. */
  #lacks(name: string, error: unknown): void {
    if (
      !(error instanceof PackagingFault) || error.status !== NOT_TO_BE_HAD
    ) throw error;
    this.missing.push({ name, why: error.message });
  }

  /** Signs the checksums, which name every other file. */
  async sign(): Promise<void> {
    const { key } = this.wishes;
    if (key === undefined) {
      this.missing.push({
        name: `${SUMS}.sig`,
        why: "no key was named: --key FILE, an OpenSSH key",
      });
      return;
    }
    await runOrFail("ssh-keygen", [
      ...["-Y", "sign", "-f", key, "-n", NAMESPACE],
      `${this.folder}/${SUMS}`,
    ]);
  }

  /** What `strongroom doctor --updates` asks for, to be served somewhere. */
  async announce(): Promise<void> {
    const { notes } = this.wishes;
    await Deno.writeTextFile(
      `${this.folder}/latest.json`,
      `${
        JSON.stringify({
          version: VERSION,
          released: new Date(this.date * 1_000).toISOString().slice(0, 10),
          ...notes === undefined ? {} : { notes },
        })
      }\n`,
    );
  }
}

/** A release has the files of a tag, and no uncommitted ones. */
async function expectTag(): Promise<void> {
  const changed = await runOrFail("git", ["status", "--porcelain"]);
  if (changed.trim() !== "") {
    throw new PackagingFault(
      "the checkout has changes that no commit has: make a release in a " +
        "clean clone of the tag, or try it with --trial",
    );
  }
  const tags = await runOrFail("git", ["tag", "--points-at", "HEAD"]);
  if (!tags.split("\n").includes(`v${VERSION}`)) {
    throw new PackagingFault(
      `this commit has no tag v${VERSION}: git tag -s v${VERSION}, or try it ` +
        "with --trial",
    );
  }
  const log = await Deno.readTextFile(`${ROOT}CHANGELOG.md`);
  if (!log.includes(`\n## ${VERSION} `)) {
    throw new PackagingFault(`CHANGELOG.md has no section ${VERSION}`);
  }
}

/** The folder of a release; one that has something in it is left alone. */
async function emptyFolder(wanted: string | undefined): Promise<string> {
  if (wanted === undefined) {
    await freshFolder(`${DIST}/release`);
    return `${DIST}/release`;
  }
  await Deno.mkdir(wanted, { recursive: true });
  for await (const { name } of Deno.readDir(wanted)) {
    throw new PackagingFault(`${wanted} is not empty: it has ${name}`);
  }
  return await Deno.realPath(wanted);
}

/** The line by which others know the key (`allowed_signers`). */
async function signerLine(key: string): Promise<string> {
  const { status, stdout } = await run("ssh-keygen", ["-y", "-f", key]);
  const given = status === 0 ? stdout : await Deno.readTextFile(key);
  const [kind = "", words = ""] = given.trim().split(" ");
  return `strongroom namespaces="${NAMESPACE}" ${kind} ${words}`;
}

if (import.meta.main) {
  await runScript(async () => {
    const wishes = readWishes(Deno.args);
    if (Deno.env.get("DENORT_BIN") !== undefined) {
      throw new PackagingFault(
        "DENORT_BIN is the base runtime of one target, and a release has five",
        2,
      );
    }
    if (!wishes.trial) await expectTag();
    const folder = await emptyFolder(wishes.output);
    const date = await sourceDate();
    Deno.env.set("SOURCE_DATE_EPOCH", String(date));
    const scratch = await Deno.makeTempDir({ dir: folder, prefix: ".parts-" });
    const release = new Release(folder, scratch, date, wishes);
    try {
      await release.make();
    } finally {
      await Deno.remove(scratch, { recursive: true });
    }
    await writeSums(folder);
    await release.sign();
    await release.announce();
    const made = await Array.fromAsync(Deno.readDir(folder));
    for (const name of made.map(({ name }) => name).sort()) {
      const { size } = await Deno.stat(`${folder}/${name}`);
      say(`made      ${folder}/${name} (${size.toLocaleString("en")} B)`);
    }
    if (wishes.key !== undefined) {
      say(`signed as ${await signerLine(wishes.key)}`);
    }
    for (const { name, why } of release.missing) {
      say(`not made  ${name}: ${why}`);
    }
    if (release.missing.length > 0) Deno.exitCode = NOT_TO_BE_HAD;
  });
}
