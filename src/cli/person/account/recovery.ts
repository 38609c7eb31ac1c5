/**
 * `strongroom recover` and `phrase`: how the keys are got back, with 24 words.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";
import {
  ApiProblem,
  keepWords,
  newRecoveryWords,
  readRecoveryWords,
  recoverVault,
  resumeSession,
  type Session,
  type Vault,
} from "../../../library/mod.ts";
import { OPENED_WITH_WORDS } from "../sharing/trusting.ts";
import {
  type CliContext,
  type OpenProfile,
  refuseGivenPassword,
} from "../cli_context.ts";

/** Gets the keys back with the words. */
export async function recovered(
  profile: OpenProfile,
  session: Session,
  wordsFile: string | undefined,
): Promise<Vault> {
  const { terminal } = profile;
  const typed = wordsFile === undefined
    ? await terminal.askHidden(
      "Your 24 words: ",
      "give a file that contains them with --words-file",
    )
    : await terminal.lineOf(wordsFile, "24 words");
  const words = await readRecoveryWords(typed);
  if (!words.ok && words.fault === "unknown") {
    const count = typed.trim().split(/\s+/).length;
    if (count === 24) {
      profile.warn(
        `no such word: ${
          words.places.map((place) => `number ${place}`).join(", ")
        }`,
      );
    }
  }
  const vault = await recoverVault(session, typed);
  profile.warn(OPENED_WITH_WORDS);
  return vault;
}

/** Makes 24 words that open the keys, and hands them to the person. */
export async function giveWords(
  { platform, terminal, tell, warn, show }: OpenProfile,
  vault: Vault,
  wordsFile: string | undefined,
): Promise<void> {
  const words = await newRecoveryWords(platform.random);
  if (wordsFile !== undefined) {
    // Kept before they count: lost words open nothing.
    await Deno.writeTextFile(wordsFile, `${words}\n`, {
      createNew: true,
      mode: 0o600,
    });
  }
  try {
    await keepWords(vault, words);
  } catch (error) {
    if (wordsFile !== undefined) await takeBack(wordsFile, error, warn);
    throw error;
  }
  if (wordsFile !== undefined) {
    tell(
      { event: "words", file: wordsFile },
      `your 24 words are in ${wordsFile}: print it, then delete it ` +
        "from this disk",
    );
    return;
  }
  const list = words.split(" ");
  const rows = Array.from(
    { length: 6 },
    (_, row) =>
      Array.from(
        { length: 4 },
        (_, column) =>
          `${String(row * 4 + column + 1).padStart(2)}. ${
            (list[row * 4 + column] ?? "").padEnd(10)
          }`,
      ).join(" "),
  );
  warn(
    "write these 24 words on paper. They open your photos if you lose " +
      "every device, and no one can give them to you again:",
  );
  show(["", ...rows.map((row) => `  ${row}`), ""].join("\n"));
  const [drawn = 0] = platform.random(1);
  const place = 1 + drawn % list.length;
  for (;;) {
    const typed = await terminal.ask(
      `Word number ${place}? `,
      "",
      "this device is signed in, and the 24 words are valid although you " +
        "did not confirm them: `strongroom phrase` makes new ones",
    );
    if (typed.trim().toLowerCase() === list[place - 1]) break;
    warn("that is a different word: look again");
  }
}

/** Words that were refused open nothing; of others one cannot know. */
async function takeBack(
  wordsFile: string,
  error: unknown,
  warn: (line: string) => void,
): Promise<void> {
  const isRefused = error instanceof OperatorFault ||
    (error instanceof ApiProblem && error.status < 500);
  if (isRefused) await Deno.remove(wordsFile);
  else {
    warn(
      `it is not known whether the words in ${wordsFile} open your keys: ` +
        "keep them and your earlier ones until you have run this again",
    );
  }
}

/** `recover`: the keys of the session that is here. */
export async function recover(
  profile: OpenProfile,
  { wordsFile }: { readonly wordsFile?: string },
): Promise<void> {
  const session = await resumeSession(profile.platform, profile.sessionOptions);
  refuseGivenPassword(session);
  await recovered(profile, session, wordsFile);
  await session.settled();
  profile.tell({ event: "recovered" }, "the keys are here");
}

/** `phrase`: 24 new words. */
export async function phrase(
  cli: CliContext,
  { wordsFile }: { readonly wordsFile?: string },
): Promise<void> {
  await giveWords(cli, cli.library.vault, wordsFile);
}
