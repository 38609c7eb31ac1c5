/**
 * What the trust record says of the server's public logs: whom this account
 * believes, the newest checkpoints that its devices verified, and what
 * contradicted them (protocol/client-cryptography.md#trust-record).
 *
 * @module
 */
import * as z from "zod/mini";
import {
  count,
  hash,
  textBetween,
  utcInstant,
} from "../../client/documents/fields.ts";
import {
  earliest,
  inOrder,
  latestAs,
  latestEntry,
  mergeRest,
  mergeSection,
  mergeSome,
  orderOf,
} from "../base/merging.ts";

interface Extensible {
  [key: string]: unknown;
}

/** Whose cosignatures count, as text of tlog-policy. */
interface PolicyChoice extends Extensible {
  text: string;
  at: string;
}

/** The newest checkpoint of a log that a device verified. */
export interface SeenCheckpoint extends Extensible {
  size: number;
  /** In hex. */
  root: string;
  /** The note as it was served. */
  note: string;
  at: string;
}

/** Something that a log must never show. */
export interface LogFinding extends Extensible {
  /** A {@link LogFault}, or a word of a newer program, which is as grave. */
  kind: string;
  /** A sentence for people, in English. */
  detail: string;
  at: string;
  /** A file that proves it to anybody; `log_evidence.ts`. */
  file?: string | undefined;
  /** When the person said that they know. */
  answered_at?: string | undefined;
}

/** What can be wrong with a log. */
export type LogFault =
  /** Two trees of one size, or one that does not go on from the other. */
  | "contradiction"
  /** The newest checkpoint is older than one that was seen. */
  | "went_back"
  /** It is new, and does not say which log it follows. */
  | "begun_anew"
  /** The server skips its newest key, and an older one vouches for another. */
  | "key_skipped"
  /** It is no log of this server, or no key of its signed it. */
  | "not_signed"
  /** Its tiles or entries are not those of its checkpoint. */
  | "wrong_tiles"
  /** After a restore it lacks an entry that was seen. */
  | "entry_lost"
  /** A receipt that is held here is not in it. */
  | "receipt_missing"
  /** It has an entry for this account that none of its devices made. */
  | "not_ours"
  /** A directory that was shown for someone is not the one in the log. */
  | "other_directory"
  /** The same of an album's roster. */
  | "other_roster"
  /** The web app is another than the log names for everybody. */
  | "other_app"
  /** The server has no logs any more, or an answer fits nothing. */
  | "gone";

/** The section of the record. */
export interface LogsRecord extends Extensible {
  policy?: PolicyChoice | undefined;
  /** When a device of the account made its keys. */
  begun_at?: string | undefined;
  /** By origins. */
  seen: Record<string, SeenCheckpoint>;
  /** By ids that are made of what they are about. */
  evidence: Record<string, LogFinding>;
}

const note = textBetween(1, 65_536);

export const logsSchema: z.ZodMiniType<LogsRecord> = z.looseObject({
  policy: z.optional(
    z.looseObject({ text: textBetween(0, 65_536), at: utcInstant }),
  ),
  begun_at: z.optional(utcInstant),
  seen: z._default(
    z.record(
      z.string(),
      z.looseObject({ size: count, root: hash, note, at: utcInstant }),
    ),
    {},
  ),
  evidence: z._default(
    z.record(
      z.string(),
      z.looseObject({
        kind: textBetween(1, 64),
        detail: textBetween(1, 4_096),
        at: utcInstant,
        file: z.optional(textBetween(1, 262_144)),
        answered_at: z.optional(utcInstant),
      }),
    ),
    {},
  ),
});

/** Lives of both logs whose checkpoints are remembered. */
const MOST_SEEN = 16;
/** Findings that are kept; the first tell most. */
const MOST_FINDINGS = 32;

/** Merges what two devices remember of the logs. */
export function mergeLogs(a: LogsRecord, b: LogsRecord): LogsRecord {
  const policy = latestEntry(a.policy, b.policy);
  const begun_at = mergeSome(a.begun_at, b.begun_at, earliest);
  const seen = mergeSection(
    a.seen,
    b.seen,
    (x, y) => inOrder(x, y, ({ size, root }) => [size, root])[1],
  );
  const evidence = mergeSection(
    a.evidence,
    b.evidence,
    (x, y) => mergeSome(x, y, firstOf) ?? x,
  );
  return {
    ...mergeRest(a, b, { policy, begun_at, seen, evidence }),
    ...(begun_at === undefined ? {} : { begun_at }),
    ...(policy === undefined ? {} : { policy }),
    seen: newestOf(seen),
    evidence: oldestOf(evidence),
  };
}

function firstOf(a: LogFinding, b: LogFinding): LogFinding {
  const [first] = inOrder(a, b, (one) => orderOf(one.at, one.kind));
  return {
    ...first,
    ...latestAs("answered_at", a.answered_at, b.answered_at),
  };
}

function newestOf(seen: Record<string, SeenCheckpoint>) {
  const inTime = Object.entries(seen).toSorted((a, b) =>
    inOrder(a, b, ([origin, one]) => orderOf(one.at, origin))[0] === a ? 1 : -1
  );
  return Object.fromEntries(inTime.slice(0, MOST_SEEN));
}

function oldestOf(evidence: Record<string, LogFinding>) {
  const inTime = Object.entries(evidence).toSorted((a, b) =>
    inOrder(a, b, ([id, one]) => orderOf(one.at, id))[0] === a ? -1 : 1
  );
  return Object.fromEntries(inTime.slice(0, MOST_FINDINGS));
}
