/**
 * `strongroom receipts`: the custody chain out of the server, and verified
 * without it.
 *
 * @module
 */
import type { Command } from "commander";
import { OperatorFault } from "../core/operator.ts";
import { reasonOf } from "../core/reason.ts";
import { counted } from "../core/sizes.ts";
import {
  parsePublishedKeys,
  type PublishedKeys,
  type ReceiptChainVerdict,
  verifyReceiptChain,
} from "../crypto/receipt_chain.ts";
import { ReceiptError } from "../crypto/receipt.ts";
import { followSuccession } from "../crypto/succession.ts";
import {
  CustodyError,
  exportChain,
  MAX_LINE_BYTES,
  readLine,
} from "../features/receipts/custody.ts";
import type { CommandContext } from "./operator.ts";
import { terminalProgress } from "./progress.ts";
import { linesOf, openInput, OutLines, type Streams } from "./streams.ts";
import { addVerbs, type Call, type Said, type Verb } from "./verb.ts";

/** A published record is some kilobytes a key. */
const MAX_KEYS_BYTES = 16 * 1024 * 1024;

interface VerifyOptions {
  readonly keys: string;
  readonly partial?: true;
  readonly formerly?: readonly string[];
  readonly pinned?: string;
}

/** Adds `receipts export` and `receipts verify` to the program. */
export function addReceiptCommands(
  program: Command,
  context: CommandContext,
): void {
  const receipts = program.command("receipts")
    .description("the custody receipts, as anybody can verify them");
  addVerbs(receipts, context, VERBS);
}

const VERBS: readonly Verb[] = [
  {
    usage: "export",
    description:
      "write the custody chain to standard output, one JSON object a line",
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
    description: "verify an export (- is standard input) against the saved " +
      "body of /.well-known/service/attestation-keys; needs no server and no " +
      "data",
    options: [
      ["--keys <file>", "the saved attestation keys", "required"],
      ["--partial", "the file is an excerpt: it may begin anywhere"],
      [
        "--formerly <origin...>",
        "origins that the server had before, where the record names them not",
      ],
      [
        "--pinned <key id>",
        "trust this attestation key alone, and those that it vouches for",
      ],
    ],
    example: "receipts verify receipts.jsonl --keys attestation-keys.json",
    run: verify,
  },
];

async function verify(
  { options, platform, streams }: Call<VerifyOptions>,
  file: string,
): Promise<Said> {
  const record = await readKeys(options.keys);
  const published = await followPinned({
    ...record,
    formerIds: [...record.formerIds ?? [], ...options.formerly ?? []],
  }, options);
  const progress = terminalProgress(platform.monotonic, streams.stderr);
  const show = (done: number) => progress.show("receipts", done);
  const verified = await verifyFile(
    file,
    await openOrRefuse(file, streams),
    published,
    options.partial === true,
    show,
  ).finally(() => progress.end());
  return {
    json: toJson(verified, published),
    lines: toLines(verified, published, options.pinned !== undefined),
    isBad: !verified.ok,
  };
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
      `${file} holds no receipt, so nothing was verified: an export of a ` +
        "server that has taken an upload has some",
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
      `${file} cannot be read (${reason}): name an export of strongroom ` +
        "receipts export, or - for standard input",
    );
  }
}

async function readKeys(file: string): Promise<PublishedKeys> {
  const refuse = (why: string): never => {
    throw new OperatorFault(
      `${file} ${why}: save the body of ` +
        "/.well-known/service/attestation-keys of the server and name that",
    );
  };
  let text: string;
  try {
    const { size } = await Deno.stat(file);
    if (size > MAX_KEYS_BYTES) refuse("is too large for attestation keys");
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
      return refuse(`holds no attestation keys (${error.message})`);
    }
    return refuse("is no JSON");
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
    `${keys} has no key ${pinned}: pin a key_id of an earlier record of this ` +
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
      ? [`if that is what ${serverId} was called before, say so by --formerly`]
      : [],
    ...fault === "key_unknown" && isPinned
      ? ["the pinned key does not vouch for it, nor does one that follows it"]
      : [],
    `${counted(count, "receipt")} before it verified; what follows was not ` +
    "looked at",
  ];
}
