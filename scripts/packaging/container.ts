/**
 * `deno task container [--arch amd64|arm64]… [--bundled]`: the context that
 * `podman build` and `docker build` make the image of, in `dist/container`. It
 * has the compiled executables where the base runtime can be had, else the
 * bundled program with the matching runtimes.
 *
 * Exit status 0 done, 1 failed, 2 usage, 3 where a runtime cannot be had.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { bundle, THIRD_PARTIES } from "../bundle.ts";
import { type Contents, contentsFor } from "./contents.ts";
import {
  complain,
  DIST,
  freshFolder,
  PackagingFault,
  ROOT,
  runScript,
  say,
} from "./release.ts";
import type { Architecture } from "./runtime.ts";

const HERE = `${ROOT}scripts/packaging/`;
/** Has the shell that the bundle's launcher wants. */
const BASE_WITH_SHELL = "docker.io/library/debian:12-slim";
const USAGE = "usage: deno task container [--arch amd64|arm64]... " +
  "[--bundled] [--runtime FILE | --runtime-version VERSION] [--output FOLDER]";

/**
 * Lays out a context in a folder that is emptied first. `bundled` is the folder
 * of the bundled program.
 */
export async function layOutContainer(
  folder: string,
  bundled: string,
  contents: ReadonlyMap<Architecture, Contents>,
): Promise<void> {
  await freshFolder(folder);
  await Deno.mkdir(`${folder}/volume/data`, { recursive: true });
  for (const [architecture, one] of contents) {
    await Deno.mkdir(`${folder}/${architecture}/usr/bin`, { recursive: true });
    const program = `${folder}/${architecture}/usr/bin/strongroom`;
    if ("executable" in one) {
      await put(one.executable, program, 0o755);
      continue;
    }
    const library = `${folder}/${architecture}/usr/lib/strongroom`;
    await Deno.mkdir(library, { recursive: true });
    await put(one.runtime, `${library}/deno`, 0o755);
    for await (const { name, isFile } of Deno.readDir(bundled)) {
      if (!isFile) continue;
      const mode = name === "strongroom" ? 0o755 : 0o644;
      await put(`${bundled}/${name}`, `${library}/${name}`, mode);
    }
    await Deno.symlink("../lib/strongroom/strongroom", program);
  }
  await put(`${bundled}/LICENSE`, `${folder}/LICENSE`);
  await put(`${bundled}/${THIRD_PARTIES}`, `${folder}/${THIRD_PARTIES}`);
  const wantsShell = contents.values().some((one) => "runtime" in one);
  const containerfile = await Deno.readTextFile(`${HERE}Containerfile`);
  await write(
    `${folder}/Containerfile`,
    wantsShell
      ? containerfile.replace(/^ARG BASE=.*$/m, `ARG BASE=${BASE_WITH_SHELL}`)
      : containerfile,
  );
  const compose = await Deno.readTextFile(`${HERE}compose.yaml`);
  await write(
    `${folder}/compose.yaml`,
    compose.replace(/^#[^]*?(?=^services:)/m, "# docker compose up --detach\n")
      .replace(/context: .*/, "context: ."),
  );
  await openFolders(folder);
  await Deno.chmod(`${folder}/volume/data`, 0o700);
}

/** Whatever the umask was, the image's user goes through its folders. */
async function openFolders(folder: string): Promise<void> {
  await Deno.chmod(folder, 0o755);
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) await openFolders(`${folder}/${name}`);
  }
}

async function put(from: string, to: string, mode = 0o644): Promise<void> {
  await Deno.copyFile(from, to);
  await Deno.chmod(to, mode);
}

async function write(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, text);
  await Deno.chmod(path, 0o644);
}

function readWishes(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        arch: { type: "string", multiple: true },
        bundled: { type: "boolean" },
        runtime: { type: "string" },
        "runtime-version": { type: "string" },
        output: { type: "string" },
      },
    });
    const host = Deno.build.arch === "aarch64" ? "arm64" : "amd64";
    const architectures = (values.arch ?? [host]).map((one): Architecture => {
      if (one === "amd64" || one === "arm64") return one;
      throw new Error(`there is no processor ${one}`);
    });
    if (values.runtime !== undefined && architectures.length > 1) {
      throw new Error("--runtime is for one --arch");
    }
    return {
      architectures,
      bundled: values.bundled ?? false,
      runtime: values.runtime,
      runtimeVersion: values["runtime-version"],
      output: values.output ?? `${DIST}/container`,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PackagingFault(`${why}; ${USAGE}`, 2);
  }
}

if (import.meta.main) {
  await runScript(async () => {
    const wishes = readWishes(Deno.args);
    await Deno.mkdir(DIST, { recursive: true });
    const scratch = await Deno.makeTempDir({ dir: DIST, prefix: ".context-" });
    try {
      const bundled = await bundle(`${scratch}/bundle`);
      const contents = new Map<Architecture, Contents>();
      for (const one of wishes.architectures) {
        contents.set(one, await contentsFor(one, bundled, wishes, complain));
      }
      await layOutContainer(wishes.output, `${scratch}/bundle`, contents);
      say(wishes.output);
    } finally {
      await Deno.remove(scratch, { recursive: true });
    }
  });
}
