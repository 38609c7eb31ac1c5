/**
 * The vault's requests to other servers. They go through a thread that a page
 * lends, because the vault's own policy lets it talk to its server alone.
 *
 * @module
 */
import {
  type Fault,
  ThreadError,
} from "../../../client/stream/threads/thread_messages.ts";
import { sleep } from "../../browser.ts";
import { type Received, receiveOver } from "../media/ports.ts";
import type { AnswerAbroad, AskedAbroad } from "./abroad.ts";

/** A thread that does not answer within this is gone with its page (ms). */
const ANSWERS_MS = 3_000;
/** Within this a page lends one (ms). */
const LENT_MS = 10_000;

/** The way to other servers. */
export interface AbroadLine {
  /** Takes a thread from a page; false if there is one already. */
  lend(port: MessagePort): boolean;
  /** Like `fetch`. */
  readonly ask: (input: string, init: RequestInit) => Promise<Response>;
  /** Whether the app's policy kept it from an origin at the last attempt. */
  isBlocked(origin: string): boolean;
}

/** Makes the way; `wanted` asks the pages for a thread. */
export function abroadLine(wanted: () => void): AbroadLine {
  const blocked = new Set<string>();
  let held: MessagePort | undefined;
  let lent = Promise.withResolvers<MessagePort>();
  const isThere = async (port: MessagePort): Promise<boolean> => {
    const answered = new Promise<true>((resolve) => {
      port.onmessage = () => resolve(true);
    });
    port.postMessage("here");
    return await Promise.race([answered, sleep(ANSWERS_MS)]) === true;
  };
  let finding: Promise<MessagePort> | undefined;
  const find = async (): Promise<MessagePort> => {
    if (held !== undefined && await isThere(held)) return held;
    held = undefined;
    lent = Promise.withResolvers();
    wanted();
    const port = await Promise.race([lent.promise, sleep(LENT_MS)]);
    if (port instanceof MessagePort) return port;
    throw new TypeError("no page lends a thread");
  };
  const line = () => finding ??= find().finally(() => finding = undefined);
  return {
    lend(port) {
      if (held !== undefined) return false;
      held = port;
      lent.resolve(port);
      return true;
    },
    async ask(url, { method = "GET", headers, body, signal }) {
      signal?.throwIfAborted();
      const { origin } = new URL(url);
      const asked: AskedAbroad = {
        url,
        init: {
          method,
          headers: [...new Headers(headers)],
          ...(body === undefined || body === null
            ? {}
            : { body: plainBody(body) }),
        },
      };
      const { port1, port2 } = new MessageChannel();
      (await line()).postMessage(asked, [port2]);
      let received: Received<AnswerAbroad>;
      try {
        received = await aborting(
          receiveOver<AnswerAbroad>(port1),
          port1,
          signal,
        );
      } catch (error) {
        if (isFault(error, "NotPinned")) {
          blocked.add(origin);
          // Its policy is from when it was started: the next one has another.
          held?.postMessage("end");
          held = undefined;
        }
        throw error;
      }
      blocked.delete(origin);
      const { head: { status, headers: told }, stream } = received;
      const hasBody = ![204, 205, 304].includes(status);
      if (!hasBody) await stream.cancel();
      return new Response(hasBody ? stream : null, {
        status,
        headers: told.map(([name, value]): [string, string] => [name, value]),
      });
    },
    isBlocked: (origin) => blocked.has(origin),
  };
}

/** Ends what is being received when the signal says so. */
async function aborting<T>(
  receiving: Promise<T>,
  port: MessagePort,
  signal: AbortSignal | null | undefined,
): Promise<T> {
  if (!signal) return await receiving;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => {
      port.postMessage("end");
      port.close();
      reject(signal.reason);
    }, { once: true });
  });
  aborted.catch(() => {});
  return await Promise.race([receiving, aborted]);
}

function plainBody(body: BodyInit): Uint8Array<ArrayBuffer> | string {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new TypeError("a body of bytes or text");
}

function isFault(error: unknown, kind: Fault["kind"]): boolean {
  return error instanceof ThreadError && error.fault.kind === kind;
}
