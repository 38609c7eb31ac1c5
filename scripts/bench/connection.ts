/**
 * A load generator's connection: HTTP/1.1 by hand over one socket, because a
 * full client would cost more than the servers that are measured.
 *
 * @module
 */

const HEAD_MAX = 16 * 1024;
/** Bodies longer than this are counted, not kept. */
const KEPT_MAX = 64 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A request; `bodyBytes` must be what `body` yields. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bodyBytes?: number;
  readonly body?: Iterable<Uint8Array>;
  /** Keeps the text of a success as well. */
  readonly keepText?: true;
}

/** An answer; the text of a short body that is a refusal or was asked for. */
export interface RawAnswer {
  readonly status: number;
  readonly bodyBytes: number;
  readonly text: string;
}

/** One keep-alive connection. */
export interface RawConnection {
  /** Sends a request and reads its answer to the end. */
  readonly exchange: (request: RawRequest) => Promise<RawAnswer>;
  readonly close: () => void;
}

/** Connects to an origin `http://127.0.0.1:<port>`. */
export async function connect(origin: string): Promise<RawConnection> {
  const { hostname, port, host } = new URL(origin);
  const socket = await Deno.connect({ hostname, port: Number(port) });
  socket.setNoDelay(true);
  const buffer = new Uint8Array(1024 * 1024);
  return {
    close: () => socket.close(),
    async exchange(request) {
      await writeAll(socket, encoder.encode(headOf(request, host)));
      for (const piece of request.body ?? []) await writeAll(socket, piece);
      return await readAnswer(socket, buffer, request.keepText ?? false);
    },
  };
}

function headOf(request: RawRequest, host: string): string {
  const headers = {
    Host: host,
    ...(request.bodyBytes === undefined
      ? {}
      : { "Content-Length": String(request.bodyBytes) }),
    ...request.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) =>
    `${name}: ${value}\r\n`
  );
  return `${request.method} ${request.path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

async function writeAll(socket: Deno.Conn, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(await socket.write(rest));
}

async function readAnswer(
  socket: Deno.Conn,
  buffer: Uint8Array<ArrayBuffer>,
  keepText: boolean,
): Promise<RawAnswer> {
  let filled = 0;
  let head = "";
  let end = -1;
  while (end < 0) {
    filled += await readSome(socket, buffer.subarray(filled));
    head = decoder.decode(buffer.subarray(0, Math.min(filled, HEAD_MAX)));
    end = head.indexOf("\r\n\r\n");
    if (end < 0 && filled >= HEAD_MAX) throw new Error("an endless head");
  }
  head = head.slice(0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length === undefined && status !== 204) {
    throw new Error(`an answer without a length: ${head}`);
  }
  const bodyBytes = Number(length ?? 0);
  // The head is ASCII, so its characters are its bytes.
  const bodyAt = end + 4;
  let have = filled - bodyAt;
  if (bodyBytes <= KEPT_MAX) {
    while (have < bodyBytes) {
      have += await readSome(socket, buffer.subarray(bodyAt + have));
    }
    const body = buffer.subarray(bodyAt, bodyAt + bodyBytes);
    return {
      status,
      bodyBytes,
      text: status < 300 && !keepText ? "" : decoder.decode(body),
    };
  }
  while (have < bodyBytes) have += await readSome(socket, buffer);
  return { status, bodyBytes, text: "" };
}

async function readSome(
  socket: Deno.Conn,
  into: Uint8Array<ArrayBuffer>,
): Promise<number> {
  const length = await socket.read(into);
  if (length === null) throw new Error("the server closed the connection");
  return length;
}
