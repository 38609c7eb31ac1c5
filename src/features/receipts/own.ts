/**
 * All receipts of an account, in the order of the chain
 * (protocol/receipts.md#receipts-of-an-account): what a client verifies that
 * keeps what the server has signed for.
 *
 * @module
 */
import type { z } from "zod";
import { toBase64 } from "../../core/bytes.ts";
import type { Parameter } from "../../http/route.ts";
import { ReceiptsResponse } from "../../wire/answers/receipts.ts";
import { route } from "../app.ts";
import type { CallBy } from "../call.ts";
import { LIST_LIMITS, wholeParameter } from "../parameters.ts";
import { yieldToEventLoop } from "../yield_to_event_loop.ts";
import { OWN_AT_ONCE, type OwnReceipt, pageOfOwn } from "./store.ts";

const INCLUSIONS = ["digest", "cbor", "index"] as const;
type Inclusion = (typeof INCLUSIONS)[number];

const include: Parameter<Inclusion> = {
  parse: (given) => INCLUSIONS.find((one) => one === given),
  schema: { enum: [...INCLUSIONS] },
  description: "Whether the receipts themselves come along, or their places " +
    "in the custody log",
  absent: { value: "digest" },
};

/** A page of the caller's receipts; larger ones are read in steps. */
async function listOwn(
  { app, caller, raise }: CallBy<
    "reader",
    "error.federation.capability_scope"
  >,
  { after, limit, include }: {
    readonly after: number;
    readonly limit: number;
    readonly include: Inclusion;
  },
): Promise<z.input<typeof ReceiptsResponse>> {
  // Receipts are the owner's alone (protocol/federation.md#capability).
  if (caller.kind === "capability") {
    throw raise("error.federation.capability_scope");
  }
  const read: OwnReceipt[] = [];
  for (let last = after;;) {
    const page = await pageOfOwn(app.db, caller.userId, last);
    read.push(...page);
    last = page.at(-1)?.receipt_seq ?? last;
    if (read.length > limit || page.length < OWN_AT_ONCE) break;
    await yieldToEventLoop(app);
  }
  const receipts = read.slice(0, limit);
  const indexes = include !== "index" ? [] : await Promise.all(
    receipts.map(({ receipt_seq }) => app.logs?.indexOf(receipt_seq)),
  );
  return {
    receipts: receipts.map(({ receipt_seq, receipt_hash, body }, at) => ({
      receipt_seq,
      sha256: receipt_hash,
      ...(include === "cbor" ? { receipt_cbor: toBase64(body) } : {}),
      ...(indexes[at] === undefined ? {} : { log_index: indexes[at] }),
    })),
    next_after: receipts.at(-1)?.receipt_seq ?? after,
    more: read.length > limit,
  };
}

export const ownReceiptRoutes = [
  route({
    operation: "listOwnReceipts",
    method: "GET",
    path: "/v1/receipts",
    summary: "The caller's receipts, in the order of the chain",
    credential: "reader",
    query: {
      after: wholeParameter("The last number that the client has", {
        min: 0,
        preset: 0,
      }),
      limit: wholeParameter("Receipts at most", LIST_LIMITS),
      include,
    },
    success: { 200: { kind: "json", schema: ReceiptsResponse } },
    problems: ["error.federation.capability_scope"],
  }).by(async ({ query, ...call }) => ({
    status: 200,
    json: await listOwn(call, query),
  })),
];
