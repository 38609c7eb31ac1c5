/**
 * Signing in through a real identity provider from the command line, and links
 * as QR codes that a telephone reads.
 *
 * @module
 */
import assert from "node:assert/strict";
import { debianProgram } from "../support/debian.ts";
import {
  type Machine,
  newAccount,
  settingsOf,
  withTown,
} from "../support/people_commands.ts";
import { programCommand } from "../support/program.ts";
import { walkThrough, withProvider } from "../support/provider.ts";

const ZBARIMG = await debianProgram("zbarimg", "zbar-tools");

/** Signs in with a browser's part played by hand; what was said at the end. */
async function signIn(
  machine: Machine,
  args: readonly string[],
): Promise<string> {
  const command = programCommand(["login", ...args]);
  const child = new Deno.Command(command.program, {
    args: command.args,
    cwd: new URL("../../", import.meta.url),
    env: settingsOf(machine.home),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const errors = new Response(child.stderr).text();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!said.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) assert.fail(await errors);
    said += value;
  }
  const back = await walkThrough(said.trim(), "ada");
  // A page that knocks with another sign-in is not let in.
  for (const query of ["", "?code=x&state=y", `?state=${back.state}x`]) {
    const answer = await fetch(`${back.to}${query}`);
    assert.equal(answer.status, 404, query);
    await answer.body?.cancel();
  }
  const { code, state } = back;
  const answer = await fetch(`${back.to}?${new URLSearchParams({
    code,
    state,
  })}`);
  assert.match(await answer.text(), /You are signed in/);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    said += value;
  }
  assert.equal((await child.status).code, 0, await errors);
  return said;
}

Deno.test("a person signs in through an identity provider, and again on another machine", async () => {
  await withProvider(async (provider) => {
    provider.people.set("ada", {
      email: "ada@example.org",
      email_verified: true,
    });
    await withTown(async (town) => {
      const laptop = await town.machine("laptop");
      const words = laptop.path("words");
      const said = await signIn(laptop, [
        ...[town.url, "--oidc", "--new", "--words-file", words],
      ]);
      assert.match(said, /signed in to .*; the keys are here/);
      await laptop.write("in/a.txt", "hello");
      await laptop.done("push", laptop.path("in"));
      assert.match(await laptop.done("whoami"), /recovery: words/);
      const other = await town.machine("other");
      await signIn(other, [town.url, "--oidc", "--words-file", words]);
      assert.equal(await other.done("get", "a.txt"), "hello");
    }, {
      ...provider.settings,
      OIDC_ALLOW_LOOPBACK_REDIRECT: "on",
    });
  }, { redirectUri: "http://127.0.0.1/" });
});

/** What a terminal shows, as a picture with a grey for each module. */
function pictureOf(shown: string): Uint8Array {
  const lines = shown.split("\n").filter((line) => line.includes("\x1b[38;2"))
    // deno-lint-ignore no-control-regex
    .map((line) => [...line.replace(/\x1b\[[\d;]*m/g, "")]);
  const size = 4;
  const width = (lines[0]?.length ?? 0) * size;
  const rows = lines.flatMap((line) => [
    line.map((char) => char === "█" || char === "▀" ? 0 : 255),
    line.map((char) => char === "█" || char === "▄" ? 0 : 255),
  ]);
  const grey = rows.flatMap((row) => {
    const wide = row.flatMap((value) => Array(size).fill(value));
    return Array(size).fill(wide).flat();
  });
  const head = new TextEncoder().encode(
    `P5 ${width} ${rows.length * size} 255\n`,
  );
  return new Uint8Array([...head, ...grey]);
}

Deno.test({
  name: "a link is shown as a QR code that says the same",
  ignore: ZBARIMG === undefined,
  async fn() {
    await withTown(async (town) => {
      const laptop = await town.machine("laptop");
      await newAccount(town, laptop, "ada@example.org");
      const { stdout, stderr } = await laptop.run("request", "--qr");
      const picture = await laptop.write("link.pgm", pictureOf(stderr));
      const read = await new Deno.Command(ZBARIMG ?? "", {
        args: ["--quiet", "--raw", picture],
      }).output();
      assert.equal(new TextDecoder().decode(read.stdout), stdout);
    });
  },
});
