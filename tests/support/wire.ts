/**
 * A connection that can be listened to and cut: everything that a client sends
 * to the server goes through here.
 *
 * @module
 */
import { concatBytes } from "../../src/core/bytes.ts";

/**
 * Most that a request waits on its way (ms): stories hold over slow lines too,
 * and TEST_DELAY=2000 finds those that do not.
 */
const MOST_DELAY_MS = Number(Deno.env.get("TEST_DELAY") ?? 0);

export class Wire {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<Deno.Conn>();
  readonly #sent: Uint8Array[] = [];
  #isCut = false;
  #release = Promise.withResolvers<void>();
  #holdAt = Infinity;
  #holds: (head: string) => boolean = () => false;
  #cuts: (head: string) => boolean = () => false;
  /** Bytes that clients sent so far. */
  sentBytes = 0;

  /** `port` is the server's; it may change. */
  constructor(public port: number) {
    this.#accept();
  }

  /** What clients take for the server. */
  get origin(): string {
    return `http://127.0.0.1:${this.#listener.addr.port}`;
  }

  /** Ends every connection and takes no new one, until it is repaired. */
  cut(): void {
    this.#isCut = true;
    this.#closeAll();
  }

  mend(): void {
    this.#isCut = false;
  }

  /** Passes on so many bytes of clients more, and then nothing; or all. */
  holdAfter(bytes: number): void {
    this.#holdAt = this.sentBytes + bytes;
    this.#release.resolve();
    this.#release = Promise.withResolvers();
  }

  /**
   * Passes on no request whose beginning `holds` says so of, until it says
   * otherwise; other connections go on.
   */
  holdWhere(holds: (head: string) => boolean): void {
    this.#holds = holds;
    this.#release.resolve();
    this.#release = Promise.withResolvers();
  }

  /**
   * Ends the connection of each request whose beginning `cuts` says so of,
   * until it says otherwise; others go on.
   */
  cutWhere(cuts: (head: string) => boolean): void {
    this.#cuts = cuts;
  }

  /** All that clients sent, as Latin-1. */
  sent(): string {
    const decoder = new TextDecoder("latin1");
    return this.#sent.map((piece) => decoder.decode(piece)).join("");
  }

  close(): void {
    this.#listener.close();
    this.#closeAll();
  }

  #closeAll(): void {
    for (const connection of this.#open) close(connection);
    this.#open.clear();
    this.#release.resolve();
    this.#release = Promise.withResolvers();
  }

  async #accept(): Promise<void> {
    try {
      for await (const client of this.#listener) {
        if (this.#isCut) close(client);
        else this.#join(client);
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  }

  async #join(client: Deno.Conn): Promise<void> {
    let server: Deno.Conn;
    try {
      server = await Deno.connect({ hostname: "127.0.0.1", port: this.port });
    } catch {
      return close(client);
    }
    this.#open.add(client).add(server);
    const ended = Promise.all([
      this.#pass(client, server, async (piece) => {
        this.#sent.push(piece);
        this.sentBytes += piece.length;
        const head = new TextDecoder("latin1").decode(piece.subarray(0, 100));
        if (this.#cuts(head)) throw new Error("cut");
        const isHeld = () => this.sentBytes > this.#holdAt || this.#holds(head);
        while (this.#open.has(client) && isHeld()) await this.#release.promise;
        // Where a request begins, and not in the middle of a body.
        if (MOST_DELAY_MS > 0 && /^[A-Z]+ \//.test(head)) await delayed();
        return toOwnHost(piece, head);
      }),
      this.#pass(server, client, (piece) => Promise.resolve(piece)),
    ]);
    await ended;
    for (const one of [client, server]) {
      this.#open.delete(one);
      close(one);
    }
  }

  /** Passes bytes on until either side ends. */
  async #pass(
    from: Deno.Conn,
    to: Deno.Conn,
    note: (piece: Uint8Array) => Promise<Uint8Array>,
  ): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      for (;;) {
        const length = await from.read(buffer);
        if (length === null) break;
        let rest = await note(buffer.slice(0, length));
        while (rest.length > 0) rest = rest.subarray(await to.write(rest));
      }
      await to.closeWrite();
    } catch {
      // Cut, here or at either end: the other direction ends as well.
      close(from);
      close(to);
    }
  }
}

/**
 * A request under the server's own name, as a proxy in a home hands it on: the
 * server refuses to sign anyone in under another one.
 */
function toOwnHost(piece: Uint8Array, head: string): Uint8Array {
  if (!/^[A-Z]+ \//.test(head)) return piece;
  const text = new TextDecoder("latin1").decode(piece);
  const [line] = /\r\nhost: [^:\r]+/i.exec(text) ?? [];
  if (line === undefined) return piece;
  // Each byte is a character of it, so that places are the same in both.
  const at = text.indexOf(line);
  return concatBytes(
    piece.subarray(0, at),
    new TextEncoder().encode("\r\nHost: 127.0.0.1"),
    piece.subarray(at + line.length),
  );
}

/** Some are quick and some are not, so that they overtake each other. */
function delayed(): Promise<void> {
  const ms = Math.random() ** 3 * MOST_DELAY_MS;
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // It is closed already.
  }
}
