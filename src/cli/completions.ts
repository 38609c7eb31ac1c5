/**
 * `strongroom completions`: what a shell needs to complete command lines.
 *
 * The scripts are whole: pressing Tab starts no program, which is why they are
 * written here and not by a library that would ask ours at every key.
 *
 * @module
 */
import { Argument, type Command } from "commander";
import type { CommandContext } from "./operator.ts";
import { bashScript, fishScript, zshScript } from "./shells.ts";
import { allPages, pageOf } from "./tree.ts";

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

type Shell = keyof typeof SHELLS;

/** Adds `completions` to the program. */
export function addCompletionsCommand(
  program: Command,
  { say }: CommandContext,
): void {
  program.command("completions")
    .description("print a shell's completion script, for it to load")
    .addArgument(
      new Argument("<shell>", "whose script").choices(Object.keys(SHELLS)),
    )
    .addHelpText(
      "after",
      "\nExample:\n  strongroom completions bash > " +
        "~/.local/share/bash-completion/completions/strongroom",
    )
    .action((shell: Shell) => {
      say(SHELLS[shell](allPages(pageOf(program))).trimEnd());
    });
}
