/**
 * Prints the narrowest permissions with which `main.ts serve` works under the
 * configuration in force, for `deno task start` to hand to `deno run`.
 *
 * @module
 */
import {
  CREDENTIALS,
  defaultEnvFiles,
  loadConfig,
} from "../src/cli/environment.ts";
import { bucketSettings, type Config } from "../src/config.ts";
import type { BucketSettings } from "../src/core/bucket_settings.ts";
import { ConfigFault } from "../src/core/settings.ts";
import { APP_PATH } from "./web/fresh.ts";

/** Read by the command line library to decide on colours. */
const COLOUR_NAMES = ["NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"];
/** Tells what goes to systemd's journal. */
const JOURNAL_STREAM = "JOURNAL_STREAM";
/** Where a launcher waits for the first page; `serve.ts` looks for it. */
const FIRST_PAGE_PIPE = "FIRST_PAGE_PIPE";
/** Says whether the runtime's spans keep URLs to themselves. */
const SPAN_LIMIT = "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT";

/** The flags that grant a server what its configuration needs. */
export function permissionsOf(config: Config): string[] {
  const dataDir = config.STRONGROOM_DATA_DIR;
  const listens = [
    ...config.STRONGROOM_LISTEN,
    ...config.STRONGROOM_METRICS_LISTEN,
  ];
  const sockets = listens.flatMap((place) =>
    place.kind === "unix" ? [place.path] : []
  );
  const places = listens.map((place) => {
    if (place.kind === "unix") return `unix:${place.path}`;
    const host = place.hostname.includes(":")
      ? `[${place.hostname}]`
      : place.hostname;
    return `${host}:${place.port}`;
  });
  const named = [
    config.OIDC_CA_BUNDLE,
    config.STRONGROOM_TLS_CERT,
    config.STRONGROOM_TLS_KEY,
    config.STRONGROOM_S3_KEYS_FILE,
    config.STRONGROOM_MAP_FILE,
  ].filter((path) => path !== undefined);
  // Of the modules that a worker imports the runtime asks for leave again.
  const workers = [
    "crypto/argon2.ts",
    "crypto/argon2_worker.ts",
    "store/sqlite/writer_worker.ts",
  ].map((name) => new URL(`../src/${name}`, import.meta.url)).map((
    { pathname },
  ) => decodeURIComponent(pathname));
  const bucket = bucketSettings(config);
  const told = config.STRONGROOM_NOTIFY.map((target) =>
    target.kind === "smtp"
      ? `${target.host}:${target.port}`
      : hostOfUrl(target.url)
  );
  // Port 0 is any port, which a permission cannot name.
  const anyPort = places.some((place) => place.endsWith(":0"));
  return [
    flag("--allow-env", [
      "STRONGROOM_*",
      "OIDC_*",
      ...COLOUR_NAMES,
      SPAN_LIMIT,
      JOURNAL_STREAM,
      FIRST_PAGE_PIPE,
      ...config.STRONGROOM_S3_KEYS_FILE === undefined ? [] : [CREDENTIALS],
    ]),
    config.STRONGROOM_MDNS === "on"
      ? "--allow-sys=statfs,hostname,osUptime,networkInterfaces"
      : "--allow-sys=statfs,hostname,osUptime",
    flag("--allow-read", [
      dataDir,
      ...defaultEnvFiles(dataDir),
      APP_PATH,
      ...workers,
      ...named,
      ...sockets,
    ]),
    flag("--allow-write", [dataDir, ...sockets]),
    // The provider's endpoints may lie on hosts that only it names.
    anyPort || config.OIDC_ISSUER !== undefined ||
      // So may those of an authority.
      config.STRONGROOM_ACME !== undefined ||
      // Of the network's own addresses it is not known which.
      config.STRONGROOM_MDNS === "on"
      ? "--allow-net"
      : flag("--allow-net", [
        ...places,
        ...bucket === undefined ? [] : [hostOf(bucket)],
        ...told,
      ]),
  ];
}

/** Where the store of a bucket is reached, as a permission names it. */
function hostOf({ endpoint, bucket, style }: BucketSettings): string {
  const { hostname, port, protocol } = new URL(endpoint);
  const host = style === "virtual" ? `${bucket}.${hostname}` : hostname;
  return `${host}:${port || (protocol === "https:" ? 443 : 80)}`;
}

function hostOfUrl(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** The shell splits at white space, so a value with it widens the permission. */
function flag(name: string, values: readonly string[]): string {
  return values.some((value) => /[\s,]/.test(value))
    ? name
    : `${name}=${values.join(",")}`;
}

function run(): void {
  try {
    const flags = permissionsOf(loadConfig()).join(" ");
    Deno.stdout.writeSync(new TextEncoder().encode(flags));
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    for (const fault of error.faults) {
      Deno.stderr.writeSync(
        new TextEncoder().encode(`strongroom: ${fault}\n`),
      );
    }
    Deno.exit(1);
  }
}

if (import.meta.main) run();
