/**
 * Settings that are legal and hardly ever meant.
 *
 * @module
 */
import { canonicalOrigin, type Config } from "../../config.ts";
import type { SettingFault } from "../../core/operator.ts";
import type { TrustedProxies } from "../../http/client_address.ts";
import { scopeOf } from "../../http/address_scope.ts";

/**
 * The least that OWASP's recommendations for Argon2id come down to, of memory
 * (KiB) times passes, and of memory alone.
 */
const ARGON2_WORK = 7_168 * 5;
const ARGON2_MEMORY_KIB = 7_168;

/** What is unwise about a configuration. */
export function adviceFor(config: Config): SettingFault[] {
  return [
    ...onOrigin(config),
    ...onOpenings(config),
    ...onStorage(config),
    ...onPasswords(config),
    ...onProvider(config),
  ];
}

function onOrigin(config: Config): SettingFault[] {
  const origin = canonicalOrigin(config);
  if (origin === undefined) {
    return [{
      setting: "STRONGROOM_LISTEN",
      what: "port 0 is a different port at every start, so the server's name " +
        "changes each time",
      mend: "choose a port, or set STRONGROOM_BASE_URL",
    }];
  }
  const { protocol, hostname } = new URL(origin);
  const given = config.STRONGROOM_BASE_URL !== undefined;
  const about = (what: string, mend: string): SettingFault[] => [
    { setting: "STRONGROOM_BASE_URL", what, mend },
  ];
  if (!given && !config.STRONGROOM_LISTEN.some(({ kind }) => kind === "tcp")) {
    return about(
      "is not set, and a Unix socket has no origin",
      "set it to the origin that the proxy serves",
    );
  }
  if (protocol === "http:" && scopeOf(hostname) === "anybody") {
    return about(
      `${origin} is http on a public host, so passwords and tokens are ` +
        "sent unencrypted",
      "use https, with STRONGROOM_TLS_CERT or a proxy",
    );
  }
  if (protocol === "http:" && config.STRONGROOM_TLS_CERT !== undefined) {
    return about(
      `${origin} is http though STRONGROOM_TLS_CERT is set`,
      "write https",
    );
  }
  return [];
}

function onOpenings(config: Config): SettingFault[] {
  const advice: SettingFault[] = [];
  for (const place of config.STRONGROOM_METRICS_LISTEN) {
    if (place.kind === "unix" || scopeOf(place.hostname) !== "anybody") {
      continue;
    }
    advice.push({
      setting: "STRONGROOM_METRICS_LISTEN",
      what: `${place.hostname} is open to everyone, and metrics need no ` +
        "sign-in",
      mend: "listen on 127.0.0.1, a private address or a unix socket",
    });
  }
  if (trustsEveryone(config.STRONGROOM_TRUSTED_PROXIES)) {
    advice.push({
      setting: "STRONGROOM_TRUSTED_PROXIES",
      what: "trusts everyone, so anyone can claim any address and avoid " +
        "every limit",
      mend: "give the proxy's own address",
    });
  }
  if (config.STRONGROOM_CORS_ORIGINS === "*") {
    advice.push({
      setting: "STRONGROOM_CORS_ORIGINS",
      what: "lets any web page that has a token call /v1",
      mend: "name the origins of your own pages",
    });
  }
  return advice;
}

function trustsEveryone({ networks }: TrustedProxies): boolean {
  return networks.some(({ bits, address }) =>
    // IPv4 networks are mapped behind 96 bits that end in ffff.
    bits === 0 || (bits <= 96 && address[10] === 0xff)
  );
}

function onStorage(config: Config): SettingFault[] {
  const advice: SettingFault[] = [];
  if (config.STRONGROOM_RESERVED_DISK_BYTES === 0) {
    advice.push({
      setting: "STRONGROOM_RESERVED_DISK_BYTES",
      what: "with 0, uploads can fill the disk until the database cannot be " +
        "written",
      mend: "reserve at least 64 MiB (67108864)",
    });
  }
  if (config.STRONGROOM_TRASH_DAYS === 0) {
    advice.push({
      setting: "STRONGROOM_TRASH_DAYS",
      what: "with 0, deleted items cannot be restored",
      mend: "leave people some days to change their minds",
    });
  }
  return advice;
}

function onPasswords(config: Config): SettingFault[] {
  const memory = config.STRONGROOM_ARGON2_MEMORY_KIB;
  const work = memory * config.STRONGROOM_ARGON2_PASSES;
  if (memory >= ARGON2_MEMORY_KIB && work >= ARGON2_WORK) return [];
  return [{
    setting: "STRONGROOM_ARGON2_MEMORY_KIB",
    what: "with STRONGROOM_ARGON2_PASSES, it makes password hashes that are " +
      "cheap to guess",
    mend: "use at least 19456 and 2",
  }];
}

function onProvider(config: Config): SettingFault[] {
  if (
    config.OIDC_ISSUER === undefined ||
    config.OIDC_REDIRECT_URL !== undefined ||
    config.OIDC_ALLOW_LOOPBACK_REDIRECT === "on"
  ) return [];
  return [{
    setting: "OIDC_REDIRECT_URL",
    what: "is not set and OIDC_ALLOW_LOOPBACK_REDIRECT is off, so the " +
      "provider cannot send anyone back",
    mend: "set it to the address of the page that clients come back to",
  }];
}
