/**
 * What the vault and the service worker agree on about passes (see
 * `vault.ts`).
 *
 * @module
 */

/**
 * Where the vault asks about a pass. The pass is the query, because no query
 * leads out of this path.
 */
export const VOUCHED = "/app/vouched";
/**
 * The service worker's answer about a pass that no page of the app gave. No
 * server and no proxy answers an unknown address with this status.
 */
export const UNKNOWN_PASS = 205;
