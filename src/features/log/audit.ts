/**
 * Comparing the files of the public logs with the database that they are
 * derived from (upkeep/public-logs.md).
 *
 * @module
 */
import { equalBytes } from "../../core/bytes.ts";
import { tilePath } from "../../crypto/logs/merkle.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { Files } from "../../store/files/files.ts";
import { tileFile } from "./public_log.ts";
import { sourceOf } from "./source.ts";
import { checkpointsOf, lastLife } from "./store.ts";
import { TileTree } from "./tile_tree.ts";
import { nameOfWitness, witnessStatus } from "./witness_operator.ts";
import { isContradiction } from "./witnesses.ts";

/** What is wrong with a log. */
interface LogFault {
  readonly kind:
    | "log_tile_damaged"
    | "log_contradicted"
    | "log_witnessed_otherwise";
  readonly subject: string;
  readonly detail: string;
}

/** Where logs lie, and what hears how far the audit is. */
interface Audit {
  readonly db: Db;
  readonly files: Files;
  /** Absolute path of the data directory. */
  readonly root: string;
  readonly tell: (fault: LogFault) => void;
  readonly advance: (count: number, total: number) => void;
}

/**
 * Computes every tile that the recorded checkpoints have, and compares those
 * that are files. What was signed since the audit began is left to the next.
 */
export async function auditLogs(audit: Audit): Promise<void> {
  const life = await lastLife(audit.db);
  if (life === undefined) return;
  for (const { witness, origin, said } of await witnessStatus(audit.db, life)) {
    if (!isContradiction(said?.fault ?? null)) continue;
    audit.tell({
      kind: "log_witnessed_otherwise",
      subject: origin,
      detail: `${nameOfWitness(witness.verifier_key)} has seen another tree`,
    });
  }
  const checkpoints = await checkpointsOf(audit.db, life.life);
  const total = checkpoints.reduce((sum, { size }) => sum + size, 0);
  for (const { log: name, origin, size, root } of checkpoints) {
    const tree = new TileTree();
    const source = sourceOf(audit.db, name);
    for (let upTo = 0; tree.size < size;) {
      const next = (await source.after({ size: tree.size, upTo }))
        .slice(0, size - tree.size);
      for (const { seq, entry } of next) {
        upTo = seq;
        for (const { bytes, ...tile } of tree.append(entry)) {
          const path = tileFile({ ...audit, name, life: life.life }, tile);
          const held = audit.files.readWhole(path);
          if (held !== undefined && equalBytes(held, bytes)) continue;
          audit.tell({
            kind: "log_tile_damaged",
            subject: `${name}/${tilePath(tile)}`,
            detail: held === undefined
              ? "its file is missing"
              : "its file differs from what the database says",
          });
        }
      }
      if (next.length === 0) break;
      audit.advance(next.length, total);
    }
    if (tree.size === size && equalBytes(tree.root(), root)) continue;
    audit.tell({
      kind: "log_contradicted",
      subject: origin,
      detail:
        `its checkpoint of ${size} entries differs from what the database ` +
        "says",
    });
  }
}
