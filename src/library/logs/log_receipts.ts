/**
 * Looking held receipts up in the server's custody log
 * (protocol/logs.md#what-a-client-checks).
 *
 * @module
 */
import { HOUR_MS, parseRfc3339 } from "../../core/time.ts";
import { leafHash } from "../../crypto/logs/merkle.ts";
import { readReceipt } from "../../crypto/receipt.ts";
import { persist } from "../../client/api/send.ts";
import type { Custody } from "../trust/custody.ts";
import { LogTiles, type SignedHead } from "./log_reading.ts";
import type { Vault } from "../vault/vault.ts";

/** Which receipts are looked up: some, all of them, or none. */
export type LogReceipts = "sample" | "all" | "none";

/** What looking receipts up works with. */
interface ReceiptsContext {
  readonly custody: Custody;
  readonly session: Vault["session"];
}

/** Neighbouring receipts that a daily check looks up. */
const SAMPLE = 8;
const PAGE = 1_000;
/** A directory and a receipt are in the log after a minute or so (ms). */
export const LOGGED_WITHIN_MS = HOUR_MS;

/**
 * Looks receipts that are held here up in the log; how many were there.
 * `missing` gets the number of each that the log has to have and does not.
 */
export async function lookUpReceipts(
  { custody, session }: ReceiptsContext,
  head: SignedHead,
  how: LogReceipts,
  missing: (seq: number) => void,
): Promise<number> {
  const { account, platform } = session;
  const tiles = new LogTiles(session, head);
  const limit = how === "all" ? PAGE : SAMPLE;
  const newest = custody.newest() ?? 0;
  let after = how === "all" ? 0 : randomBelow(newest, platform.random);
  let looked = 0;
  for (;;) {
    const held = await custody.held(after, limit);
    const [first] = held;
    const last = held.at(-1);
    if (first === undefined || last === undefined) {
      // The sample fell behind the last one.
      if (how === "all" || after === 0) return looked;
      after = 0;
      continue;
    }
    const bySeq = new Map(held.map((one) => [one.seq, one]));
    for (let from = first.seq - 1; from < last.seq;) {
      const start = from;
      const page = await persist(
        account,
        () => account.receiptsAfter(start, { limit, include: "index" }),
        {},
      );
      for (const { receipt_seq: seq, log_index: index } of page.receipts) {
        from = seq;
        const one = bySeq.get(seq);
        if (one === undefined) continue;
        bySeq.delete(seq);
        const hash = leafHash(one.digest());
        const isThere = typeof index === "number" &&
          await tiles.includes({ index, hash });
        if (isThere) looked += 1;
        else if (typeof index === "number" || isDue(one.cbor, platform.now())) {
          missing(seq);
        }
      }
      if (page.receipts.length === 0 || from === start) break;
    }
    if (how !== "all" || held.length < limit) return looked;
    after = last.seq;
  }
}

/** Whether a receipt is so old that a checkpoint has to cover it. */
function isDue(cbor: Uint8Array | undefined, now: number): boolean {
  if (cbor === undefined) return false;
  const at = parseRfc3339(readReceipt(cbor).received_at) ?? Infinity;
  return now - at > LOGGED_WITHIN_MS;
}

function randomBelow(
  limit: number,
  random: (length: number) => Uint8Array,
): number {
  const [a = 0, b = 0, c = 0, d = 0] = random(4);
  const share = ((a << 24 | b << 16 | c << 8 | d) >>> 0) / 2 ** 32;
  return Math.floor(share * limit);
}
