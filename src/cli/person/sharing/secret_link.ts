/**
 * Links that carry a secret. Everybody on a machine can read the arguments of
 * its programs, so a link also comes from standard input or from a file.
 *
 * @module
 */
import type { OpenProfile } from "../cli_context.ts";

/** Where a link may come from. */
export interface LinkOptions {
  /** Its first line; `-` is standard input. */
  readonly linkFile?: string;
}

/** The option of every command that takes a link with a secret. */
export const LINK_FILE = [
  "--link-file <path>",
  "holds the link, its first line; - is standard input",
] as const;

/** The link of an argument, `-` for standard input, of a file, or typed. */
export async function linkOf(
  { terminal }: OpenProfile,
  given: string | undefined,
  { linkFile }: LinkOptions,
): Promise<string> {
  if (linkFile !== undefined) return await terminal.lineOf(linkFile, "a link");
  if (given === "-") return await terminal.lineOf("-", "a link");
  if (given !== undefined) return given;
  return await terminal.askHidden("Link or code: ", "give it with --link-file");
}
