/**
 * The configuration: reading it, its pages for the manual, and what parts of the
 * server get of it. The settings are in `config/`, by topic; the doc comment of
 * a setting is its manual page.
 *
 * @module
 */
import {
  faultsOfAcme,
  faultsOfBucket,
  faultsOfMdns,
  faultsOfPairs,
  faultsOfSecrets,
} from "./config/agreement.ts";
import {
  type Config,
  GROUPS,
  isName,
  type Name,
  SETTINGS,
} from "./config/settings.ts";
import type { BucketSettings } from "./core/bucket_settings.ts";
import type { OidcSettings } from "./core/oidc_settings.ts";
import type { RemoteBackupSettings } from "./core/remote_backup_settings.ts";
import {
  type Given,
  nearestName,
  SettingFault,
  sourceText,
} from "./core/settings.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "./core/time.ts";

export type { Config } from "./config/settings.ts";
export type { Listen } from "./config/values.ts";

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
  const has = (name: Name) => (given.get(name)?.text ?? "") !== "";
  faults.push(
    ...faultsOfPairs(has),
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

/** Of a data directory: a certificate, its chain and its key. */
const ACME_CERTIFICATE = "keys/acme/certificate.pem";

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
