/**
 * `deno task manual`: the manual page (`dist/strongroom.1`) and the pages of
 * `src/docs` that the command line, the settings and the operations declare.
 * None of them is edited by hand.
 *
 * @module
 */
import { settingPages } from "../src/config.ts";
import { getLogger } from "@logtape/logtape";
import { declareProgram } from "../src/cli/program.ts";
import { allPages, type CommandPage, pageOf } from "../src/cli/command_tree.ts";
import { configurationPage } from "./manual/configuration.ts";
import { formatted, writeProtocolPages } from "./manual/protocol.ts";
import { DIST, ROOT, runScript, say, VERSION } from "./packaging/release.ts";

export const COMMANDS_PAGE = `${ROOT}src/docs/commands.md`;
const CONFIGURATION_PAGE = `${ROOT}src/docs/configuration.md`;
const MAN_PAGE = `${DIST}/strongroom.1`;

/** The program's commands, the program itself first. */
export async function declaredPages(): Promise<CommandPage[]> {
  const nothing = () => {
    throw new Error("a declaration runs nothing");
  };
  return allPages(pageOf(
    await declareProgram({
      platform: {
        now: nothing,
        monotonic: nothing,
        random: nothing,
        sleep: nothing,
        fetch: nothing,
        log: getLogger([]),
      },
      streams: Deno,
      say: nothing,
      warn: nothing,
      endWith: nothing,
    }),
  ));
}

/** Those that do something by themselves, and the program. */
async function ownPages(): Promise<CommandPage[]> {
  return (await declaredPages()).filter((page) =>
    page.path.length === 0 || page.commands.length === 0 ||
    page.examples.length > 0
  );
}

const STATUSES: readonly [string, string][] = [
  ["0", "done"],
  [
    "1",
    "refused or failed; a line on standard error says what, why and what to do",
  ],
  [
    "2",
    "the command line was not understood, or the server's settings are wrong",
  ],
];

/** How many commands have to mean the same by an option for it to stand once. */
const SHARED_FROM = 6;

/**
 * The options that stand once for all commands, as their items: in the words of
 * most commands that have them. A command that means something else lists it.
 */
function sharedItems(pages: readonly CommandPage[]): Set<string> {
  const options = Map.groupBy(
    pages.flatMap((page) => page.options),
    ({ flags }) => flags,
  );
  return new Set(
    [...options.values()].flatMap((ofOne) => {
      const meanings = Map.groupBy(ofOne, optionItem);
      return [...meanings].filter(([, { length }]) =>
        length >= SHARED_FROM && 2 * length > ofOne.length
      ).map(([words]) => words);
    }),
  );
}

/** `src/docs/commands.md`, as `deno fmt` has it. */
export async function commandsMarkdown(): Promise<string> {
  const pages = await ownPages();
  const shared = sharedItems(pages);
  const commands = pages.map((page) => {
    const own = page.options.map(optionItem)
      .filter((option) => !shared.has(option));
    const terms = page.arguments.filter(({ description }) => description !== "")
      .map((one) => item(one.term, one.description));
    return `
## \`${["strongroom", ...page.path].join(" ")}\`

${sentence(page.summary)}

\`\`\`
${[page.usage, ...page.examples.map((line) => `$ ${line}`)].join("\n")}
\`\`\`

${[...terms, ...own].join("")}`;
  });
  return await formatted(`# Commands and settings

Made by \`deno task manual\` from what the program declares; \`--help\` and
\`man strongroom\` say the same.

A command ends with status 0 when it was done, with 1 when it was refused or
failed (a line on standard error says what, why and what to do), and with 2 when
the command line was not understood, or the server does not start because its
settings are wrong.

## Options of many commands

\`strongroom COMMAND --help\` says which of these a command has. A command that
means something else by one of them lists it itself.

${[...shared].toSorted().join("")}${commands.join("")}
## Settings

Environment variables, or lines \`NAME=value\` of the file that \`--env-file\`
names. [Configuration](configuration.md) lists them all.
`);
}

function optionItem(
  one: { readonly flags: string; readonly description: string },
): string {
  return item(one.flags, one.description);
}

function item(term: string, text: string): string {
  return `- \`${term}\`: ${text}\n`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) +
    (/[.!?]$/.test(text) ? "" : ".");
}

/**
 * The manual page in the macros of man(7). Its date is SOURCE_DATE_EPOCH,
 * where that is set, so that a build can be repeated.
 */
export async function manPage(): Promise<string> {
  const epoch = Deno.env.get("SOURCE_DATE_EPOCH");
  const date = epoch === undefined ? new Date() : new Date(Number(epoch) * 1e3);
  const [program, ...commands] = await ownPages();
  return [
    `.TH STRONGROOM 1 ${
      date.toISOString().slice(0, 10)
    } "strongroom ${VERSION}"`,
    ".SH NAME",
    "strongroom \\- end\\-to\\-end encrypted photo and file server",
    ".SH SYNOPSIS",
    ".B strongroom",
    "[\\fIcommand\\fR] [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    filled(sentence(program?.summary ?? "")),
    "It holds only ciphertext and signed documents.",
    "With no command and no settings it serves on 127.0.0.1:8470 out of",
    ".IR ./data ,",
    "which it creates.",
    ".PP",
    "No command needs a running server, and every command is safe while one runs:",
    "it takes effect on the next request.",
    ".SH OPTIONS",
    ...options(program),
    ".SH COMMANDS",
    ...commands.flatMap((page) => [
      `.SS ${roff(page.usage)}`,
      filled(sentence(page.summary)),
      ...page.arguments.flatMap((one) =>
        one.description === "" ? [] : term(one.term, sentence(one.description))
      ),
      ...options(page),
      ...page.examples.length === 0 ? [] : [
        ".PP",
        ".nf",
        ...page.examples.map((line) => `    ${roff(line)}`),
        ".fi",
      ],
    ]),
    ".SH SETTINGS",
    "Environment variables, or lines NAME=value of the file that",
    "\\fB\\-\\-env\\-file\\fR names; by default",
    ".I strongroom.env",
    "next to the data directory, if it names that one, or else",
    ".IR /etc/strongroom/strongroom.env .",
    "The environment wins over the file, and \\fB\\-\\-data\\-dir\\fR over both.",
    "Unknown STRONGROOM_ names are refused.",
    ...settingPages.flatMap(({ name, preset, doc }) =>
      term(name, doc + (preset === "" ? "" : ` Default: ${preset}.`))
    ),
    '.SH "EXIT STATUS"',
    ...STATUSES.flatMap(([status, what]) => term(status, sentence(what))),
    ".SH FILES",
    ...term(
      "db/strongroom.sqlite",
      "Accounts, manifests and receipts, in the data directory.",
    ),
    ...term(
      "blobs/",
      "What was uploaded, by its hash, encrypted by its owners.",
    ),
    ...term("uploads/", "What has arrived of uploads that are under way."),
    ...term("keys/", "The server's own keys, which only the server may read."),
    ...term("lock", "Held by the server that runs on the data directory."),
    "",
  ].filter((line, index, lines) => line !== "" || index === lines.length - 1)
    .join("\n");
}

function options(page: CommandPage | undefined): string[] {
  return (page?.options ?? []).flatMap((one) =>
    term(one.flags, sentence(one.description))
  );
}

function term(name: string, text: string): string[] {
  return [".TP", `.B ${roff(name)}`, filled(text)];
}

/** Where input lines of roff are folded, as its readers expect. */
const FOLD_AT = 76;

/** A paragraph: each sentence begins a line, and none is long. */
function filled(text: string): string {
  return text.split(/(?<=[.!?]) (?=[A-Z])/).flatMap((sentence) => {
    const lines = [""];
    for (const word of sentence.split(" ")) {
      const line = lines.at(-1) ?? "";
      if (line !== "" && line.length + word.length >= FOLD_AT) lines.push(word);
      else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
    }
    return lines.map(roff);
  }).join("\n");
}

/** A line of text as roff takes it literally. */
function roff(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-")
    .replaceAll("…", "...").replace(/^([.'])/, "\\&$1");
}

if (import.meta.main) {
  await runScript(async () => {
    await Deno.mkdir(DIST, { recursive: true });
    await Deno.writeTextFile(MAN_PAGE, await manPage());
    await Deno.writeTextFile(COMMANDS_PAGE, await commandsMarkdown());
    await Deno.writeTextFile(CONFIGURATION_PAGE, configurationPage());
    await writeProtocolPages();
    say(`${MAN_PAGE}\n${ROOT}src/docs`);
  });
}
