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

/** Begins to serve. Throws OperatorFault. */
export async function startReceive(
  serving: Serving,
  platform: LibraryPlatform,
  { say, warn, log }: {
    readonly say: (line: string) => void;
    readonly warn: (line: string) => void;
    readonly log: Log;
  },
): Promise<RunningReceive> {
  const spool = await Spool.open(serving.spool);
  const lock = await spool.lock().catch((error) => {
    spool[Symbol.dispose]();
    throw error;
  });
  const ending = new AbortController();
  const { signal } = ending;
  let wake: () => void = () => {};
  let isMore = true;
  const onKept = () => {
    isMore = true;
    wake();
  };
  const { now, random } = platform;
  const receiver = new Receiver({
    spool,
    limits: serving.limits,
    now,
    random: (length) => new Uint8Array(random(length)),
    onKept,
    warn,
  });
  const close = () => {
    spool[Symbol.dispose]();
    lock.close();
  };
  let listener: Listener;
  let port = serving.port;
  try {
    await spool.clear();
    port = portOf(serving);
    listener = await openListener(
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
  } catch (error) {
    close();
    throw error;
  }
  let sftp: RunningSftp | undefined;
  let sftpPort = 0;
  if (serving.sftp !== undefined) {
    try {
      // Loaded for those who want it: it is a whole implementation of SSH.
      const { startSftp } = await import("./sftp.ts");
      sftpPort = portOf(serving.sftp);
      sftp = await startSftp({
        hostname: serving.sftp.hostname,
        port: sftpPort,
        folder: serving.spool,
        receiver,
        now,
        random: (length) => new Uint8Array(random(length)),
        wait: (ms) => platform.wait(ms),
        warn,
      });
    } catch (error) {
      await listener.shutdown();
      close();
      throw error;
    }
  }
  const delivering = keepDelivering(
    {
      spool,
      platform,
      isHeld: (id) => receiver.taking.isHeld(id),
      signal,
      say,
      warn,
    },
    async () => {
      if (isMore) {
        isMore = false;
        return;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      isMore = false;
    },
  ).catch((error) => {
    if (!signal.aborted) warn(`delivering ended: ${reasonOf(error)}`);
  });
  const tidying = tidy();
  async function tidy() {
    while (!signal.aborted) {
      await platform.wait(TIDY_MS).catch(() => {});
      if (signal.aborted) return;
      try {
        if (await receiver.taking.tidy()) onKept();
      } catch (error) {
        warn(reasonOf(error));
      }
    }
  }
  const { notify } = serving;
  const telling = notify && tell(notify);
  async function tell(notify: NonNullable<Serving["notify"]>) {
    let warned = "";
    // A target that stays away is worth one line.
    const warnOnce = (line: string) => {
      if (line !== warned) warn(line);
      warned = line;
    };
    while (!signal.aborted) {
      try {
        await tellSilence({ spool, ...notify, warn: warnOnce }, now());
      } catch (error) {
        warn(reasonOf(error));
      }
      await platform.wait(LOOK_EVERY_MS).catch(() => {});
    }
  }
  const scheme = serving.certificate === undefined ? "http" : "https";
  const place = placeText({ kind: "tcp", hostname: serving.hostname, port });
  const url = `${scheme}://${place}/`;
  spool.noteFact("address", serving.address ?? url);
  const sftpPlace = serving.sftp && placeText({
    kind: "tcp",
    hostname: serving.address === undefined
      ? serving.sftp.hostname
      : new URL(serving.address).hostname.replace(/^\[|\]$/g, ""),
    port: sftpPort,
  });
  spool.noteFact("sftp", sftpPlace ?? "");
  spool.noteFact("sftp_key", sftp?.fingerprint ?? "");
  if (sftpPlace !== undefined) {
    say(`taking files by SFTP at ${sftpPlace}, key ${sftp?.fingerprint}`);
  }
  if (spool.devices().length === 0) {
    say("no device can send yet: add a phone with `strongroom receive add`");
  }
  return {
    url,
    renew: (certificate) => listener.renew(certificate),
    async stop() {
      ending.abort();
      wake();
      await receiver.taking.close();
      await Promise.all([listener.shutdown(), sftp?.stop()]);
      await Promise.all([delivering, tidying, telling]);
      close();
    },
  };
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
