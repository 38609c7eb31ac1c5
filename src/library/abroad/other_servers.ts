/**
 * Asking other servers: what they are sent, how long they are waited for, and
 * which server answers; and the ids by which others know the own server.
 *
 * @module
 */
import type { ProblemCode } from "../../core/problem_codes.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { ServerInfo } from "../../wire/answers/discovery.ts";
import { type Client, createClient } from "../../client/api/api.ts";
import {
  type ClientOptions,
  ConnectionError,
  type Fetch,
} from "../../client/api/transport.ts";
import { clientOptions, type LibraryPlatform } from "../base/platform.ts";
import type { Library } from "../library.ts";
import { AbroadError } from "./abroad_fault.ts";

/** What a refusal of another server may say, by its code. */
const CODES: ReadonlySet<ProblemCode> = new Set(
  [
    "error.album.member_not_on_roster",
    "error.federation.capability_invalid",
    "error.federation.capability_not_renewable",
    "error.sync.epoch_changed",
  ] as const,
);

/** A client of another server, with {@link optionsAbroad}. */
export function clientOf(
  platform: LibraryPlatform,
  serverId: string,
  protocol?: string,
): Client {
  return createClient({
    ...optionsAbroad(platform, serverId),
    ...(protocol === undefined ? {} : { protocol }),
  });
}

/**
 * Options under which another server is sent nothing that is not in the request,
 * and followed nowhere. That server does not judge this program's build, nor the
 * session at the own server.
 */
export function optionsAbroad(
  platform: LibraryPlatform,
  serverId: string,
): ClientOptions {
  const send = unlessSilent(platform);
  const { build: _, ...options } = clientOptions(platform, serverId);
  return {
    ...options,
    codes: CODES,
    fetch: (input, init) =>
      send(input, {
        ...init,
        credentials: "omit",
        redirect: "error",
        referrerPolicy: "no-referrer",
      }),
  };
}

/** A server that says nothing for this long holds up no other. */
const SILENT_MS = MINUTE_MS;

/** Ends a request whose server says nothing, before its answer or within it. */
function unlessSilent({ fetch: send, patience }: LibraryPlatform): Fetch {
  if (patience === undefined) return send;
  return async (input, init) => {
    const ended = new AbortController();
    const heard = async <T>(answer: Promise<T>): Promise<T> => {
      const settled = new AbortController();
      const silence = patience(SILENT_MS, settled.signal).then((): never => {
        const error = new DOMException("nothing came", "TimeoutError");
        if (!settled.signal.aborted) ended.abort(error);
        throw error;
      });
      try {
        return await Promise.race([answer, silence]);
      } finally {
        settled.abort();
      }
    };
    const signals = init.signal ? [init.signal, ended.signal] : [ended.signal];
    const signal = AbortSignal.any(signals);
    const response = await heard(send(input, { ...init, signal }));
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const reader = body.getReader();
    const audible = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        const { done, value } = await heard(reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    }, { highWaterMark: 0 });
    return new Response(audible, { status, statusText, headers });
  };
}

/** What a stranger's word leads to holds up nothing for longer than this. */
const HASTY_MS = MINUTE_MS / 2;

/** The smallest share of that time that one question has. */
const LEAST_SHARE = 1 / 8;

/** A time that several questions to other servers have together. */
export interface Haste {
  /** Whether nothing more can be asked. */
  readonly isOver: boolean;
  /**
   * Asks; throws a ConnectionError if the time, or this question's share of it,
   * is over before the answer.
   */
  within<T>(ask: (platform: LibraryPlatform) => Promise<T>): Promise<T>;
  /** Ends it, with what is under way. */
  end(): void;
}

/**
 * Gives questions to other servers 30 seconds in all from the first one on, and
 * each of them an equal share, which is at least an eighth. They are asked on a
 * platform that does not wait for them: one that asks to wait is a
 * ConnectionError.
 */
export function inHaste(platform: LibraryPlatform, questions: number): Haste {
  const { fetch: send, patience } = platform;
  const [ended, settled] = [new AbortController(), new AbortController()];
  const shareMs = HASTY_MS * Math.max(LEAST_SHARE, 1 / Math.max(1, questions));
  const lateAfter = (ms: number, until: AbortSignal, over: AbortController) => {
    const late = patience?.(ms, until).then((): never => {
      over.abort();
      throw new ConnectionError("the server takes too long");
    });
    late?.catch(() => {});
    return late;
  };
  let all: Promise<never> | undefined;
  return {
    get isOver() {
      return ended.signal.aborted;
    },
    async within(ask) {
      all ??= lateAfter(HASTY_MS, settled.signal, ended);
      const [over, answered] = [new AbortController(), new AbortController()];
      const share = lateAfter(shareMs, answered.signal, over);
      const asked = ask({
        ...platform,
        wait: () => Promise.reject(new ConnectionError("the server is busy")),
        fetch: (input, init) => {
          const signals = [ended.signal, over.signal];
          if (init.signal) signals.push(init.signal);
          return send(input, { ...init, signal: AbortSignal.any(signals) });
        },
      });
      const late = [all, share].filter((one) => one !== undefined);
      try {
        return await Promise.race([asked, ...late]);
      } finally {
        answered.abort();
        over.abort();
      }
    },
    end() {
      settled.abort();
      ended.abort();
    },
  };
}

/**
 * Asks a server whether it is the one of an id, and shares albums with others.
 * Throws a DocumentError if not.
 */
export async function serverAbroad(
  client: Client,
  serverId: string,
): Promise<ServerInfo> {
  const info = await client.serverInfo();
  const { server_id, api_base_url, federation_url } = info;
  const isUnder = api_base_url === serverId ||
    api_base_url.startsWith(`${serverId}/`);
  if (server_id !== serverId || !isUnder) {
    throw new AbroadError(
      "their_server",
      `the server at ${serverId} has another address`,
    );
  }
  if (!federation_url) {
    throw new AbroadError(
      "their_server",
      `${serverId} does not share with other servers`,
    );
  }
  return info;
}

/**
 * What the account's own server says of itself, for what is signed or handed
 * out with its id. Throws an AbroadError if that is no address at which this
 * account was opened.
 */
export async function ownServer(
  { vault: { session }, trust }: Library,
): Promise<ServerInfo> {
  const info = await session.client.serverInfo();
  const { server_id: serverId } = info;
  if (trust.isPinned(serverId)) return info;
  throw new AbroadError(
    "address",
    `your server calls itself ${serverId}, and you opened it at ` +
      `${session.server}: sign in at ${serverId} to make a card or to invite`,
  );
}

/** The ids that the account's own server has and had, the present one first. */
export async function ownServerIds(
  { vault: { session }, trust }: Library,
): Promise<readonly string[]> {
  const { serverId, formerIds = [] } = await session.client.attestationKeys();
  return [
    ...new Set([
      serverId,
      ...formerIds,
      ...trust.record.server.server_ids,
      session.server,
    ]),
  ];
}
