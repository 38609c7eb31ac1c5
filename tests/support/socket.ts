/**
 * An application behind a real socket, and requests by hand over one: a full
 * client would tidy up what they ask and what they are answered.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { TestApp } from "./app.ts";
import { withFaultlessApp } from "./api.ts";

/** Serves an application on a free port for as long as a test takes. */
export async function withSocket(
  test: (app: TestApp, origin: string) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  await withFaultlessApp(async (app) => {
    const stop = new AbortController();
    const server = Deno.serve(
      {
        hostname: "127.0.0.1",
        port: 0,
        onListen: () => {},
        signal: stop.signal,
      },
      (request, { remoteAddr }) =>
        app.fetch(request, {
          clientAddress: "hostname" in remoteAddr ? remoteAddr.hostname : "",
        }),
    );
    try {
      await test(app, `http://127.0.0.1:${server.addr.port}`);
    } finally {
      // Clients keep connections open that are never used again.
      stop.abort();
      await server.finished;
    }
  }, { settings });
}

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  /** The value of a header's only line; null if there is none. */
  readonly header: (name: string) => string | null;
  /** Whatever followed the head. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Sends a request, header lines as they stand, on a connection that nothing
 * else is sent on; reading it to its end closes it.
 */
export async function exchange(
  connection: Deno.Conn,
  method: string,
  path: string,
  lines: readonly string[],
  host = "localhost",
): Promise<WireAnswer> {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    "Connection: close",
    ...lines,
  ];
  const writer = connection.writable.getWriter();
  // A header's characters are bytes, the upper half of Latin-1 included.
  const bytes = Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1");
  await writer.write(new Uint8Array(bytes));
  writer.releaseLock();
  return readAnswer(await new Response(connection.readable).bytes());
}

/** A request whose head has been sent, and whose body is being read. */
export interface BegunRequest {
  /** Sends some more of the body. */
  readonly write: (piece: Uint8Array) => Promise<void>;
  /** Sends its end. */
  readonly end: () => Promise<void>;
  /** The answer; undefined where the connection was closed without one. */
  readonly answered: Promise<WireAnswer | undefined>;
}

/**
 * Begins a request by hand, header lines as they stand. Resolves once the
 * server asks for the body (RFC 9110 section 10.1.1): it is under way then,
 * however long it took to get there.
 */
export async function begin(
  origin: string,
  method: string,
  path: string,
  lines: readonly string[],
): Promise<BegunRequest> {
  const { hostname, port } = new URL(origin);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    "Transfer-Encoding: chunked",
    "Expect: 100-continue",
    ...lines,
  ];
  const encoder = new TextEncoder();
  const send = async (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length;) {
      at += await connection.write(bytes.subarray(at));
    }
  };
  await send(encoder.encode(`${head.join("\r\n")}\r\n\r\n`));
  const buffer = new Uint8Array(1_024);
  const length = await connection.read(buffer);
  const asked = new TextDecoder().decode(buffer.subarray(0, length ?? 0));
  if (asked !== "HTTP/1.1 100 Continue\r\n\r\n") {
    connection.close();
    throw new Error(`the body was not asked for: ${asked}`);
  }
  return {
    write: async (piece) => {
      await send(encoder.encode(`${piece.length.toString(16)}\r\n`));
      await send(piece);
      await send(encoder.encode("\r\n"));
    },
    end: () => send(encoder.encode("0\r\n\r\n")),
    answered: new Response(connection.readable).bytes().then(
      (bytes) => bytes.length === 0 ? undefined : readAnswer(bytes),
      () => undefined,
    ),
  };
}

function readAnswer(bytes: Uint8Array<ArrayBuffer>): WireAnswer {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 16_384));
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1];
  if (end < 0 || status === undefined) throw new Error(`no answer: ${text}`);
  return {
    status: Number(status),
    header: (name) => {
      const prefix = `${name.toLowerCase()}:`;
      const values = lines.filter((line) =>
        line.toLowerCase().startsWith(prefix)
      );
      if (values.length > 1) throw new Error(`${name} twice`);
      return values[0]?.slice(prefix.length).trim() ?? null;
    },
    body: bytes.subarray(end + 4),
  };
}
