/**
 * Origins: what a server is named by, its own `server_id` and that of a peer.
 *
 * @module
 */

/**
 * Reads a canonical http or https origin (RFC 6454 section 6.2), as a URL's
 * `origin` gives it; one slash at its end is passed over. Undefined for
 * anything else: a path, a default port, capitals.
 */
export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    return undefined;
  }
  return url.origin === text.replace(/\/$/, "") ? url.origin : undefined;
}

/** Longest server id that is taken (characters). */
const SERVER_ID_MAX = 255;

/** Whether the text is a server's id: its canonical origin, exactly. */
export function isServerId(text: string): boolean {
  return text.length <= SERVER_ID_MAX && parseOrigin(text) === text;
}
