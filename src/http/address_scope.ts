/**
 * Who can reach an address: this machine, its own network, or anybody.
 *
 * @module
 */
import { isTrusted, parseTrusted } from "./client_address.ts";

type AddressScope = "machine" | "network" | "anybody";

const MACHINE = parseTrusted(["127.0.0.0/8", "::1", "unix"]);
/** Private and link-local networks (RFC 1918, 6598, 3927, 4193, 4291). */
const NETWORK = parseTrusted([
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "fc00::/7",
  "fe80::/10",
]);
/** Names that no public registry gives out (RFC 6761, 6762, 8375). */
const NETWORK_NAME = /^[^.]+$|\.(?:local|lan|internal|home|home\.arpa|test)$/i;
const MACHINE_NAME = /^(?:[^.]+\.)*localhost$/i;

/**
 * Who can reach a host: an address, with brackets or without, or a name. An
 * unspecified address (0.0.0.0) is every address, so it is reached by anybody.
 */
export function scopeOf(host: string): AddressScope {
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  if (isTrusted(bare, MACHINE) || MACHINE_NAME.test(bare)) return "machine";
  if (isTrusted(bare, NETWORK)) return "network";
  const isAddress = bare.includes(":") || /^[\d.]+$/.test(bare);
  return !isAddress && NETWORK_NAME.test(bare) ? "network" : "anybody";
}

/** Whether an address is every address of the machine. */
export function isUnspecified(host: string): boolean {
  return /^(?:0\.0\.0\.0|\[?::\]?)$/.test(host);
}
