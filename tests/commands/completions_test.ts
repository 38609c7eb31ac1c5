/**
 * `strongroom completions` in the shells that load them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { debianProgram } from "../support/debian.ts";
import { runProgram, withDataDir } from "../support/program.ts";

const BASH = await debianProgram("bash", "bash");
const ZSH = await debianProgram("zsh", "zsh");
const FISH = await debianProgram("fish", "fish");

/** What is typed, and what the shell then offers. */
const OFFERS: readonly [typed: string, offered: readonly string[]][] = [
  ["strongroom pee", ["peer"]],
  ["strongroom peer ", ["list", "pin", "unpin"]],
  ["strongroom peer u", ["unpin"]],
  ["strongroom peer pin --j", ["--json"]],
  ["strongroom serve --data-dir peer --en", ["--env-file"]],
  ["strongroom peer list --json --env", ["--env-file"]],
  ["strongroom completions ", ["bash", "fish", "zsh"]],
  ["strongroom completions z", ["zsh"]],
  ["strongroom completions zsh ", []],
  ["strongroom serve --env-file ./set", ["./settings.env"]],
];

/** The answers of a shell to every line, one after the other. */
async function offersOf(
  shell: string,
  program: string | undefined,
  driver: string,
): Promise<void> {
  await withDataDir(async (folder) => {
    const script = await runProgram(["completions", shell]);
    assert.equal(script.status, 0, script.stderr);
    await Deno.writeTextFile(`${folder}/script`, script.stdout);
    await Deno.writeTextFile(`${folder}/settings.env`, "");
    for (const [typed, offered] of OFFERS) {
      const { code, stdout, stderr } = await new Deno.Command(program ?? "", {
        args: ["-c", driver],
        cwd: folder,
        env: { TYPED: typed, HOME: folder },
      }).output();
      const complaint = new TextDecoder().decode(stderr);
      assert.equal(code, 0, complaint);
      assert.equal(complaint, "");
      const lines = new TextDecoder().decode(stdout).split("\n")
        .map((line) => line.replace(/\t.*$/, "")).filter((line) => line !== "");
      assert.deepEqual(lines.sort(), offered, `${shell}: ${typed}`);
    }
  });
}

Deno.test({
  name: "bash completes commands, options and their values",
  ignore: BASH === undefined,
  fn: () =>
    offersOf(
      "bash",
      BASH,
      `source ./script
       compopt() { :; } # outside of a completion it only complains
       read -ra COMP_WORDS <<<"$TYPED"
       [[ $TYPED == *' ' ]] && COMP_WORDS+=('')
       COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
       _strongroom strongroom
       printf '%s\\n' "\${COMPREPLY[@]}"`,
    ),
});

Deno.test({
  name: "fish completes commands, options and their values",
  ignore: FISH === undefined,
  fn: () => offersOf("fish", FISH, 'source ./script; complete -C "$TYPED"'),
});

Deno.test({
  name: "zsh takes the script whole, and finds the command that a line names",
  ignore: ZSH === undefined,
  fn: () =>
    offersOf(
      "zsh",
      ZSH,
      // The completion system's own functions work at a prompt alone.
      `compdef() { :; }
       source ./script
       words=(\${(s: :)TYPED}); [[ $TYPED == *' ' ]] && words+=('')
       CURRENT=$#words PREFIX=$words[-1]
       offer() { local one; for one; do
         [[ $one == $PREFIX* ]] && print -r -- "\${one%%:*}"; done; true }
       _describe() { offer \${(P)argv[-1]} }
       compadd() { shift; offer "$@" }
       _files() { offer ./* }
       _message() { : }
       _strongroom`,
    ),
});

Deno.test("bash finds the value behind an equals sign", {
  ignore: BASH === undefined,
}, async () => {
  await withDataDir(async (folder) => {
    const script = await runProgram(["completions", "bash"]);
    await Deno.writeTextFile(`${folder}/script`, script.stdout);
    await Deno.writeTextFile(`${folder}/settings.env`, "");
    const offered = async (...words: string[]) => {
      const { stdout } = await new Deno.Command(BASH ?? "", {
        args: [
          "-c",
          'source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); ' +
          "_strongroom 2>/dev/null; printf '%s\\n' \"${COMPREPLY[@]}\"",
          ...["bash", ...words],
        ],
        cwd: folder,
      }).output();
      return new TextDecoder().decode(stdout).trim();
    };
    const line = ["strongroom", "peer", "list", "--env-file", "="];
    assert.equal(await offered(...line, "set"), "settings.env");
    assert.equal(await offered(...line, "settings.env", "--js"), "--json");
  });
});

Deno.test("an unknown shell is a wrong use, and the help has an example", async () => {
  for (const args of [[], ["ksh"], ["bash", "zsh"]]) {
    assert.equal((await runProgram(["completions", ...args])).status, 2);
  }
  const help = await runProgram(["completions", "--help"]);
  assert.equal(help.status, 0);
  assert.match(help.stdout, /Example:\n {2}strongroom completions bash/);
});
