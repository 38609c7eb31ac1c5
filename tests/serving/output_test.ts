/**
 * What the server says to whoever starts it and to whatever reads its log, and
 * that it ends when it is told to (watching/health.md#stopping).
 *
 * @module
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { debianProgram } from "../support/debian.ts";
import {
  programCommand,
  runProgram,
  startTask,
  withDataDir,
} from "../support/program.ts";
import { freePort } from "../../src/server/free_port.ts";

const ROOT = new URL("../../", import.meta.url);
const SCRIPT = await debianProgram("script", "bsdutils");
const NODE = await debianProgram("node", "nodejs");
const PATIENCE_MS = 120_000;

/** What is on standard error in JSON, a record each. */
function records(log: string) {
  return log.split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

Deno.test("every place is named at the start, a socket as what it is", async () => {
  await withDataDir(async (directory) => {
    const ports = [freePort(), freePort()];
    const program = await startTask({
      STRONGROOM_DATA_DIR: `${directory}/data`,
      STRONGROOM_LISTEN: [
        `unix:${directory}/one.sock`,
        ...ports.map((port) => `127.0.0.1:${port}`),
      ].join(),
      STRONGROOM_BASE_URL: "https://photos.example.org",
    });
    const [one, two] = ports.map((port) => `http://127.0.0.1:${port}`);
    assert(
      program.line.startsWith(
        `strongroom is serving unix:${directory}/one.sock and ${one} and ` +
          `${two} as https://photos.example.org out of `,
      ),
      program.line,
    );
    await program.stop();
  });
});

Deno.test("in a log of JSON the start and the end are lines of JSON, too", async () => {
  await withDataDir(async (directory) => {
    const settings = {
      STRONGROOM_DATA_DIR: `${directory}/data`,
      STRONGROOM_LISTEN: "127.0.0.1:0",
    };
    const { program, args } = programCommand(["serve"]);
    const child = new Deno.Command(program, {
      args: args.map((one) =>
        one === "main.ts" ? fileURLToPath(new URL(one, ROOT)) : one
      ),
      // As in a container.
      cwd: "/",
      env: { ...settings, STRONGROOM_LOG_FORMAT: "json" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    await reader.cancel();
    const refused = await runProgram(["serve"], settings);
    child.kill("SIGTERM");
    const log = await new Response(child.stderr).text();
    assert.equal((await child.status).code, 0);
    const [started] = records(new TextDecoder().decode(value));
    assert.equal(started.level, "INFO");
    assert.match(started.message, /^strongroom is serving http/);
    assert(started.message.includes(` out of ${directory}/data,`));
    assert(records(log).length > 0);
    assert.equal(refused.status, 1);
    const [fatal, ...more] = records(refused.stderr);
    assert.deepEqual(more, []);
    assert.equal(fatal.level, "FATAL");
    assert.equal(fatal.logger, "strongroom");
    assert.match(fatal.message, /in use by another server/);
    const pretty = await runProgram(["serve"], {
      STRONGROOM_LISTEN: "nowhere",
      STRONGROOM_LOG_FORMAT: "pretty",
    });
    assert.match(pretty.stderr, /^strongroom: [^{]+\n$/);
  });
});

Deno.test("bad settings end the server with 1, and one with a supervisor with 78, after which the unit does not start it again", async () => {
  const settings = { STRONGROOM_REGISTRATION: "closd" };
  assert.equal((await runProgram(["serve"], settings)).status, 1);
  const bad = await runProgram(["serve", "--supervised"], settings);
  assert.equal(bad.status, 78);
  assert.match(bad.stderr, /is closed meant\?/);
  const unit = await Deno.readTextFile(
    new URL("scripts/packaging/systemd/strongroom.service", ROOT),
  );
  assert.match(unit, /^ExecStart=\S+ serve --supervised /m);
  assert.match(unit, /^RestartPreventExitStatus=78$/m);
  await withDataDir(async (dataDir) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const place = `127.0.0.1:${taken.addr.port}`;
    // Whoever holds the port may let it go: that is worth another start.
    const { status, stderr } = await runProgram(["serve"], {
      STRONGROOM_DATA_DIR: `${dataDir}/data`,
      STRONGROOM_LISTEN: place,
    });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /choose another, or stop the program that listens there/,
    );
  });
});

const PAIRS: readonly (readonly [string, string, string])[] = [
  ["0.0.0.0", "[::]", "0.0.0.0"],
  ["[::]", "0.0.0.0", "0.0.0.0"],
  ["127.0.0.1", "0.0.0.0", "127.0.0.1"],
];

for (const [first, second, less] of PAIRS) {
  Deno.test(`of ${first} and ${second} on one port the server says that it holds it itself`, async () => {
    await withDataDir(async (dataDir) => {
      const port = freePort();
      const { status, stderr } = await runProgram(["serve"], {
        STRONGROOM_DATA_DIR: `${dataDir}/data`,
        STRONGROOM_LISTEN: `${first}:${port},${second}:${port}`,
        STRONGROOM_BASE_URL: "https://photos.example.org",
      });
      assert.equal(status, 1);
      const [{ message }] = records(stderr);
      assert(
        message.includes(`this server already listens on ${first}:${port}`),
        message,
      );
      assert(message.endsWith(`: remove ${less}:${port}`), message);
      assert.doesNotMatch(message, /stop the program that listens/);
    });
  });
}

Deno.test({
  name: "the journal is told how severe a line is, and no other reader",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await withDataDir(async (directory) => {
      const { program, args } = programCommand(["serve"]);
      const run = async (format: string, stream: string) => {
        const log = `${directory}/log`;
        // The shell knows the file's inode before the program writes to it.
        const { code } = await new Deno.Command("sh", {
          args: [
            "-c",
            `exec 2>"$LOG"; JOURNAL_STREAM=$(${stream}) exec "$@"`,
            "sh",
            program,
            ...args,
          ],
          cwd: ROOT,
          env: {
            LOG: log,
            STRONGROOM_LISTEN: "nowhere",
            STRONGROOM_LOG_FORMAT: format,
          },
          stdin: "null",
        }).output();
        assert.equal(code, 1);
        return await Deno.readTextFile(log);
      };
      const journal = 'stat -c %d:%i "$LOG"';
      assert.match(await run("pretty", journal), /^<2>strongroom: [^\n<]+\n$/);
      assert.match(await run("json", journal), /^<2>\{[^\n]+\}\n$/);
      assert.match(await run("pretty", "echo 1:2"), /^strongroom: /);
    });
  },
});

Deno.test({
  name:
    "each line of a running server's log tells the journal how severe it is",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await withDataDir(async (directory) => {
      const { program, args } = programCommand(["serve"]);
      const log = `${directory}/log`;
      const child = new Deno.Command("sh", {
        args: [
          "-c",
          'exec 2>"$LOG"; JOURNAL_STREAM=$(stat -c %d:%i "$LOG") exec "$@"',
          "sh",
          program,
          ...args,
        ],
        cwd: ROOT,
        env: {
          LOG: log,
          STRONGROOM_DATA_DIR: `${directory}/data`,
          STRONGROOM_LISTEN: "127.0.0.1:0",
        },
        stdin: "null",
        stdout: "piped",
      }).spawn();
      const reader = child.stdout.getReader();
      const { value } = await reader.read();
      const [url = ""] = /http:\/\/127[^ "]+/.exec(
        new TextDecoder().decode(value),
      ) ?? [];
      const answer = await fetch(`${url}/v1/version`);
      await answer.body?.cancel();
      child.kill("SIGTERM");
      await reader.cancel();
      assert.equal((await child.status).code, 0);
      const lines = (await Deno.readTextFile(log)).trim().split("\n");
      assert(lines.some((line) => line.includes('"operation":"version"')));
      assert(lines.some((line) => line.includes('"draining"')));
      for (const line of lines) assert.match(line, /^<[46]>\{/);
    });
  },
});

/** Runs the server at a terminal until it has said that it serves. */
async function atTerminal(
  dataDir: string,
  settings: Record<string, string> = {},
  ...given: string[]
): Promise<string> {
  const { program, args } = programCommand(given);
  const child = new Deno.Command(SCRIPT ?? "", {
    args: ["-qefc", [program, ...args].join(" "), "/dev/null"],
    cwd: ROOT,
    env: {
      STRONGROOM_DATA_DIR: dataDir,
      STRONGROOM_LISTEN: "127.0.0.1:0",
      STRONGROOM_LOG_LEVEL: "info",
      TERM: "xterm",
      ...settings,
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let said = "";
  const input = child.stdin.getWriter();
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    const served = said.includes("is serving");
    said += piece;
    // The terminal's interrupt.
    if (!served && said.includes("is serving")) {
      await input.write(new Uint8Array([3]));
    }
  }
  await input.close().catch(() => {});
  await child.status;
  return said;
}

Deno.test({
  name:
    "at a terminal in an empty place the server says what it is about to make",
  ignore: SCRIPT === undefined,
  fn: async () => {
    await withDataDir(async (directory) => {
      const first = await atTerminal(`${directory}/data`);
      const [made = -1, served = -1] = ["contains no server yet", "is serving"]
        .map((words) => first.indexOf(words));
      assert(made >= 0 && made < served, first);
      assert(first.includes(`${directory}/data contains`), first);
      assert.match(first, /anyone who can reach it can register/);
      assert.match(first, /only this machine reaches it: strongroom --home/);
      const second = await atTerminal(`${directory}/data`);
      assert.doesNotMatch(second, /contains no server/);
    });
  },
});

Deno.test({
  name:
    "--home serves under a name that a home finds, shown as a QR code, and what is set wins",
  ignore: SCRIPT === undefined,
  fn: async () => {
    await withDataDir(async (directory) => {
      const settings = { STRONGROOM_LISTEN: "0.0.0.0:0" };
      const said = await atTerminal(`${directory}/a`, settings, "--home");
      assert.match(said, /is serving .* as http:\/\/strongroom\.local:8470/);
      assert.match(said, /[█▀▄]{5}/);
      assert.doesNotMatch(said, /only this machine reaches it/);
      const named = await atTerminal(
        `${directory}/b`,
        { ...settings, STRONGROOM_BASE_URL: "http://photos.local:8470" },
        "--home",
      );
      assert.match(named, /is serving .* as http:\/\/photos\.local:8470/);
    });
  },
});

Deno.test({
  name: "NO_COLOR keeps colours from the log at a terminal",
  ignore: SCRIPT === undefined,
  fn: async () => {
    await withDataDir(async (directory) => {
      const escape = "\x1b[";
      const coloured = await atTerminal(directory, { NO_COLOR: "" });
      assert.match(coloured, /draining/);
      assert(coloured.includes(escape), coloured);
      const plain = await atTerminal(directory, { NO_COLOR: "1" });
      assert.match(plain, /draining/);
      assert(!plain.includes(escape), plain);
    });
  },
});

Deno.test({
  name: "a server of npx's runtime ends with the script that started it",
  ignore: Deno.build.os !== "linux" || NODE === undefined ||
    Deno.env.get("STRONGROOM_BIN") !== undefined,
  fn: async () => {
    await withDataDir(async (directory) => {
      const port = freePort();
      // As the npm registry's runtime does it: no signal is handed on.
      const script = "require('child_process').spawnSync(process.argv[1], " +
        "['task', '--quiet', 'start'], { stdio: 'inherit' })";
      const child = new Deno.Command(NODE ?? "", {
        args: ["-e", script, Deno.execPath()],
        cwd: ROOT,
        env: {
          STRONGROOM_DATA_DIR: `${directory}/data`,
          STRONGROOM_LISTEN: `127.0.0.1:${port}`,
        },
        stdin: "null",
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const reader = child.stdout.getReader();
      await reader.read();
      child.kill("SIGTERM");
      await child.status;
      const deadline = performance.now() + PATIENCE_MS;
      // The pipe ends with the last process that could write to it.
      const ended = (async () => {
        while (!(await reader.read()).done);
        return true;
      })();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<false>((resolve) =>
        timer = setTimeout(resolve, deadline - performance.now(), false)
      );
      const inTime = await Promise.race([ended, late]);
      clearTimeout(timer);
      assert(inTime, "the server runs on");
    });
  },
});
