/**
 * Whose request it is, behind proxies that the operator trusts: the last
 * address that none of them vouches for (RFC 7239; `X-Forwarded-For`). From
 * anybody else such headers are ignored.
 *
 * @module
 */

/** Addresses of proxies whose forwarding headers are believed. */
export interface TrustedProxies {
  readonly networks: readonly Network[];
  /** Whether every client of a unix socket is one. */
  readonly unix: boolean;
}

/** Every address that shares the first bits with this one. */
interface Network {
  readonly address: Uint8Array;
  readonly bits: number;
}

/**
 * The one header in which proxies name their client. The other is ignored: the
 * usual proxy sets one of them and passes on whatever a client wrote into the
 * other.
 */
export type ProxyHeader = "x-forwarded-for" | "forwarded";

/** The one of the two that is not that. */
export function otherHeader(noted: ProxyHeader): ProxyHeader {
  return noted === "forwarded" ? "x-forwarded-for" : "forwarded";
}

/** What a connection over a unix socket is from. */
export const UNIX_PEER = "unix";

/** Reads `192.0.2.0/24`, `2001:db8::/32`, one address, or `unix`. */
export function parseTrusted(parts: readonly string[]): TrustedProxies {
  const networks: Network[] = [];
  for (const part of parts) {
    if (part === UNIX_PEER) continue;
    const [text = "", bitsText, ...rest] = part.split("/");
    const address = addressBytes(text);
    const isV4 = !text.includes(":");
    const width = isV4 ? 32 : 128;
    const bits = bitsText === undefined
      ? width
      : /^\d{1,3}$/.test(bitsText)
      ? Number(bitsText)
      : NaN;
    if (address === undefined || !(bits <= width) || rest.length > 0) {
      throw new RangeError(`${part} is no address and no network`);
    }
    networks.push({ address, bits: isV4 ? bits + 96 : bits });
  }
  return { networks, unix: parts.includes(UNIX_PEER) };
}

/**
 * The client's address. `peer` is the connection's own, {@link UNIX_PEER} for
 * a unix socket. A header that cannot be read vouches for nothing further.
 */
export function clientAddressOf(
  peer: string,
  header: (name: string) => string | null,
  trusted: TrustedProxies,
  noted: ProxyHeader = "x-forwarded-for",
): string {
  let address = peer;
  if (!isTrusted(address, trusted)) return address;
  for (const hop of forwardedFor(header(noted), noted).toReversed()) {
    if (hop === undefined) return address;
    address = hop;
    if (!isTrusted(address, trusted)) return address;
  }
  return address;
}

/** Whether an address, or {@link UNIX_PEER}, is among them. */
export function isTrusted(address: string, trusted: TrustedProxies): boolean {
  if (address === UNIX_PEER) return trusted.unix;
  if (trusted.networks.length === 0) return false;
  const bytes = addressBytes(address);
  return bytes !== undefined &&
    trusted.networks.some((network) => isIn(bytes, network));
}

/**
 * The network of an address: 24 bits of IPv4, 48 of IPv6, as
 * {@link parseTrusted} reads it. Throws for what is no address.
 */
export function networkOf(address: string): string {
  const bytes = addressBytes(address);
  if (bytes === undefined) throw new RangeError(`${address} is no address`);
  if (isMapped(bytes)) return `${bytes.subarray(12, 15).join(".")}.0/24`;
  return `${groupsOf(bytes, 3)}::/48`;
}

/**
 * As whom an address is counted, by every limit that is per client address:
 * IPv4 as itself, however it is written, and IPv6 by its first 64 bits,
 * because one customer has all the others (RFC 6177; RFC 4291 section 2.5.4).
 */
export function countedAddress(address: string): string {
  if (address !== last.address) last = { address, counted: counted(address) };
  return last.counted;
}

/** Most requests come from where the one before came from. */
let last = { address: "", counted: "" };

function counted(address: string): string {
  // A zone (RFC 4007 section 11) names an interface of this machine.
  const bytes = addressBytes(address.split("%", 1)[0] ?? "");
  if (bytes === undefined) return address;
  if (isMapped(bytes)) return bytes.subarray(12).join(".");
  return `${groupsOf(bytes, 4)}::/64`;
}

/** Whether 16 bytes are an IPv4 address (RFC 4291 section 2.5.5.2). */
function isMapped(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 0xff && bytes[11] === 0xff;
}

/** The first groups of an IPv6 address. */
function groupsOf(bytes: Uint8Array, count: number): string {
  return Array.from(
    { length: count },
    (_, at) =>
      (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16),
  ).join(":");
}

/** Whether any address of a network is trusted; `unix` is one. */
export function trustsSome(network: string, trusted: TrustedProxies): boolean {
  const { networks, unix } = parseTrusted([network]);
  if (unix) return trusted.unix;
  return networks.some((one) =>
    trusted.networks.some((other) =>
      isIn(one.address, other) || isIn(other.address, one)
    )
  );
}

function isIn(bytes: Uint8Array, { address, bits }: Network): boolean {
  for (let bit = 0; bit < bits; bit++) {
    const mask = 0x80 >> (bit % 8);
    const at = bit >> 3;
    if (((bytes[at] ?? 0) & mask) !== ((address[at] ?? 0) & mask)) return false;
  }
  return true;
}

/** The addresses that proxies noted, the first client first. */
function forwardedFor(
  value: string | null,
  noted: ProxyHeader,
): (string | undefined)[] {
  const hops = value?.split(",") ?? [];
  if (noted === "x-forwarded-for") return hops.map(readHop);
  return hops.map((element) => {
    const pair = element.split(";").find((one) => /^\s{0,8}for=/i.test(one));
    return readHop(pair?.slice(pair.indexOf("=") + 1) ?? "");
  });
}

/** An address, without quotes, brackets and port. */
function readHop(text: string): string | undefined {
  const bare = text.trim().replace(/^"(.*)"$/, "$1");
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(bare)?.[1];
  const address = bracketed ??
    (/^[^:]+:\d{1,5}$/.test(bare) ? bare.slice(0, bare.indexOf(":")) : bare);
  return addressBytes(address) === undefined ? undefined : address;
}

/** An address as 16 bytes; IPv4 in its mapped form (RFC 4291 2.5.5.2). */
export function addressBytes(text: string): Uint8Array | undefined {
  const v4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (v4 !== null) {
    const parts = v4.slice(1).map(Number);
    if (parts.some((part) => part > 255)) return undefined;
    const bytes = new Uint8Array(16);
    bytes.set([0xff, 0xff, ...parts], 10);
    return bytes;
  }
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(":")) return undefined;
  // The URL parser reads every form of IPv6 and writes one.
  const host = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
  if (host === undefined) return undefined;
  const [head = "", tail] = host.split("::");
  const groups = (part: string) => part === "" ? [] : part.split(":");
  const before = groups(head);
  const after = groups(tail ?? "");
  const zeros = new Array(8 - before.length - after.length).fill("0");
  const all = [...before, ...zeros, ...after].map((group) =>
    Number.parseInt(group, 16)
  );
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
