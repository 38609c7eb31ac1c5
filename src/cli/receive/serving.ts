/**
 * `strongroom receive`: serves telephones until it is told to stop, and hands
 * over what they sent.
 *
 * @module
 */
import type { Log } from "../../core/platform.ts";
import { OperatorFault } from "../../core/operator.ts";
import { reasonOf } from "../../core/reason.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import type { LibraryPlatform } from "../../library/base/platform.ts";
import {
  clientAddressOf,
  isTrusted,
  parseTrusted,
  type ProxyHeader,
  type TrustedProxies,
} from "../../http/client_address.ts";
import { Arrivals } from "./arrivals.ts";
import { keepDelivering } from "./delivering.ts";
import { Receiver } from "./receiver.ts";
import {
  type Listener,
  openListener,
  placeText,
} from "../../server/listener.ts";
import { freePort } from "../../server/free_port.ts";
import { type CertifiedKey } from "../../server/tls/certificate.ts";
import type { RunningSftp } from "./sftp.ts";
import { type TellingSilence, tellSilence } from "./silence.ts";
import { Spool } from "./spool.ts";
import type { TakingLimits } from "./taking.ts";

/** How telephones are served. */
export interface Serving {
  readonly spool: string;
  readonly hostname: string;
  readonly port: number;
  readonly certificate?: CertifiedKey | undefined;
  readonly trusted: TrustedProxies;
  readonly header: ProxyHeader;
  /** Under which telephones reach it, as `add` shows it. */
  readonly address?: string | undefined;
  /** Where it takes files by SFTP, too. */
  readonly sftp?: { readonly hostname: string; readonly port: number };
  readonly limits: TakingLimits;
  /** Who is told of a telephone that has fallen silent. */
  readonly notify?: Pick<TellingSilence, "targets" | "deliver">;
}

/** What serves, until it is stopped. */
interface RunningReceive {
  /** Where it listens. */
  readonly url: string;
  /** Serves new connections with another certificate. */
  renew(certificate: CertifiedKey): Promise<void>;
  /** Answers what runs, and ends. */
  stop(): Promise<void>;
}

/** Keys of names are forgotten, and silent bodies ended, this often. */
const TIDY_MS = 5 * SECOND_MS;
/** It looks for telephones that have fallen silent this often. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;

const LOOPBACK = parseTrusted(["127.0.0.0/8", "::1"]);

/** Where a receiver speaks: to the person, and to the log of its listeners. */
interface Voices {
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly log: Log;
}

/** Begins to serve. Throws OperatorFault. */
export async function startReceive(
  serving: Serving,
  platform: LibraryPlatform,
  voices: Voices,
): Promise<RunningReceive> {
  const { say, warn } = voices;
  const spool = await Spool.open(serving.spool);
  const lock = await spool.lock().catch((error) => {
    spool[Symbol.dispose]();
    throw error;
  });
  const close = () => {
    spool[Symbol.dispose]();
    lock.close();
  };
  const ending = new AbortController();
  const { signal } = ending;
  const arrivals = new Arrivals(signal);
  const { random } = platform;
  const receiver = new Receiver({
    spool,
    limits: serving.limits,
    now: platform.now,
    random: (length) => new Uint8Array(random(length)),
    onKept: arrivals.note,
    warn,
  });
  let places: Places;
  try {
    await spool.clear();
    places = await openPlaces(serving, receiver, platform, voices);
  } catch (error) {
    close();
    throw error;
  }
  const { listener, sftp } = places;
  const isHeld = (id: string) => receiver.taking.isHeld(id);
  const work = { spool, platform, signal, warn };
  const delivering = keepDelivering(
    { ...work, isHeld, say },
    () => arrivals.next(),
  ).catch((error) => {
    if (!signal.aborted) warn(`delivering ended: ${reasonOf(error)}`);
  });
  const tidying = keepTidy(receiver, arrivals, work);
  const telling = serving.notify && keepTelling(serving.notify, work);
  const url = noteAddresses(serving, places, spool, say);
  if (spool.devices().length === 0) {
    say("no device can send yet: add a phone with `strongroom receive add`");
  }
  return {
    url,
    renew: (certificate) => listener.renew(certificate),
    async stop() {
      ending.abort();
      await receiver.taking.close();
      await Promise.all([listener.shutdown(), sftp?.server.stop()]);
      await Promise.all([delivering, tidying, telling]);
      close();
    },
  };
}

/** Where phones are listened to. */
interface Places {
  readonly listener: Listener;
  readonly port: number;
  readonly sftp?: {
    readonly server: RunningSftp;
    readonly hostname: string;
    readonly port: number;
  };
}

/** Listens by HTTP, and by SFTP where that is asked for. */
async function openPlaces(
  serving: Serving,
  receiver: Receiver,
  { now, random, wait }: LibraryPlatform,
  { warn, log }: Voices,
): Promise<Places> {
  const port = portOf(serving);
  const listener = await openListener(
    { kind: "tcp", hostname: serving.hostname, port },
    {
      setting: "--listen",
      taken: [],
      certificate: serving.certificate,
      answer: async (request, peer = "", onBodyIn) => {
        const address = addressOf(serving, request, peer);
        const answered = address === undefined
          ? await unencrypted(request)
          : await receiver.answer(request, address);
        onBodyIn();
        return answered;
      },
      interrupt: () => {},
      log,
    },
  );
  if (serving.sftp === undefined) return { listener, port };
  try {
    // Loaded for those who want it: it is a whole implementation of SSH.
    const { startSftp } = await import("./sftp.ts");
    const place = {
      hostname: serving.sftp.hostname,
      port: portOf(serving.sftp),
    };
    const server = await startSftp({
      ...place,
      folder: serving.spool,
      receiver,
      now,
      random: (length) => new Uint8Array(random(length)),
      wait: (ms) => wait(ms),
      warn,
    });
    return { listener, port, sftp: { server, ...place } };
  } catch (error) {
    await listener.shutdown();
    throw error;
  }
}

/** What a receiver does until it is stopped. */
interface Work {
  readonly spool: Spool;
  readonly platform: LibraryPlatform;
  readonly signal: AbortSignal;
  readonly warn: (line: string) => void;
}

/** Forgets keys of names, and ends silent bodies. */
async function keepTidy(
  { taking }: Receiver,
  arrivals: Arrivals,
  { platform, signal, warn }: Work,
): Promise<void> {
  while (!signal.aborted) {
    await platform.wait(TIDY_MS).catch(() => {});
    if (signal.aborted) return;
    try {
      if (await taking.tidy()) arrivals.note();
    } catch (error) {
      warn(reasonOf(error));
    }
  }
}

/** Tells of telephones that have fallen silent. */
async function keepTelling(
  notify: NonNullable<Serving["notify"]>,
  { spool, platform, signal, warn }: Work,
): Promise<void> {
  let warned = "";
  // A target that stays away is worth one line.
  const warnOnce = (line: string) => {
    if (line !== warned) warn(line);
    warned = line;
  };
  while (!signal.aborted) {
    try {
      await tellSilence({ spool, ...notify, warn: warnOnce }, platform.now());
    } catch (error) {
      warn(reasonOf(error));
    }
    await platform.wait(LOOK_EVERY_MS).catch(() => {});
  }
}

/** Notes where phones reach it, for `receive add`; returns where it listens. */
function noteAddresses(
  { hostname, certificate, address }: Serving,
  { port, sftp }: Places,
  spool: Spool,
  say: (line: string) => void,
): string {
  const scheme = certificate === undefined ? "http" : "https";
  const url = `${scheme}://${placeText({ kind: "tcp", hostname, port })}/`;
  spool.noteFact("address", address ?? url);
  const sftpPlace = sftp && placeText({
    kind: "tcp",
    hostname: address === undefined
      ? sftp.hostname
      : new URL(address).hostname.replace(/^\[|\]$/g, ""),
    port: sftp.port,
  });
  spool.noteFact("sftp", sftpPlace ?? "");
  spool.noteFact("sftp_key", sftp?.server.fingerprint ?? "");
  if (sftpPlace !== undefined) {
    say(
      `taking files by SFTP at ${sftpPlace}, key ${sftp?.server.fingerprint}`,
    );
  }
  return url;
}

/** Whose request it is; undefined where it came over an open network. */
function addressOf(
  { certificate, trusted, header }: Serving,
  request: Request,
  peer: string,
): string | undefined {
  const isNear = certificate !== undefined || isTrusted(peer, LOOPBACK) ||
    isTrusted(peer, trusted);
  if (!isNear) return undefined;
  return clientAddressOf(
    peer,
    (name) => request.headers.get(name),
    trusted,
    header,
  );
}

/** The password came over the network for all to read. */
async function unencrypted(request: Request): Promise<Response> {
  await request.body?.cancel();
  return new Response(
    "this address is not encrypted, and accepts requests only from its " +
      "own machine and from trusted proxies\n",
    { status: 403 },
  );
}

function portOf(
  { hostname, port }: Pick<Serving, "hostname" | "port">,
): number {
  return port === 0 ? freePort(hostname) : port;
}

/** Reads `HOST:PORT`. Throws OperatorFault. */
export function placeOf(
  text: string,
  option = "--listen",
): { hostname: string; port: number } {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match?.[1] === undefined || port > 65_535) {
    throw new OperatorFault(`${option} is a host and a port: 0.0.0.0:8473`);
  }
  return { hostname: match[1].replace(/^\[|\]$/g, ""), port };
}
