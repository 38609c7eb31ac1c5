/**
 * `deno task deb [--arch amd64|arm64]…`: a Debian package per processor, in
 * `dist`. It carries the compiled executable where the base runtime can be had,
 * else the bundled program with the matching Deno runtime of the npm registry.
 * Built twice of the same commit it is the same file (SOURCE_DATE_EPOCH, by
 * default the time of the commit).
 *
 * Exit status 0 done, 1 failed, 2 usage, 3 where a runtime cannot be had.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { bundle } from "../bundle.ts";
import { contentsFor } from "./contents.ts";
import { buildPackage } from "./deb_tree.ts";
import {
  complain,
  DIST,
  PackagingFault,
  runScript,
  say,
  sha256Of,
  sourceDate,
  VERSION,
  writeSums,
} from "./release.ts";
import type { Architecture } from "./runtime.ts";

const USAGE = "usage: deno task deb [--arch amd64|arm64]... [--version " +
  "VERSION] [--bundled] [--runtime FILE | --runtime-version VERSION] " +
  "[--output FOLDER] [--fast]";

interface Wishes {
  readonly architectures: readonly Architecture[];
  readonly version: string;
  /** Not to compile, even where that is possible. */
  readonly bundled: boolean;
  readonly runtime: string | undefined;
  readonly runtimeVersion: string | undefined;
  readonly output: string;
  /** Larger, and built in a second. */
  readonly fast: boolean;
}

function readWishes(args: string[]): Wishes {
  const { values } = read();
  const host = Deno.build.arch === "aarch64" ? "arm64" : "amd64";
  const architectures = (values.arch ?? [host]).map((one) => {
    if (one === "amd64" || one === "arm64") return one;
    throw new PackagingFault(USAGE, 2);
  });
  if (values.runtime !== undefined && architectures.length > 1) {
    throw new PackagingFault(`--runtime is for one --arch; ${USAGE}`, 2);
  }
  return {
    architectures,
    version: values.version ?? VERSION,
    bundled: values.bundled ?? false,
    runtime: values.runtime,
    runtimeVersion: values["runtime-version"],
    output: values.output ?? DIST,
    fast: values.fast ?? false,
  };

  function read() {
    try {
      return parseArgs({
        args,
        options: {
          arch: { type: "string", multiple: true },
          version: { type: "string" },
          bundled: { type: "boolean" },
          runtime: { type: "string" },
          "runtime-version": { type: "string" },
          output: { type: "string" },
          fast: { type: "boolean" },
        },
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new PackagingFault(`${why}; ${USAGE}`, 2);
    }
  }
}

if (import.meta.main) {
  await runScript(async () => {
    const wishes = readWishes(Deno.args);
    const date = await sourceDate();
    Deno.env.set("SOURCE_DATE_EPOCH", String(date));
    await Deno.mkdir(wishes.output, { recursive: true });
    const scratch = await Deno.makeTempDir({
      dir: wishes.output,
      prefix: ".deb-",
    });
    try {
      const bundled = await bundle(`${scratch}/bundle`);
      for (const architecture of wishes.architectures) {
        const path = await buildPackage({
          architecture,
          version: wishes.version,
          date,
          bundle: `${scratch}/bundle`,
          contents: await contentsFor(
            architecture,
            bundled,
            wishes,
            complain,
          ),
          tree: `${scratch}/${architecture}`,
          output: wishes.output,
          fast: wishes.fast,
        });
        say(`${await sha256Of(path)}  ${path}`);
      }
      await writeSums(wishes.output);
    } finally {
      await Deno.remove(scratch, { recursive: true });
    }
  });
}
