/**
 * What a machine keeps of a person, and who is asked for it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Terminal } from "../../src/cli/person/terminal.ts";
import { runProgram as runTheProgram } from "../support/program.ts";
import { platform } from "../../main.ts";
import { runProgram } from "../../src/cli/program.ts";
import {
  type Machine,
  newAccount,
  PASSWORD,
  settingsOf,
  signInWithWords,
  withTown,
} from "../support/people_commands.ts";

async function modeOf(path: string): Promise<number> {
  return ((await Deno.stat(path)).mode ?? 0) & 0o777;
}

Deno.test("keys and tokens are in a file that only its user can read, and an open one is refused", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const secret = laptop.path(".config/strongroom/default/secret");
    assert.equal(await modeOf(secret), 0o600);
    assert.equal(
      await modeOf(laptop.path(".config/strongroom/default")),
      0o700,
    );
    await Deno.chmod(secret, 0o644);
    const { status, stderr } = await laptop.run("whoami");
    assert.equal(status, 1);
    assert.match(stderr, /is open to others: chmod 600/);
  });
});

Deno.test("a phrase seals the secret, and nothing is done without it", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    const password = await laptop.write(".password", PASSWORD);
    const phrase = await laptop.write("phrase", "seven blue herons at noon");
    const sealed = ["--secret-file", phrase];
    await laptop.done(
      ...["login", town.url, "--new", "--address", "ada@example.org"],
      ...["--password-file", password, "--words-file", laptop.path("words")],
      ...sealed,
    );
    const secret = await Deno.readFile(
      laptop.path(".config/strongroom/default/secret"),
    );
    const text = new TextDecoder("latin1").decode(secret);
    assert.match(text, /^strongroom-secret\/v2\n/);
    assert.doesNotMatch(text, /master_key|session_token/);
    await laptop.done("whoami", ...sealed);
    const without = await laptop.run("whoami");
    assert.equal(without.status, 1);
    assert.match(without.stderr, /is encrypted with a phrase/);
    // A unit of systemd's has it as a credential, by its name or another.
    const credentials = laptop.path("credentials");
    await laptop.write(
      "credentials/strongroom-phrase",
      "seven blue herons at noon\n",
    );
    const unit = { ...settingsOf(laptop.home) };
    unit["CREDENTIALS_DIRECTORY"] = credentials;
    const inUnit = await runTheProgram(["whoami"], unit);
    assert.equal(inUnit.status, 0, inUnit.stderr);
    await Deno.rename(
      `${credentials}/strongroom-phrase`,
      `${credentials}/my.phrase`,
    );
    const byName = ["whoami", "--secret-file", "credential:my.phrase"];
    assert.equal((await runTheProgram(byName, unit)).status, 0);
    for (
      const [name, words] of [
        ["credential:../secret", /is not a credential/],
        ["credential:none", /there is no such file/],
      ] as const
    ) {
      const refused = ["whoami", "--secret-file", name];
      assert.match((await runTheProgram(refused, unit)).stderr, words);
    }
    const outside = await laptop.run(...byName);
    assert.match(outside.stderr, /LoadCredential=/);
    const other = await laptop.write("other", "seven red herons at noon");
    const wrong = await laptop.run("whoami", "--secret-file", other);
    assert.equal(wrong.status, 1);
    assert.match(wrong.stderr, /encrypted with another phrase/);
  });
});

Deno.test("no question is asked without a terminal", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    const login = await laptop.run("login", town.url, "--address", "a@b.c");
    assert.equal(login.status, 1);
    assert.match(
      login.stderr,
      /no terminal to ask: put the password into the first line of a file and name the file with --password-file PATH/,
    );
    const password = await laptop.write(".password", PASSWORD);
    const fresh = await laptop.run(
      ...["login", town.url, "--new", "--address", "a@b.c"],
      ...["--password-file", password],
    );
    assert.equal(fresh.status, 1);
    assert.match(fresh.stderr, /--words-file/);
    // Nothing was made: the address is free.
    await newAccount(town, laptop, "a@b.c");
  });
});

Deno.test("a new password is asked for twice, and two that differ make no account", async () => {
  const first = await typing(`${PASSWORD}\r${PASSWORD}\r`);
  assert.deepEqual(first, { said: "Password: \nOnce more: \n", got: PASSWORD });
  await assert.rejects(
    typing(`${PASSWORD}\r${PASSWORD}!\r`),
    /the two passwords differ, so nothing was done/,
  );
});

/** What `login --new` reads if a person types this. */
async function typing(keys: string): Promise<{ said: string; got: string }> {
  const typed = new TextEncoder().encode(keys);
  const said: Uint8Array[] = [];
  let at = 0;
  const shown = {
    isTerminal: () => true,
    writeSync(bytes: Uint8Array) {
      said.push(bytes.slice());
      return bytes.length;
    },
  };
  const terminal = new Terminal({
    stdin: {
      isTerminal: () => true,
      setRaw: () => {},
      readable: new Blob([typed]).stream(),
      read(into: Uint8Array) {
        const piece = typed.subarray(at, at + into.length);
        into.set(piece);
        at += piece.length;
        return Promise.resolve(piece.length === 0 ? null : piece.length);
      },
    },
    stdout: shown,
    stderr: shown,
  });
  const got = await terminal.askNewPassword("not here");
  return { said: await new Blob(said.map((one) => one.slice())).text(), got };
}

Deno.test("a device without the keys says so, and words that are not theirs open nothing", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    const words = await newAccount(town, laptop, "ada@example.org");
    const other = await town.machine("other");
    const password = await other.write(".password", PASSWORD);
    const locked = await other.run(
      ...["login", town.url, "--address", "ada@example.org"],
      ...["--password-file", password],
    );
    assert.equal(locked.status, 1);
    assert.match(locked.stderr, /recover --words-file/);
    assert.match((await other.run("ls")).stderr, /24 words/);
    const mixed = (await Deno.readTextFile(words)).trim().split(" ").reverse();
    const wrong = await other.write("wrong", mixed.join(" "));
    const refused = await other.run("recover", "--words-file", wrong);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /do not open the keys/);
    await other.done("recover", "--words-file", words);
    await other.done("ls");
  });
});

Deno.test("signing out takes keys and names away, and two profiles do not meet", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    const words = await newAccount(town, laptop, "ada@example.org");
    await laptop.write("in/my own birthday.txt", "cake");
    await laptop.done("push", laptop.path("in"));
    const state = laptop.path(".local/state/strongroom/default");
    assert(await isSaidIn(state, "my own birthday"));
    await laptop.done("logout", "--yes");
    assert(!await isSaidIn(state, "my own birthday"));
    await assert.rejects(
      Deno.stat(laptop.path(".config/strongroom/default/secret")),
      Deno.errors.NotFound,
    );
    assert.match((await laptop.run("whoami")).stderr, /strongroom login/);
    await signInWithWords(town, laptop, "ada@example.org", words);
    assert.match(await laptop.done("push", laptop.path("in")), /1 file known/);
    assert.match(await laptop.done("verify", "--receipts"), /nothing wrong/);
    assert.match(
      (await laptop.run("whoami", "--profile", "work")).stderr,
      /no one is signed in/,
    );
  });
});

/** Whether any file of a folder has these words in it. */
async function isSaidIn(folder: string, words: string): Promise<boolean> {
  for await (const { name } of Deno.readDir(folder)) {
    const bytes = await Deno.readFile(`${folder}/${name}`);
    if (new TextDecoder("latin1").decode(bytes).includes(words)) return true;
  }
  return false;
}

/**
 * Runs a command for a person who answers the terminal's questions. Returns all
 * that it printed.
 */
async function atTerminal(
  { home }: Machine,
  args: readonly string[],
  answer: (said: string) => string,
): Promise<{ readonly status: number; readonly said: string }> {
  const written: Uint8Array[] = [];
  const said = () =>
    new TextDecoder().decode(
      Uint8Array.from(written.flatMap((piece) => [...piece])),
    );
  const shown = {
    isTerminal: () => true,
    writeSync(bytes: Uint8Array) {
      written.push(bytes.slice());
      return bytes.length;
    },
  };
  const status = await runProgram([...args], platform, {
    streams: {
      stdin: {
        isTerminal: () => true,
        setRaw: () => {},
        readable: new Blob([]).stream(),
        read(into: Uint8Array) {
          const typed = new TextEncoder().encode(answer(said()));
          into.set(typed);
          return Promise.resolve(typed.length);
        },
      },
      stdout: shown,
      stderr: shown,
    },
    environment: settingsOf(home),
  });
  return { status, said: said() };
}

Deno.test("new words are shown with nothing before them, and one is asked back", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    // Whoever sits there types the word that was shown.
    const { status, said } = await atTerminal(laptop, ["phrase"], (said) => {
      const asked = /Word number (\d+)\? $/.exec(said)?.[1];
      const word = new RegExp(`\\b${asked}\\. ([a-z]+)`).exec(said)?.[1];
      return `${word}\r`;
    });
    assert.equal(status, 0, said);
    assert.match(said, /^ {2} 1\. [a-z]+ +2\. [a-z]+ +3\. [a-z]+/m);
    assert.doesNotMatch(said, /strongroom: .*\d\. [a-z]+/);
  });
});

Deno.test("who breaks off before a word is asked back has the account, and is told so", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    const password = await laptop.write(".password", `${PASSWORD}\n`);
    const { status, said } = await atTerminal(
      laptop,
      [
        ...["login", town.url, "--new", "--address", "ada@example.org"],
        ...["--password-file", password],
      ],
      // Control and C.
      () => "\u0003",
    );
    assert.equal(status, 1, said);
    assert.match(said, /this device is signed in, and the 24 words are valid/);
    assert.doesNotMatch(said, /nothing was done/);
    assert.match(await laptop.done("whoami"), /ada@example\.org/);

    // They count indeed.
    const words = [...said.matchAll(/\b\d+\. ([a-z]+)/g)].map(([, word]) =>
      word
    );
    assert.equal(words.length, 24);
    const other = await town.machine("other");
    const kept = await other.write("words", `${words.join(" ")}\n`);
    await signInWithWords(town, other, "ada@example.org", kept);
  });
});

Deno.test("a session is named by what tells it apart, and a refusal by its field", async () => {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const [session] = await laptop.events("devices");
    const id = String(session?.["session_id"]);
    assert((await laptop.done("devices")).startsWith(id.slice(-8)));
    const request = await laptop.run("request", "--expires", "365d");
    assert.equal(request.status, 1);
    assert.match(
      request.stderr,
      /expires at must lie in the future, at most 90 days ahead/,
    );
    const nowhere = await laptop.run("push", laptop.path("nowhere"));
    assert.equal(nowhere.status, 1);
    assert.match(nowhere.stderr, /nowhere: there is no such file or folder/);
  });
});
