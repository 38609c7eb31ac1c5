/**
 * The declared commands as plain data: what the manual and the completions of
 * the shells are made of.
 *
 * @module
 */
import type { Argument, Command, Option } from "commander";

/** What stands after an option's name, or in an argument's place. */
export type ValueKind =
  | { readonly kind: "file" }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "text" };

/** An argument of a command. */
interface ArgumentPage {
  /** As usage writes it, such as `<server_id>` or `[file...]`. */
  readonly term: string;
  readonly description: string;
  readonly value: ValueKind;
}

/** An option of a command. */
export interface OptionPage {
  /** As it was declared, such as `-V, --version` or `--data-dir <path>`. */
  readonly flags: string;
  /** Its names alone, short before long. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for a flag. */
  readonly value: ValueKind | undefined;
}

/** A command with everything below it. */
export interface CommandPage {
  /** The words after `strongroom`; none for the program itself. */
  readonly path: readonly string[];
  readonly summary: string;
  /** As its help writes it, such as `strongroom peer pin [options] <…>`. */
  readonly usage: string;
  /** The command lines of its help's example. */
  readonly examples: readonly string[];
  readonly arguments: readonly ArgumentPage[];
  readonly options: readonly OptionPage[];
  readonly commands: readonly CommandPage[];
}

/** A command and what is below it; what `--help` hides is left out. */
export function pageOf(
  command: Command,
  path: readonly string[] = [],
): CommandPage {
  const help = command.createHelp();
  return {
    path,
    summary: command.description(),
    usage: help.commandUsage(command),
    examples: examplesOf(command),
    arguments: command.registeredArguments.map(argumentPage),
    options: help.visibleOptions(command).map(optionPage),
    commands: help.visibleCommands(command)
      .filter((one) => one.name() !== "help")
      .map((one) => pageOf(one, [...path, one.name()])),
  };
}

/** A page and all pages below it, each before its own commands. */
export function allPages(page: CommandPage): CommandPage[] {
  return [page, ...page.commands.flatMap(allPages)];
}

/** Commander keeps what is added to the help to itself, until it is shown. */
function examplesOf(command: Command): string[] {
  const output = command.configureOutput();
  let shown = "";
  command.configureOutput({ writeOut: (text) => shown += text });
  command.outputHelp();
  command.configureOutput(output);
  const [, examples = ""] = shown.split(/^Examples?:$/m);
  return examples.split("\n").map((line) => line.trim())
    .filter((line) => line !== "");
}

function argumentPage(argument: Argument): ArgumentPage {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return {
    term: argument.required ? `<${name}>` : `[${name}]`,
    description: argument.description,
    value: valueKind(argument.name(), argument.argChoices),
  };
}

function optionPage(option: Option): OptionPage {
  const takesValue = option.required || option.optional;
  return {
    flags: option.flags,
    names: [option.short, option.long].filter((one) => one !== undefined),
    description: option.description,
    value: takesValue ? valueKind(option.flags, option.argChoices) : undefined,
  };
}

/** What a value is follows from what the declaration calls it. */
function valueKind(
  name: string,
  choices: readonly string[] | undefined,
): ValueKind {
  if (choices !== undefined) return { kind: "choice", choices };
  const placeholder = name.replace(/^[^<[]*[<[]/, "");
  return /^(path|dir|directory|file|folder|keys)\b/i.test(placeholder)
    ? { kind: "file" }
    : { kind: "text" };
}
