/**
 * A server and its witnesses, whose operators have agreed.
 *
 * @module
 */
import assert from "node:assert/strict";
import { formatLogPolicy } from "../../src/crypto/logs/log_policy.ts";
import {
  noteKey,
  readVerifierKey,
  verifierKey,
} from "../../src/crypto/logs/signed_note.ts";
import { addWitness } from "../../src/features/log/witness_operator.ts";
import { witnessLog } from "../../src/features/witness/operator.ts";
import { type TestApp, withTestApp } from "./app.ts";

/** A server whose logs others witness. */
export interface WitnessedServer {
  readonly app: TestApp;
  readonly witnesses: readonly TestApp[];
  /** A policy of so many of them, by the names `w0`, `w1`, …. */
  policy(need: number): Promise<string>;
  /** Has one of them answer no more. */
  silence(at: number): void;
  /** Signs what was committed, and waits for the witnesses. */
  advance(): Promise<void>;
}

/** The verifier key with which a server cosigns. */
export async function witnessKeyOf(app: TestApp): Promise<string> {
  const cosigner = await app.app.witness?.cosigner();
  assert(cosigner !== undefined);
  return verifierKey(cosigner.key);
}

/** Has a server witness both logs of another as they are called now. */
async function agree(log: TestApp, witness: TestApp): Promise<void> {
  const signer = log.app.secrets.logKeys.at(-1)?.signer;
  assert(signer !== undefined && log.app.logs !== undefined);
  for (const name of ["custody", "keys"] as const) {
    const origin = log.app.logs.origin(name);
    const key = verifierKey(noteKey(origin, "ed25519", signer.publicKey));
    await witnessLog(witness.app.db, origin, key, witness.clock.now);
  }
}

/** Runs with a server and so many witnesses. */
export async function withWitnesses(
  count: number,
  test: (server: WitnessedServer) => Promise<void>,
): Promise<void> {
  const witnesses: TestApp[] = [];
  const silent = new Set<number>();
  const originOf = (at: number) => `http://w${at}.example`;
  const fetchThem = (async (input: string, init: RequestInit) => {
    const request = new Request(input, init);
    const at = witnesses.findIndex((_, at) =>
      originOf(at) === new URL(request.url).origin
    );
    const found = witnesses[at];
    if (found === undefined || silent.has(at)) {
      throw new TypeError(`no way to ${request.url}`);
    }
    return await found.fetch(request, { clientAddress: "192.0.2.9" });
  }) as typeof fetch;
  const run = async (left: number): Promise<void> => {
    if (left > 0) {
      const at = count - left;
      await withTestApp(
        async (witness) => {
          witnesses.push(witness);
          await run(left - 1);
        },
        {
          settings: {
            STRONGROOM_WITNESS: "on",
            STRONGROOM_BASE_URL: originOf(at),
          },
        },
      );
      return;
    }
    await withTestApp(async (app) => {
      for (const [at, witness] of witnesses.entries()) {
        await addWitness(
          app.app.db,
          `${originOf(at)}/witness`,
          await witnessKeyOf(witness),
          app.clock.now,
        );
        await agree(app, witness);
      }
      await test({
        app,
        witnesses,
        silence: (at) => silent.add(at),
        async policy(need) {
          const named = [];
          for (const [at, witness] of witnesses.entries()) {
            const key = readVerifierKey(await witnessKeyOf(witness));
            assert(key !== undefined);
            named.push({ name: `w${at}`, key, url: undefined });
          }
          return formatLogPolicy(named, need);
        },
        async advance() {
          await app.advanceLogs();
          await app.app.logs?.witnessed();
        },
      });
    }, { fetch: fetchThem });
  };
  await run(count);
}
