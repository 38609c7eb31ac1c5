/**
 * How settings are read that more than one text can mean: addresses, buckets,
 * certificates.
 *
 * @module
 */
import { parseOrigin } from "../core/origin.ts";
import { isSecureOrLoopback } from "../core/oidc_settings.ts";
import {
  list,
  nearestName,
  SettingFault,
  textOrNone,
} from "../core/settings.ts";
import { parseTrusted, type TrustedProxies } from "../http/client_address.ts";
import type { CorsOrigins } from "../http/cors.ts";

/** Where the server listens. */
export type Listen =
  | { readonly kind: "tcp"; readonly hostname: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string };

/** Who may register. */
type Registration = "open" | "closed" | ReadonlySet<string>;

export function readOrigin(text: string): string {
  const origin = parseOrigin(text);
  if (origin !== undefined) return origin;
  throw new SettingFault(
    "wants an origin such as https://photos.example.org, without a path",
  );
}

export function readIssuer(text: string): string | undefined {
  // OpenID Connect Discovery 1.0 section 2: no query, no fragment.
  if (!text.includes("?")) return readSecureUrl(text);
  throw new SettingFault("wants a URL without a query");
}

export function readSecureUrl(text: string): string | undefined {
  if (text === "" || isSecureOrLoopback(text)) return textOrNone(text);
  throw new SettingFault(
    "wants an https URL, or http on the literal 127.0.0.1 or [::1]",
  );
}

export function readTrusted(text: string): TrustedProxies {
  try {
    return parseTrusted(list(text));
  } catch (fault) {
    if (!(fault instanceof RangeError)) throw fault;
    throw new SettingFault(
      `${fault.message}: wants networks such as 10.0.0.0/8, or unix`,
    );
  }
}

export function readListen(text: string): Listen[] {
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

export function readEndpoint(text: string): string | undefined {
  if (text === "") return undefined;
  const origin = parseOrigin(text);
  if (origin !== undefined) return origin;
  throw new SettingFault(
    "wants an origin such as https://s3.example.org, without a path",
  );
}

export function readBucket(text: string): string | undefined {
  if (text === "" || /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) {
    return textOrNone(text);
  }
  throw new SettingFault("wants a bucket's name: 3 to 63 of a-z 0-9 . and -");
}

/** Ends with a slash, or is empty. */
export function readPrefix(text: string): string {
  if (!/^[A-Za-z0-9!_.*'()/-]*$/.test(text) || /^\/|\/\/|\.\./.test(text)) {
    throw new SettingFault(
      "wants letters, digits and ! _ . * ' ( ) - between slashes, and no " +
        "slash in front",
    );
  }
  return text === "" || text.endsWith("/") ? text : `${text}/`;
}

export function readRegion(text: string): string {
  if (/^[A-Za-z0-9-]{1,64}$/.test(text)) return text;
  throw new SettingFault("wants a region such as eu-central-1");
}

export function readHostKey(text: string): string | undefined {
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

export function readAcme(text: string): string | undefined {
  if (text === "") return undefined;
  const url = AUTHORITIES[text] ?? text;
  if (URL.canParse(url) && new URL(url).protocol === "https:") return url;
  throw new SettingFault("wants letsencrypt or the https URL of a directory");
}

export function readChallenge(text: string): { readonly port: number } {
  const match = /^http-01(?::(\d{1,5}))?$/.exec(text);
  const port = Number(match?.[1] ?? 80);
  if (match !== null && port > 0 && port <= 65_535) return { port };
  throw new SettingFault("wants http-01 or http-01:PORT");
}

export function readOrigins(text: string): CorsOrigins {
  return text === "*" ? "*" : new Set(list(text).map(readOrigin));
}

export function readRegistration(text: string): Registration {
  if (text === "open" || text === "closed") return text;
  const domains = list(text).map((domain) => domain.toLowerCase());
  const isDomain = (one: string) => /^[^\s@.]+(?:\.[^\s@.]+)+$/.test(one);
  // A misspelt "closed" would be a domain that is free for anyone to register.
  const strange = domains.find((one) => !isDomain(one));
  if (strange === undefined && domains.length > 0) return new Set(domains);
  const meant = nearestName(strange ?? "", ["open", "closed"], 2);
  throw new SettingFault(
    "wants open, closed, or a list of domains such as example.org" +
      (strange === undefined ? "" : `; ${strange} is not one`) +
      (meant === undefined ? "" : `: is ${meant} meant?`),
  );
}
