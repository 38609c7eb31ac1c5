/**
 * Settings that are legal and hardly ever meant.
 *
 * @module
 */
import { canonicalOrigin, type Config } from "../config.ts";
import type { TrustedProxies } from "../http/client_address.ts";
import { isUnspecified, reachOf } from "./reach.ts";

/**
 * The least that OWASP's recommendations for Argon2id come down to, of memory
 * (KiB) times passes, and of memory alone.
 */
const ARGON2_WORK = 7_168 * 5;
const ARGON2_MEMORY_KIB = 7_168;

/** What is unwise about a configuration, a line each, by the setting's name. */
export function adviceFor(config: Config): string[] {
  return [
    ...onOrigin(config),
    ...onOpenings(config),
    ...onStorage(config),
    ...onPasswords(config),
    ...onProvider(config),
  ];
}

function onOrigin(config: Config): string[] {
  const origin = canonicalOrigin(config);
  const given = config.STRONGROOM_BASE_URL !== undefined;
  if (origin === undefined) {
    return [
      "STRONGROOM_LISTEN: port 0 is another port at every start, and with it " +
      "the server's name changes: choose a port, or set STRONGROOM_BASE_URL",
    ];
  }
  const { protocol, hostname } = new URL(origin);
  if (!given && isUnspecified(hostname)) {
    return [
      `STRONGROOM_BASE_URL: is not set, and ${origin} is an address that no ` +
      "client can use: set it to the origin under which clients reach this " +
      "server",
    ];
  }
  if (!given && !config.STRONGROOM_LISTEN.some(({ kind }) => kind === "tcp")) {
    return [
      "STRONGROOM_BASE_URL: is not set, and a unix socket has no origin: set " +
      "it to what the proxy in front serves",
    ];
  }
  if (protocol === "http:" && reachOf(hostname) === "anybody") {
    return [
      `STRONGROOM_BASE_URL: ${origin} is http on a public host: passwords ` +
      "and tokens travel in the open; use https, by STRONGROOM_TLS_CERT or a " +
      "proxy in front",
    ];
  }
  if (protocol === "http:" && config.STRONGROOM_TLS_CERT !== undefined) {
    return [
      `STRONGROOM_BASE_URL: ${origin} is http though STRONGROOM_TLS_CERT is ` +
      "set: write https",
    ];
  }
  return [];
}

function onOpenings(config: Config): string[] {
  const lines: string[] = [];
  for (const place of config.STRONGROOM_METRICS_LISTEN) {
    if (place.kind === "unix" || reachOf(place.hostname) !== "anybody") {
      continue;
    }
    lines.push(
      `STRONGROOM_METRICS_LISTEN: ${place.hostname} is open to anybody, and ` +
        "metrics ask nobody who they are: listen on 127.0.0.1, a private " +
        "address or a unix socket",
    );
  }
  if (trustsEverybody(config.STRONGROOM_TRUSTED_PROXIES)) {
    lines.push(
      "STRONGROOM_TRUSTED_PROXIES: trusts everybody, so that anybody may say " +
        "whose request theirs is and no limit holds: name the proxy's own " +
        "address",
    );
  }
  if (config.STRONGROOM_CORS_ORIGINS === "*") {
    lines.push(
      "STRONGROOM_CORS_ORIGINS: * lets every web page call /v1 with a token " +
        "that it has got hold of: name the origins of your own pages",
    );
  }
  return lines;
}

function trustsEverybody({ networks }: TrustedProxies): boolean {
  return networks.some(({ bits, address }) =>
    // IPv4 networks are mapped behind 96 bits that end in ffff.
    bits === 0 || (bits <= 96 && address[10] === 0xff)
  );
}

function onStorage(config: Config): string[] {
  const lines: string[] = [];
  if (config.STRONGROOM_RESERVED_DISK_BYTES === 0) {
    lines.push(
      "STRONGROOM_RESERVED_DISK_BYTES: with 0 uploads may fill the disk until " +
        "the database cannot be written: leave it at least 64 MiB",
    );
  }
  if (config.STRONGROOM_TRASH_DAYS === 0) {
    lines.push(
      "STRONGROOM_TRASH_DAYS: with 0 nothing that is deleted can be restored",
    );
  }
  return lines;
}

function onPasswords(config: Config): string[] {
  const memory = config.STRONGROOM_ARGON2_MEMORY_KIB;
  const work = memory * config.STRONGROOM_ARGON2_PASSES;
  if (memory >= ARGON2_MEMORY_KIB && work >= ARGON2_WORK) return [];
  return [
    "STRONGROOM_ARGON2_MEMORY_KIB: with STRONGROOM_ARGON2_PASSES it makes " +
    "password hashes that are cheap to guess: take 19456 and 2, or more",
  ];
}

function onProvider(config: Config): string[] {
  if (
    config.OIDC_ISSUER === undefined ||
    config.OIDC_REDIRECT_URL !== undefined ||
    config.OIDC_ALLOW_LOOPBACK_REDIRECT === "on"
  ) return [];
  return [
    "OIDC_REDIRECT_URL: is not set and OIDC_ALLOW_LOOPBACK_REDIRECT is off: " +
    "nobody can be sent back from the provider, so nobody signs in through it",
  ];
}
