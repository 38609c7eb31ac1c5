/**
 * The way to a server as people type it or were sent it, and what this machine
 * is called there.
 *
 * @module
 */
import { OperatorFault } from "../../../core/operator.ts";

/** What a server's address says: where it is, and perhaps who is invited. */
interface ServerAddress {
  readonly server: string;
  readonly invitation?: string;
}

/** Reads a server's address as it is typed or was sent. */
export function serverAddressOf(text: string): ServerAddress {
  const scheme = /^([a-z][a-z0-9+.-]*):\/(?!\/\d)|^(https?):(?!\/\/)/i.exec(
    text,
  );
  if (scheme !== null && !/^https?:\/\//i.test(text)) {
    throw new OperatorFault(
      `${text} is not an address of a server: it begins with https://, or ` +
        "with http:// on your own network",
    );
  }
  const whole = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(whole)) {
    throw new OperatorFault(`${text} is not an address of a server`);
  }
  const url = new URL(whole);
  // Who types a name of the own network means what a home has.
  if (whole !== text && isNear(url.hostname)) url.protocol = "http:";
  const invitation = /^#\/invited\/([A-Za-z0-9_-]+)$/.exec(url.hash)?.[1];
  return {
    server: url.origin,
    ...(invitation === undefined ? {} : { invitation }),
  };
}

/** Plain http gives the password to everybody on the way. */
export function refuseOpenNetwork(server: string): void {
  const { protocol, hostname } = new URL(server);
  if (protocol === "https:" || isNear(hostname)) return;
  throw new OperatorFault(
    `the connection to ${server} is not encrypted, and everyone on ` +
      "the way could read your password: use https",
  );
}

const NEAR = [
  /^localhost$/,
  /^127\./,
  /^10\./,
  /^192\.168\./,
  /^172\.(1[6-9]|2\d|3[01])\./,
  /^169\.254\./,
  /^\[::1\]$/,
  /^\[f[cd]/,
  /^\[fe[89ab]/,
  /^[^.:]+$/,
  /\.(local|lan|home|internal|home\.arpa)$/,
];

/** Whether a host is on this machine or this network. */
function isNear(hostname: string): boolean {
  return NEAR.some((pattern) => pattern.test(hostname));
}

/** What the account's directory calls this machine. */
export function thisDevice(name = hostName()) {
  return { name, platform: thisPlatform() };
}

function hostName(): string {
  try {
    const [name = ""] = Deno.readTextFileSync("/etc/hostname").trim()
      .split("\n");
    return name === "" ? "command line" : name.slice(0, 128);
  } catch {
    return "command line";
  }
}

function thisPlatform(): "linux" | "macos" | "windows" {
  return Deno.build.os === "darwin"
    ? "macos"
    : Deno.build.os === "windows"
    ? "windows"
    : "linux";
}
