/**
 * Peer servers in a test: their keys, pins and reports.
 *
 * @module
 */
import { toBase64 } from "../../src/core/bytes.ts";
import { type CborMap, encodeCanonical } from "../../src/core/cbor.ts";
import { hybridBackend } from "../../src/crypto/hybrid.ts";
import { pinPeer } from "../../src/features/federation/peers.ts";
import { seededRandom, type SendOptions, type TestApp } from "./app.ts";
import type { Json } from "./expect.ts";
import { hashOf, uuidOf } from "./people.ts";

/** Settings under which peers are dealt with. */
export const FEDERATES = { STRONGROOM_FEDERATION: "on" };

/** A peer server: its name and its key. */
export interface Peer {
  readonly serverId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

/** A peer that is the same in every run, from a word; it is not pinned. */
export async function makePeer(name: string): Promise<Peer> {
  const backend = await hybridBackend();
  const key = await backend.openEd25519(seededRandom(`peer ${name}`)(32));
  return {
    serverId: `https://${name}.example`,
    publicKey: new Uint8Array(key.publicKey),
    sign: (message) => key.sign(message),
  };
}

/** A peer that the operator has pinned. */
export async function pinnedPeer(app: TestApp, name: string): Promise<Peer> {
  const peer = await makePeer(name);
  await pinPeer(app.app.db, peer.serverId, peer.publicKey, app.clock.now);
  return peer;
}

/** The fields of a report that its signature covers. */
export function reportFields(reportedUser: string): Json {
  return {
    reporting_server: "https://peer.example",
    reported_user: reportedUser,
    asset_hash: hashOf("a reported blob"),
    album_id: uuidOf("a reported album"),
    reported_at: "2026-11-21T11:59:00Z",
  };
}

/** A report by a peer, signed over its fields; `over` changes those. */
export async function signedReport(
  peer: Peer,
  reportedUser: string,
  over: Json = {},
): Promise<Json> {
  const fields = {
    ...reportFields(reportedUser),
    reporting_server: peer.serverId,
    ...over,
  };
  const signed: CborMap = { ...fields };
  if (fields.reason === null) delete signed["reason"];
  const signature = await peer.sign(encodeCanonical(signed));
  return { ...fields, signature: toBase64(signature) };
}

/** Sends a report. */
export function sendReport(
  app: TestApp,
  json: Json,
  sent: SendOptions = {},
): Promise<Response> {
  return app.send("POST", "/v1/federation/reports", { json, ...sent });
}

/** Every row that waits for the operator's review. */
export function filedReports(app: TestApp) {
  return app.app.db.selectFrom("federated_report").selectAll()
    .orderBy("report_id").execute();
}

/** Reports that were answered 202, filed or not. */
export async function acceptedReports(app: TestApp): Promise<number> {
  const { reports_accepted } = await app.app.db.selectFrom("server")
    .select("reports_accepted").executeTakeFirstOrThrow();
  return reports_accepted;
}
