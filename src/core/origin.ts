/**
 * Canonical origins: what a server calls itself (`server_id`).
 *
 * @module
 */

/** Longest server id that is taken (characters). */
export const SERVER_ID_MAX = 255;

/** Whether the text is an http or https origin exactly as it is serialised. */
export function isServerId(text: string): boolean {
  if (text.length > SERVER_ID_MAX) return false;
  const url = URL.parse(text);
  return url !== null && ["http:", "https:"].includes(url.protocol) &&
    url.origin === text;
}
