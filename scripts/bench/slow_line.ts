/**
 * A slow line to a server: what passes waits for half a round trip each way, and
 * all connections share one rate downwards.
 *
 * @module
 */

/** What Lighthouse takes for a slow mobile line. */
const HALF_ROUND_TRIP_MS = 75;
const BYTES_PER_SECOND = 200_000;
/** A connection's own round trip before its first byte. */
const HANDSHAKE_MS = 2 * HALF_ROUND_TRIP_MS;

/** A line; `origin` is the server's through it. */
interface SlowLine extends Disposable {
  readonly port: number;
  /** Bytes that came down. */
  readonly downBytes: () => number;
}

/** Opens a line at a port to a server's port, both of this machine. */
export function openSlowLine(port: number, serverPort: number): SlowLine {
  const listener = Deno.listen({ hostname: "127.0.0.1", port });
  const open = new Set<Deno.Conn>();
  let down = 0;
  /** When the line is free again (ms). */
  let free = 0;
  const takeTurn = async (bytes: number) => {
    const now = performance.now();
    free = Math.max(free, now) + bytes / BYTES_PER_SECOND * 1_000;
    await sleep(free - now);
  };
  const join = async (client: Deno.Conn) => {
    const server = await Deno.connect({
      hostname: "127.0.0.1",
      port: serverPort,
    });
    open.add(client).add(server);
    await sleep(HANDSHAKE_MS);
    await Promise.all([
      pass(client, server, () => Promise.resolve()),
      pass(server, client, async (bytes) => {
        down += bytes;
        await takeTurn(bytes);
      }),
    ]);
  };
  (async () => {
    for await (const client of listener) join(client).catch(() => {});
  })().catch(() => {});
  return {
    port: listener.addr.port,
    downBytes: () => down,
    [Symbol.dispose]: () => {
      listener.close();
      for (const one of open) close(one);
    },
  };
}

/** Pieces are under way at once, and arrive in their order. */
async function pass(
  from: Deno.Conn,
  to: Deno.Conn,
  take: (bytes: number) => Promise<void>,
): Promise<void> {
  let last = Promise.resolve();
  const buffer = new Uint8Array(16_384);
  try {
    for (;;) {
      const length = await from.read(buffer);
      if (length === null) break;
      const piece = buffer.slice(0, length);
      await take(length);
      const [arrives, before] = [sleep(HALF_ROUND_TRIP_MS), last];
      last = (async () => {
        await arrives;
        await before;
        for (let at = 0; at < piece.length;) {
          at += await to.write(piece.subarray(at));
        }
      })();
      last.catch(() => close(from));
    }
    await last;
    await to.closeWrite();
  } catch {
    close(from);
    close(to);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // It is closed already.
  }
}
