/**
 * What guests have left under an owner's links
 * (protocol/links.md#contributions). Adopting is an upload: see
 * `uploads/adopt.ts`.
 *
 * @module
 */
import { toBase64 } from "../../core/bytes.ts";
import type { OpaqueId, UploadId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { type Db, transaction } from "../../store/sqlite/database.ts";
import type { ReadableBlob } from "../blob_reply.ts";
import type { CallBy } from "../call.ts";
import { charge } from "../charge.ts";
import {
  endGuestUploads,
  findContribution,
  type GuestUploadRow,
} from "../uploads/contributions.ts";
import {
  CONTRIBUTIONS_AT_ONCE,
  findLink,
  pageOfContributions,
} from "./store.ts";

type NotFoundProblem = "error.upload_link.not_found";

/** A page has so many bytes of sealed metadata at most, or one entry. */
const PAGE_BYTES = 1024 * 1024;
/** What an entry takes in addition to its sealed metadata (bytes). */
const ENTRY_BYTES = 256;

/** How many contributions a page has. */
export const CONTRIBUTION_LIMITS = { min: 1, max: 200, preset: 100 } as const;

type ReadProblem = NotFoundProblem | "error.account.rate_limited";

/** A page of the contributions of the caller's link, which may be dead by now. */
export async function readContributions(
  call: CallBy<"session", ReadProblem>,
  opaqueId: OpaqueId,
  { after, limit }: {
    readonly after: UploadId | undefined;
    readonly limit: number;
  },
) {
  const { app, caller: { userId }, now, raise } = call;
  chargeReading(call);
  const link = await findLink(app.db, opaqueId);
  if (link?.owner_id !== userId) throw raise("error.upload_link.not_found");
  const contributions: ReturnType<typeof toWire>[] = [];
  let bytes = 0;
  for (let last: string = after ?? "";;) {
    const page = await pageOfContributions(app.db, opaqueId, last, now);
    for (const row of page) {
      const one = toWire(row);
      bytes += ENTRY_BYTES + one.sealed_metadata.length;
      const isFull = contributions.length === limit || bytes > PAGE_BYTES;
      if (isFull && contributions.length > 0) {
        return { contributions, next_after: last };
      }
      contributions.push(one);
      last = row.upload_id;
    }
    if (page.length < CONTRIBUTIONS_AT_ONCE) return { contributions };
  }
}

/** One of the caller's contributions. */
export async function readContribution(
  call: CallBy<"session", ReadProblem>,
  opaqueId: OpaqueId,
  uploadId: UploadId,
) {
  chargeReading(call);
  const { app: { db } } = call;
  return toWire(await requireContribution(call, db, opaqueId, uploadId));
}

function chargeReading(
  call: CallBy<"session", "error.account.rate_limited">,
): void {
  const spent = charge(call, "contributions", [call.caller.userId]);
  if (spent !== undefined) {
    throw call.raise("error.account.rate_limited", spent);
  }
}

function toWire(
  row: Pick<
    GuestUploadRow,
    | "upload_id"
    | "ciphertext_hash"
    | "size"
    | "sealed_metadata"
    | "received_at"
  >,
) {
  if (row.received_at === null) throw new Error("finalized and not received");
  return {
    upload_id: row.upload_id,
    ciphertext_hash: row.ciphertext_hash,
    size: row.size,
    sealed_metadata: toBase64(row.sealed_metadata),
    received_at: toRfc3339(row.received_at),
  };
}

/** The blob of one of the caller's contributions. */
export async function requireContributed(
  call: CallBy<"session", NotFoundProblem>,
  opaqueId: OpaqueId,
  uploadId: UploadId,
): Promise<ReadableBlob> {
  const row = await requireContribution(call, call.app.db, opaqueId, uploadId);
  return {
    hash: row.ciphertext_hash,
    size: row.size,
    storedAt: row.received_at ?? row.created_at,
  };
}

/** Deletes one of the caller's contributions; its room is free again. */
export async function deleteContribution(
  call: CallBy<"session", NotFoundProblem>,
  opaqueId: OpaqueId,
  uploadId: UploadId,
): Promise<void> {
  await transaction(call.app.db, async (tx) => {
    const row = await requireContribution(call, tx, opaqueId, uploadId);
    await endGuestUploads(tx, [row]);
  });
}

async function requireContribution(
  { caller: { userId }, now, raise }: CallBy<"session", NotFoundProblem>,
  db: Db,
  opaqueId: OpaqueId,
  uploadId: UploadId,
) {
  const row = await findContribution(db, userId, uploadId, now);
  if (row?.opaque_id !== opaqueId) throw raise("error.upload_link.not_found");
  return row;
}
