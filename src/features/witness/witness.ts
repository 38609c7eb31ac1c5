/**
 * Cosigning other servers' checkpoints (C2SP tlog-witness;
 * protocol/logs.md#the-witness). Of each log the witness knows the newest
 * checkpoint that it cosigned, and cosigns nothing that does not follow it.
 *
 * @module
 */
import { HOUR_MS, SECOND_MS } from "../../core/time.ts";
import {
  parseSubmission,
  type Submission,
} from "../../crypto/logs/add_checkpoint.ts";
import { EMPTY_ROOT, verifyConsistency } from "../../crypto/logs/merkle.ts";
import { equalBytes } from "../../core/bytes.ts";
import {
  cosign,
  formatSignatures,
  parseNote,
  readVerifierKey,
  verifyNote,
} from "../../crypto/logs/signed_note.ts";
import type { App } from "../app.ts";
import type { Call } from "../call.ts";
import { charge } from "../charge.ts";
import type { Cosigner } from "./identity.ts";
import {
  findWitnessed,
  keysOfLog,
  recordContradiction,
  recordCosigned,
  type WitnessedRow,
} from "./store.ts";

/** A cosignature this young is given again for the same checkpoint. */
const REPEATED_MS = HOUR_MS;
/** Times that a request looks again after another one came first. */
const TRIES = 8;

/** What a request is answered. */
type Answer =
  /** Lines of signatures. */
  | { readonly kind: "cosigned"; readonly lines: string }
  /** The size that was cosigned last. */
  | { readonly kind: "conflict"; readonly size: number };

/** Cosigns a checkpoint where it follows the one before. */
export async function addCheckpoint(
  call: Call<
    | "error.request.route_unknown"
    | "error.request.malformed"
    | "error.witness.log_unknown"
    | "error.witness.rate_limited"
    | "error.witness.signature_refused"
    | "error.witness.proof_refused"
  >,
  body: Uint8Array,
  clientAddress: string,
): Promise<Answer> {
  const { app, raise } = call;
  if (app.witness === undefined) throw raise("error.request.route_unknown");
  const submission = parseSubmission(body);
  if (submission === undefined) throw raise("error.request.malformed");
  const { origin } = submission.checkpoint;
  let held = await findWitnessed(app.db, origin);
  if (held === undefined) throw raise("error.witness.log_unknown");
  const spent = charge(call, "witness", [clientAddress, origin]);
  if (spent !== undefined) throw raise("error.witness.rate_limited", spent);
  if (!await isSigned(app, submission)) {
    throw raise("error.witness.signature_refused");
  }
  const cosigner = await app.witness.cosigner();
  for (let tries = 0; tries < TRIES; tries++) {
    const judged = judge(held, submission);
    if (judged === "refused") throw raise("error.witness.proof_refused");
    if (judged !== "follows") {
      if (judged === "contradicts") await tellFork(call, held, submission);
      return { kind: "conflict", size: held.size };
    }
    const lines = await record(call, cosigner, held, submission);
    if (lines !== undefined) return { kind: "cosigned", lines };
    held = await findWitnessed(app.db, origin);
    if (held === undefined) throw raise("error.witness.log_unknown");
  }
  return { kind: "conflict", size: held.size };
}

async function isSigned(
  { db }: Pick<App, "db">,
  { note, checkpoint }: Submission,
): Promise<boolean> {
  const keys = (await keysOfLog(db, checkpoint.origin))
    .flatMap(({ verifier_key }) => readVerifierKey(verifier_key) ?? []);
  const signed = await verifyNote(note, keys);
  return signed !== undefined && signed.length > 0;
}

/** How a checkpoint stands to the one that was cosigned last. */
function judge(
  held: Pick<WitnessedRow, "size" | "root">,
  { oldSize, proof, checkpoint }: Submission,
): "follows" | "conflicts" | "contradicts" | "refused" {
  const before = { size: held.size, root: held.root ?? EMPTY_ROOT };
  if (
    checkpoint.size === before.size && !equalBytes(checkpoint.root, before.root)
  ) return "contradicts";
  if (oldSize !== before.size) return "conflicts";
  return verifyConsistency(proof, before, checkpoint) ? "follows" : "refused";
}

/**
 * Signs and records, both before anything is answered. Undefined where another
 * request came first.
 */
async function record(
  { app, now }: Call<never>,
  { signer, key }: Cosigner,
  held: WitnessedRow,
  { text, note, checkpoint }: Submission,
): Promise<string | undefined> {
  if (
    held.note !== null && held.cosignature !== null &&
    parseNote(held.note)?.text === note.text && held.cosigner === key.name &&
    Math.abs(now - (held.cosigned_at ?? 0)) < REPEATED_MS
  ) return held.cosignature;
  const seconds = Math.floor(now / SECOND_MS);
  const line = await cosign(signer, key.name, note.text, seconds);
  const cosignature = formatSignatures([line]);
  const isRecorded = await recordCosigned(app.db, held, {
    size: checkpoint.size,
    root: new Uint8Array(checkpoint.root),
    note: text,
    cosignature,
    cosigner: key.name,
    cosigned_at: now,
  });
  return isRecorded ? cosignature : undefined;
}

/** Two trees of one size, both signed, are kept as the proof that they are. */
async function tellFork(
  { app, now }: Call<never>,
  held: WitnessedRow,
  { text, checkpoint }: Submission,
): Promise<void> {
  if (held.note === null) return;
  if (!await recordContradiction(app.db, held, text, now)) return;
  app.platform.log.warn(
    "a log that this server witnesses signed two trees of one size: " +
      "strongroom witness ls --json has both checkpoints",
    { origin: checkpoint.origin, size: checkpoint.size },
  );
}
