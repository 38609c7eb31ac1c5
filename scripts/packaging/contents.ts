/**
 * What a package or an image carries for a processor: the executable, or the
 * bundle with a runtime.
 *
 * @module
 */
import type { Bundle } from "../bundle.ts";
import { compile } from "../compile.ts";
import { NOT_TO_BE_HAD, PackagingFault } from "./release.ts";
import {
  type Architecture,
  fetchRuntime,
  RUNTIME_PACKAGES,
} from "./runtime.ts";

/** Debian's and the registries' names of processors, and ours. */
export const TARGETS = { amd64: "linux-x64", arm64: "linux-arm64" } as const;

/** One executable, or the runtime that a bundle is run with. */
export type Contents =
  | { readonly executable: string }
  | { readonly runtime: string };

interface ContentsWishes {
  /** Not to compile, even where that is possible. */
  readonly bundled: boolean;
  /** A file with a runtime, instead of the registry's. */
  readonly runtime: string | undefined;
  readonly runtimeVersion: string | undefined;
}

/**
 * The executable for a processor if it can be made, else a runtime; `tell` gets
 * a line about each that is not the executable.
 */
export async function contentsFor(
  architecture: Architecture,
  bundled: Bundle,
  wishes: ContentsWishes,
  tell: (line: string) => void,
): Promise<Contents> {
  if (!wishes.bundled) {
    try {
      return { executable: await compile(TARGETS[architecture], bundled) };
    } catch (error) {
      if (
        !(error instanceof PackagingFault) || error.status !== NOT_TO_BE_HAD
      ) throw error;
      tell(`${error.message}; packing the bundle and a runtime instead`);
    }
  }
  const runtime = wishes.runtime ??
    await fetchRuntime(architecture, wishes.runtimeVersion);
  tell(
    `the runtime is ${
      wishes.runtime ?? `${RUNTIME_PACKAGES[architecture]} ` +
          `${wishes.runtimeVersion ?? Deno.version.deno} of the npm registry`
    }`,
  );
  return { runtime };
}
