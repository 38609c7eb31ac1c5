/**
 * The servers that ours is measured against, each a child process that listens
 * on the loopback only and serves one folder.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../src/server/free_port.ts";
import { LOCKED } from "../locked.ts";

const BARE_SERVER = fileURLToPath(new URL("bare_server.ts", import.meta.url));
const READY_TIMEOUT_MS = 10_000;
const POLL_MS = 20;

/** A peer that is up. */
export interface Peer {
  readonly name: string;
  readonly origin: string;
  /** Of the process that was started, which may have others answer. */
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** Starts a bare `Deno.serve` over a folder. */
export async function startBare(folder: string): Promise<Peer> {
  const port = freePort();
  return await start("bare Deno.serve", port, Deno.execPath(), [
    "run",
    "--quiet",
    ...LOCKED,
    `--allow-net=127.0.0.1:${port}`,
    `--allow-read=${folder}`,
    `--allow-write=${folder}`,
    BARE_SERVER,
    String(port),
    folder,
  ]);
}

/** Starts nginx over a folder, PUT through its DAV module included. */
export async function startNginx(
  folder: string,
  scratch: string,
): Promise<Peer | undefined> {
  const version = await versionOf("nginx", ["-v"], /nginx\/([\d.]+)/);
  if (version === undefined) return undefined;
  const port = freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${join(scratch, kind)};`);
  const config = join(scratch, "nginx.conf");
  // Workers of a root process would lose their rights to the folder.
  const user = Deno.uid() === 0 ? "user root;" : "";
  await Deno.writeTextFile(
    config,
    `${user}
daemon off; worker_processes 1; pid ${join(scratch, "nginx.pid")};
error_log ${join(scratch, "nginx.log")};
events { worker_connections 256; }
http {
  ${temporary.join(" ")}
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
  client_max_body_size 0;
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    location / { dav_methods PUT; }
  }
}
`,
  );
  return await start(`nginx ${version}`, port, "nginx", [
    "-e",
    join(scratch, "nginx.log"),
    "-c",
    config,
  ]);
}

/** Starts caddy's file server over a folder. */
export async function startCaddy(
  folder: string,
  scratch: string,
): Promise<Peer | undefined> {
  const version = await versionOf("caddy", ["version"], /v?([\d.]+)/);
  if (version === undefined) return undefined;
  const port = freePort();
  const config = join(scratch, "Caddyfile");
  await Deno.writeTextFile(
    config,
    `{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  bind 127.0.0.1
  root * ${folder}
  file_server
}
`,
  );
  return await start(`caddy ${version}`, port, "caddy", [
    "run",
    "--config",
    config,
    "--adapter",
    "caddyfile",
  ], { HOME: scratch, XDG_CONFIG_HOME: scratch, XDG_DATA_HOME: scratch });
}

/** Starts rclone's restic server over a folder: it neither hashes nor syncs. */
export async function startRclone(folder: string): Promise<Peer | undefined> {
  const version = await versionOf("rclone", ["version"], /rclone v([\d.]+)/);
  if (version === undefined) return undefined;
  const port = freePort();
  const address = `127.0.0.1:${port}`;
  const args = ["serve", "restic", "--addr", address, folder];
  // A configuration of the user's own would change what it does.
  const env = { RCLONE_CONFIG: "/dev/null" };
  const peer = await start(`rclone ${version}`, port, "rclone", args, env);
  // A repository is its directories; data lies in one of them.
  await fetch(`${peer.origin}/?create=true`, { method: "POST" });
  return peer;
}

async function start(
  name: string,
  port: number,
  program: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Peer> {
  const child = new Deno.Command(program, {
    args,
    env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const stop = async () => {
    try {
      child.kill("SIGTERM");
    } catch {
      // It has ended already.
    }
    await child.status;
  };
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!await listens(port)) {
    if (performance.now() > deadline) {
      await stop();
      throw new Error(`${name} does not listen`);
    }
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  return { name, origin: `http://127.0.0.1:${port}`, pid: child.pid, stop };
}

async function listens(port: number): Promise<boolean> {
  try {
    using _socket = await Deno.connect({ hostname: "127.0.0.1", port });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}

/** Undefined where the program is not installed. */
async function versionOf(
  program: string,
  args: string[],
  pattern: RegExp,
): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await new Deno.Command(program, { args })
      .output();
    const decoder = new TextDecoder();
    return pattern.exec(decoder.decode(stdout) + decoder.decode(stderr))?.[1];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
