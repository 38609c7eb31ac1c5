/**
 * What an attack is made of: requests over connections that are opened again
 * after they break, and a count of the server's answers.
 *
 * @module
 */
import { PROTOCOL_MAX } from "../../../src/core/protocol.ts";
import { connect, type RawConnection, type RawRequest } from "../connection.ts";
import type { Victim } from "./people.ts";

const AGAIN_MS = 100;

/** What an attack knows, and when it is over. */
export interface Assault {
  readonly victim: Victim;
  readonly over: AbortSignal;
  /** Counts an answer, or what came instead of one. */
  readonly note: (what: string) => void;
}

export type Attack = (assault: Assault) => Promise<void>;

/** A request as an attacker words it. */
interface Blow {
  readonly method: string;
  readonly path: string;
  /** The client address that a proxy in front would tell. */
  readonly from: string;
  readonly token?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly json?: unknown;
  readonly bytes?: Uint8Array;
}

/** Strikes from so many connections, each with a pause between its requests. */
export async function strike(
  assault: Assault,
  { connections, pauseMs }: {
    readonly connections: number;
    readonly pauseMs: number;
  },
  nextBlow: (count: number) => Blow | Promise<Blow>,
): Promise<void> {
  let count = 0;
  const one = async () => {
    await using line = new Line(assault);
    while (!assault.over.aborted) {
      await line.send(await nextBlow(count++));
      await pause(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
}

/** One connection after the other. */
export class Line implements AsyncDisposable {
  #connection: RawConnection | undefined;

  constructor(private readonly assault: Assault) {
    // An answer that is waited for must not hold the end up.
    assault.over.addEventListener("abort", () => this.#hangUp());
  }

  /** Sends and reads the answer; its text, or undefined where there is none. */
  async send(blow: Blow): Promise<string | undefined> {
    const { victim, note, over } = this.assault;
    try {
      this.#connection ??= await connect(victim.origin);
      if (over.aborted) throw new Error("too late");
      const answer = await this.#connection.exchange(requestOf(blow));
      note(String(answer.status));
      return answer.text;
    } catch {
      this.#hangUp();
      if (over.aborted) return undefined;
      note("cut");
      await pause(AGAIN_MS);
      return undefined;
    }
  }

  #hangUp(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#hangUp();
    return Promise.resolve();
  }
}

function requestOf(blow: Blow): RawRequest {
  const body = blow.json === undefined
    ? blow.bytes
    : new TextEncoder().encode(JSON.stringify(blow.json));
  return {
    method: blow.method,
    path: blow.path,
    headers: {
      ...headersOf(blow.from, blow.token),
      ...(blow.json === undefined
        ? {}
        : { "Content-Type": "application/json" }),
      ...blow.headers,
    },
    ...(body === undefined ? {} : { bodyBytes: body.length, body: [body] }),
    keepText: true,
  };
}

/** The headers of any request. */
export function headersOf(from: string, token?: string) {
  return {
    "X-Forwarded-For": from,
    "X-Service-Protocol": PROTOCOL_MAX,
    "X-Service-Crypto-Suite": "1",
    Accept: "application/json",
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}

/** So many random bytes in hexadecimal digits. */
export function randomHex(length: number): string {
  return crypto.getRandomValues(new Uint8Array(length)).toHex();
}
