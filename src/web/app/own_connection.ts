/**
 * How safe this page's own connection is.
 *
 * @module
 */
import { type Connection, connectionOf } from "./connection.ts";

/** Judges the page's connection. */
export function ownConnection(): Connection {
  return connectionOf(location, globalThis.isSecureContext);
}
