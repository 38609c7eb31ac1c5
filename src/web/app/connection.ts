/**
 * How safe the connection of a page is.
 *
 * @module
 */

const PRIVATE_ENDINGS = [
  "localhost",
  "local",
  "lan",
  "home",
  "home.arpa",
  "internal",
  "intranet",
  "private",
  "localdomain",
  // The name that common home routers of some countries use.
  "fritz.box",
];

/**
 * Whether a host name can only be in a private network: private and loopback
 * addresses, those of carriers and overlay networks (RFC 6598), names without a
 * dot, and endings that the public network does not use.
 */
export function isOwnNetwork(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host.startsWith("[")) return isOwnAddress6(host.slice(1, -1));
  const quad = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(host);
  if (quad !== null) return isOwnAddress4(Number(quad[1]), Number(quad[2]));
  if (!host.includes(".")) return true;
  return PRIVATE_ENDINGS.some((ending) => host.endsWith(`.${ending}`));
}

function isOwnAddress4(first: number, second: number): boolean {
  switch (first) {
    case 10:
    case 127:
      return true;
    case 100:
      return second >= 64 && second < 128;
    case 169:
      return second === 254;
    case 172:
      return second >= 16 && second < 32;
    case 192:
      return second === 168;
    default:
      return false;
  }
}

function isOwnAddress6(address: string): boolean {
  return address === "::1" || /^f[cd][0-9a-f]{2}:/.test(address) ||
    /^fe[89ab][0-9a-f]:/.test(address);
}

/** How safe it is to type a password on this page. */
export type Connection =
  /** Encrypted, or to this machine itself. */
  | "safe"
  /** Readable by everybody on the home network. */
  | "home"
  /** Readable by anybody between the browser and the server. */
  | "public";

/** Judges a connection. */
export function connectionOf(
  { protocol, hostname }: Pick<Location, "protocol" | "hostname">,
  isSecure: boolean,
): Connection {
  if (protocol === "https:" || isSecure) return "safe";
  return isOwnNetwork(hostname) ? "home" : "public";
}
