/**
 * Proxies in front of the program, with the examples that the project ships:
 * only names, ports and paths are put in their places.
 *
 * @module
 */
import { startProgram, withDataDir } from "./program.ts";
import { debianProgram } from "./debian.ts";
import { freePort } from "../../src/server/free_port.ts";

const EXAMPLES = new URL("../../scripts/packaging/examples/", import.meta.url);
const PKI = new URL("./pki/", import.meta.url).pathname;
const READY_TIMEOUT_MS = 10_000;
const POLL_MS = 20;

export type ProxyKind = "nginx" | "caddy" | "haproxy" | "apache2";

/** Where each of them is; undefined where it cannot be had. */
export const PROXIES: Readonly<Record<ProxyKind, string | undefined>> = {
  nginx: await debianProgram("nginx", "nginx"),
  caddy: await debianProgram("caddy", "caddy"),
  haproxy: await debianProgram("haproxy", "haproxy"),
  apache2: await debianProgram("apache2", "apache2"),
};

const EXAMPLE_OF: Readonly<Record<ProxyKind, string>> = {
  nginx: "nginx.conf",
  caddy: "Caddyfile",
  haproxy: "haproxy.cfg",
  apache2: "apache.conf",
};

type Configure = (
  example: string,
  scratch: string,
  port: number,
  backend: string,
) => string;

/** A server behind a proxy. */
export interface Proxied {
  /** Under which the proxy is reached. */
  readonly origin: string;
  /** The proxy's own folder: what it buffers on a disk lies in it. */
  readonly scratch: string;
  /** Ends the server and leaves the proxy alone. */
  readonly stopServer: () => Promise<number>;
  /** Ends the proxy, whose logs are whole then. */
  readonly stopProxy: () => Promise<void>;
  /** A client that trusts the proxy's certificate; close it. */
  readonly client: (options?: {
    readonly localAddress?: string;
    readonly http1?: boolean;
  }) => Deno.HttpClient;
}

interface ProxyOptions {
  /** The server listens on a unix socket instead of a port. */
  readonly overSocket?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Proxies that are up: a test that fails must not leave its own behind. */
const running = new Set<Deno.ChildProcess>();
globalThis.addEventListener("unload", () => {
  for (const child of running) child.kill("SIGTERM");
});

/** Runs a server behind a proxy for as long as a test takes. */
export async function withProxy(
  kind: ProxyKind,
  { overSocket = false, settings = {} }: ProxyOptions,
  test: (proxied: Proxied) => Promise<void>,
): Promise<void> {
  const scratch = await Deno.makeTempDir({ prefix: `strongroom-${kind}-` });
  // nginx's workers run as the user nobody if root starts it.
  await Deno.chmod(scratch, 0o755);
  const port = freePort();
  const origin = `https://127.0.0.1:${port}`;
  const socket = `${scratch}/strongroom.sock`;
  const backend = overSocket ? `unix:${socket}` : `127.0.0.1:${freePort()}`;
  const server = await startProgram({
    STRONGROOM_DATA_DIR: `${scratch}/data`,
    STRONGROOM_LISTEN: backend,
    STRONGROOM_BASE_URL: origin,
    STRONGROOM_TRUSTED_PROXIES: overSocket ? "unix" : "127.0.0.1",
    ...settings,
  });
  try {
    if (server.line === "") throw new Error(await server.complaint());
    if (overSocket) await Deno.chmod(socket, 0o666);
    if (kind === "haproxy") {
      const parts = ["server.pem", "server-key.pem"].map((name) =>
        Deno.readTextFile(`${PKI}${name}`)
      );
      const pem = (await Promise.all(parts)).join("");
      await Deno.writeTextFile(`${scratch}/server.pem`, pem);
    }
    await withProgram(
      await commandOf(kind, scratch, port, backend),
      async (stopProxy) => {
        await waitFor(port);
        const authority = await Deno.readTextFile(`${PKI}/ca.pem`);
        await test({
          origin,
          scratch,
          stopServer: server.stop,
          stopProxy,
          client: (options) =>
            Deno.createHttpClient({ caCerts: [authority], ...options }),
        });
      },
    );
  } finally {
    await server.stop();
    await Deno.remove(scratch, { recursive: true });
  }
}

/** Where a proxy of a test's own configuration listens, and what it has. */
export interface Place {
  /** A folder, with the server's data directory in `data`. */
  readonly room: string;
  readonly port: number;
  readonly backend: number;
}

/** Runs a server behind a proxy that a test configures, over plain http. */
export async function withConfigured(
  kind: ProxyKind,
  configure: (place: Place) => string,
  test: (given: { readonly origin: string; readonly room: string }) => Promise<
    void
  >,
): Promise<void> {
  await withDataDir(async (room) => {
    await Deno.chmod(room, 0o755);
    const place = { room, port: freePort(), backend: freePort() };
    const origin = `http://127.0.0.1:${place.port}`;
    const config = `${room}/proxy.conf`;
    await Deno.writeTextFile(config, configure(place));
    const server = await startProgram({
      STRONGROOM_DATA_DIR: `${room}/data`,
      STRONGROOM_LISTEN: `127.0.0.1:${place.backend}`,
      STRONGROOM_BASE_URL: origin,
    });
    try {
      const command = [
        PROXIES[kind] ?? kind,
        ...argumentsOf(kind, room, config),
      ];
      await withProgram(command, async () => {
        await waitFor(place.port);
        await test({ origin, room });
      });
    } finally {
      await server.stop();
    }
  });
}

async function withProgram(
  [program, ...args]: readonly string[],
  work: (stop: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const child = new Deno.Command(program ?? "", {
    args,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  running.add(child);
  const complaint = new Response(child.stderr).text();
  const ended = child.status.then(() => running.delete(child));
  const stop = async () => {
    if (running.has(child)) child.kill("SIGTERM");
    await ended;
    await complaint;
  };
  try {
    await work(stop);
  } catch (cause) {
    await stop();
    throw new Error(await complaint, { cause });
  } finally {
    await stop();
  }
}

/** The proxy's command line, its example put in place. */
async function commandOf(
  kind: ProxyKind,
  scratch: string,
  port: number,
  backend: string,
): Promise<string[]> {
  const program = PROXIES[kind];
  if (program === undefined) throw new Error(`no ${kind}`);
  const path = `${scratch}/${kind}.conf`;
  const example = await Deno.readTextFile(new URL(EXAMPLE_OF[kind], EXAMPLES));
  const text = CONFIGURE[kind](example, scratch, port, backend);
  await Deno.writeTextFile(path, text);
  return [program, ...argumentsOf(kind, scratch, path)];
}

function argumentsOf(
  kind: ProxyKind,
  scratch: string,
  path: string,
): string[] {
  switch (kind) {
    case "nginx":
      return ["-e", `${scratch}/error.log`, "-c", path];
    case "caddy":
      return ["run", "--adapter", "caddyfile", "--config", path];
    case "haproxy":
      return ["-db", "-f", path];
    case "apache2":
      return ["-X", "-f", path];
  }
}

const CONFIGURE: Readonly<Record<ProxyKind, Configure>> = {
  nginx: nginxConfiguration,
  caddy: caddyConfiguration,
  haproxy: haproxyConfiguration,
  apache2: apacheConfiguration,
};

function haproxyConfiguration(
  ...[example, scratch, port, backend]: Parameters<Configure>
): string {
  return put(example, [
    ["    bind :80\n", `    bind unix@${scratch}/http.sock\n`],
    [
      "bind :443 ssl crt /etc/haproxy/photos.example.org.pem",
      `bind 127.0.0.1:${port} ssl crt ${scratch}/server.pem`,
    ],
    [
      "server strongroom 127.0.0.1:8470",
      `server strongroom ${backend.replace(/^unix:/, "unix@")}`,
    ],
  ]);
}

const APACHE_MODULES = [
  ...["mpm_event", "authz_core", "proxy", "proxy_http", "headers", "ssl"],
  ...["http2", "alias", "env", "socache_shmcb", "reqtimeout"],
];

function apacheConfiguration(
  ...[example, scratch, port, backend]: Parameters<Configure>
): string {
  const sites = put(example, [
    ["<VirtualHost *:80>", `<VirtualHost 127.0.0.2:${port}>`],
    ["<VirtualHost *:443>", `<VirtualHost 127.0.0.1:${port}>`],
    ["/var/log/apache2/", `${scratch}/`],
    ["/etc/ssl/photos.example.org/fullchain.pem", `${PKI}server.pem`],
    ["/etc/ssl/photos.example.org/privkey.pem", `${PKI}server-key.pem`],
    [
      "    ProxyPass / http://127.0.0.1:8470/",
      backend.startsWith("unix:")
        ? `    ProxyPass / ${backend}|http://localhost/`
        : `    ProxyPass / http://${backend}/`,
    ],
  ]);
  const modules = APACHE_MODULES.map((name) =>
    `LoadModule ${name}_module modules/mod_${name}.so`
  );
  return `
ServerRoot /usr/lib/apache2
PidFile ${scratch}/apache.pid
ErrorLog ${scratch}/error.log
Listen 127.0.0.1:${port}
Listen 127.0.0.2:${port}
ServerName localhost
${modules.join("\n")}
${sites}
`;
}

function nginxConfiguration(
  example: string,
  scratch: string,
  port: number,
  backend: string,
): string {
  const sites = put(example, [
    ["server 127.0.0.1:8470;", `server ${backend};`],
    ["    listen 80;\n", `    listen unix:${scratch}/http.sock;\n`],
    ["    listen [::]:80;\n", ""],
    ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
    ["    listen [::]:443 ssl http2;\n", ""],
    ["/var/log/nginx/", `${scratch}/`],
    ["/etc/ssl/photos.example.org/fullchain.pem", `${PKI}server.pem`],
    ["/etc/ssl/photos.example.org/privkey.pem", `${PKI}server-key.pem`],
  ]);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${scratch}/${name};`);
  return `
daemon off; pid ${scratch}/nginx.pid; error_log ${scratch}/error.log;
events { worker_connections 256; }
http {
access_log ${scratch}/access.log;
${temporary.join("\n")}
${sites}
}
`;
}

function caddyConfiguration(
  example: string,
  scratch: string,
  port: number,
  backend: string,
): string {
  return put(example, [
    [
      "\n{\n",
      "\n{\n\tadmin off\n\tauto_https disable_redirects\n" +
      `\tstorage file_system ${scratch}/caddy\n`,
    ],
    [
      "\tlog default {\n",
      `\tlog default {\n\t\toutput file ${scratch}/caddy.log\n`,
    ],
    [
      "\nphotos.example.org {\n",
      `\nhttps://127.0.0.1:${port} {\n\ttls ${PKI}server.pem ${PKI}server-key.pem\n`,
    ],
    [
      "reverse_proxy 127.0.0.1:8470 {",
      `reverse_proxy ${backend.replace(/^unix:/, "unix/")} {`,
    ],
  ]);
}

/** Replaces what has to be there, once each. */
function put(
  text: string,
  places: readonly (readonly [string, string])[],
): string {
  return places.reduce((held, [from, to]) => {
    if (held.split(from).length < 2) throw new Error(`no ${from} to replace`);
    return held.replaceAll(from, to);
  }, text);
}

async function waitFor(port: number): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    try {
      using _connection = await Deno.connect({ hostname: "127.0.0.1", port });
      return;
    } catch (cause) {
      if (performance.now() > deadline) {
        throw new Error("the proxy does not listen", { cause });
      }
    }
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}
