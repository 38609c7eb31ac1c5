/**
 * Having this server's checkpoints cosigned (C2SP tlog-witness;
 * protocol/logs.md#witnesses-of-this-server). Nothing waits for a witness but
 * the first checkpoint after a start.
 *
 * @module
 */
import { fromUtf8 } from "../../core/bytes.ts";
import type { Platform } from "../../core/platform.ts";
import { rootReasonOf } from "../../core/reason.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../core/time.ts";
import {
  formatSignatures,
  type NoteKey,
  parseNote,
  parseSignatures,
  readSize,
  readVerifierKey,
  verifyNote,
} from "../../crypto/logs/signed_note.ts";
import type { Db } from "../../store/sqlite/database.ts";
import type { PublicLog } from "./public_log.ts";
import {
  type Fault,
  findCosignature,
  listWitnesses,
  recordCosignature,
  recordFault,
  type WitnessRow,
} from "./witness_store.ts";

/** A witness answers within this time, or counts as silent. */
const TIMEOUT_MS = 10 * SECOND_MS;
/** Longer than any answer: lines of signatures, or a size. */
const ANSWER_MAX_BYTES = 65_536;
/** How often a tree that does not grow is cosigned again. */
const RENEW_MS = DAY_MS;
/** The first and the last wait of a witness that fails. */
const BACK_OFF_MS = { first: MINUTE_MS, last: HOUR_MS };
/** Requests of one question: the second knows the size, the third the tree. */
const TRIES = 3;

/** What a witness said of a log. */
type Outcome =
  | {
    readonly kind: "cosigned";
    readonly size: number;
    readonly cosignature: string;
    readonly cosignedAt: number;
  }
  | {
    readonly kind: "fault";
    readonly fault: Fault;
    /** The tree that it has seen, where it says so. */
    readonly size?: number;
    readonly cause?: string;
  };

/** Whether a witness has seen another tree than this server has. */
export function isContradiction(fault: string | null): boolean {
  return fault === "ahead" || fault === "contradicts";
}

/** What witnesses are asked with. */
interface Asking {
  readonly db: Db;
  readonly platform: Pick<Platform, "now" | "monotonic" | "fetch" | "log">;
}

/** The witnesses of a running server. */
export class Witnesses {
  /** When each may be asked again, by the monotonic clock. */
  readonly #waiting = new Map<string, { readonly until: number; ms: number }>();

  constructor(private readonly asking: Asking) {}

  /**
   * Asks all witnesses that are due about each log's checkpoint, and records
   * what they say; with `anew` also about one that they cosigned. Returns what
   * contradicts this server.
   */
  async askAll(
    logs: readonly PublicLog[],
    { anew, signal }: { readonly anew: boolean; readonly signal: AbortSignal },
  ): Promise<readonly Contradiction[]> {
    const { db, platform } = this.asking;
    const found: Contradiction[] = [];
    await Promise.all((await listWitnesses(db)).map(async (witness) => {
      const key = readVerifierKey(witness.verifier_key);
      const waiting = this.#waiting.get(witness.verifier_key);
      if (key === undefined) return;
      if (waiting !== undefined && platform.monotonic() < waiting.until) return;
      let isSilent = false;
      for (const log of logs) {
        if (signal.aborted || isSilent) break;
        const outcome = await this.#askOne(
          { ...witness, key },
          log,
          { anew, signal },
        )
          .catch((cause) => {
            // A log with a lost tile repairs itself when it is loaded again.
            platform.log.warn("a witness was not asked", { cause });
            return undefined;
          });
        if (outcome?.kind !== "fault") continue;
        isSilent = outcome.fault === "silent" || outcome.fault === "busy";
        if (!isContradiction(outcome.fault)) continue;
        const { size } = outcome;
        found.push({ witness: key.name, origin: log.origin, size });
      }
      if (signal.aborted) return;
      this.#waiting.delete(witness.verifier_key);
      if (!isSilent) return;
      const ms = Math.min(
        2 * (waiting?.ms ?? BACK_OFF_MS.first / 2),
        BACK_OFF_MS.last,
      );
      const until = platform.monotonic() + ms;
      this.#waiting.set(witness.verifier_key, { until, ms });
    }));
    return found;
  }

  /** Undefined where there is nothing to ask. */
  async #askOne(
    witness: WitnessRow & { readonly key: NoteKey },
    log: PublicLog,
    { anew, signal }: { readonly anew: boolean; readonly signal: AbortSignal },
  ): Promise<Outcome | undefined> {
    const { db, platform } = this.asking;
    const served = await log.served();
    if (served === undefined) return undefined;
    const held = await findCosignature(db, log.origin, witness.verifier_key);
    if (
      !anew && held?.fault === null && held.size === served.size &&
      Math.abs(platform.now() - (held.cosigned_at ?? 0)) < RENEW_MS
    ) return undefined;
    const outcome = await ask(
      this.asking,
      witness,
      log,
      held?.size ?? 0,
      signal,
    );
    if (signal.aborted) return undefined;
    const at = { origin: log.origin, verifier_key: witness.verifier_key };
    if (outcome.kind === "cosigned") {
      await recordCosignature(db, at, outcome);
      await log.takeCosignatures();
    } else await recordFault(db, at, outcome, platform.now());
    this.#tell(witness.key.name, log.origin, held?.fault ?? null, outcome);
    return outcome;
  }

  /** Says once what is another thing than before. */
  #tell(
    witness: string,
    origin: string,
    before: string | null,
    outcome: Outcome,
  ): void {
    const { log } = this.asking.platform;
    if (outcome.kind === "cosigned") {
      if (before !== null) log.info("a witness cosigns again", { witness });
      return;
    }
    const { fault, size, cause } = outcome;
    if (fault === before) return;
    const facts = { witness, origin, fault, size, cause };
    if (isContradiction(fault)) {
      log.error(
        "a witness has seen a different tree than this server's public " +
          "log: strongroom doctor says what to do",
        facts,
      );
    } else log.warn("a witness does not cosign", facts);
  }
}

/** A witness has seen another tree. */
interface Contradiction {
  readonly witness: string;
  readonly origin: string;
  /** Undefined where it has seen another one of the same size. */
  readonly size: number | undefined;
}

/** Asks a witness, which has seen a tree of some size, about a checkpoint. */
async function ask(
  { platform }: Asking,
  { url, key }: WitnessRow & { readonly key: NoteKey },
  log: PublicLog,
  seen: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const fault = (fault: Fault, cause: string, size?: number): Outcome => ({
    kind: "fault",
    fault,
    cause,
    ...size === undefined ? {} : { size },
  });
  let old = seen;
  for (let tries = 0; tries < TRIES; tries++) {
    const question = await log.submission(old);
    if (question === undefined) return fault("silent", "nothing to ask");
    const { note, size, body } = question;
    old = question.oldSize;
    let status: number;
    let text: string;
    try {
      const response = await platform.fetch(`${url}/add-checkpoint`, {
        method: "POST",
        headers: { "Content-Type": "text/plain; charset=utf-8" },
        body,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      status = response.status;
      text = await readText(response);
    } catch (cause) {
      return fault("silent", rootReasonOf(cause));
    }
    const said = `it answered ${status}`;
    switch (status) {
      case 200: {
        const cosigned = await readCosignature(note, text, key);
        return cosigned === undefined
          ? fault("wrong_answer", "its cosignature does not verify")
          : { kind: "cosigned", size, ...cosigned };
      }
      case 409: {
        const its = text.endsWith("\n")
          ? readSize(text.slice(0, -1))
          : undefined;
        if (its === undefined) return fault("wrong_answer", said);
        if (its > size) return fault("ahead", said, its);
        if (its === old) {
          return old === size
            ? fault("contradicts", said)
            : fault("wrong_answer", said);
        }
        old = its;
        continue;
      }
      case 422:
        return fault("contradicts", said);
      case 404:
        return fault("unknown_log", said);
      case 403:
        return fault("signature_refused", said);
      case 429:
        return fault("busy", said);
      default:
        return fault("silent", said);
    }
  }
  return fault("wrong_answer", "it gave a different size each time");
}

async function readText(response: Response): Promise<string> {
  let text = new Uint8Array();
  for await (const piece of response.body ?? []) {
    if (text.length + piece.length > ANSWER_MAX_BYTES) {
      throw new Error("the answer is over 64 KiB");
    }
    const joined = new Uint8Array(text.length + piece.length);
    joined.set(text);
    joined.set(piece, text.length);
    text = joined;
  }
  return fromUtf8(text) ?? "";
}

/** The line of a witness that verifies; other lines are let go. */
async function readCosignature(note: string, text: string, key: NoteKey) {
  const parsed = parseNote(note);
  const signatures = parseSignatures(text)?.filter(({ name, id }) =>
    name === key.name && id === key.id
  );
  if (parsed === undefined || signatures === undefined) return undefined;
  const signed = await verifyNote({ text: parsed.text, signatures }, [key]);
  const timestamp = signed?.[0]?.timestamp;
  const [line] = signatures;
  if (timestamp === undefined || line === undefined) return undefined;
  return {
    cosignature: formatSignatures([line]),
    cosignedAt: timestamp * SECOND_MS,
  };
}
