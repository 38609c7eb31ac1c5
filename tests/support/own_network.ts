/**
 * Stories in a network namespace of their own, with mounts of their own, which
 * want root and some of Debian's programs.
 *
 * @module
 */
import { debianProgram } from "./debian.ts";

/** Whether a story can be played, and for its name why not. */
interface OwnNetwork {
  readonly ignore: boolean;
  readonly why: string;
}

/**
 * Tries a shell script that sets the namespace up. `tools` are programs and the
 * packages that have them.
 */
export async function tryOwnNetwork(
  script: string,
  tools: readonly (readonly [program: string, packageName: string])[],
): Promise<OwnNetwork> {
  for (const [program, packageName] of tools) {
    if (await debianProgram(program, packageName) === undefined) {
      return { ignore: true, why: ` (ignored: ${program} is missing)` };
    }
  }
  const { success } = await new Deno.Command("unshare", {
    args: ["--net", "--mount", "sh", "-c", script],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output().catch(() => ({ success: false }));
  return success
    ? { ignore: false, why: "" }
    : { ignore: true, why: " (ignored: a network of its own needs root)" };
}
