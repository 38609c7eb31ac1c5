/**
 * The commands for people: their names, arguments and options. What they do is
 * loaded when one is run, so that the server's start does not pay for it.
 *
 * @module
 */
import type { Command } from "commander";
import type { CommandContext } from "../operator.ts";
import type { LoginOptions } from "./account.ts";
import {
  personCommand,
  type PersonOptions,
  withPerson,
  withProfile,
} from "./person.ts";

const PEOPLE = "People:";

/** Adds the commands for people to the program. */
export function addPeopleCommands(
  program: Command,
  context: CommandContext,
): void {
  program.commandsGroup(PEOPLE);

  personCommand(
    program.command("login <url>").description(
      "sign in to a server, or make an account there, and have its keys here",
    )
      .option("--address <address>", "what you sign in with")
      .option("--new", "make an account; its 24 words are shown once")
      .option("--password-file <path>", "its first line; - is standard input")
      .option("--code <digits>", "of the second factor")
      .option(
        "--words-file <path>",
        "24 words: written there with --new, else read from it",
      )
      .option("--device <name>", "what this machine is called"),
    "login https://photos.example.org --new --address ada@example.org",
  ).action((url: string, options: PersonOptions & LoginOptions) =>
    withProfile(context, options, async (profile) => {
      const { login } = await import("./account.ts");
      await login(profile, url, options);
    })
  );

  personCommand(
    program.command("logout").description(
      "end this machine's session and take its keys away from here",
    ),
    "logout",
  ).action((options: PersonOptions) =>
    withPerson(context, options, async ({ session, tell }) => {
      await session.signOut();
      tell({ event: "signed_out" }, "signed out; the keys are gone from here");
    })
  );

  personCommand(
    program.command("whoami").description(
      "who is signed in here, how much is stored, and how it is recovered",
    ),
    "whoami",
  ).action((options: PersonOptions) =>
    withPerson(context, options, async (person) => {
      const { whoami } = await import("./account.ts");
      await whoami(person);
    })
  );

  personCommand(
    program.command("recover").description(
      "get the account's keys back with 24 words or a phrase",
    ).option("--words-file <path>", "holds them; - is standard input"),
    "recover",
  ).action((options: PersonOptions & { wordsFile?: string }) =>
    withProfile(context, options, async (profile) => {
      const { recover } = await import("./account.ts");
      await recover(profile, options);
    })
  );

  personCommand(
    program.command("phrase").description(
      "make 24 new words that open the keys, or set a phrase of your own",
    )
      .option("--words-file <path>", "write the 24 words there")
      .option("--phrase-file <path>", "a phrase of your own, its first line"),
    "phrase --words-file words.txt",
  ).action((
    options: PersonOptions & { wordsFile?: string; phraseFile?: string },
  ) =>
    withPerson(context, options, async (person) => {
      const { phrase } = await import("./account.ts");
      await phrase(person, options);
    })
  );

  personCommand(
    program.command("push <path...>").description(
      "keep files and folders: what is new is sent, nothing is removed, here " +
        "or there",
    )
      .option(
        "--exclude <pattern...>",
        "names or paths, as in .strongroomignore",
      )
      .option("--dry-run", "say what would be sent"),
    "push ~/Pictures",
  ).action((
    paths: string[],
    options: PersonOptions & { exclude?: string[]; dryRun?: true },
  ) =>
    withPerson(context, options, async (person) => {
      const { push } = await import("./push.ts");
      await push(person, paths, options);
    })
  );

  personCommand(
    program.command("pull <folder>").description(
      "write your files into a folder; what is there is never written over",
    )
      .option("--query <words>", "only these, as `ls` finds them")
      .option(
        "--layout <path>",
        "made of {yyyy}, {mm}, {dd}, {path}, {name} and {id}",
        "{yyyy}/{mm}/{name}",
      )
      .option("--sidecars", "what is known of each file, as JSON beside it"),
    "pull ~/Pictures/back --query 'june 2024'",
  ).action((
    folder: string,
    options: PersonOptions & {
      layout: string;
      query?: string;
      sidecars?: true;
    },
  ) =>
    withPerson(context, options, async (person) => {
      const { pull } = await import("./pull.ts");
      await pull(person, folder, options);
    })
  );

  personCommand(
    program.command("ls [words...]").alias("find").description(
      "list your files: all, or those that every word is met by (a name, " +
        "june, 2024-06, photos, films, a camera)",
    ),
    "ls june 2024",
  ).action((words: string[], options: PersonOptions) =>
    withPerson(context, options, async (person) => {
      const { list } = await import("./listing.ts");
      await list(person, words);
    })
  );

  personCommand(
    program.command("get <words...>").description(
      "write one file to standard output",
    ),
    "get 3f2a91bc > walk.jpg",
  ).action((words: string[], options: PersonOptions) =>
    withPerson(context, options, async (person) => {
      const { get } = await import("./listing.ts");
      await get(person, words);
    })
  );

  personCommand(
    program.command("rm <words...>").description("move files to the trash")
      .option("--yes", "more than one at a time"),
    "rm 3f2a91bc",
  ).action((words: string[], options: PersonOptions & { yes?: true }) =>
    withPerson(context, options, async (person) => {
      const { remove } = await import("./listing.ts");
      await remove(person, words, options);
    })
  );

  const trash = program.command("trash").description(
    "what was thrown away and is not gone yet",
  );
  personCommand(
    trash.command("ls").description("list the trash"),
    "trash ls",
  ).action((options: PersonOptions) =>
    withPerson(context, options, async (person) => {
      const { listTrash } = await import("./listing.ts");
      await listTrash(person);
    })
  );
  personCommand(
    trash.command("restore <words...>").description("take files out of it"),
    "trash restore 3f2a91bc",
  ).action((words: string[], options: PersonOptions) =>
    withPerson(context, options, async (person) => {
      const { restore } = await import("./listing.ts");
      await restore(person, words);
    })
  );

  personCommand(
    program.command("share <words...>").description(
      "make a link to files, for whoever has it",
    )
      .option("--title <text>", "what the page is called")
      .option("--expires <time>", "ends after 45m, 12h, 7d, 2w")
      .option("--passphrase-file <path>", "asked of whoever opens it"),
    "share june 2024 --expires 7d --title 'Our walk'",
  ).action((
    words: string[],
    options: PersonOptions & {
      title?: string;
      expires?: string;
      passphraseFile?: string;
    },
  ) =>
    withPerson(context, options, async (person) => {
      const { share } = await import("./sharing.ts");
      await share(person, words, options);
    })
  );

  const links = program.command("links").description("the links you made");
  personCommand(
    links.command("ls").description("list them"),
    "links ls",
  ).action((options: PersonOptions) =>
    withPerson(context, options, async (person) => {
      const { listLinks } = await import("./sharing.ts");
      await listLinks(person);
    })
  );
  personCommand(
    links.command("end <id>").description("nothing opens by it any more"),
    "links end 3f2a91bc",
  ).action((id: string, options: PersonOptions) =>
    withPerson(context, options, async (person) => {
      const { endLink } = await import("./sharing.ts");
      await endLink(person, id);
    })
  );

  program.commandsGroup("Operator:");
}
