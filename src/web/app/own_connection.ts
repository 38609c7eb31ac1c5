/**
 * What this page's own connection is worth.
 *
 * @module
 */
import { type Connection, connectionOf } from "./connection.ts";

/** Encrypted, of a home, or of nobody's. */
export function ownConnection(): Connection {
  return connectionOf(location, globalThis.isSecureContext);
}
