/**
 * A proxy on this machine that counts what programs download through it. What
 * they keep on disk says nothing of that: packages are unpacked, and metadata
 * comes compressed.
 *
 * @module
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Longest head of a request that is read (bytes). */
const HEAD_MAX = 16 * 1024;

/** A proxy that runs until it is closed. */
interface Downloads {
  /** For `HTTPS_PROXY` and `HTTP_PROXY`. */
  readonly url: string;
  /** What came from servers so far, with TLS and headers (bytes). */
  bytes(): number;
  close(): Promise<void>;
}

/** Starts a proxy for HTTPS (CONNECT) and plain HTTP. */
export async function countDownloads(): Promise<Downloads> {
  let bytes = 0;
  const sockets = new Set<Socket>();
  const kept = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    kept(client).on("error", () => client.destroy());
    let head = new Uint8Array(0);
    client.on("data", function read(piece: Uint8Array) {
      head = joined(head, piece);
      const text = new TextDecoder("latin1").decode(head);
      const end = text.indexOf("\r\n\r\n");
      if (end < 0 && head.length <= HEAD_MAX) return;
      client.off("data", read);
      client.pause();
      const target = end < 0 ? undefined : targetOf(text);
      if (target === undefined) return void client.destroy();
      const remote = kept(connect(target.port, target.host, () => {
        if (target.isTunnel) client.write("HTTP/1.1 200 OK\r\n\r\n");
        remote.write(target.isTunnel ? head.subarray(end + 4) : head);
        client.pipe(remote).pipe(client);
      }));
      remote.on("error", () => client.destroy());
      client.on("close", () => remote.destroy());
      remote.on("data", (piece: Uint8Array) => {
        bytes += piece.length;
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    bytes: () => bytes,
    async close() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** The server of a request; plain requests name it with their whole address. */
function targetOf(head: string) {
  const [method = "", address = ""] = head.split(" ", 2);
  const isTunnel = method === "CONNECT";
  try {
    const url = new URL(isTunnel ? `https://${address}` : address);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const port = Number(url.port) || (isTunnel ? 443 : 80);
    return { host, port, isTunnel };
  } catch {
    return undefined;
  }
}
