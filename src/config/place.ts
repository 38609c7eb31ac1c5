/**
 * Settings of where the server is reached.
 *
 * @module
 */
import { oneOf, setting, type Settings, textOrNone } from "../core/settings.ts";
import {
  readAcme,
  readChallenge,
  readListen,
  readOrigin,
  readOrigins,
  readTrusted,
} from "./values.ts";

/** Where the server is reached. */
export const PLACE = {
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
      "header is ignored from anyone else.",
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
} satisfies Settings;
