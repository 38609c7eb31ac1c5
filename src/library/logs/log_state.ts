/**
 * What one device knows of the public logs: how far it has read them, and what
 * concerns its account. The trust record has what all devices share.
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
import { decodeJson, encodeJson } from "../../client/documents/json.ts";
import { documentSchema, type PublishedDocument } from "../vault/published.ts";
import type { Store } from "../base/store.ts";

/** The newest entry for someone or for an album. */
export interface NewestEntry {
  readonly version: number;
  /** SHA-256 of the directory or roster, in hex. */
  readonly sha256: string;
  readonly index: number;
  /** The anchor that the log names for an account. */
  readonly key_id?: string | undefined;
  /** The log names more than one anchor for the account. */
  readonly is_split?: true | undefined;
}

/** An entry for this account, or for an album of its own. */
export interface OwnEntry extends NewestEntry {
  readonly what: "directory" | "roster";
}

/** The keys log as far as it was read. */
export interface ReadKeysLog {
  readonly origin: string;
  readonly size: number;
  /** The right edge of the tree, in hex; `log_range.ts`. */
  readonly edge: readonly string[];
  /** Hashes of users and albums of which every entry was looked at. */
  readonly subjects: readonly string[];
  readonly newest: Readonly<Record<string, NewestEntry>>;
  readonly own: readonly OwnEntry[];
  /** SHA-256 of the newest web app. */
  readonly app?: string | undefined;
  /** The logs that it says it follows, with their last checkpoints. */
  readonly follows: readonly {
    readonly origin: string;
    readonly note: string;
  }[];
}

/** A witness's word about a log. */
interface SeenWitness {
  readonly name: string;
  readonly at: string;
}

/** How the last check found a log. */
interface LogStatus {
  readonly origin: string;
  readonly size: number;
  readonly is_met: boolean;
  readonly witnesses: readonly SeenWitness[];
  /** When the policy was met last. */
  readonly met_at?: string | undefined;
}

/** The state. */
export interface LogState {
  readonly v: 1;
  readonly checked_at?: string | undefined;
  readonly keys?: ReadKeysLog | undefined;
  readonly custody?: {
    readonly origin: string;
    readonly size: number;
    readonly root: string;
    readonly note: string;
  } | undefined;
  readonly standing: Readonly<Record<string, LogStatus>>;
  /** Since when the app that is served is another than the log names. */
  readonly app_other_since?: string | undefined;
  /** What stood in the slot `published` when it was read last. */
  readonly published: Record<string, PublishedDocument>;
}

const entry = {
  version: count,
  sha256: hash,
  index: count,
  key_id: z.optional(hash),
  is_split: z.optional(z.literal(true)),
};
const stateSchema: z.ZodMiniType<LogState> = z.object({
  v: z.literal(1),
  checked_at: z.optional(utcInstant),
  keys: z.optional(z.object({
    origin: z.string(),
    size: count,
    edge: z.array(hash),
    subjects: z.array(hash),
    newest: z.record(hash, z.object(entry)),
    own: z.array(
      z.object({ ...entry, what: z.enum(["directory", "roster"]) }),
    ),
    app: z.optional(hash),
    follows: z.array(z.object({ origin: z.string(), note: z.string() })),
  })),
  custody: z.optional(z.object({
    origin: z.string(),
    size: count,
    root: hash,
    note: z.string(),
  })),
  app_other_since: z.optional(utcInstant),
  published: z._default(z.record(hash, documentSchema), {}),
  standing: z._default(
    z.record(
      z.string(),
      z.object({
        origin: z.string(),
        size: count,
        is_met: z.boolean(),
        witnesses: z.array(
          z.object({ name: textBetween(1, 1_024), at: utcInstant }),
        ),
        met_at: z.optional(utcInstant),
      }),
    ),
    {},
  ),
});

const KEY = "logs";

/** Reads the state of this device; an unreadable one starts over. */
export async function readLogState(store: Store): Promise<LogState> {
  const value = await store.get("pins", KEY);
  const empty: LogState = { v: 1, standing: {}, published: {} };
  if (value === undefined) return empty;
  try {
    return decodeJson(stateSchema, value, "state of the logs");
  } catch {
    // A newer program wrote it: the log is read again.
    return empty;
  }
}

export async function writeLogState(
  store: Store,
  state: LogState,
): Promise<void> {
  const value = encodeJson(stateSchema, state, "state of the logs");
  await store.write([{ space: "pins", key: KEY, value }]);
}
