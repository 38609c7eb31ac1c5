/**
 * Every setting, once. The doc comment of a setting is its manual page.
 *
 * @module
 */
import type { CorsOrigins } from "./http/cors.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** Where the server listens. */
export type Listen =
  | { readonly kind: "tcp"; readonly hostname: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string };

/** Who may register. */
export type Registration = "open" | "closed" | ReadonlySet<string>;

interface Setting<T> {
  readonly doc: string;
  /** The default, as it would be written. */
  readonly preset: string;
  /** Reads the text; throws a {@link SettingFault} that says what is wanted. */
  readonly read: (text: string) => T;
}

class SettingFault extends Error {}

function setting<T>(
  preset: string,
  doc: string,
  read: (text: string) => T,
): Setting<T> {
  return { doc, preset, read };
}

function integer(min: number, max = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new SettingFault(
      max === Number.MAX_SAFE_INTEGER
        ? `wants a whole number of at least ${min}`
        : `wants a whole number from ${min} to ${max}`,
    );
  };
}

function oneOf<const T extends string>(...choices: readonly T[]) {
  return (text: string): T => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen !== undefined) return chosen;
    throw new SettingFault(`wants one of ${choices.join(", ")}`);
  };
}

function list(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter((part) =>
    part !== ""
  );
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (
    url === null || !["http:", "https:"].includes(url.protocol) ||
    url.origin !== text.replace(/\/$/, "")
  ) {
    throw new SettingFault(
      "wants an origin such as https://photos.example.org, without a path",
    );
  }
  return url.origin;
}

function readListen(text: string): Listen[] {
  const places = list(text).map((place): Listen => {
    if (place.startsWith("unix:") && place.length > 5) {
      return { kind: "unix", path: place.slice(5) };
    }
    const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+):(\d{1,5})$/.exec(place);
    const port = Number(match?.[2]);
    if (match?.[1] === undefined || port > 65_535) {
      throw new SettingFault("wants host:port or unix:/path, comma-separated");
    }
    return { kind: "tcp", hostname: match[1].replace(/^\[|\]$/g, ""), port };
  });
  if (places.length === 0) throw new SettingFault("wants at least one place");
  return places;
}

function readOrigins(text: string): CorsOrigins {
  return text === "*" ? "*" : new Set(list(text).map(readOrigin));
}

function readRegistration(text: string): Registration {
  if (text === "open" || text === "closed") return text;
  const domains = list(text).map((domain) => domain.toLowerCase());
  if (domains.length > 0 && domains.every((one) => /^[^\s@]+$/.test(one))) {
    return new Set(domains);
  }
  throw new SettingFault("wants open, closed, or a list of domains");
}

const SETTINGS = {
  STRONGROOM_LISTEN: setting(
    "127.0.0.1:8470",
    "Where to listen: host:port or unix:/path; several, comma-separated.",
    readListen,
  ),
  STRONGROOM_BASE_URL: setting(
    "",
    "Canonical origin under which clients reach this server; it is the " +
      "server_id that tokens and receipts carry. Default: the first " +
      "listen address.",
    (text) => text === "" ? undefined : readOrigin(text),
  ),
  STRONGROOM_DATA_DIR: setting(
    "./data",
    "Directory that holds everything: database, blobs, keys.",
    (text) => text,
  ),
  STRONGROOM_CORS_ORIGINS: setting(
    "",
    "Origins whose pages may call /v1, comma-separated, or *. Share and " +
      "discovery paths allow any origin anyway.",
    readOrigins,
  ),
  STRONGROOM_REGISTRATION: setting(
    "open",
    "Who may register: open, closed, or a comma-separated list of the mail " +
      "domains that may.",
    readRegistration,
  ),
  STRONGROOM_MIN_CLIENT_BUILD: setting(
    "0",
    "Oldest client build that should talk to this server, sent on every " +
      "response as X-Service-Min-Client-Build.",
    integer(0),
  ),
  STRONGROOM_MAX_BODY_BYTES: setting(
    String(MIB),
    "Largest request body of an operation without a limit of its own.",
    integer(KIB, 64 * MIB),
  ),
  STRONGROOM_MAX_BLOB_BYTES: setting(
    String(16 * GIB),
    "Largest blob.",
    integer(1),
  ),
  STRONGROOM_ACCOUNT_QUOTA_BYTES: setting(
    "none",
    "Bytes that an account may store, the trash included; none: no limit.",
    (text) => text === "none" ? undefined : integer(0)(text),
  ),
  STRONGROOM_RESERVED_DISK_BYTES: setting(
    String(512 * MIB),
    "Free disk space that uploads leave alone.",
    integer(0),
  ),
  STRONGROOM_UPLOAD_TTL_HOURS: setting(
    "24",
    "Hours after its last byte at which an upload session expires.",
    integer(1, 24 * 365),
  ),
  STRONGROOM_SESSION_INACTIVITY_DAYS: setting(
    "180",
    "Days without a new access token after which a session ends.",
    integer(1, 36_500),
  ),
  STRONGROOM_SESSION_LIFETIME_DAYS: setting(
    "365",
    "Days after sign-in at which a session ends, used or not.",
    integer(1, 36_500),
  ),
  STRONGROOM_ARGON2_MEMORY_KIB: setting(
    String(19 * KIB),
    "Memory of one password hash, in KiB.",
    integer(8, 4 * MIB),
  ),
  STRONGROOM_ARGON2_PASSES: setting(
    "2",
    "Passes of one password hash.",
    integer(1, 100),
  ),
  STRONGROOM_LIMIT_SHARE_METADATA: setting(
    "60",
    "Reads a minute of a share link's metadata, per link and client address.",
    integer(1),
  ),
  STRONGROOM_LIMIT_SHARE_BLOB: setting(
    "1200",
    "Blob reads a minute of a share link, per link and client address.",
    integer(1),
  ),
  STRONGROOM_LIMIT_SHARE_SECRET: setting(
    "10",
    "Reads a minute of a share link's wrapped secret, per link and client " +
      "address.",
    integer(1),
  ),
  STRONGROOM_LIMIT_LOCKOUT: setting(
    "10",
    "Wrong passwords within 15 minutes from one client address that lock an " +
      "account's password for that address; ten times as many from all " +
      "addresses lock it for all.",
    integer(1, 1_000_000),
  ),
  STRONGROOM_LIMIT_OPEN_UPLOADS: setting(
    "1024",
    "Upload sessions that an account may have open at once.",
    integer(1),
  ),
  STRONGROOM_LOG_LEVEL: setting(
    "info",
    "Least severe level that is logged.",
    oneOf("debug", "info", "warning", "error"),
  ),
  STRONGROOM_LOG_FORMAT: setting(
    "auto",
    "pretty for people, json for machines; auto: pretty on a terminal.",
    oneOf("auto", "pretty", "json"),
  ),
} satisfies Record<string, Setting<unknown>>;

type Settings = typeof SETTINGS;
type Name = keyof Settings;

/** A configuration in force, by the settings' names. */
export type Config = {
  readonly [N in Name]: ReturnType<Settings[N]["read"]>;
};

/** Every fault of a configuration at once, a line each. */
export class ConfigFault extends Error {
  override readonly name = "ConfigFault";
  constructor(readonly faults: readonly string[]) {
    super(faults.join("\n"));
  }
}

/** The settings' names, documentation and defaults, in their order. */
export const settingPages: readonly {
  readonly name: string;
  readonly doc: string;
  readonly preset: string;
}[] = Object.entries(SETTINGS).map(([name, { doc, preset }]) => ({
  name,
  doc,
  preset,
}));

const PREFIX = "STRONGROOM_";

/**
 * Reads a configuration from variables; an absent one takes its default.
 * Throws a {@link ConfigFault} that names every fault, unknown names too.
 */
export function readConfig(
  given: Readonly<Record<string, string | undefined>>,
): Config {
  const faults: string[] = [];
  for (const name of Object.keys(given)) {
    if (name.startsWith(PREFIX) && !isName(name)) {
      faults.push(`${name}: there is no such setting`);
    }
  }
  const read = <N extends Name>(
    name: N,
  ): ReturnType<Settings[N]["read"]> | undefined => {
    const one: Setting<unknown> = SETTINGS[name];
    try {
      // The setting's own reader gives its own type.
      return one.read(given[name] ?? one.preset) as ReturnType<
        Settings[N]["read"]
      >;
    } catch (fault) {
      if (!(fault instanceof SettingFault)) throw fault;
      faults.push(`${name}: ${fault.message}`);
      return undefined;
    }
  };
  const values = Object.fromEntries(
    Object.keys(SETTINGS).filter(isName).map((name) => [name, read(name)]),
  );
  if (faults.length > 0) throw new ConfigFault(faults);
  return values as Config;
}

function isName(name: string): name is Name {
  return Object.hasOwn(SETTINGS, name);
}

/**
 * Reads the lines `NAME=value` of an environment file. Empty lines and lines
 * that begin with `#` are passed over; quotes around a value are taken off.
 */
export function parseEnvFile(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const match = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(
      line,
    );
    if (match?.[1] === undefined || match[2] === undefined) {
      faults.push(`line ${index + 1}: wants NAME=value`);
      continue;
    }
    values[match[1]] = match[2].replace(/^(["'])(.*)\1$/, "$2");
  }
  if (faults.length > 0) throw new ConfigFault(faults);
  return values;
}
