/**
 * Where notices go (notices.md#targets): mail, ntfy, or a webhook.
 *
 * @module
 */
import { isSecureOrLoopback } from "./oidc_settings.ts";
import { list, SettingFault } from "./settings.ts";

/** A server that takes mail. */
export interface MailTarget {
  readonly kind: "smtp";
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise by STARTTLS. */
  readonly isSecure: boolean;
  /** Whether mail is refused where STARTTLS is not offered. */
  readonly requiresTls: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
}

/** A topic of an ntfy server. */
export interface NtfyTarget {
  readonly kind: "ntfy";
  readonly url: string;
  /** The header's value; undefined if the target needs no authorization. */
  readonly authorization: string | undefined;
}

/** An address that takes JSON. */
export interface WebhookTarget {
  readonly kind: "webhook";
  readonly url: string;
  /** What a message is signed with; undefined: it is not signed. */
  readonly secret: string | undefined;
}

export type NotifyTarget = (MailTarget | NtfyTarget | WebhookTarget) & {
  /** The setting's own text, which tells two targets apart. */
  readonly text: string;
  /** What people may read of it: no topic, no path, no secret. */
  readonly name: string;
};

/**
 * An address that can stand in a mail's envelope without quotes: whatever else
 * a login address may be, no mail is sent to it.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 &&
    /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u.test(text);
}

const FORMS = "wants smtp://user:password@host?from=…&to=…, " +
  "ntfy+https://host/topic or https://host/path#secret, several separated " +
  "by white space";

/** Reads targets; a {@link SettingFault} names a malformed one. */
export function readNotifyTargets(text: string): readonly NotifyTarget[] {
  const targets = text.split(/\s+/).filter((one) => one !== "").map(readTarget);
  const texts = new Set(targets.map((one) => one.text));
  if (texts.size === targets.length) return targets;
  throw new SettingFault("has a target twice");
}

function readTarget(text: string, at: number): NotifyTarget {
  // A fault names the place, never the text: it may hold a password.
  const fault = (why: string) =>
    new SettingFault(`${why} (in target ${at + 1})`);
  const url = URL.parse(text);
  if (url === null) throw fault(FORMS);
  switch (url.protocol) {
    case "smtp:":
    case "smtps:":
      return readMail(url, text, fault);
    case "ntfy+https:":
    case "ntfy+http:":
      return readNtfy(text, fault);
    case "https:":
    case "http:":
      return readWebhook(url, text, fault);
    default:
      throw fault(FORMS);
  }
}

type Complain = (why: string) => SettingFault;

function readMail(url: URL, text: string, fault: Complain): NotifyTarget {
  const isSecure = url.protocol === "smtps:";
  const host = decoded(url.hostname, fault).replace(/^\[|\]$/g, "");
  // In an address a plus is a plus, and no space of a form.
  const given = new URLSearchParams(url.search.replaceAll("+", "%2B"));
  const from = given.get("from") ?? "";
  const to = given.getAll("to").flatMap(list);
  if (host === "") throw fault("wants a mail server's host");
  if (!["", "/"].includes(url.pathname) || url.hash !== "") {
    throw fault("wants a mail server without a path");
  }
  if (!isMailAddress(from) || to.length === 0 || !to.every(isMailAddress)) {
    throw fault("wants ?from=ADDRESS&to=ADDRESS");
  }
  const tls = given.get("tls") ?? "on";
  const known = ["from", "to", "tls"];
  const strange = [...given.keys()].find((name) => !known.includes(name));
  if (strange !== undefined || !["on", "off"].includes(tls)) {
    throw fault("wants from, to and tls=off alone behind the ?");
  }
  const user = decoded(url.username, fault);
  const password = decoded(url.password, fault);
  return {
    kind: "smtp",
    text,
    name: `${url.protocol}//${url.host}`,
    host,
    port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    requiresTls: !isSecure && tls === "on",
    user: user === "" ? undefined : user,
    password: user === "" ? undefined : password,
    from,
    to,
  };
}

function readNtfy(text: string, fault: Complain): NotifyTarget {
  const url = URL.parse(text.slice("ntfy+".length));
  const topic = url?.pathname.slice(1) ?? "";
  if (
    url === null || !/^[A-Za-z0-9_-]{1,64}$/.test(topic) ||
    url.search !== "" || url.hash !== ""
  ) throw fault("wants ntfy+https://host/topic");
  const user = decoded(url.username, fault);
  const password = decoded(url.password, fault);
  const name = `ntfy at ${url.host}`;
  url.username = "";
  url.password = "";
  if (!isSecureOrLoopback(url.href)) {
    throw fault("wants https, or http on the literal 127.0.0.1 or [::1]");
  }
  // ntfy's own form: a token is a password without a user.
  const authorization = user !== ""
    ? `Basic ${basic(`${user}:${password}`)}`
    : password !== ""
    ? `Bearer ${password}`
    : undefined;
  return { kind: "ntfy", text, name, url: url.href, authorization };
}

function readWebhook(url: URL, text: string, fault: Complain): NotifyTarget {
  const name = url.origin;
  const secret = decoded(url.hash.slice(1), fault);
  const address = new URL(url);
  address.hash = "";
  if (!isSecureOrLoopback(address.href)) {
    throw fault(
      "wants https, or http on the literal 127.0.0.1 or [::1], and no user",
    );
  }
  return {
    kind: "webhook",
    text,
    name,
    url: address.href,
    secret: secret === "" ? undefined : secret,
  };
}

function decoded(text: string, fault: Complain): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw fault("has a % that begins no percent-encoding");
  }
}

function basic(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}
