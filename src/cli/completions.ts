/**
 * `strongroom completions`: scripts with which bash, zsh and fish complete
 * command lines. Each walks the words before the cursor to the command that
 * they name, passing over options and their values, and then offers what that
 * command takes.
 *
 * The scripts are whole: pressing Tab starts no program, which is why they are
 * written here and not by a library that would ask ours at every key.
 *
 * @module
 */
import {
  allPages,
  type CommandPage,
  type OptionPage,
  pageOf,
  type ValueKind,
} from "./command_tree.ts";
import { Argument, type Command } from "commander";
import type { CommandContext } from "./verb.ts";

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

type Pages = readonly CommandPage[];

/** The script that bash loads, from 4.2 on. */
export function bashScript(pages: Pages): string {
  const offer = (value: ValueKind | undefined) =>
    value?.kind === "file"
      ? "files=1"
      : value?.kind === "choice"
      ? `words=${quote(value.choices.join(" "))}`
      : ":";
  const byPath = pages.map((page) => {
    const options = page.options.flatMap((one) => one.names).join(" ");
    const commands = page.commands.map(nameOf).join(" ");
    return `    ${quote(keyOf(page))})
      options=${quote(options)}
      ${
      commands === "" ? argumentCases(page, offer) : `words=${quote(commands)}`
    }
      ;;`;
  });
  return `# bash completion for strongroom
_strongroom() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local path= options= words= files= position=0 i word
  # bash makes three words of --option=value.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$path $word" in
${
    walkCases(
      pages,
      "i=$((i + 1)) && [[ ${COMP_WORDS[i]} == = ]] && i=$((i + 1))",
    )
  }
      *' '-*) ;;
      *) position=$((position + 1)) ;;
    esac
  done
  COMPREPLY=()
  case "$path $prev" in
${valueCases(pages, offer)}
    *)
      case "$path" in
${byPath.map(indent).join("\n")}
      esac
      [[ $cur == -* ]] && words=$options files=
      ;;
  esac
  if [[ -n $files ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  fi
}
complete -F _strongroom strongroom
`;
}

/** The script that zsh loads, as `_strongroom` on its fpath or sourced. */
export function zshScript(pages: Pages): string {
  const offer = (value: ValueKind | undefined) =>
    value?.kind === "file"
      ? "_files"
      : value?.kind === "choice"
      ? `compadd -- ${value.choices.map(quote).join(" ")}`
      : "_message value";
  const described = (name: string, text: string) =>
    quote(`${name.replaceAll(":", "\\:")}:${text.replaceAll(":", "\\:")}`);
  const byPath = pages.map((page) => {
    const options = page.options.flatMap((one) =>
      one.names.map((name) => described(name, one.description))
    );
    const commands = page.commands.map((one) =>
      described(nameOf(one), one.summary)
    );
    return `    ${quote(keyOf(page))})
      options=(${options.join(" ")})
      if [[ $PREFIX == -* ]]; then
        _describe -o option options
      else
        ${
      commands.length === 0
        ? argumentCases(page, offer)
        : `commands=(${commands.join(" ")})\n        _describe command commands`
    }
      fi
      ;;`;
  });
  return `#compdef strongroom
_strongroom() {
  local at= word
  local -i i position=0
  local -a options commands
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case "$at $word" in
${walkCases(pages, "i+=1").replaceAll("path=", "at=")}
      *' '-*) ;;
      *) position+=1 ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${valueCases(pages, offer)}
    *)
      case "$at" in
${byPath.map(indent).join("\n")}
      esac
      ;;
  esac
}
if [[ $funcstack[1] == _strongroom ]]; then
  _strongroom "$@"
else
  compdef _strongroom strongroom
fi
`;
}

/**
 * The script that fish loads. Its `__strongroom_at PATH [POSITION]` says
 * whether the line is at a command, and at which argument of it.
 */
export function fishScript(pages: Pages): string {
  const values = new Set(
    pages.flatMap((page) => page.options.filter(takesValue))
      .flatMap((one) => one.names),
  );
  const paths = pages.map(keyOf).filter((key) => key !== "");
  const lines = pages.flatMap((page) => {
    const at = `complete -c strongroom -n ${
      fishQuote(`__strongroom_at ${fishQuote(keyOf(page))}`)
    }`;
    const after = (value: ValueKind | undefined) =>
      value?.kind === "file"
        ? " -r -F"
        : value?.kind === "choice"
        ? ` -x -a ${fishQuote(value.choices.join(" "))}`
        : value === undefined
        ? ""
        : " -x";
    const named = (name: string) =>
      name.startsWith("--") ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`;
    return [
      ...page.commands.map((one) =>
        `${at} -a ${nameOf(one)} -d ${fishQuote(one.summary)}`
      ),
      ...page.options.map((one) =>
        at + one.names.map(named).join("") + after(one.value) +
        ` -d ${fishQuote(one.description)}`
      ),
      ...page.arguments.flatMap(({ value }, index) =>
        value.kind === "text" ? [] : [
          `complete -c strongroom -n ${
            fishQuote(`__strongroom_at ${fishQuote(keyOf(page))} ${index}`)
          }` +
          (value.kind === "file"
            ? " -F"
            : ` -a ${fishQuote(value.choices.join(" "))}`),
        ]
      ),
    ];
  });
  return `# fish completion for strongroom
function __strongroom_at
    set -l at ''
    set -l isvalue 0
    set -l position 0
    for word in (commandline -opc)[2..-1]
        if test $isvalue = 1
            set isvalue 0
        else if contains -- $word ${[...values].join(" ")}
            set isvalue 1
        else if contains -- "$at $word" ${paths.map(fishQuote).join(" ")}
            set at "$at $word"
        else if not string match -q -- '-*' $word
            set position (math $position + 1)
        end
    end
    test "$at" = "$argv[1]"; and not test "$argv[2]" != "" -a "$argv[2]" != $position
end
complete -c strongroom -f
${lines.join("\n")}
`;
}

/** The words of a command, each after a space: none for the program. */
function keyOf({ path }: CommandPage): string {
  return path.map((word) => ` ${word}`).join("");
}

function nameOf({ path }: CommandPage): string {
  return path.at(-1) ?? "";
}

function takesValue({ value }: OptionPage): boolean {
  return value !== undefined;
}

/** Cases of `"$path $word"`: down to a command, or past an option's value. */
function walkCases(pages: Pages, skip: string): string {
  return pages.flatMap((page) => {
    const names = page.options.filter(takesValue).flatMap((one) => one.names);
    const key = keyOf(page);
    return [
      ...key === "" ? [] : [`      ${quote(key)}) path=${quote(key)} ;;`],
      ...names.map((name) => `      ${quote(`${key} ${name}`)}) ${skip} ;;`),
    ];
  }).join("\n");
}

/** Cases of `"$path $prev"` in which an option's value stands next. */
function valueCases(
  pages: Pages,
  offer: (value: ValueKind | undefined) => string,
): string {
  return pages.flatMap((page) =>
    page.options.filter(takesValue).flatMap(({ names, value }) =>
      names.map((name) =>
        `    ${quote(`${keyOf(page)} ${name}`)}) ${offer(value)} ;;`
      )
    )
  ).join("\n");
}

/** A case of `$position` for each argument of a command. */
function argumentCases(
  page: CommandPage,
  offer: (value: ValueKind | undefined) => string,
): string {
  const cases = page.arguments.map(({ value }, index) =>
    `${index}) ${offer(value)} ;;`
  );
  return cases.length === 0 ? ":" : `case $position in ${cases.join(" ")} esac`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

/** A word of a shell's, whatever is in it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same for fish, in whose quotes a backslash is one still. */
function fishQuote(text: string): string {
  return quote(text.replaceAll("\\", "\\\\"));
}
