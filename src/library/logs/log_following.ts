/**
 * Whether a log goes on from what this account's devices have seen of it: its
 * newest checkpoint is signed, no smaller, and of the same tree
 * (protocol/logs.md#what-a-client-checks).
 *
 * @module
 */
import { equalBytes, fromHex, toHex } from "../../core/bytes.ts";
import {
  formatLogEvidence,
  verifyLogEvidence,
} from "../../crypto/logs/log_evidence.ts";
import type { PublishedKeys } from "../../crypto/receipt_chain.ts";
import {
  fetchNote,
  type LogName,
  LogTiles,
  openHead,
  type SignedHead,
  WrongTiles,
} from "./log_reading.ts";
import type { SeenCheckpoint } from "../trust/log_record.ts";
import { LOGGED_WITHIN_MS } from "./log_receipts.ts";
import { entryOf } from "../base/merging.ts";
import type { LogCheck } from "./log_check.ts";
import { readKeysLog } from "./log_keys.ts";

const WHAT = { custody: "receipts", keys: "keys" } as const;

/** Follows a log to its newest checkpoint; undefined if it is not believed. */
export async function followLog(
  check: LogCheck,
  name: LogName,
): Promise<SignedHead | undefined> {
  for (let tries = 1;; tries++) {
    const head = await newestHead(check, name);
    if (head === undefined) return undefined;
    try {
      return await follow(check, head) ? head : undefined;
    } catch (error) {
      if (!(error instanceof WrongTiles)) throw error;
      // A new log may have started between two requests.
      if (tries < 2) continue;
      check.tell(
        "wrong_tiles",
        head.origin,
        `${head.origin}: ${error.message}`,
      );
      return undefined;
    }
  }
}

async function newestHead(
  check: LogCheck,
  name: LogName,
): Promise<SignedHead | undefined> {
  const { vault: { session }, custody } = check.context;
  const note = await fetchNote(session, name);
  if (note === undefined) {
    const before = check.before(name);
    if (before !== undefined) {
      check.tell("gone", name, `the server no longer shows ${before.origin}`);
    }
    return undefined;
  }
  // What it has rotated since the last look, a key signs no more.
  const trusted = await custody.keys({ renew: true });
  const head = await openHead(name, note, inForce(check, trusted));
  if (head !== undefined) return head;
  const isRetired = await openHead(name, note, trusted) !== undefined;
  check.tell(
    "not_signed",
    name,
    `the checkpoint of the log of ${WHAT[name]} is not signed by this ` +
      `server${isRetired ? ", but by a key that it retired" : ""}`,
  );
  return undefined;
}

/**
 * The keys that may sign now. A server signs again within minutes after it
 * rotated its key.
 */
function inForce(check: LogCheck, trusted: PublishedKeys): PublishedKeys {
  const now = check.context.vault.session.platform.now();
  const keys = trusted.keys.filter(({ activeTo }) =>
    activeTo === null || now - activeTo < LOGGED_WITHIN_MS
  );
  return { ...trusted, keys };
}

async function follow(check: LogCheck, head: SignedHead): Promise<boolean> {
  const seen = entryOf(check.record.seen, head.origin);
  if (seen !== undefined && head.size < seen.size) {
    check.tell(
      "went_back",
      `${head.origin} ${seen.size}`,
      `${head.origin} had ${seen.size} entries, and the server shows ` +
        `${head.size}`,
    );
    return false;
  }
  const isConsistent = seen === undefined ||
    await goesOn(check, head, seen);
  if (!isConsistent) return false;
  if (head.name === "keys") await readKeysLog(check, head);
  else check.state = { ...check.state, custody: custodyOf(head) };
  return seen !== undefined || await begins(check, head);
}

function custodyOf({ origin, size, root, note }: SignedHead) {
  return { origin, size, root: toHex(root), note };
}

/** Whether a tree goes on from one that was seen; keeps what proves it not. */
async function goesOn(
  check: LogCheck,
  head: SignedHead,
  seen: SeenCheckpoint,
): Promise<boolean> {
  const root = fromHex(seen.root) ?? new Uint8Array();
  const { vault: { session }, custody } = check.context;
  let other;
  if (head.size === seen.size) {
    if (equalBytes(head.root, root)) return true;
  } else {
    const tiles = new LogTiles(session, head);
    const verdict = await tiles.follows({ size: seen.size, root });
    if (verdict.ok) return true;
    other = verdict;
  }
  const evidence = { notes: [seen.note, head.note] as const, other };
  const trusted = await custody.keys();
  const isProven = (await verifyLogEvidence(evidence, trusted)).ok;
  check.tell(
    "contradiction",
    `${head.origin} ${seen.size} ${head.size}`,
    `the server signed two trees of ${head.origin} that contradict each ` +
      `other, of ${seen.size} and of ${head.size} entries`,
    isProven ? formatLogEvidence(evidence, trusted) : undefined,
  );
  return false;
}

/** Whether a log that was never seen may be believed. */
async function begins(check: LogCheck, head: SignedHead): Promise<boolean> {
  const before = check.before(head.name);
  if (before === undefined) return true;
  const trusted = await check.context.custody.keys();
  for (const { origin, note } of check.state.keys?.follows ?? []) {
    const seen = entryOf(check.record.seen, origin);
    if (seen === undefined || origin !== before.origin) continue;
    const last = await openHead(head.name, note, trusted);
    if (last?.origin !== origin) continue;
    // It repeats the log before up to there, and what was seen of it.
    const until = seen.size < last.size ? [seen, last] : [last];
    if (!await repeats(check, head, origin, until)) return false;
    const isOther = last.size === seen.size && toHex(last.root) !== seen.root;
    if (isOther) continue;
    check.restarted.push(head.origin);
    return true;
  }
  const id = `begun_anew ${head.origin}`;
  if (entryOf(check.record.evidence, id)?.answered_at !== undefined) {
    return true;
  }
  check.tell(
    "begun_anew",
    head.origin,
    `the log of ${WHAT[head.name]} started again as ${head.origin}, and does ` +
      `not say that it follows ${before.origin}`,
  );
  return false;
}

/** Whether a log that follows another one begins with its entries. */
async function repeats(
  check: LogCheck,
  head: SignedHead,
  origin: string,
  heads: readonly (
    & { readonly size: number }
    & { readonly root: Uint8Array | string }
  )[],
): Promise<boolean> {
  const tiles = new LogTiles(check.context.vault.session, head);
  for (const { size, root } of heads) {
    const before = {
      size,
      root: typeof root === "string" ? fromHex(root) ?? new Uint8Array() : root,
    };
    const isThere = size === head.size
      ? equalBytes(head.root, before.root)
      : size < head.size && (await tiles.follows(before)).ok;
    if (isThere) continue;
    check.tell(
      "begun_anew",
      head.origin,
      `${head.origin} does not begin with the ${size} entries of ${origin}, ` +
        "which it says it follows",
    );
    return false;
  }
  return true;
}
