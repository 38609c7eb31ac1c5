/**
 * Honest clients next to all else that a server has to bear: what each of their
 * operations took, and what did not work.
 *
 * @module
 */
import {
  type Account,
  ApiProblem,
  createClient,
} from "../../../src/client/api/api.ts";
import { uuidV4 } from "../../../src/core/ids.ts";
import { fromBase64, toHex } from "../../../src/core/bytes.ts";
import { PROTOCOL_MAX } from "../../../src/core/protocol.ts";
import { sourceOf, uploadBlob } from "../../../src/client/api/upload.ts";
import {
  type PublishedKeys,
  verifyReceipt,
} from "../../../src/crypto/receipt_chain.ts";
import { sha256Hex } from "../../../src/crypto/sha256.ts";
import { randomBytes } from "../../demo/staging.ts";
import { originalOf, say } from "../support.ts";
import { type Honest, newBlob } from "./people.ts";

/** How long a broken connection is opened again, as any client would. */
const PATIENCE_MS = 10_000;
const AGAIN_MS = 20;

/** What became of one kind of operation. */
export interface Tally {
  readonly name: string;
  /** How long each took, from its first byte sent to its last read (ms). */
  readonly times: number[];
  readonly errors: string[];
  /** Requests that were sent again, because their connection broke. */
  repeated: number;
}

/** Runs honest clients until told to stop. */
export async function runHonest(
  origin: string,
  honest: Honest,
  over: AbortSignal,
): Promise<readonly Tally[]> {
  const work = [
    during("uploads 100 KiB", 50, (tally) => uploads(honest, tally)),
    during("reads its profile", 20, (tally) => profile(honest, tally)),
    during("reads a share's blob", 20, (tally) => blob(honest, tally)),
    during("signs in", 500, (tally) => signsIn(honest, tally)),
  ];
  return await Promise.all(work);

  function during(
    name: string,
    pauseMs: number,
    prepare: (tally: Tally) => () => Promise<void>,
  ): Promise<Tally> {
    const tally: Tally = { name, times: [], errors: [], repeated: 0 };
    return again(tally, prepare(tally), pauseMs);
  }

  async function again(
    tally: Tally,
    once: () => Promise<void>,
    pauseMs: number,
  ): Promise<Tally> {
    while (!over.aborted) {
      const begun = performance.now();
      await once().catch((error) => {
        tally.errors.push(describe(error));
      });
      tally.times.push(performance.now() - begun);
      await pause(pauseMs);
    }
    return tally;
  }

  function uploads(
    { uploader, keys }: Honest,
    tally: Tally,
  ): () => Promise<void> {
    const account = openAs("192.0.2.1", tally).resume(uploader.tokens());
    return () => upload(account, keys);
  }

  function profile({ uploader }: Honest, tally: Tally) {
    const send = persistent("192.0.2.2", tally);
    return () =>
      read(send, "/v1/auth/profile", {
        Authorization: `Bearer ${uploader.tokens().access_token}`,
        "X-Service-Protocol": PROTOCOL_MAX,
      });
  }

  function blob({ blobPath }: Honest, tally: Tally) {
    const send = persistent("192.0.2.3", tally);
    return () => read(send, blobPath, {});
  }

  function signsIn({ signsIn: { address, password } }: Honest, tally: Tally) {
    const client = openAs("192.0.2.4", tally);
    return async () => {
      const { kind } = await client.login(address, password);
      if (kind !== "signed_in") throw new Error(`not signed in: ${kind}`);
    };
  }

  async function read(
    send: typeof fetch,
    path: string,
    headers: { readonly [name: string]: string },
  ): Promise<void> {
    const answer = await send(`${origin}${path}`, { headers });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`status ${answer.status}`);
  }

  function openAs(address: string, tally: Tally) {
    return createClient({
      baseUrl: origin,
      fetch: persistent(address, tally),
      wait: pause,
    });
  }
}

/** A blob of its own, and a receipt that says so. */
async function upload(account: Account, keys: PublishedKeys): Promise<void> {
  const bytes = newBlob();
  const hash = sha256Hex(bytes);
  const request = originalOf(
    account,
    { size: bytes.length, hash },
    uuidV4(randomBytes),
  );
  const { receipt } = await uploadBlob(account, request, sourceOf(bytes));
  const signed = fromBase64(receipt.receipt_cbor) ?? new Uint8Array();
  const verdict = await verifyReceipt(signed, keys);
  if (!verdict.ok || toHex(verdict.receipt.ciphertext_hash) !== hash) {
    throw new Error("the receipt is not this blob's");
  }
}

/** A client's `fetch` from an address of its own, as a proxy tells it. */
function persistent(address: string, tally: Tally): typeof fetch {
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 4 });
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("X-Forwarded-For", address);
    const begun = performance.now();
    for (;;) {
      try {
        const answer = await fetch(input, { ...init, headers, client });
        // Read here, because a connection may break in its middle, too.
        const body = await answer.arrayBuffer();
        return new Response(body.byteLength === 0 ? null : body, answer);
      } catch (error) {
        if (performance.now() - begun > PATIENCE_MS) throw error;
        tally.repeated += 1;
        await pause(AGAIN_MS);
      }
    }
  };
}

function describe(error: unknown): string {
  if (error instanceof ApiProblem) return `${error.status} ${error.code}`;
  return String(error);
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}

/** A share of the times, in ms. */
export function quantile({ times }: Tally, share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[
    Math.min(sorted.length - 1, Math.floor(sorted.length * share))
  ] ??
    NaN;
}

/** Prints what honest clients met. */
export function sayTallies(
  title: string,
  tallies: readonly Tally[],
): void {
  const header = [title, "p50 ms", "p99 ms", "max ms", "done", "sent again"];
  const rows = tallies.map((tally) => [
    tally.name,
    ...[0.5, 0.99, 1].map((share) => quantile(tally, share).toFixed(0)),
    String(tally.times.length - tally.errors.length),
    String(tally.repeated),
  ]);
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0))
  );
  for (const row of [header, ...rows]) {
    say(
      row.map((cell, column) =>
        column === 0
          ? cell.padEnd(widths[column] ?? 0)
          : cell.padStart(widths[column] ?? 0)
      ).join("  "),
    );
  }
  for (const { name, errors } of tallies) {
    for (const [error, count] of counted(errors)) {
      say(`ERROR ${name}: ${error} (${count} times)`);
    }
  }
}

/** How often each is there. */
export function counted(all: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}
