/**
 * Sending bytes with progress, which `fetch` does not report.
 *
 * @module
 */
import type { Fetch } from "../client/api/transport.ts";
import { bodyOf, now, sleep } from "./browser.ts";

/** Without progress for this time, the connection counts as broken (ms). */
const STALLED_MS = 60_000;

/** Options of sending a body. */
interface Sending {
  /** Ends the request, which then rejects. */
  readonly signal: AbortSignal;
  /** Gets the number of bytes of the body that were sent. */
  readonly onSent: (bytes: number) => void;
}

/** Makes a request over XMLHttpRequest; rejects if there is no answer. */
export function sendAloud(
  input: string,
  init: RequestInit,
  { signal, onSent }: Sending,
): ReturnType<Fetch> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  const fail = () => reject(new TypeError("no answer"));
  const abort = () => request.abort();
  request.open(init.method ?? "GET", input);
  for (const [name, value] of new Headers(init.headers)) {
    request.setRequestHeader(name, value);
  }
  request.responseType = "arraybuffer";
  let movedAt = now();
  request.upload.onprogress = ({ loaded }) => {
    movedAt = now();
    onSent(loaded);
  };
  request.onerror = fail;
  request.onabort = fail;
  request.ontimeout = fail;
  request.onload = () => resolve(answerOf(request));
  signal.addEventListener("abort", abort);
  const ended = new AbortController();
  request.onloadend = () => {
    signal.removeEventListener("abort", abort);
    ended.abort();
  };
  if (signal.aborted) fail();
  else {
    const { body = init.body } = bodyOf(init);
    request.send(body as XMLHttpRequestBodyInit | null);
    endStalled(request, () => now() - movedAt, ended.signal);
  }
  return promise;
}

/** Ends a request whose connection is broken without an error. */
async function endStalled(
  request: XMLHttpRequest,
  stillMs: () => number,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    if (stillMs() > STALLED_MS) return request.abort();
    await sleep(STALLED_MS / 6, ended);
  }
}

function answerOf(request: XMLHttpRequest): Response {
  const { status } = request;
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1));
  }
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody ? request.response : null, { status, headers });
}
