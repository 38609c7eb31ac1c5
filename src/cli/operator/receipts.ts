/**
 * `strongroom receipts`: the custody chain out of the server, and verified
 * without it.
 *
 * @module
 */
import type { Command } from "commander";
import { OperatorFault } from "../../core/operator.ts";
import { reasonOf } from "../../core/reason.ts";
import { toRfc3339 } from "../../core/time.ts";
import {
  concatBytes,
  equalBytes,
  fromUtf8,
  toHex,
  utf8,
} from "../../core/bytes.ts";
import { bytesInWords, counted } from "../../core/sizes.ts";
import {
  parsePublishedKeys,
  type PublishedKeys,
  type ReceiptChainVerdict,
  verifyReceiptChain,
} from "../../crypto/receipt_chain.ts";
import {
  EVIDENCE_START,
  readLogEvidence,
  verifyLogEvidence,
} from "../../crypto/logs/log_evidence.ts";
import {
  type LogPolicy,
  parseLogPolicy,
  type PolicyVerdict,
} from "../../crypto/logs/log_policy.ts";
import { ReceiptError } from "../../crypto/receipt.ts";
import type { PhotoVerdict } from "../../client/documents/photo_proof.ts";
import {
  MAX_PROOF_BYTES,
  PROOF_HEADER,
  type ProofVerdict,
  readReceiptProof,
  verifyReceiptProof,
  witnessesOf,
} from "../../crypto/receipt_proof.ts";
import { followSuccession } from "../../crypto/succession.ts";
import {
  CustodyError,
  exportChain,
  MAX_LINE_BYTES,
  readLine,
} from "../../features/receipts/custody.ts";
import {
  addVerbs,
  type Call,
  type CommandContext,
  type Said,
  type Verb,
} from "../verb.ts";
import { PROOF_ROWS } from "../person/files/file_rows.ts";
import { addRows } from "../person/row.ts";
import { terminalProgress } from "../progress.ts";
import { linesOf, openInput, OutLines, type Streams } from "../streams.ts";
import { printable, witnessesInWords } from "../phrasing.ts";

/** A published record is some kilobytes a key. */
const MAX_KEYS_BYTES = 16 * 1024 * 1024;

interface VerifyOptions {
  readonly keys?: string;
  readonly partial?: true;
  readonly formerly?: readonly string[];
  readonly pinned?: string;
  readonly photo?: string;
  readonly witnesses?: string;
}

/** The status of a command line that lacks something. */
const USAGE = 2;

/** Adds `receipts export`, `verify` and `prove` to the program. */
export function addReceiptCommands(
  program: Command,
  context: CommandContext,
): void {
  const receipts = program.command("receipts")
    .description("receipts of storage, which anyone can verify");
  addVerbs(receipts, context, VERBS);
  addRows(receipts, context, PROOF_ROWS);
}

const VERBS: readonly Verb[] = [
  {
    usage: "export",
    description:
      "write the chain of receipts to standard output, one JSON object a " +
      "line",
    example: "receipts export > receipts.jsonl",
    access: "read",
    async run({ db, platform, streams }) {
      const progress = terminalProgress(platform.monotonic, streams.stderr);
      const lines = new OutLines(streams.stdout);
      const show = (done: number) => progress.show("receipts", done);
      try {
        for await (const line of exportChain(db, show)) lines.write(line);
      } finally {
        progress.end();
      }
      lines.flush();
    },
  },
  {
    usage: "verify <file>",
    description:
      "verify an export, a proof or evidence of a contradiction (- reads " +
      "standard input) against the " +
      "saved body of /.well-known/service/attestation-keys; needs no " +
      "server and no data directory",
    options: [
      [
        "--keys <file>",
        "the saved attestation keys; a proof contains them, and needs " +
        "--pinned instead",
      ],
      [
        "--partial",
        "the file is an excerpt that does not begin with the first receipt",
      ],
      [
        "--formerly <origin...>",
        "an earlier origin of the server that the saved keys do not contain",
      ],
      [
        "--pinned <key id>",
        "trust only this attestation key, and the keys that it vouches for",
      ],
      [
        "--photo <file>",
        "of a proof: the photo, which has to be the one that it is about",
      ],
      [
        "--witnesses <file>",
        "of a proof: the witnesses that you trust, as `witnesses show` " +
        "prints them; otherwise those that the proof names are listed",
      ],
    ],
    example: "receipts verify receipts.jsonl --keys attestation-keys.json",
    run: verify,
  },
];

async function verify(
  { options, platform, streams, warn, endWith }: Call<VerifyOptions>,
  file: string,
): Promise<Said | void> {
  if (options.keys === undefined && options.pinned === undefined) {
    warn("say which keys you trust: --keys, or --pinned for a proof");
    endWith(USAGE);
    return;
  }
  const named = options.keys === undefined
    ? undefined
    : await trusted(await readKeys(options.keys), options);
  const { start, input } = await peek(
    await openOrRefuse(file, streams),
    utf8(`${PROOF_HEADER}\n`),
  );
  if (start) return await verifyProof(file, input, named, options);
  const evidence = await peek(input, utf8(EVIDENCE_START));
  if (evidence.start) {
    return await verifyEvidence(file, evidence.input, named, options);
  }
  if (named === undefined) {
    throw new OperatorFault(
      "an export has no keys: give the saved attestation keys with --keys",
    );
  }
  const progress = terminalProgress(platform.monotonic, streams.stderr);
  const show = (done: number) => progress.show("receipts", done);
  const verified = await verifyFile(
    file,
    evidence.input,
    named,
    options.partial === true,
    show,
  ).finally(() => progress.end());
  return {
    json: toJson(verified, named),
    lines: toLines(verified, named, options.pinned !== undefined),
    isBad: !verified.ok,
  };
}

/** The keys of a record that the options trust. */
async function trusted(
  record: PublishedKeys,
  options: VerifyOptions,
): Promise<PublishedKeys> {
  return await followPinned({
    ...record,
    formerIds: [...record.formerIds ?? [], ...options.formerly ?? []],
  }, options);
}

/** Verifies the proof of one receipt, by named keys or by its own. */
async function verifyProof(
  file: string,
  input: ReadableStream<Uint8Array>,
  named: PublishedKeys | undefined,
  options: VerifyOptions,
): Promise<Said> {
  const proof = readReceiptProof(await atMost(input, MAX_PROOF_BYTES));
  if (proof === undefined) {
    return proofSaid(file, {
      ok: false,
      fault: "unreadable",
      detail:
        "the file is cut off, was changed, or is not a proof of a receipt",
    });
  }
  const published = named ?? await trusted(proof.published, options);
  const policy = options.witnesses === undefined
    ? undefined
    : await readPolicy(options.witnesses);
  const verdict = options.photo === undefined
    ? await verifyReceiptProof(proof, published)
    // Loaded here, so that a server's start does not pay for it.
    : await (await import("./photo.ts"))
      .verifyPhoto(proof, options.photo, published);
  const believed = policy ?? (proof.policy && parseLogPolicy(proof.policy));
  return proofSaid(file, verdict, {
    photo: options.photo,
    isOwnPolicy: policy !== undefined,
    ...believed ? await witnessesOf(proof, believed) : NOBODY,
  });
}

const NOBODY: PolicyVerdict = { isMet: false, by: [] };

async function readPolicy(path: string): Promise<LogPolicy> {
  try {
    return parseLogPolicy(await Deno.readTextFile(path));
  } catch (error) {
    throw new OperatorFault(
      `the witnesses in ${path} cannot be read (${reasonOf(error)})`,
    );
  }
}

/** Verifies two checkpoints that contradict each other. */
async function verifyEvidence(
  file: string,
  input: ReadableStream<Uint8Array>,
  named: PublishedKeys | undefined,
  options: VerifyOptions,
): Promise<Said> {
  const bytes = await atMost(input, MAX_PROOF_BYTES);
  const read = readLogEvidence(fromUtf8(bytes) ?? "");
  const verdict = read === undefined
    ? { ok: false, detail: "the file is cut off, or was changed" } as const
    : await verifyLogEvidence(
      read.evidence,
      named ?? await trusted(read.published, options),
    );
  if (!verdict.ok) {
    const { ok, detail } = verdict;
    return {
      json: { ok, fault: "unproven", detail },
      lines: [`${file} proves nothing: ${detail}`],
      isBad: true,
    };
  }
  const { smaller, larger } = verdict;
  const { origin } = larger;
  return {
    json: {
      ok: true,
      origin,
      checkpoints: [smaller, larger].map(({ size, root }) => ({
        size,
        root: toHex(root),
      })),
    },
    lines: [
      `the server signed two trees of ${origin} that contradict each other:`,
      ...[smaller, larger].map(({ size, root }) =>
        `${size} entries with the root ${toHex(root)}`
      ),
    ],
  };
}

interface ProofSeen extends PolicyVerdict {
  readonly photo: string | undefined;
  readonly isOwnPolicy: boolean;
}

/** Who cosigned, in a sentence for each. */
function witnessLines({ by, isMet, isOwnPolicy }: ProofSeen): string[] {
  if (by.length === 0) {
    return [
      "no witness has confirmed this log: the server may show others another " +
      "one",
    ];
  }
  const seen = by.map(({ witness, at }) =>
    `${printable(witness.name)} saw this log at ${toRfc3339(at)}`
  );
  if (!isOwnPolicy) {
    return [
      ...seen,
      "the proof itself names these witnesses: say which you trust with " +
      "--witnesses",
    ];
  }
  return [
    ...seen,
    isMet
      ? `${witnessesInWords(by.length)} of yours saw the log`
      : `only ${witnessesInWords(by.length)} of yours saw the log: NOT ENOUGH`,
  ];
}

function proofSaid(
  file: string,
  verdict: ProofVerdict | PhotoVerdict,
  seen: ProofSeen = { photo: undefined, isOwnPolicy: false, ...NOBODY },
): Said {
  if (!verdict.ok) {
    const { ok, fault, detail } = verdict;
    return {
      json: { ok, fault, detail },
      lines: [`${file} proves nothing: ${fault}: ${detail}`],
      isBad: true,
    };
  }
  const { ok, receipt, checkpoint: { origin, size }, index } = verdict;
  const { asset_id: asset, blob_role: role } = receipt;
  const hash = toHex(receipt.ciphertext_hash);
  return {
    json: {
      ok,
      server_id: receipt.server_id,
      server_key_id: receipt.server_key_id,
      receipt_seq: receipt.receipt_seq,
      received_at: receipt.received_at,
      asset_id: asset,
      blob_role: role,
      ciphertext_hash: hash,
      size: receipt.size,
      origin,
      log_index: index,
      log_size: size,
      photo: seen.photo ?? null,
      // Witnesses that only the file names count for nothing.
      witnesses: seen.isOwnPolicy ? seen.by.length : 0,
      is_witnessed: seen.isOwnPolicy && seen.isMet,
      cosigned_by: seen.by.map(({ witness, at }) => ({
        name: witness.name,
        at: toRfc3339(at),
      })),
    },
    lines: [
      `${receipt.server_id} signed receipt ${receipt.receipt_seq} at ` +
      `${receipt.received_at}, with key ${receipt.server_key_id}`,
      `it stored ${
        bytesInWords(receipt.size)
      } of encrypted data: the ${role} ` +
      `of ${asset ?? "a guest's file"}, SHA-256 ${hash}`,
      ...seen.photo === undefined
        ? []
        : [`${printable(seen.photo)} is that ${role}, byte for byte`],
      `the receipt is entry ${index} of the ${size} in ${origin}`,
      ...witnessLines(seen),
      ...seen.photo === undefined ? [] : [NOT_PROVEN],
    ],
    isBad: seen.isOwnPolicy && !seen.isMet,
  };
}

const NOT_PROVEN =
  "this does not prove that the server still stores the photo, who took it, or " +
  "that it shows what it seems to";

/** Whether a stream starts with some bytes, and all of the stream. */
async function peek(
  stream: ReadableStream<Uint8Array>,
  wanted: Uint8Array,
): Promise<{
  readonly start: boolean;
  readonly input: ReadableStream<Uint8Array>;
}> {
  const chunks = stream[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array();
  while (held.length < wanted.length) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    held = concatBytes(held, value);
  }
  async function* all() {
    yield held;
    for (;;) {
      const { done, value } = await chunks.next();
      if (done === true) return;
      yield value;
    }
  }
  return {
    start: equalBytes(held.subarray(0, wanted.length), wanted),
    input: ReadableStream.from(all()),
  };
}

/** The bytes of a stream; none where there are more than so many. */
async function atMost(
  stream: ReadableStream<Uint8Array>,
  most: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > most) return new Uint8Array();
    chunks.push(chunk);
  }
  return concatBytes(...chunks);
}

/** What verifying found; a fault names the line, the first being 1. */
type Verified =
  | Extract<ReceiptChainVerdict, { ok: true }>
  | {
    readonly ok: false;
    readonly fault: string;
    readonly detail: string;
    readonly line: number;
    readonly receiptSeq: number | null;
    /** Receipts before it, which hold. */
    readonly count: number;
  };

async function verifyFile(
  file: string,
  input: ReadableStream<Uint8Array>,
  published: PublishedKeys,
  partial: boolean,
  onProgress: (done: number) => void,
): Promise<Verified> {
  let line = 0;
  let count = 0;
  async function* bodies(): AsyncGenerator<Uint8Array> {
    for await (const one of linesOf(input, MAX_LINE_BYTES)) {
      line += 1;
      if (one === "too long") {
        throw new CustodyError(`it is longer than ${MAX_LINE_BYTES} bytes`);
      }
      if (one.text.trim() === "") continue;
      yield readOrBlameCut(one.text, one.ended);
      count += 1;
      onProgress(count);
    }
  }
  const fault = (fault: string, detail: string, receiptSeq: number | null) =>
    ({ ok: false, fault, detail, line, receiptSeq, count }) as const;
  try {
    const verdict = await verifyReceiptChain(bodies(), published, { partial });
    if (!verdict.ok) {
      return fault(verdict.fault, verdict.detail, verdict.receiptSeq);
    }
    if (verdict.count > 0) return verdict;
    throw new OperatorFault(
      `${file} contains no receipt, so nothing was verified: an export ` +
        "contains receipts once the server has stored an upload",
    );
  } catch (error) {
    if (!(error instanceof CustodyError)) throw error;
    return fault("unreadable", error.message, null);
  }
}

/** A last line that has no end was cut off, most likely. */
function readOrBlameCut(text: string, ended: boolean): Uint8Array {
  try {
    return readLine(text);
  } catch (error) {
    if (!(error instanceof CustodyError) || ended) throw error;
    throw new CustodyError(
      `${error.message}; the file ends in the middle of it`,
    );
  }
}

async function openOrRefuse(
  file: string,
  streams: Streams,
): Promise<ReadableStream<Uint8Array>> {
  try {
    return await openInput(file, streams);
  } catch (error) {
    const reason = reasonOf(error);
    throw new OperatorFault(
      `${file} cannot be read (${reason}): give a file made by ` +
        "strongroom receipts export, or - for standard input",
    );
  }
}

async function readKeys(file: string): Promise<PublishedKeys> {
  const refuse = (why: string): never => {
    throw new OperatorFault(
      `${file} ${why}: save the body of the server's ` +
        "/.well-known/service/attestation-keys and give that",
    );
  };
  let text: string;
  try {
    const { size } = await Deno.stat(file);
    if (size > MAX_KEYS_BYTES) {
      refuse("is too large to contain attestation keys");
    }
    text = await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof OperatorFault) throw error;
    const reason = reasonOf(error);
    return refuse(`cannot be read (${reason})`);
  }
  try {
    return parsePublishedKeys(JSON.parse(text));
  } catch (error) {
    if (error instanceof ReceiptError) {
      return refuse(`contains no attestation keys (${error.message})`);
    }
    return refuse("is not JSON");
  }
}

/** The published keys that a pinned one vouches for; all where none is. */
async function followPinned(
  published: PublishedKeys,
  { pinned, keys }: VerifyOptions,
): Promise<PublishedKeys> {
  if (pinned === undefined) return published;
  const followed = await followSuccession(published, pinned);
  if (followed !== undefined) return followed.published;
  throw new OperatorFault(
    `${
      keys ?? "the proof"
    } has no key ${pinned}: pin a key_id of an earlier record of this ` +
      "server; a record without it is another server's",
  );
}

function toJson(verified: Verified, { serverId }: PublishedKeys) {
  const { ok } = verified;
  if (ok) {
    const { count, last } = verified;
    return {
      ok,
      server_id: serverId,
      count,
      last_receipt_seq: last?.receipt_seq ?? null,
      last_received_at: last?.received_at ?? null,
    };
  }
  const { fault, detail, line, receiptSeq, count } = verified;
  return {
    ok,
    server_id: serverId,
    count,
    fault,
    detail,
    line,
    receipt_seq: receiptSeq,
  };
}

function toLines(
  verified: Verified,
  { serverId }: PublishedKeys,
  isPinned: boolean,
): string[] {
  if (verified.ok) {
    const { count, last } = verified;
    return [
      `${counted(count, "receipt")} of ${serverId} verified, the last one ` +
      `${last?.receipt_seq ?? 0} of ${last?.received_at ?? "never"}`,
    ];
  }
  const { fault, detail, line, receiptSeq, count } = verified;
  const which = receiptSeq === null ? "" : ` (receipt ${receiptSeq})`;
  return [
    `line ${line}${which}: ${fault}: ${detail}`,
    ...fault === "foreign_server"
      ? [`if ${serverId} had that name before, give it with --formerly`]
      : [],
    ...fault === "key_unknown" && isPinned
      ? ["neither the pinned key nor a later one vouches for it"]
      : [],
    `${counted(count, "receipt")} before it verified; the rest was not ` +
    "checked",
  ];
}
