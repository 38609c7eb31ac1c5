/**
 * The thread that talks to other servers, for the vault. It has no keys: the
 * vault gives it whole requests and gets the answers. The policy of this script
 * alone lets it reach the servers that the operator pinned.
 *
 * @module
 */
import { browserFetch, sleep } from "../../browser.ts";
import { sendOver } from "../media/ports.ts";

/** A request of the vault. */
export interface AskedAbroad {
  readonly url: string;
  readonly init: Pick<RequestInit, "method"> & {
    readonly headers: readonly (readonly [string, string])[];
    readonly body?: Uint8Array<ArrayBuffer> | string;
  };
}

/** The answer, before its bytes. */
export interface AnswerAbroad {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
}

/** This app's server does not let it talk to that one. */
class NotPinned extends Error {
  override readonly name = "NotPinned";
}

/** Origins that the policy kept this thread from. */
const blocked = new Set<string>();

declare const self: EventTarget & { close(): void };

self.addEventListener("securitypolicyviolation", (event) => {
  if (!("blockedURI" in event)) return;
  const url = URL.parse(String(event.blockedURI));
  if (url !== null) blocked.add(url.origin);
});

self.addEventListener("message", (event) => {
  const { ports: [line] } = event as MessageEvent;
  if (line === undefined) return;
  line.onmessage = ({ data, ports: [port] }: MessageEvent) => {
    if (data === "end") return self.close();
    if (port === undefined) return line.postMessage("here");
    const asked: AskedAbroad = data;
    sendOver<AnswerAbroad>(port, (signal) => answer(asked, signal));
  };
});

async function answer({ url, init }: AskedAbroad, signal: AbortSignal) {
  let response: Response;
  try {
    response = await browserFetch(url, {
      ...init,
      headers: init.headers.map(([name, value]): [string, string] => [
        name,
        value,
      ]),
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal,
    });
  } catch (error) {
    // The violation is told in a task of its own.
    await sleep(0);
    if (!blocked.has(new URL(url).origin)) throw error;
    throw new NotPinned(url);
  }
  const { status, headers, body } = response;
  return { head: { status, headers: [...headers] }, pieces: piecesOf(body) };
}

async function* piecesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
