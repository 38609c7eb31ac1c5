/**
 * `strongroom receive` as a process, and a telephone that it lets in.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Machine,
  newAccount,
  settingsOf,
  withTown,
} from "./people_commands.ts";
import { programCommand } from "./program.ts";

/** A telephone that is let in. */
export interface Phone {
  readonly address: string;
  readonly name: string;
  readonly password: string;
  /** `host:port`, and the key that it has there. */
  readonly sftp: string;
  readonly sftpKey: string;
}

/** The receiver, as a process. */
interface Running {
  readonly url: string;
  /** Resolves once it has handed over so many files since it was started. */
  handedOver(count: number): Promise<void>;
  stop(signal: "SIGINT" | "SIGKILL"): Promise<void>;
}

async function startReceive(
  { home }: Machine,
  spool: string,
  port = 0,
): Promise<Running> {
  const { program, args } = programCommand([
    ...["receive", "--spool", spool, "--listen", `127.0.0.1:${port}`],
    ...["--sftp", "127.0.0.1:0", "--keep-free", "0"],
  ]);
  const child = new Deno.Command(program, {
    args,
    cwd: new URL("../../", import.meta.url),
    env: settingsOf(home),
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!/serving \S+\n/.test(said)) {
    const { done, value } = await reader.read();
    assert(!done, said);
    said += value;
  }
  const handed = () =>
    [...said.matchAll(/delivered (\d+)/g)]
      .reduce((sum, [, count]) => sum + Number(count), 0);
  return {
    url: /serving (\S+)/.exec(said)?.[1] ?? "",
    async handedOver(count) {
      while (handed() < count) {
        const { done, value } = await reader.read();
        assert(!done, said);
        said += value;
      }
    },
    async stop(signal) {
      child.kill(signal);
      while (!(await reader.read()).done);
      const { code } = await child.status;
      if (signal === "SIGINT") assert.equal(code, 0);
    },
  };
}

/** Runs a test with a telephone that sends to Ada, who has a laptop. */
export async function withPhone(
  test: (world: {
    readonly laptop: Machine;
    readonly phone: Phone;
    readonly spool: string;
    /** Ends the receiver, and starts it where it was. */
    restart(signal: "SIGINT" | "SIGKILL"): Promise<void>;
    /**
     * Names of what the owner can accept, once the receiver that runs has handed
     * over so many.
     */
    arrived(count: number): Promise<string[]>;
  }) => Promise<void>,
): Promise<void> {
  await withTown(async (town) => {
    const laptop = await town.machine("laptop");
    await newAccount(town, laptop, "ada@example.org");
    const [made] = await laptop.events("request", "--mine", "--expires", "30d");
    const spool = laptop.path("spool");
    let running = await startReceive(laptop, spool);
    try {
      const [added] = await laptop.events(
        ...["receive", "add", "Ada's phone", "--spool", spool],
        ...["--to", String(made?.["url"])],
      );
      assert.equal(added?.event, "added", JSON.stringify(added));
      const phone = {
        address: String(added["address"]),
        name: String(added["name"]),
        password: String(added["password"]),
        sftp: String(added["sftp"]),
        sftpKey: String(added["sftp_key"]),
      };
      assert.equal(phone.name, "adas-phone");
      await test({
        laptop,
        phone,
        spool,
        async restart(signal) {
          await running.stop(signal);
          const { port } = new URL(running.url);
          running = await startReceive(laptop, spool, Number(port));
        },
        async arrived(count) {
          await running.handedOver(count);
          const events = await laptop.events("inbox", "ls");
          return events.filter(({ event }) => event === "waiting")
            .map(({ name }) => String(name)).toSorted();
        },
      });
    } finally {
      await running.stop("SIGINT");
    }
  });
}
