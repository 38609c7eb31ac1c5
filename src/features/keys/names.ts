/**
 * The names that this server had: its `server_id` stands in every receipt, so a
 * former one stays published next to the keys
 * (protocol/discovery.md#attestation-keys).
 *
 * @module
 */
import { OperatorFault } from "../../core/operator.ts";
import type { Platform } from "../../core/platform.ts";
import { parseRfc3339 } from "../../core/time.ts";
import { readReceipt, ReceiptError } from "../../crypto/receipt.ts";
import { type Db, transaction, type Tx } from "../../store/sqlite/database.ts";
import type { ServerName } from "../app.ts";
import {
  deleteName,
  endName,
  insertName,
  listNames,
  receiptBefore,
  receiptFrom,
} from "./store.ts";

/**
 * Writes down what the server is called from now on, and tells it where that
 * was something else. The database of a program that did not write it down has
 * it in its receipts. Returns the names, oldest first; the last is in force.
 */
export function recordName(
  db: Db,
  serverId: string,
  { now, log }: Pick<Platform, "now" | "log">,
): Promise<ServerName[]> {
  return transaction(db, async (tx) => {
    if ((await listNames(tx)).length === 0) {
      for (const { serverId, from } of await namesOfReceipts(tx)) {
        await endLast(tx, from);
        await insertName(tx, serverId, from);
      }
    }
    const formerly = (await listNames(tx)).at(-1)?.server_id;
    if (formerly !== serverId) await changeName(tx, serverId, now());
    if (formerly !== undefined && formerly !== serverId) {
      log.warn(
        "this server is called something else than before: receipts and " +
          "links that it gave out name the former one, which stays " +
          "published; where that was not meant, set STRONGROOM_BASE_URL to " +
          "it again",
        { server_id: serverId, formerly },
      );
    }
    return (await listNames(tx)).map((row) => ({
      serverId: row.server_id,
      from: row.began_at,
      to: row.ended_at ?? undefined,
    }));
  });
}

/**
 * Refuses the directory of a server that never had this name, where one is
 * given ({@link OperatorFault}).
 */
export async function requireName(
  db: Db,
  expected: string | undefined,
): Promise<void> {
  const names = (await listNames(db)).map(({ server_id }) => server_id);
  const last = names.at(-1);
  if (expected === undefined || last === undefined) return;
  if (names.includes(expected)) return;
  throw new OperatorFault(
    `the data directory belongs to ${last}, and not to ${expected}, which ` +
      "STRONGROOM_SERVER_ID names: give the right directory, or correct the " +
      "setting",
  );
}

/** A name under which no receipt was given makes room for the next. */
async function changeName(
  tx: Tx,
  serverId: string,
  now: number,
): Promise<void> {
  const last = (await listNames(tx)).at(-1);
  const newest = await receiptBefore(tx, Number.MAX_SAFE_INTEGER);
  const signed = newest && readName(newest)?.serverId;
  // A clock that was set back must not end a name before it began.
  const at = Math.max(now, last?.began_at ?? now);
  if (last !== undefined && signed !== last.server_id) {
    await deleteName(tx, last.name_seq);
  } else await endLast(tx, at);
  await insertName(tx, serverId, at);
}

async function endLast(tx: Tx, at: number): Promise<void> {
  const last = (await listNames(tx)).at(-1);
  if (last !== undefined) await endName(tx, last.name_seq, at);
}

type Row = NonNullable<Awaited<ReturnType<typeof receiptFrom>>>;

/** A receipt's place in the chain and the name under which it was given. */
interface Named {
  readonly receiptSeq: number;
  readonly serverId: string;
  readonly from: number;
}

/**
 * The names in the chain with the time of the first receipt under each. It is
 * searched by halves: a name between two stretches of one other is not found.
 */
async function namesOfReceipts(tx: Tx): Promise<Named[]> {
  const [oldest, newest] = [
    await receiptFrom(tx, 1),
    await receiptBefore(tx, Number.MAX_SAFE_INTEGER),
  ].map((row) => row && readName(row));
  if (oldest === undefined || newest === undefined) return [];
  return [oldest, ...await changesBetween(tx, oldest, newest)];
}

/** The first receipts under other names, after `low` and up to `high`. */
async function changesBetween(
  tx: Tx,
  low: Named,
  high: Named,
): Promise<Named[]> {
  if (low.serverId === high.serverId) return [];
  if (high.receiptSeq - low.receiptSeq <= 1) return [high];
  const middle = Math.floor((low.receiptSeq + high.receiptSeq + 1) / 2);
  // A restore leaves a gap in the numbers: there may be nothing up there.
  const row = await receiptBefore(tx, middle + 1);
  const found = row && readName(row);
  if (found === undefined) return [high];
  if (found.receiptSeq > low.receiptSeq) {
    return [
      ...await changesBetween(tx, low, found),
      ...await changesBetween(tx, found, high),
    ];
  }
  const above = await receiptFrom(tx, middle + 1);
  const next = above && readName(above);
  if (next === undefined || next.receiptSeq >= high.receiptSeq) return [high];
  return [
    ...next.serverId === low.serverId ? [] : [next],
    ...await changesBetween(tx, next, high),
  ];
}

/** Undefined for a damaged receipt, which `strongroom check` names. */
function readName({ receipt_seq, body }: Row): Named | undefined {
  try {
    const { server_id, received_at } = readReceipt(body);
    return {
      receiptSeq: receipt_seq,
      serverId: server_id,
      from: parseRfc3339(received_at) ?? 0,
    };
  } catch (error) {
    if (error instanceof ReceiptError) return undefined;
    throw error;
  }
}
