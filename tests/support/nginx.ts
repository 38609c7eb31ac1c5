/**
 * nginx over one folder, as an oracle for what RFC 9110 has a server do.
 *
 * @module
 */
const READY_TIMEOUT_MS = 10_000;
const POLL_MS = 10;

/** nginx that are up: a test that fails must not leave its own behind. */
const running = new Set<Deno.ChildProcess>();
globalThis.addEventListener("unload", () => {
  for (const child of running) child.kill("SIGTERM");
});

/** A connection to it. */
type Connect = () => Promise<Deno.Conn>;

/** Serves a folder for as long as a test takes. */
export async function withNginx(
  program: string,
  folder: string,
  test: (connect: Connect) => Promise<void>,
): Promise<void> {
  const scratch = await Deno.makeTempDir({ prefix: "strongroom-nginx-" });
  try {
    // No other program can take a socket of this name, as it could a port.
    const path = `${scratch}/socket`;
    const connect = () => Deno.connect({ transport: "unix", path });
    await Deno.writeTextFile(
      `${scratch}/nginx.conf`,
      configuration(scratch, path, folder),
    );
    const child = new Deno.Command(program, {
      args: ["-e", `${scratch}/error.log`, "-c", `${scratch}/nginx.conf`],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    running.add(child);
    const ended = child.status.then(() => running.delete(child));
    try {
      await waitFor(connect, `${scratch}/error.log`);
      await test(connect);
    } finally {
      if (running.has(child)) child.kill("SIGTERM");
      await ended;
    }
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

function configuration(scratch: string, socket: string, folder: string) {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${scratch}/${kind};`);
  // Its own default is to compare If-Modified-Since for equality; RFC 9110
  // 13.1.3 has every later date answered with 304 as well.
  return `
daemon off; master_process off; pid ${scratch}/nginx.pid;
error_log ${scratch}/error.log;
events { worker_connections 64; }
http {
  ${temporary.join(" ")}
  access_log off;
  if_modified_since before;
  server { listen unix:${socket}; root ${folder}; }
}
`;
}

async function waitFor(connect: Connect, log: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    try {
      using _connection = await connect();
      return;
    } catch (cause) {
      if (performance.now() > deadline) {
        const complaint = await Deno.readTextFile(log).catch(() => "");
        throw new Error(`nginx does not listen: ${complaint}`, { cause });
      }
    }
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}
