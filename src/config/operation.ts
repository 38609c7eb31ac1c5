/**
 * Settings of how the server runs: notices, the map, limits, its log.
 *
 * @module
 */
import { readNotifyTargets } from "../core/notify_settings.ts";
import {
  integer,
  oneOf,
  secretSetting,
  setting,
  type Settings,
  size,
  textOrNone,
} from "../core/settings.ts";
import { readSecureUrl } from "./values.ts";

/** Notices and the operator's page. */
export const NOTICES = {
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
} satisfies Settings;

/** The map. */
export const MAP = {
  STRONGROOM_MAP_FILE: setting(
    "",
    "File with streets for the map of the web app: a .pmtiles file with the " +
      "layers of Protomaps' basemap. Absent: the map has countries and towns. " +
      "See map.md.",
    textOrNone,
  ),
} satisfies Settings;

/** Limits. */
export const LIMITS = {
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
} satisfies Settings;

/** The log. */
export const LOG = {
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
} satisfies Settings;
