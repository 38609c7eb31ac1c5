/**
 * A way to a bucket for programs that are processes of their own: it counts the
 * requests that pass, and does something at one of them.
 *
 * @module
 */

/** Before the request is passed on, or once its answer has begun to come. */
type Moment = "before" | "after";

export interface KillingProxy {
  readonly endpoint: string;
  /** Does `work` at the n-th request from now on (1 is the next). */
  readonly at: (n: number, moment: Moment, work: () => void) => void;
  /** Whether it has been done. */
  readonly done: () => boolean;
}

const HEAD = new TextEncoder().encode(" HTTP/1.1\r\n");

/** Stands in front of an endpoint for as long as a test takes. */
export async function withProxy(
  endpoint: string,
  test: (proxy: KillingProxy) => Promise<void>,
): Promise<void> {
  const port = Number(new URL(endpoint).port);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections = new Set<Deno.Conn>();
  let countdown = Infinity;
  let moment: Moment = "before";
  let work = () => {};
  let isDone = false;
  const count = (piece: Uint8Array) => {
    for (let at = 0; at < piece.length; at++) {
      if (HEAD.every((byte, offset) => piece[at + offset] === byte)) {
        countdown -= 1;
      }
    }
    return countdown <= 0 && !isDone;
  };
  const act = () => {
    isDone = true;
    work();
  };
  const pass = async (client: Deno.Conn) => {
    const store = await Deno.connect({ hostname: "127.0.0.1", port });
    connections.add(client).add(store);
    let isDue = false;
    const there = pump(client, store, (piece) => {
      if (!count(piece)) return;
      if (moment === "before") act();
      else isDue = true;
    });
    const back = pump(store, client, () => {
      if (isDue && !isDone) act();
    });
    await Promise.all([there, back]);
    for (const one of [client, store]) close(one);
  };
  const passing: Promise<void>[] = [];
  const accepting = (async () => {
    for await (const client of listener) passing.push(pass(client));
  })();
  try {
    const { port: own } = listener.addr as Deno.NetAddr;
    await test({
      endpoint: `http://127.0.0.1:${own}`,
      at: (n, when, what) => {
        [countdown, moment, work, isDone] = [n, when, what, false];
      },
      done: () => isDone,
    });
  } finally {
    listener.close();
    for (const one of connections) close(one);
    await accepting;
    await Promise.allSettled(passing);
  }
}

async function pump(
  from: Deno.Conn,
  to: Deno.Conn,
  see: (piece: Uint8Array) => void,
): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (;;) {
      const length = await from.read(buffer);
      if (length === null) break;
      see(buffer.subarray(0, length));
      for (let at = 0; at < length;) {
        at += await to.write(buffer.subarray(at, length));
      }
    }
    await to.closeWrite();
  } catch {
    // Whoever was killed has closed it.
    close(to);
  }
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // It is closed.
  }
}
