/**
 * The evidence that a server contradicted itself: two checkpoints that it
 * signed and that no log can both have (protocol/logs.md#evidence). It needs no
 * server and no trust.
 *
 * @module
 */
import * as z from "zod/mini";
import { equalBytes, fromBase64, toBase64 } from "../../core/bytes.ts";
import { type TreeHead, verifyConsistency } from "./merkle.ts";
import { parsePublishedKeys, type PublishedKeys } from "../receipt_chain.ts";
import { recordOfKeys } from "../receipt_proof.ts";
import {
  type Checkpoint,
  noteKey,
  parseCheckpoint,
  parseNote,
  verifyNote,
} from "./signed_note.ts";

/** The first key of the file. */
const EVIDENCE_TYPE = "strongroom-log-evidence/v1";

/** How a file begins. */
export const EVIDENCE_START: string = `{\n "type": "${EVIDENCE_TYPE}"`;

/** Two checkpoints, and where their sizes differ why both cannot be. */
export interface LogEvidence {
  /** The notes of the smaller tree and of the larger one, as served. */
  readonly notes: readonly [string, string];
  /**
   * The root that the larger tree really had at the smaller size, and the
   * consistency proof that leads from it.
   */
  readonly other?: {
    readonly root: Uint8Array;
    readonly hashes: readonly Uint8Array[];
  } | undefined;
}

/** What evidence proves. */
type EvidenceVerdict =
  | {
    readonly ok: true;
    readonly smaller: Checkpoint;
    readonly larger: Checkpoint;
  }
  | { readonly ok: false; readonly detail: string };

const evidenceSchema = z.object({
  type: z.literal(EVIDENCE_TYPE),
  notes: z.tuple([z.string(), z.string()]),
  other_root: z.optional(z.base64()),
  proof: z.optional(z.array(z.base64()).check(z.maxLength(63))),
  attestation_keys: z.unknown(),
});

/** Writes evidence as a file, with the keys as its author trusts them. */
export function formatLogEvidence(
  { notes, other }: LogEvidence,
  published: PublishedKeys,
): string {
  const file = {
    type: EVIDENCE_TYPE,
    notes,
    ...other === undefined ? {} : {
      other_root: toBase64(other.root),
      proof: other.hashes.map(toBase64),
    },
    attestation_keys: recordOfKeys(published),
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/** Reads a file; undefined for anything else. Nothing is verified. */
export function readLogEvidence(
  text: string,
): { evidence: LogEvidence; published: PublishedKeys } | undefined {
  try {
    const { data } = evidenceSchema.safeParse(JSON.parse(text));
    if (data === undefined) return undefined;
    const published = parsePublishedKeys(data.attestation_keys);
    const root = fromBase64(data.other_root ?? "");
    const hashes = (data.proof ?? []).flatMap((one) => fromBase64(one) ?? []);
    const other = data.other_root === undefined || root === undefined
      ? undefined
      : { root, hashes };
    return { evidence: { notes: data.notes, other }, published };
  } catch {
    // No JSON, or no keys.
    return undefined;
  }
}

/**
 * Whether evidence proves that the holder of one of these keys signed two trees
 * that contradict each other.
 */
export async function verifyLogEvidence(
  { notes, other }: LogEvidence,
  trusted: PublishedKeys,
): Promise<EvidenceVerdict> {
  const [one, two] = await Promise.all(
    notes.map((note) => signedCheckpoint(note, trusted)),
  );
  if (one === undefined || two === undefined) {
    return refused("a trusted key of the server signed not both checkpoints");
  }
  if (one.origin !== two.origin) return refused("they are of two logs");
  const [smaller, larger] = one.size <= two.size ? [one, two] : [two, one];
  if (smaller.size === larger.size) {
    return equalBytes(smaller.root, larger.root)
      ? refused("both checkpoints are of the same tree")
      : { ok: true, smaller, larger };
  }
  const head: TreeHead | undefined = other &&
    { size: smaller.size, root: other.root };
  if (head === undefined || other === undefined) {
    return refused("one checkpoint may follow the other");
  }
  const isOther = !equalBytes(head.root, smaller.root) &&
    verifyConsistency(other.hashes, head, larger);
  return isOther
    ? { ok: true, smaller, larger }
    : refused("it does not show that one cannot follow the other");
}

/** The checkpoint of a note that a trusted attestation key signed. */
export async function signedCheckpoint(
  whole: string,
  trusted: PublishedKeys,
): Promise<Checkpoint | undefined> {
  const note = parseNote(whole);
  const checkpoint = note && parseCheckpoint(note.text);
  if (note === undefined || checkpoint === undefined) return undefined;
  const keys = trusted.keys.map(({ publicKey }) =>
    noteKey(checkpoint.origin, "hybrid", publicKey)
  );
  const signed = await verifyNote(note, keys);
  return signed === undefined || signed.length === 0 ? undefined : checkpoint;
}

function refused(detail: string) {
  return { ok: false, detail } as const;
}
