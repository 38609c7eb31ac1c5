/**
 * Settings of who uses the server: accounts, providers, other servers, logs.
 *
 * @module
 */
import {
  integer,
  oneOf,
  secretSetting,
  setting,
  type Settings,
  textOrNone,
} from "../core/settings.ts";
import { readIssuer, readRegistration, readSecureUrl } from "./values.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Accounts and sessions. */
export const ACCOUNTS = {
  STRONGROOM_REGISTRATION: setting(
    "open",
    "Who may register: open (anyone), closed (only invited people), " +
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
} satisfies Settings;

/** Signing in through an identity provider. */
export const OIDC = {
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
} satisfies Settings;

/** Other servers. */
export const FEDERATION = {
  STRONGROOM_FEDERATION: setting(
    "off",
    "on: the server issues and accepts capabilities for peer servers, " +
      "and accepts reports of pinned peers.",
    oneOf("off", "on"),
  ),
} satisfies Settings;

/** The public logs. */
export const PUBLIC_LOGS = {
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
} satisfies Settings;
