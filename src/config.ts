/**
 * Every setting, once. The doc comment of a setting is its manual page.
 *
 * @module
 */
import type { BucketSettings } from "./core/bucket_settings.ts";
import { readNotifyTargets } from "./core/notify_settings.ts";
import type { RemoteBackupSettings } from "./core/remote_backup_settings.ts";
import { parseOrigin } from "./core/origin.ts";
import { SMALL_BLOB_MAX_BYTES } from "./core/sizes.ts";
import {
  type Given,
  integer,
  list,
  nearestName,
  oneOf,
  secretSetting,
  type Setting,
  setting,
  SettingFault,
  size,
  sourceText,
  textOrNone,
} from "./core/settings.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "./core/time.ts";
import { parseTrusted, type TrustedProxies } from "./http/client_address.ts";
import type { CorsOrigins } from "./http/cors.ts";
import { isSecureOrLoopback, type OidcSettings } from "./core/oidc_settings.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Where the server listens. */
export type Listen =
  | { readonly kind: "tcp"; readonly hostname: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string };

/** Who may register. */
type Registration = "open" | "closed" | ReadonlySet<string>;

function readOrigin(text: string): string {
  const origin = parseOrigin(text);
  if (origin !== undefined) return origin;
  throw new SettingFault(
    "wants an origin such as https://photos.example.org, without a path",
  );
}

function readIssuer(text: string): string | undefined {
  // OpenID Connect Discovery 1.0 section 2: no query, no fragment.
  if (!text.includes("?")) return readSecureUrl(text);
  throw new SettingFault("wants a URL without a query");
}

function readSecureUrl(text: string): string | undefined {
  if (text === "" || isSecureOrLoopback(text)) return textOrNone(text);
  throw new SettingFault(
    "wants an https URL, or http on the literal 127.0.0.1 or [::1]",
  );
}

function readTrusted(text: string): TrustedProxies {
  try {
    return parseTrusted(list(text));
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault;
    throw new SettingFault(
      `${fault.message}: wants networks such as 10.0.0.0/8, or unix`,
    );
  }
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

function readEndpoint(text: string): string | undefined {
  if (text === "") return undefined;
  const origin = parseOrigin(text);
  if (origin !== undefined) return origin;
  throw new SettingFault(
    "wants an origin such as https://s3.example.org, without a path",
  );
}

function readBucket(text: string): string | undefined {
  if (text === "" || /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) {
    return textOrNone(text);
  }
  throw new SettingFault("wants a bucket's name: 3 to 63 of a-z 0-9 . and -");
}

/** Ends with a slash, or is empty. */
function readPrefix(text: string): string {
  if (!/^[A-Za-z0-9!_.*'()/-]*$/.test(text) || /^\/|\/\/|\.\./.test(text)) {
    throw new SettingFault(
      "wants letters, digits and ! _ . * ' ( ) - between slashes, and no " +
        "slash in front",
    );
  }
  return text === "" || text.endsWith("/") ? text : `${text}/`;
}

function readRegion(text: string): string {
  if (/^[A-Za-z0-9-]{1,64}$/.test(text)) return text;
  throw new SettingFault("wants a region such as eu-central-1");
}

function readHostKey(text: string): string | undefined {
  if (text === "" || /^SHA256:[A-Za-z0-9+/]{43}$/.test(text)) {
    return textOrNone(text);
  }
  throw new SettingFault("wants SHA256: and 43 characters of base64");
}

const AUTHORITIES: Readonly<Record<string, string>> = {
  letsencrypt: "https://acme-v02.api.letsencrypt.org/directory",
  "letsencrypt-staging":
    "https://acme-staging-v02.api.letsencrypt.org/directory",
};

function readAcme(text: string): string | undefined {
  if (text === "") return undefined;
  const url = AUTHORITIES[text] ?? text;
  if (URL.canParse(url) && new URL(url).protocol === "https:") return url;
  throw new SettingFault("wants letsencrypt or the https URL of a directory");
}

function readChallenge(text: string): { readonly port: number } {
  const match = /^http-01(?::(\d{1,5}))?$/.exec(text);
  const port = Number(match?.[1] ?? 80);
  if (match !== null && port > 0 && port <= 65_535) return { port };
  throw new SettingFault("wants http-01 or http-01:PORT");
}

function readOrigins(text: string): CorsOrigins {
  return text === "*" ? "*" : new Set(list(text).map(readOrigin));
}

function readRegistration(text: string): Registration {
  if (text === "open" || text === "closed") return text;
  const domains = list(text).map((domain) => domain.toLowerCase());
  const isDomain = (one: string) => /^[^\s@.]+(?:\.[^\s@.]+)+$/.test(one);
  // A misspelt "closed" would be a domain that is free for anyone to register.
  const strange = domains.find((one) => !isDomain(one));
  if (strange === undefined && domains.length > 0) return new Set(domains);
  const meant = nearestName(strange ?? "", ["open", "closed"], 2);
  throw new SettingFault(
    "wants open, closed, or a list of domains such as example.org" +
      (strange === undefined ? "" : `; ${strange} is none`) +
      (meant === undefined ? "" : `: is ${meant} meant?`),
  );
}

type Declared = Record<string, Setting<unknown>>;

const PLACE = {
  STRONGROOM_LISTEN: setting(
    "127.0.0.1:8470",
    "Where to listen: host:port or unix:/path; several, comma-separated.",
    readListen,
  ),
  STRONGROOM_BASE_URL: setting(
    "",
    "The origin that clients use to reach this server. It is the " +
      "server_id in tokens and receipts. Default: the first listen " +
      "address.",
    (text) => text === "" ? undefined : readOrigin(text),
  ),
  STRONGROOM_SERVER_ID: setting(
    "",
    "The server_id, present or former, of the server that the data directory " +
      "belongs to. The server refuses to start on another's, and makes none " +
      "in an empty one, such as the directory under a disk that is not " +
      "mounted.",
    (text) => text === "" ? undefined : readOrigin(text),
  ),
  STRONGROOM_TRUSTED_PROXIES: setting(
    "",
    "Networks of the proxies in front, comma-separated (10.0.0.0/8, " +
      "::1, or unix for clients of a unix socket). Their header, named " +
      "by STRONGROOM_PROXY_HEADER, gives the client's address. The " +
      "header is ignored from anybody else.",
    readTrusted,
  ),
  STRONGROOM_PROXY_HEADER: setting(
    "x-forwarded-for",
    "The header in which these proxies send the client's address: " +
      "x-forwarded-for, or forwarded (RFC 7239). The other is ignored.",
    oneOf("x-forwarded-for", "forwarded"),
  ),
  STRONGROOM_TLS_CERT: setting(
    "",
    "PEM file with the certificate and its chain, for https without a " +
      "proxy. It is read again when it changes. Goes with " +
      "STRONGROOM_TLS_KEY.",
    textOrNone,
  ),
  STRONGROOM_TLS_KEY: setting(
    "",
    "PEM file with the private key of STRONGROOM_TLS_CERT.",
    textOrNone,
  ),
  STRONGROOM_ACME: setting(
    "",
    "Authority that gives this server its certificate by itself (ACME): " +
      "letsencrypt, letsencrypt-staging to try it, or the https URL of a " +
      "directory. In place of STRONGROOM_TLS_CERT. Using it accepts the " +
      "authority's terms.",
    readAcme,
  ),
  STRONGROOM_ACME_EMAIL: setting(
    "",
    "Address that the authority may write to.",
    textOrNone,
  ),
  STRONGROOM_ACME_CHALLENGE: setting(
    "http-01",
    "How the authority finds this server: http-01, on port 80, or " +
      "http-01:PORT where a router forwards port 80 to another one.",
    readChallenge,
  ),
  STRONGROOM_MDNS: setting(
    "off",
    "on: tell a home's network where this server is, without a DNS server. " +
      "STRONGROOM_BASE_URL then has a name that ends in .local, such as " +
      "http://strongroom.local:8470.",
    oneOf("off", "on"),
  ),
  STRONGROOM_CORS_ORIGINS: setting(
    "",
    "Origins whose pages may call /v1, comma-separated, or *. Share " +
      "and discovery paths always allow any origin.",
    readOrigins,
  ),
  STRONGROOM_METRICS_LISTEN: setting(
    "",
    "The address of /metrics and /readyz, and of a second /healthz, " +
      "host:port or unix:/path. Absent: only the main address serves " +
      "/healthz. Keep it private: it asks for no password.",
    (text) => text === "" ? [] : readListen(text),
  ),
} satisfies Declared;

const STORAGE = {
  STRONGROOM_DATA_DIR: setting(
    "./data",
    "Directory that holds everything: database, blobs, keys.",
    (text) => text,
  ),
  STRONGROOM_RESERVED_DISK_BYTES: setting(
    "512MiB",
    "Free disk space that uploads leave alone.",
    size(0),
  ),
  STRONGROOM_MAX_BLOB_BYTES: setting(
    "16GiB",
    "Largest blob.",
    size(1),
  ),
  STRONGROOM_SMALL_BLOB_BYTES: setting(
    "16KiB",
    "Blobs up to this size are stored in the database, larger ones as files; " +
      "0: every blob is a file.",
    size(0, SMALL_BLOB_MAX_BYTES),
  ),
  STRONGROOM_MAX_BODY_BYTES: setting(
    "1MiB",
    "Largest request body of an operation without a limit of its own.",
    size(KIB, 64 * MIB),
  ),
  STRONGROOM_BODY_TIMEOUT_SECONDS: setting(
    "60",
    "Seconds in which the next 16 KiB of a request body, or its end, " +
      "must arrive. Slower requests are ended; an upload keeps what " +
      "arrived.",
    integer(1, 3_600),
  ),
  STRONGROOM_ACCOUNT_QUOTA_BYTES: setting(
    "none",
    "Bytes that an account may store, including its trash; none: no " +
      "limit.",
    (text) => text === "none" ? undefined : size(0)(text),
  ),
  STRONGROOM_TRASH_DAYS: setting(
    "30",
    "Days that a deleted asset can be restored.",
    integer(0, 36_500),
  ),
  STRONGROOM_UPLOAD_TTL_HOURS: setting(
    "24",
    "Hours after its last byte at which an upload session expires.",
    integer(1, 24 * 365),
  ),
} satisfies Declared;

const BLOBS = {
  STRONGROOM_BLOBS: setting(
    "directory",
    "Where new blobs are stored: directory (in the data directory) or " +
      "s3 (in the bucket below). Blobs are read from both places, " +
      "wherever they are.",
    oneOf("directory", "s3"),
  ),
  STRONGROOM_S3_ENDPOINT: setting(
    "",
    "Origin of an S3-compatible store, such as https://s3.example.org.",
    readEndpoint,
  ),
  STRONGROOM_S3_BUCKET: setting(
    "",
    "The bucket; goes with STRONGROOM_S3_ENDPOINT. No other server may " +
      "use it.",
    readBucket,
  ),
  STRONGROOM_S3_REGION: setting(
    "us-east-1",
    "The bucket's region, which requests are signed for; stores " +
      "without regions accept any.",
    readRegion,
  ),
  STRONGROOM_S3_PREFIX: setting(
    "",
    "The prefix of every object's key, such as photos/.",
    readPrefix,
  ),
  STRONGROOM_S3_STYLE: setting(
    "path",
    "Where the bucket's name goes: path (after the endpoint) or " +
      "virtual (before its host name).",
    oneOf("path", "virtual"),
  ),
  STRONGROOM_S3_ACCESS_KEY_ID: setting(
    "",
    "The access key's id; goes with STRONGROOM_S3_SECRET_ACCESS_KEY.",
    textOrNone,
  ),
  STRONGROOM_S3_SECRET_ACCESS_KEY: secretSetting(
    "The secret that signs requests to the store.",
    textOrNone,
  ),
  STRONGROOM_S3_KEYS_FILE: setting(
    "",
    "Instead, a file with both, in lines aws_access_key_id = ... and " +
      "aws_secret_access_key = ... A name without a slash is a " +
      "credential that systemd loads (LoadCredential=).",
    textOrNone,
  ),
  STRONGROOM_S3_CACHE_BYTES: setting(
    "64MiB",
    "Memory for small blobs recently read from the store.",
    size(0, 64 * 1024 * MIB),
  ),
  STRONGROOM_S3_TIMEOUT_SECONDS: setting(
    "20",
    "Seconds in which the store must begin an answer, and continue one.",
    integer(1, 600),
  ),
} satisfies Declared;

const REMOTE_BACKUP = {
  STRONGROOM_BACKUP_PASSPHRASE: secretSetting(
    "The passphrase that encrypts remote backups. Anyone who has it " +
      "and the backup can read everything. Without it, no one can.",
    textOrNone,
  ),
  STRONGROOM_BACKUP_PASSPHRASE_FILE: setting(
    "",
    "A file, mode 0600, whose first line is the passphrase. A name " +
      "without a slash is a credential that systemd loads " +
      "(LoadCredential=).",
    textOrNone,
  ),
  STRONGROOM_BACKUP_KEY_FILE: setting(
    "",
    "Instead of a passphrase, a file, mode 0600, with a key of 32 " +
      "random bytes in hex (openssl rand -hex 32); or a credential's " +
      "name.",
    textOrNone,
  ),
  STRONGROOM_BACKUP_S3_ENDPOINT: setting(
    "",
    "Origin of the store for s3://bucket/prefix, such as " +
      "https://s3.example.org.",
    readEndpoint,
  ),
  STRONGROOM_BACKUP_S3_REGION: setting(
    "us-east-1",
    "Its region, which requests are signed for.",
    readRegion,
  ),
  STRONGROOM_BACKUP_S3_STYLE: setting(
    "path",
    "Where the bucket's name goes: path (after the endpoint) or " +
      "virtual (before its host name).",
    oneOf("path", "virtual"),
  ),
  STRONGROOM_BACKUP_S3_ACCESS_KEY_ID: setting(
    "",
    "The access key's id; goes with " +
      "STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY.",
    textOrNone,
  ),
  STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY: secretSetting(
    "The secret that signs requests to that store.",
    textOrNone,
  ),
  STRONGROOM_BACKUP_S3_KEYS_FILE: setting(
    "",
    "Instead, a file with both, in lines aws_access_key_id = ... and " +
      "aws_secret_access_key = ..., or a credential's name.",
    textOrNone,
  ),
  STRONGROOM_BACKUP_S3_TIMEOUT_SECONDS: setting(
    "60",
    "Seconds in which that store must begin an answer, and continue " +
      "one.",
    integer(1, 600),
  ),
  STRONGROOM_BACKUP_SFTP_KEY_FILE: setting(
    "",
    "For sftp://user@host/path: a private key, mode 0600, as ssh-keygen " +
      "writes one without a passphrase; or a credential's name.",
    textOrNone,
  ),
  STRONGROOM_BACKUP_SFTP_HOST_KEY: setting(
    "",
    "The key of that host, as ssh-keygen -lf prints it: SHA256:... " +
      "Nothing is sent to a host with another key.",
    readHostKey,
  ),
} satisfies Declared;

const ACCOUNTS = {
  STRONGROOM_REGISTRATION: setting(
    "open",
    "Who may register: open (anybody), closed (only invited people), " +
      "or a comma-separated list of mail domains.",
    readRegistration,
  ),
  STRONGROOM_SESSION_INACTIVITY_DAYS: setting(
    "180",
    "A session ends after this many days without a new access token.",
    integer(1, 36_500),
  ),
  STRONGROOM_SESSION_LIFETIME_DAYS: setting(
    "365",
    "A session ends this many days after sign-in, even if it is used.",
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
  STRONGROOM_MIN_CLIENT_BUILD: setting(
    "0",
    "Oldest client build that should talk to this server, sent on every " +
      "response as X-Service-Min-Client-Build.",
    integer(0),
  ),
} satisfies Declared;

const OIDC = {
  OIDC_ISSUER: setting(
    "",
    "The identity provider's issuer, exactly as its discovery document names " +
      "it; https, or http on 127.0.0.1 or [::1]. Absent: no provider.",
    readIssuer,
  ),
  OIDC_CLIENT_ID: setting(
    "",
    "The client id that the provider knows this server by; goes with " +
      "OIDC_ISSUER.",
    textOrNone,
  ),
  OIDC_CLIENT_SECRET: secretSetting(
    "The client's secret; absent: a public client that uses PKCE alone.",
    textOrNone,
  ),
  OIDC_REDIRECT_URL: setting(
    "",
    "The only address to which a client may be sent back.",
    readSecureUrl,
  ),
  OIDC_ALLOW_LOOPBACK_REDIRECT: setting(
    "off",
    "Whether a client on a person's own machine may be sent back to " +
      "http://127.0.0.1 or http://[::1], on any port.",
    oneOf("on", "off"),
  ),
  OIDC_CA_BUNDLE: setting(
    "",
    "A PEM file of certificate authorities to trust for the provider, " +
      "besides those of the system; read at start.",
    textOrNone,
  ),
} satisfies Declared;

const FEDERATION = {
  STRONGROOM_FEDERATION: setting(
    "off",
    "on: the server issues and accepts capabilities for peer servers, " +
      "and accepts reports of pinned peers.",
    oneOf("off", "on"),
  ),
} satisfies Declared;

const PUBLIC_LOGS = {
  STRONGROOM_LOGS: setting(
    "on",
    "off: the server neither signs nor serves the public logs of " +
      "receipts and keys.",
    oneOf("on", "off"),
  ),
  STRONGROOM_LOG_SECONDS: setting(
    "60",
    "Seconds after which the server signs a public log again if it has " +
      "grown.",
    integer(1, 86_400),
  ),
  STRONGROOM_WITNESS: setting(
    "off",
    "on: this server cosigns checkpoints of the logs added by " +
      "`strongroom witness add`, at /witness/add-checkpoint.",
    oneOf("off", "on"),
  ),
} satisfies Declared;

const LIMITS = {
  STRONGROOM_LIMIT_SHARE_METADATA: setting(
    "60",
    "Reads a minute of a share link's metadata, per link and client address.",
    integer(1),
  ),
  STRONGROOM_LIMIT_SHARE_BLOB: setting(
    "6000",
    "Blob reads a minute of a share link, per link and client address.",
    integer(1),
  ),
  STRONGROOM_LIMIT_SHARE_SECRET: setting(
    "10",
    "Reads a minute of a share link's wrapped secret, per link and client " +
      "address.",
    integer(1),
  ),
  STRONGROOM_LIMIT_ENROLL_REDEEM: setting(
    "10",
    "Enrollment codes a minute that one client address may try.",
    integer(1),
  ),
  STRONGROOM_LIMIT_DEEP_VERIFY_BYTES: setting(
    "8GiB",
    "Bytes an hour that deep verification reads again for one account.",
    size(0),
  ),
  STRONGROOM_LIMIT_CAPABILITY_REFRESH: setting(
    "30",
    "Refreshes a minute of one capability grant.",
    integer(1),
  ),
  STRONGROOM_LIMIT_REPORT_INTAKE: setting(
    "60",
    "Federated reports a minute that are read, per claimed server and " +
      "client address.",
    integer(1),
  ),
  STRONGROOM_LIMIT_REPORT_ACCOUNT: setting(
    "10",
    "Signed reports a day that one peer may file about one account.",
    integer(1),
  ),
  STRONGROOM_LIMIT_REPORT_PEER: setting(
    "200",
    "Signed reports a day that one peer may file about all accounts.",
    integer(1),
  ),
  STRONGROOM_LIMIT_LOOKUP: setting(
    "60",
    "User lookups a minute, per account and per peer.",
    integer(1),
  ),
  STRONGROOM_LIMIT_GUEST_CREATE: setting(
    "300",
    "Uploads a minute that a guest may begin, per upload link and client " +
      "address.",
    integer(1),
  ),
  STRONGROOM_LIMIT_OIDC_AUTHORIZE: setting(
    "60",
    "Sign-ins through the identity provider that may begin in a minute, per " +
      "host of the redirect.",
    integer(1),
  ),
  STRONGROOM_LIMIT_OIDC_PENDING: setting(
    "10000",
    "Sign-ins through the identity provider that may be pending at once.",
    integer(1, 1_000_000),
  ),
  STRONGROOM_LIMIT_LOCKOUT: setting(
    "10",
    "Wrong passwords from one client address within 15 minutes that " +
      "lock the account for that address. Ten times as many from all " +
      "addresses lock it for all.",
    integer(1, 1_000_000),
  ),
  STRONGROOM_LIMIT_OPEN_UPLOADS: setting(
    "1024",
    "Upload sessions that an account may have open at once.",
    integer(1),
  ),
} satisfies Declared;

const MAP = {
  STRONGROOM_MAP_FILE: setting(
    "",
    "File with streets for the map of the web app: a .pmtiles file with the " +
      "layers of Protomaps' basemap. Absent: the map has countries and towns. " +
      "See map.md.",
    textOrNone,
  ),
} satisfies Declared;

const NOTICES = {
  STRONGROOM_NOTIFY: secretSetting(
    "Where the server tells its operator of trouble, one or more, separated " +
      "by white space: smtp://user:password@host:port?from=ADDRESS&to=ADDRESS " +
      "(smtps:// alike; with one of these people get mail too), " +
      "ntfy+https://host/topic, https://host/path#secret (JSON, signed with " +
      "the secret). See notices.md.",
    readNotifyTargets,
  ),
  STRONGROOM_OPERATOR_PAGE: setting(
    "on",
    "off: no account has the operator's page, whatever `strongroom account " +
      "operator` said.",
    oneOf("on", "off"),
  ),
  STRONGROOM_UPDATES_URL: setting(
    "",
    "Where `strongroom doctor --updates` asks for the latest release: an " +
      "https URL of a release's latest.json, or of the latest release in the " +
      "API of Forgejo, Gitea or GitHub. Nothing else asks it, and the server " +
      "never does.",
    readSecureUrl,
  ),
} satisfies Declared;

const LOG = {
  STRONGROOM_LOG_LEVEL: setting(
    "info",
    "The least severe level that is logged.",
    oneOf("debug", "info", "warning", "error"),
  ),
  STRONGROOM_LOG_FORMAT: setting(
    "auto",
    "pretty for people, json for machines; auto: pretty on a terminal.",
    oneOf("auto", "pretty", "json"),
  ),
} satisfies Declared;

/** The settings in groups, as the manual and `init` write them. */
const GROUPS: readonly (readonly [title: string, settings: Declared])[] = [
  ["Where the server is reached", PLACE],
  ["What is stored, and for how long", STORAGE],
  ["An object store for blobs", BLOBS],
  ["Remote backups", REMOTE_BACKUP],
  ["Accounts and sessions", ACCOUNTS],
  ["Signing in through an identity provider", OIDC],
  ["Other servers", FEDERATION],
  ["The public logs", PUBLIC_LOGS],
  ["Notices and the operator's page", NOTICES],
  ["The map", MAP],
  ["Limits", LIMITS],
  ["The log", LOG],
];

const SETTINGS = {
  ...PLACE,
  ...STORAGE,
  ...BLOBS,
  ...REMOTE_BACKUP,
  ...ACCOUNTS,
  ...OIDC,
  ...FEDERATION,
  ...PUBLIC_LOGS,
  ...NOTICES,
  ...MAP,
  ...LIMITS,
  ...LOG,
};

type Settings = typeof SETTINGS;
type Name = keyof Settings;

/** A configuration in force, by the settings' names. */
export type Config = {
  readonly [N in Name]: ReturnType<Settings[N]["read"]>;
};

/** A setting as a manual shows it. */
export interface SettingPage {
  readonly name: string;
  readonly doc: string;
  /** The default, as it would be written. */
  readonly preset: string;
  readonly secret: boolean;
}

/** The settings' pages, in groups, in their order. */
export const settingGroups: readonly {
  readonly title: string;
  readonly pages: readonly SettingPage[];
}[] = GROUPS.map(([title, settings]) => ({
  title,
  pages: Object.entries(settings).map(([name, { doc, preset, secret }]) => ({
    name,
    doc,
    preset,
    secret,
  })),
}));

/** The settings' pages, in their order. */
export const settingPages: readonly SettingPage[] = settingGroups.flatMap(
  ({ pages }) => pages,
);

/** A setting as it is given, or its default. */
export interface SettingReading extends Given, SettingPage {
  /** What is wrong with it; absent where nothing is. */
  readonly fault?: string;
}

/** What came of reading a configuration. */
export interface ConfigReading {
  /** Undefined where there is a fault. */
  readonly config: Config | undefined;
  /** Every setting, in order. */
  readonly settings: readonly SettingReading[];
  /** A line each, with the setting's name and where it stands. */
  readonly faults: readonly string[];
}

const PREFIX = "STRONGROOM_";

/**
 * Reads a configuration from variables; an absent one takes its default. Every
 * fault is named, unknown names too.
 */
export function readSettings(
  given: ReadonlyMap<string, Given>,
): ConfigReading {
  const faults: string[] = [];
  for (const [name, { source }] of given) {
    if (!name.startsWith(PREFIX) || isName(name)) continue;
    const meant = nearestName(name, Object.keys(SETTINGS));
    faults.push(
      `${name}: there is no such setting` +
        `${meant === undefined ? "" : `; is ${meant} meant?`} ` +
        `(${sourceText(source)})`,
    );
  }
  const values: Partial<Record<Name, unknown>> = {};
  const settings = settingPages.map((page): SettingReading => {
    const held = given.get(page.name) ??
      { text: page.preset, source: { kind: "default" } };
    const reading = { ...page, ...held };
    if (!isName(page.name)) return reading;
    try {
      values[page.name] = SETTINGS[page.name].read(held.text);
      return reading;
    } catch (fault) {
      if (!(fault instanceof SettingFault)) throw fault;
      faults.push(
        `${page.name}: ${fault.message} (${sourceText(held.source)})`,
      );
      return { ...reading, fault: fault.message };
    }
  });
  // With half of its settings, no one could sign in through a provider, or
  // connect by a certificate.
  const has = (name: Name) => (given.get(name)?.text ?? "") !== "";
  for (
    const [one, other] of [
      ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
      ["STRONGROOM_TLS_CERT", "STRONGROOM_TLS_KEY"],
      ["STRONGROOM_S3_ENDPOINT", "STRONGROOM_S3_BUCKET"],
      ["STRONGROOM_S3_ACCESS_KEY_ID", "STRONGROOM_S3_SECRET_ACCESS_KEY"],
      [
        "STRONGROOM_BACKUP_S3_ACCESS_KEY_ID",
        "STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY",
      ],
    ] as const
  ) {
    if (has(one) && !has(other)) faults.push(`${other}: goes with ${one}`);
    if (has(other) && !has(one)) faults.push(`${one}: goes with ${other}`);
  }
  faults.push(
    ...faultsOfBucket(has),
    ...faultsOfSecrets(has),
    ...values.STRONGROOM_BLOBS === "s3" && !has("STRONGROOM_S3_ENDPOINT")
      ? ["STRONGROOM_S3_ENDPOINT: goes with STRONGROOM_BLOBS=s3"]
      : [],
  );
  faults.push(...faultsOfMdns(values));
  if (values.STRONGROOM_ACME !== undefined) {
    faults.push(...faultsOfAcme(values, has));
    // From here on it is a certificate in a file, as any other.
    const path = `${values.STRONGROOM_DATA_DIR}/${ACME_CERTIFICATE}`;
    values.STRONGROOM_TLS_CERT = path;
    values.STRONGROOM_TLS_KEY = path;
  }
  // Each name's value comes from its own reader.
  const config = faults.length === 0 ? values as Config : undefined;
  return { config, settings, faults };
}

/** A name that is told to a home has to be one of such a network. */
function faultsOfMdns(values: Partial<Record<Name, unknown>>): string[] {
  if (values.STRONGROOM_MDNS !== "on") return [];
  const origin = values.STRONGROOM_BASE_URL;
  const isLocal = typeof origin === "string" &&
    /^[a-z0-9-]+\.local$/.test(new URL(origin).hostname);
  return isLocal ? [] : [
    "STRONGROOM_BASE_URL: STRONGROOM_MDNS=on wants a name that ends in " +
    ".local, such as http://strongroom.local:8470",
  ];
}

/** Of a data directory: a certificate, its chain and its key. */
const ACME_CERTIFICATE = "keys/acme/certificate.pem";

/** What an authority could give no certificate for. */
function faultsOfAcme(
  values: Partial<Record<Name, unknown>>,
  has: (name: Name) => boolean,
): string[] {
  const origin = values.STRONGROOM_BASE_URL;
  const { hostname, protocol } = typeof origin === "string"
    ? new URL(origin)
    : { hostname: "", protocol: "" };
  const isName = /[a-z]/i.test(hostname) && !hostname.startsWith("[");
  return [
    ...has("STRONGROOM_TLS_CERT")
      ? ["STRONGROOM_TLS_CERT: stands beside STRONGROOM_ACME: keep one of them"]
      : [],
    ...protocol === "https:" && isName ? [] : [
      "STRONGROOM_BASE_URL: STRONGROOM_ACME wants https and a name, such as " +
      "https://photos.example.org",
    ],
  ];
}

/** Where and how a server gets its certificate by itself. */
export interface AcmeSettings {
  /** URL of the authority's directory. */
  readonly directory: string;
  readonly email: string | undefined;
  /** Port on which it is found. */
  readonly port: number;
  readonly directoryPath: string;
  readonly certificatePath: string;
}

/** The authority of a configuration; undefined if it names none. */
export function acmeSettings(config: Config): AcmeSettings | undefined {
  const { STRONGROOM_ACME: directory } = config;
  if (directory === undefined) return undefined;
  const certificatePath = `${config.STRONGROOM_DATA_DIR}/${ACME_CERTIFICATE}`;
  return {
    directory,
    email: config.STRONGROOM_ACME_EMAIL,
    port: config.STRONGROOM_ACME_CHALLENGE.port,
    directoryPath: certificatePath.slice(0, certificatePath.lastIndexOf("/")),
    certificatePath,
  };
}

/**
 * A bucket without credentials, or blobs without a bucket, are faults as well.
 */
function faultsOfBucket(has: (name: Name) => boolean): string[] {
  const hasKeys = has("STRONGROOM_S3_ACCESS_KEY_ID");
  const hasFile = has("STRONGROOM_S3_KEYS_FILE");
  const hasPlace = has("STRONGROOM_S3_ENDPOINT");
  return [
    ...hasPlace && !hasKeys && !hasFile
      ? [
        "STRONGROOM_S3_ACCESS_KEY_ID: goes with STRONGROOM_S3_ENDPOINT, or " +
        "STRONGROOM_S3_KEYS_FILE does",
      ]
      : [],
    ...hasKeys && hasFile
      ? [
        "STRONGROOM_S3_KEYS_FILE: stands beside STRONGROOM_S3_ACCESS_KEY_ID: " +
        "keep one of the two",
      ]
      : [],
  ];
}

/** A backup is sealed by one secret, so that its owner need not guess which. */
function faultsOfSecrets(has: (name: Name) => boolean): string[] {
  const secrets: readonly Name[] = [
    "STRONGROOM_BACKUP_PASSPHRASE",
    "STRONGROOM_BACKUP_PASSPHRASE_FILE",
    "STRONGROOM_BACKUP_KEY_FILE",
  ];
  const [first, ...others] = secrets.filter(has);
  const two = has("STRONGROOM_BACKUP_S3_ACCESS_KEY_ID") &&
    has("STRONGROOM_BACKUP_S3_KEYS_FILE");
  return [
    ...others.map((name) =>
      `${name}: stands beside ${first}: keep one of them`
    ),
    ...two
      ? [
        "STRONGROOM_BACKUP_S3_KEYS_FILE: stands beside " +
        "STRONGROOM_BACKUP_S3_ACCESS_KEY_ID: keep one of the two",
      ]
      : [],
  ];
}

/**
 * The origin under which clients reach a server of this configuration, and its
 * `server_id`. Undefined where only the kernel knows the port that it gives.
 */
export function canonicalOrigin(config: Config): string | undefined {
  if (config.STRONGROOM_BASE_URL !== undefined) {
    return config.STRONGROOM_BASE_URL;
  }
  const first = config.STRONGROOM_LISTEN.find((place) => place.kind === "tcp");
  if (first === undefined) return "http://localhost";
  if (first.port === 0) return undefined;
  const host = first.hostname.includes(":")
    ? `[${first.hostname}]`
    : first.hostname;
  const scheme = config.STRONGROOM_TLS_CERT === undefined ? "http" : "https";
  return new URL(`${scheme}://${host}:${first.port}`).origin;
}

/** The hosts of a server's id and of the places where it listens. */
export function hostnamesOf(config: Config, serverId: string): string[] {
  const places = [
    ...config.STRONGROOM_LISTEN,
    ...config.STRONGROOM_METRICS_LISTEN,
  ];
  return [
    new URL(serverId).hostname,
    ...places.flatMap((place) => place.kind === "tcp" ? [place.hostname] : []),
  ];
}

/** The relying party of a configuration; undefined without a provider. */
export function oidcSettings(config: Config): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: config.OIDC_CLIENT_SECRET,
    redirectUrl: config.OIDC_REDIRECT_URL,
    allowLoopbackRedirect: config.OIDC_ALLOW_LOOPBACK_REDIRECT === "on",
  };
}

/** What a password's hash costs. */
export function passwordCost(config: Config) {
  return {
    memoryKib: config.STRONGROOM_ARGON2_MEMORY_KIB,
    passes: config.STRONGROOM_ARGON2_PASSES,
  };
}

/** The settings that features read, in their own words and units. */
export function limitsOf(config: Config) {
  return {
    maxBlobBytes: config.STRONGROOM_MAX_BLOB_BYTES,
    smallBlobBytes: config.STRONGROOM_SMALL_BLOB_BYTES,
    accountQuotaBytes: config.STRONGROOM_ACCOUNT_QUOTA_BYTES,
    reservedDiskBytes: config.STRONGROOM_RESERVED_DISK_BYTES,
    uploadTtlMs: config.STRONGROOM_UPLOAD_TTL_HOURS * HOUR_MS,
    trashMs: config.STRONGROOM_TRASH_DAYS * DAY_MS,
    openUploads: config.STRONGROOM_LIMIT_OPEN_UPLOADS,
    sessionInactivityMs: config.STRONGROOM_SESSION_INACTIVITY_DAYS * DAY_MS,
    sessionLifetimeMs: config.STRONGROOM_SESSION_LIFETIME_DAYS * DAY_MS,
    lockoutFailures: config.STRONGROOM_LIMIT_LOCKOUT,
  };
}

/** The bucket of a configuration; undefined if it names none. */
export function bucketSettings(config: Config): BucketSettings | undefined {
  const {
    STRONGROOM_S3_ENDPOINT: endpoint,
    STRONGROOM_S3_BUCKET: bucket,
    STRONGROOM_S3_ACCESS_KEY_ID: accessKeyId,
    STRONGROOM_S3_SECRET_ACCESS_KEY: secretAccessKey,
    STRONGROOM_S3_KEYS_FILE: file,
  } = config;
  const keys = file !== undefined
    ? { file }
    : accessKeyId !== undefined && secretAccessKey !== undefined
    ? { accessKeyId, secretAccessKey }
    : undefined;
  if (
    endpoint === undefined || bucket === undefined || keys === undefined
  ) return undefined;
  return {
    place: config.STRONGROOM_BLOBS,
    endpoint,
    bucket,
    keys,
    region: config.STRONGROOM_S3_REGION,
    prefix: config.STRONGROOM_S3_PREFIX,
    style: config.STRONGROOM_S3_STYLE,
    cacheBytes: config.STRONGROOM_S3_CACHE_BYTES,
    timeoutMs: config.STRONGROOM_S3_TIMEOUT_SECONDS * SECOND_MS,
  };
}

/** What a configuration says of places off the premises. */
export function remoteBackupSettings(config: Config): RemoteBackupSettings {
  return {
    passphrase: config.STRONGROOM_BACKUP_PASSPHRASE,
    passphraseFile: config.STRONGROOM_BACKUP_PASSPHRASE_FILE,
    keyFile: config.STRONGROOM_BACKUP_KEY_FILE,
    s3: {
      endpoint: config.STRONGROOM_BACKUP_S3_ENDPOINT,
      region: config.STRONGROOM_BACKUP_S3_REGION,
      style: config.STRONGROOM_BACKUP_S3_STYLE,
      accessKeyId: config.STRONGROOM_BACKUP_S3_ACCESS_KEY_ID,
      secretAccessKey: config.STRONGROOM_BACKUP_S3_SECRET_ACCESS_KEY,
      keysFile: config.STRONGROOM_BACKUP_S3_KEYS_FILE,
      timeoutMs: config.STRONGROOM_BACKUP_S3_TIMEOUT_SECONDS * SECOND_MS,
    },
    sftp: {
      keyFile: config.STRONGROOM_BACKUP_SFTP_KEY_FILE,
      hostKey: config.STRONGROOM_BACKUP_SFTP_HOST_KEY,
    },
  };
}

function isName(name: string): name is Name {
  return Object.hasOwn(SETTINGS, name);
}
