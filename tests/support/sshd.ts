/**
 * OpenSSH's own server of files, with keys of its own, for one test.
 *
 * @module
 */
import { debianProgram } from "./debian.ts";
import { freePort } from "../../src/server/free_port.ts";

const READY_TIMEOUT_MS = 10_000;
const POLL_MS = 20;
const PROGRAM = await debianProgram("sshd", "openssh-server") ?? "";
const KEY_MAKER = await debianProgram("ssh-keygen", "openssh-client");

/** Whether there is one on this machine, or could be had. */
export function hasSshd(): boolean {
  return PROGRAM !== "" && KEY_MAKER !== undefined;
}

export interface Sshd {
  /** `user@127.0.0.1:port` */
  readonly at: string;
  readonly port: number;
  /** The file of a private key that it lets in. */
  readonly keyFile: string;
  /** Of its own key, as `ssh-keygen -l` says. */
  readonly hostKey: string;
  /** Ends every connection, and listens on. */
  readonly cut: () => Promise<void>;
}

/** Starts one, hands it to a test, and ends it. */
export async function withSshd(
  test: (sshd: Sshd) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "strongroom-sshd-" });
  const keyFile = `${folder}/id`;
  const hostKeyFile = `${folder}/host`;
  for (const path of [keyFile, hostKeyFile]) {
    await run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path);
  }
  await Deno.copyFile(`${keyFile}.pub`, `${folder}/authorized`);
  const port = freePort();
  await Deno.writeTextFile(
    `${folder}/config`,
    `Port ${port}
ListenAddress 127.0.0.1
HostKey ${hostKeyFile}
AuthorizedKeysFile ${folder}/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
PidFile none
Subsystem sftp internal-sftp
ForceCommand internal-sftp
`,
  );
  // Where root runs it, it wants a directory to shut itself into.
  await Deno.mkdir("/run/sshd", { recursive: true, mode: 0o755 })
    .catch(() => {});
  const child = new Deno.Command(PROGRAM, {
    args: ["-D", "-f", `${folder}/config`, "-E", `${folder}/log`],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await untilListening(port);
    const [, hostKey = ""] = (await run("ssh-keygen", "-lf", hostKeyFile))
      .split(" ");
    const user = (await run("id", "-un")).trim();
    await test({
      at: `${user}@127.0.0.1:${port}`,
      ...{ port, keyFile, hostKey },
      cut: async () => {
        const sessions = (await run("ps", "-eo", "pid,ppid"))
          .split("\n").map((line) => line.trim().split(/\s+/).map(Number));
        for (const [pid = 0, parent] of sessions) {
          if (parent === child.pid) endNow(pid);
        }
      },
    });
  } finally {
    child.kill("SIGKILL");
    await child.status;
    await Deno.remove(folder, { recursive: true });
  }
}

async function run(program: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(program, { args })
    .output();
  if (code === 0) return new TextDecoder().decode(stdout);
  throw new Error(new TextDecoder().decode(stderr));
}

async function untilListening(port: number): Promise<void> {
  const until = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function endNow(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    // It ended by itself meanwhile.
    const { message } = error instanceof Error ? error : new Error("");
    if (!message.includes("ESRCH")) throw error;
  }
}
