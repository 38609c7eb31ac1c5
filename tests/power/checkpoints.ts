/**
 * A reader of the public logs, who keeps every checkpoint that was served: what
 * is served later has to follow it, whatever happens to the server.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fromHex, toHex } from "../../src/core/bytes.ts";
import {
  foldNodes,
  rootOf,
  type TreeNode,
} from "../../src/crypto/logs/merkle.ts";
import type { Sender } from "../support/app.ts";
import { type Name, readCheckpoint, readLog } from "../support/public_logs.ts";
import type { Ledger } from "./promises.ts";

/** Between two looks at the logs (ms). */
const EVERY_MS = 50;

/** Reads both logs until it is told to stop, and at least once after that. */
export async function readCheckpoints(
  ledger: Ledger,
  server: Sender,
  done: AbortSignal,
): Promise<void> {
  const seen = new Set<string>();
  for (let isLast = false; !isLast;) {
    isLast = done.aborted && seen.size > 1;
    for (const name of ["custody", "keys"] as Name[]) {
      const head = await readCheckpoint(server, name);
      if (head === undefined || seen.has(head.note)) continue;
      seen.add(head.note);
      const { size, root, origin } = head;
      ledger.promise(
        `the checkpoint of ${size} entries of ${name}`,
        async (after) => {
          const log = await readLog(after, name);
          assert.equal(log.origin, origin);
          assert(log.size >= size, `${log.size} entries, less than ${size}`);
          const begins = rootOf(size, (node) => nodeOf(log.leaves, node));
          assert.equal(toHex(begins), toHex(root), "it has another root");
        },
      );
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}

/** The hash of a complete subtree over leaves in hex. */
function nodeOf(
  leaves: readonly string[],
  { level, index }: TreeNode,
): Uint8Array {
  if (level === 0) {
    const leaf = fromHex(leaves[index] ?? "");
    assert(leaf?.length === 32, "a leaf is missing");
    return leaf;
  }
  return foldNodes(
    [0, 1].map((side) =>
      nodeOf(leaves, { level: level - 1, index: 2 * index + side })
    ),
  );
}
