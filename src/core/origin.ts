/**
 * Origins, which name servers: the `server_id` of this one and of its peers.
 *
 * @module
 */

/**
 * Reads a canonical http or https origin (RFC 6454 section 6.2), in the form of
 * a URL's `origin`; one slash at the end is ignored. Undefined for anything
 * else, such as a path, a default port or capitals.
 */
export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    return undefined;
  }
  return url.origin === text.replace(/\/$/, "") ? url.origin : undefined;
}

/** Whether a host opens only on the computer that the server runs on. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return host === "localhost" || host.endsWith(".localhost") ||
    host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Longest server id that is accepted (characters). */
const SERVER_ID_MAX = 255;

/** Whether the text is a server's id: exactly a canonical origin. */
export function isServerId(text: string): boolean {
  return text.length <= SERVER_ID_MAX && parseOrigin(text) === text;
}
