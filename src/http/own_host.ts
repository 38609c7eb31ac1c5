/**
 * Whether a request names this server (RFC 9112 section 3.2). A page whose name
 * was made to resolve to this machine has its own name there, and is refused
 * (DNS rebinding).
 *
 * @module
 */
import { isUnspecified } from "./address_scope.ts";
import { addressBytes } from "./client_address.ts";

/** Whether a hostname, without its port, is one of this server's. */
export type IsOwnHost = (hostname: string) => boolean;

/**
 * Reads the names of a server: the hostnames of its base URL and of the places
 * where it listens, and `localhost`. A server that listens on every address is
 * also reached under those of its machine, which `addresses` tells.
 */
export function ownHosts(
  hostnames: readonly string[],
  addresses: () => readonly string[],
): IsOwnHost {
  const own = new Set([LOCALHOST, ...hostnames].map(canonical));
  // Who listens under that name listens on these addresses.
  const isLocal = hostnames.some((name) => canonical(name) === LOCALHOST);
  for (const address of isLocal ? ["127.0.0.1", "::1"] : []) {
    own.add(canonical(address));
  }
  const isEverywhere = hostnames.some(isUnspecified);
  for (const every of ["0.0.0.0", "::"]) own.delete(canonical(every));
  return (hostname) => {
    const asked = canonical(hostname);
    if (own.has(asked)) return true;
    // They are asked for each time: a router may give others at any moment.
    return isEverywhere && addressBytes(unbracketed(hostname)) !== undefined &&
      addresses().some((one) => canonical(one) === asked);
  };
}

/**
 * Whether a request names another server, by its target or by its `Host`. One
 * that names none, which no browser sends, names no other.
 */
export function namesOther(
  url: URL,
  host: string | null,
  isOwn: IsOwnHost,
): boolean {
  // The runtime shows the path of a socket in place of a host.
  const isTarget = url.protocol === SOCKET || isOwn(url.hostname);
  return !isTarget || (host !== null && !isOwnHeader(host, isOwn));
}

/** What the log says of it: what was asked for stands in no log. */
export const OTHER_HOST = "the Host is not this server's: set " +
  "STRONGROOM_BASE_URL to the address that clients use, have the proxy pass " +
  "their Host on, or name the address in STRONGROOM_LISTEN";

const LOCALHOST = "localhost";
const SOCKET = "http+unix:";

function isOwnHeader(host: string, isOwn: IsOwnHost): boolean {
  const bare = /^(\[[0-9a-f:.]+\]|[^\s[\]:/?#@\\]+)(?::\d{0,5})?$/i.exec(host);
  return bare?.[1] !== undefined && isOwn(bare[1]);
}

/** A name without capitals and final dot, an address in its one form. */
function canonical(hostname: string): string {
  const bare = unbracketed(hostname);
  return addressBytes(bare)?.toHex() ?? bare.toLowerCase();
}

/** Without the brackets of an address, or the final dot of a name. */
function unbracketed(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}
