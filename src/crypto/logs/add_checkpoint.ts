/**
 * What a log sends to a witness (C2SP tlog-witness, add-checkpoint): the size
 * that the witness saw last, a proof from there, and the new checkpoint.
 *
 * @module
 */
import { fromBase64, fromUtf8, toBase64 } from "../../core/bytes.ts";
import { MAX_PROOF_HASHES, TREE_HASH_BYTES } from "./merkle.ts";
import {
  type Checkpoint,
  parseCheckpoint,
  parseNote,
  readSize,
  type SignedNote,
} from "./signed_note.ts";

/** Bytes that a body has at most. */
export const MAX_SUBMISSION_BYTES = 65_536;

/** The media type of the size that a witness answers a conflict with. */
export const TREE_SIZE_TYPE = "text/x.tlog.size";

/** A body of add-checkpoint as it was read; nothing of it is verified. */
export interface Submission {
  readonly oldSize: number;
  readonly proof: readonly Uint8Array[];
  /** The checkpoint as it was sent. */
  readonly text: string;
  readonly note: SignedNote;
  readonly checkpoint: Checkpoint;
}

/** Makes the body; `note` is the checkpoint as its log signed it. */
export function formatSubmission(
  oldSize: number,
  proof: readonly Uint8Array[],
  note: string,
): string {
  const lines = proof.map((hash) => `${toBase64(hash)}\n`).join("");
  return `old ${oldSize}\n${lines}\n${note}`;
}

/**
 * Reads a body; undefined for anything malformed, and for an old size that is
 * larger than the checkpoint's.
 */
export function parseSubmission(bytes: Uint8Array): Submission | undefined {
  const whole = fromUtf8(bytes);
  const end = whole?.indexOf("\n\n") ?? -1;
  if (whole === undefined || end < 0) return undefined;
  const [first = "", ...lines] = whole.slice(0, end).split("\n");
  const oldSize = first.startsWith("old ")
    ? readSize(first.slice("old ".length))
    : undefined;
  if (oldSize === undefined || lines.length > MAX_PROOF_HASHES) {
    return undefined;
  }
  const proof: Uint8Array[] = [];
  for (const line of lines) {
    const hash = fromBase64(line);
    if (hash?.length !== TREE_HASH_BYTES) return undefined;
    proof.push(hash);
  }
  const text = whole.slice(end + 2);
  const note = parseNote(text);
  const checkpoint = note && parseCheckpoint(note.text);
  if (note === undefined || checkpoint === undefined) return undefined;
  if (oldSize > checkpoint.size) return undefined;
  return { oldSize, proof, text, note, checkpoint };
}
