/**
 * Moderation reports of peer servers (protocol/federation.md#reports). Taking
 * one writes a row for the operator and nothing else.
 *
 * @module
 */
import { type CborMap, encodeCanonical } from "../../core/cbor.ts";
import type { ReportId } from "../../core/ids.ts";
import { toRfc3339 } from "../../core/time.ts";
import { verifyEd25519 } from "../../crypto/ed25519.ts";
import { transaction } from "../../store/sqlite/database.ts";
import type { FederatedReportRequest } from "../../wire/bodies/federation.ts";
import type { Spent } from "../budgets.ts";
import type { Call } from "../call.ts";
import { charge, chargeEach } from "../charge.ts";
import { findPeer, takeReport } from "./store.ts";

/**
 * Takes a report whose shape was checked: intake budget, peer, signature,
 * policy budgets, account, in the order of protocol/federation.md#reports. A
 * report about an account that is not here is dropped, and answered like any
 * other.
 */
export async function acceptReport(
  call: Call<
    | "error.federation.rate_limited"
    | "error.federation.peer_unknown"
    | "error.federation.report_unsigned"
  >,
  request: FederatedReportRequest,
  clientAddress: string,
) {
  const { app, now, raise } = call;
  const { reporting_server: peer, reported_user: account } = request;
  const allow = (spent: Spent | undefined) => {
    if (spent !== undefined) {
      throw raise("error.federation.rate_limited", spent);
    }
  };
  allow(charge(call, "report_intake", [clientAddress, peer]));
  const pinned = app.server.federates
    ? await findPeer(app.db, peer)
    : undefined;
  if (pinned === undefined) throw raise("error.federation.peer_unknown");
  const signed = signedBytes(request);
  if (!await verifyEd25519(pinned.public_key, signed, request.signature)) {
    throw raise("error.federation.report_unsigned");
  }
  // Only now, so that no one else spends the peer's budget.
  allow(chargeEach(call, [
    ["report_account", [peer, account]],
    ["report_peer", [peer]],
  ]));
  const reportId = app.newId<ReportId>();
  await transaction(app.db, (tx) =>
    takeReport(tx, {
      reportId,
      reportingServer: peer,
      reportedUser: account,
      assetHash: request.asset_hash,
      albumId: request.album_id,
      reason: request.reason ?? null,
      reportedAt: request.reported_at,
      receivedAt: now,
    }));
  return { report_id: reportId, received_at: toRfc3339(now) };
}

/** What a report's signature covers: every other field, as it was sent. */
function signedBytes(request: FederatedReportRequest) {
  const { signature: _, reason, ...others } = request;
  const fields: CborMap = { ...others };
  if (typeof reason === "string") fields["reason"] = reason;
  return encodeCanonical(fields);
}
