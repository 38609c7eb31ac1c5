/**
 * Tells a home's network where this server is (`STRONGROOM_MDNS`; RFC 6762, RFC
 * 6763): its name ends in .local, which no DNS server knows.
 *
 * @module
 */
import { networkInterfaces } from "node:os";
import type { Listen } from "../config.ts";
import type { Platform } from "../core/platform.ts";
import { isUnspecified } from "../http/address_scope.ts";
import { reasonOf } from "../core/reason.ts";

/** For how long others may remember an answer (s). */
const TTL_S = 120;
/** A record is told to everyone at most once in this time (RFC 6762 6). */
const RATE_MS = 1_000;
const SERVICES = "_services._dns-sd._udp.local";

/** A record, as `multicast-dns` has it. */
interface DnsRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl?: number;
  readonly data?: unknown;
}

type Answers = readonly DnsRecord[];

interface Packet {
  readonly questions?: readonly {
    readonly name: string;
    readonly type: string;
  }[];
  readonly answers?: Answers;
  readonly additionals?: Answers;
}

/** What is used of a socket of `multicast-dns`, which comes without types. */
interface MdnsSocket {
  on(event: "query" | "response", then: (packet: Packet) => void): void;
  on(event: "ready" | "warning", then: () => void): void;
  on(event: "error", then: (error: Error) => void): void;
  query(name: string, type: string): void;
  respond(packet: Packet, done?: () => void): void;
  destroy(done: () => void): void;
}

/** Opens a socket of an interface, named by its address. */
export type MakeMdns = (
  options: { readonly interface: string; readonly bind: string },
) => MdnsSocket;

/** An address of this machine. */
interface Address {
  readonly address: string;
  readonly family: "IPv4" | "IPv6";
}

/** What is told. */
interface Told {
  /** Such as `strongroom.local`. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly addresses: readonly Address[];
}

/** Every record of a server, with what each tells. */
export function recordsOf(
  { host, port, isTls, addresses }: Told,
  ttl = TTL_S,
): Answers {
  const type = `_${isTls ? "https" : "http"}._tcp.local`;
  const instance = `${host.replace(/\.local$/, "")}.${type}`;
  return [
    { name: SERVICES, type: "PTR", ttl, data: type },
    { name: type, type: "PTR", ttl, data: instance },
    { name: instance, type: "SRV", ttl, data: { port, target: host } },
    { name: instance, type: "TXT", ttl, data: ["path=/"] },
    ...addresses.map(({ address, family }) => ({
      name: host,
      type: family === "IPv4" ? "A" as const : "AAAA" as const,
      ttl,
      data: address,
    })),
  ];
}

/** The addresses under which a place is reached from elsewhere. */
export function addressesOf(places: readonly Listen[]): Address[] {
  const tcp = places.flatMap((place) => place.kind === "tcp" ? [place] : []);
  if (!tcp.some(({ hostname }) => isUnspecified(hostname))) {
    return tcp.map(({ hostname }) => ({
      address: hostname,
      family: hostname.includes(":") ? "IPv6" : "IPv4",
    }));
  }
  return Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal, address }) =>
      // A link-local address means nothing without its interface.
      !internal && !address.startsWith("fe80:")
    ).map(({ address, family }) => ({ address, family }))
  );
}

/** Every address of this machine, its own to itself as well. */
export function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) =>
    all.map(({ address }) => address)
  );
}

/** Answers until it is stopped, which tells the network that it is gone. */
export async function startMdns(
  told: Told,
  { log, monotonic }: Pick<Platform, "log" | "monotonic">,
): Promise<{ readonly stop: () => Promise<void> }> {
  const { default: makeMdns }: { readonly default: MakeMdns } = await import(
    "multicast-dns"
  );
  const interfaces = told.addresses.filter(({ family }) => family === "IPv4");
  const sockets: MdnsSocket[] = interfaces.map(({ address }) =>
    makeMdns({
      interface: address,
      // What is sent to the group arrives at no address of the interface.
      bind: "0.0.0.0",
    })
  );
  const records = recordsOf(told);
  let isTold = false;
  for (const socket of sockets) {
    const toldAt = new Map<DnsRecord, number>();
    /** Those that were not told a moment ago, which are from now on. */
    const due = (asked: Answers): Answers => {
      const now = monotonic();
      const rest = asked.filter((record) =>
        now - (toldAt.get(record) ?? -Infinity) >= RATE_MS
      );
      for (const record of rest) toldAt.set(record, now);
      return rest;
    };
    const fail = (cause: Error) =>
      log.error("the name is not told to the network", {
        cause: reasonOf(cause),
      });
    socket.on("error", fail);
    socket.on("warning", () => {
      // Another device's packet could not be read.
    });
    socket.on("query", ({ questions = [] }) => {
      const answers = due(
        records.filter((record) =>
          questions.some(({ name, type }) =>
            name.toLowerCase() === record.name &&
            (type === record.type || type === "ANY")
          )
        ),
      );
      if (answers.length === 0) return;
      socket.respond({
        answers,
        additionals: due(records),
      });
    });
    socket.on("response", ({ answers = [] }) => {
      const isOthers = answers.some((answer) =>
        answer.type === "A" && answer.name.toLowerCase() === told.host &&
        !told.addresses.some(({ address }) => address === answer.data)
      );
      if (!isOthers || isTold) return;
      isTold = true;
      log.warn("another machine has the same name in this network", {
        name: told.host,
      });
    });
    socket.on("ready", () => socket.respond({ answers: due(records) }));
  }
  return {
    async stop() {
      for (const socket of sockets) {
        await new Promise<void>((resolve) =>
          socket.respond({ answers: recordsOf(told, 0) }, () => resolve())
        );
        await new Promise<void>((resolve) => socket.destroy(() => resolve()));
      }
    },
  };
}
